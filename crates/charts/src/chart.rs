//! The description of a chart: what it shows, not how it is drawn.

use crate::Marks;

/// Width of a column of a two-column paper, mm.
const COLUMN_MM: f64 = 88.0;
/// Width of one and a half columns, mm, for charts of many curves.
const WIDE_MM: f64 = 140.0;
/// Height of a panel without its axis, mm.
const PANEL_MM: f64 = 50.0;

/// Most lines of a one-panel chart whose names stand in a legend above it. The names of more lines stand
/// beside the curves' ends.
pub const MAX_NAMES_ABOVE: usize = 8;

/// A chart: panels one above the other, on common axes and with one legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title above everything; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The panels, from the top.
    pub panels: Vec<Panel>,
    /// Width of the whole picture, mm.
    pub width_mm: f64,
    /// Height of the area of one panel, mm. Names that stand beside the curves may make it higher.
    pub panel_mm: f64,
    /// Names of the emphasised lines; the others are thin and pale. If empty, all lines are alike.
    pub stressed: Vec<String>,
}

impl Chart {
    /// A chart of a column's width, without panels yet.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self {
            title: String::new(),
            x,
            y,
            panels: Vec::new(),
            width_mm: COLUMN_MM,
            panel_mm: PANEL_MM,
            stressed: Vec::new(),
        }
    }

    /// The same chart, one column and a half wide.
    pub fn wide(self) -> Self {
        Self { width_mm: WIDE_MM, ..self }
    }

    /// The same chart under a title.
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The same chart with one more panel.
    pub fn with(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    /// How values map to positions.
    pub scale: Scale,
    /// Fixed ends; `None` takes those of the data, extended to round numbers.
    pub bounds: Option<[f64; 2]>,
    /// How its numbers are written.
    pub numbers: Numbers,
    /// The labelled values; `None` takes round numbers.
    pub labelled: Option<Vec<f64>>,
}

impl Axis {
    /// Equal steps for equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Linear)
    }

    /// Equal steps for equal factors.
    pub fn log(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Log)
    }

    /// A category for each name, the first on top; for the bars of a vertical axis.
    pub fn categories(label: impl Into<String>, names: Vec<String>) -> Self {
        Self::new(label, Scale::Categories(names))
    }

    /// Shares of a whole, 0 to 1, written in per cent.
    pub fn shares(label: impl Into<String>) -> Self {
        Self { numbers: Numbers::Percent, ..Self::linear(label) }.within(0.0, 1.0)
    }

    /// The same axis with fixed ends. Points outside are left out.
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { bounds: Some([low, high]), ..self }
    }

    /// The same axis with labels at these values and no others.
    pub fn labelled_at(self, values: Vec<f64>) -> Self {
        Self { labelled: Some(values), ..self }
    }

    fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale, bounds: None, numbers: Numbers::Plain, labelled: None }
    }
}

/// How values map to positions on an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps for equal differences.
    Linear,
    /// Equal steps for equal factors; only values above 0 have a place.
    Log,
    /// Name k is at the value k, from 0.
    Categories(Vec<String>),
}

/// How numbers are written on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// In full; thousands and millions with `k` and `M`.
    Plain,
    /// 1 is 100 %.
    Percent,
}

/// One area between axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title above the area; may be empty.
    pub title: String,
    /// Its marks.
    pub marks: Marks,
}

impl Panel {
    /// A panel without a title.
    pub fn new(marks: Marks) -> Self {
        Self { title: String::new(), marks }
    }
}

/// Why a chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChartError {
    /// There is not a single point.
    #[error("there is nothing to draw: no data")]
    Empty,
    /// A value has no place on its axis.
    #[error("{series}: {value} has no place on the axis `{axis}`")]
    NoPlace {
        /// The line or layer.
        series: String,
        /// The axis' label.
        axis: String,
        /// The value.
        value: f64,
    },
    /// A layer does not have a value for each place.
    #[error("{series}: {found} values for {expected} places")]
    Length {
        /// The layer.
        series: String,
        /// Places.
        expected: usize,
        /// Values.
        found: usize,
    },
    /// The picture would have no pixels, or too many.
    #[error("a picture of {width} x {height} pixels cannot be made")]
    Size {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
    },
    /// The drawing library failed.
    #[error("cannot draw the chart: {0}")]
    Drawing(String),
}
