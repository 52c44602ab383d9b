//! Charts of measurements: a description in, an SVG or PNG picture out.
//!
//! A [`Chart`] is plain data: two axes, and panels of lines, stacked layers, dots, factors or tiles.
//! [`Chart::svg`] draws it, sized for the column of a paper, and with the feature `png` `Chart::png` too. The font is built in, and
//! neither window nor GPU is needed.
//!
//! Charts are readable without colour: the first 32 lines differ by marker and dash, layers by lightness.
//! More than eight lines have their names beside the curves' ends, in the curves' order. The colours are
//! distinct for the colour-blind (Okabe and Ito 2008). [`Style::nth`] gives an index the same style in every
//! chart.
//!
//! ```
//! use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
//!
//! let line = Line {
//!     name: "bsp".into(),
//!     style: Style::nth(1),
//!     points: vec![Point::new(50.0, 0.002), Point::new(5000.0, 0.45)],
//! };
//! let chart = Chart::new(Axis::log("objects"), Axis::log("time per frame [ms]"))
//!     .with(Panel::new(Marks::Lines(vec![line])));
//! assert!(chart.svg()?.contains("time per frame"));
//! # Ok::<(), charts::ChartError>(())
//! ```

mod chart;
mod draw;
mod font;
mod marks;
#[cfg(feature = "png")]
mod png;
mod scale;
mod style;

pub use chart::{Axis, Chart, ChartError, MAX_NAMES_ABOVE, Numbers, Panel, Scale};
pub use marks::{Dot, Factor, Layer, Line, Marks, Point, Stack, Tile};
pub use style::{Dash, LAYER_COLORS, Marker, Rgb, Style};
