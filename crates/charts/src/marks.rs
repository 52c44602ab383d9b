//! The marks between the axes of a panel.

use crate::{Rgb, Style};

/// The marks of a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Curves.
    Lines(Vec<Line>),
    /// Stacked layers as areas, with curves over them. The parts of curves outside of fixed axes run along their ends.
    Layered(Stack, Vec<Line>),
    /// Stacked layers as horizontal bars, so that their names have room: one for each category of the vertical
    /// axis, the first on top.
    Bars(Stack),
    /// A value for each category of the vertical axis.
    Dots(Vec<Dot>),
    /// A factor for each category of the vertical axis, as a bar that begins at 1.
    Factors(Vec<Factor>),
    /// A map: rectangles between values of both axes.
    Tiles(Vec<Tile>),
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Its looks.
    pub style: Style,
    /// Its points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place on the horizontal axis.
    pub x: f64,
    /// Its place on the vertical axis.
    pub y: f64,
    /// The ends of the interval in which the true y may lie, drawn as a bar.
    pub interval: Option<[f64; 2]>,
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }
}

/// A value of a category.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// The category's place, from 0.
    pub at: usize,
    /// Its place on the horizontal axis.
    pub value: f64,
    /// The ends of the interval in which the true value may lie, drawn as a bar.
    pub interval: Option<[f64; 2]>,
    /// Its looks.
    pub style: Style,
}

/// The ratio of two quantities, in a category. Its bar runs from 1 to the right if it is above 1; below 1, to
/// the left and in another colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The category's place, from 0.
    pub at: usize,
    /// The factor, above 0.
    pub value: f64,
    /// The ends of the interval in which the true factor may lie.
    pub interval: Option<[f64; 2]>,
    /// The goal of the factor, drawn as a stroke across the bar.
    pub goal: Option<f64>,
    /// The text behind the bar.
    pub label: String,
}

/// Stacked layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Positions: of areas on the horizontal axis, ascending; of bars on the vertical one.
    pub at: Vec<f64>,
    /// The layers, the lowest first, each with a value per place.
    pub layers: Vec<Layer>,
}

/// A layer of a stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its name in the legend.
    pub name: String,
    /// Its fill.
    pub color: Rgb,
    /// Its thickness at each place.
    pub values: Vec<f64>,
}

/// A rectangle of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// Its left and right end, values of the horizontal axis.
    pub x: [f64; 2],
    /// Its lower and upper end, values of the vertical axis.
    pub y: [f64; 2],
    /// Its name in the legend. Tiles of one name have one color.
    pub name: String,
    /// Its fill: light, so that its label is legible.
    pub color: Rgb,
    /// Its text, line by line.
    pub label: Vec<String>,
}
