//! Lengths, colours and types that all parts of the drawing share.
//!
//! Lengths are in units, of which there are [`UNITS_PER_MM`]; plotters knows whole ones only.

use super::svg::Svg;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Units per millimetre: fine enough that curves look smooth in print.
pub(super) const UNITS_PER_MM: f64 = 20.0;
/// Size of all text but titles, 7 points.
pub(super) const TEXT: u32 = 49;
/// Size of titles, 8 points.
pub(super) const TITLE: u32 = 56;
/// From one line of text to the next.
pub(super) const LINE_HEIGHT: i32 = 68;
/// Gap between neighbouring parts.
pub(super) const GAP: i32 = 24;
/// Width of thin lines: frame, ticks, grid.
pub(super) const HAIR: u32 = 3;

pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
pub(super) const GRID: RGBColor = RGBColor(208, 208, 208);
pub(super) const FAINT_GRID: RGBColor = RGBColor(236, 236, 236);

pub(super) type Area<'a> = DrawingArea<Svg<'a>, Shift>;

pub(super) type Drawn = Result<(), Box<dyn std::error::Error>>;
