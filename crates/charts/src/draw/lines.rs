//! Curves: strokes, markers, intervals.

use super::dash::strokes;
use super::{Area, HAIR};
use crate::{Line, Marker, Style};
use plotters::prelude::*;

/// Width of a curve.
const STROKE: u32 = 9;
/// From the middle of a marker to its edge.
const RADIUS: i32 = 18;
/// Half the width of the ends of an interval.
const CAP: i32 = 11;

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws a curve. `place` gives where a value pair is on the page; `None` outside of the panel.
pub(super) fn draw_line(
    root: &Area<'_>,
    line: &Line,
    place: &dyn Fn(f64, f64) -> Option<(i32, i32)>,
) -> Drawn {
    let seen: Vec<_> = line.points.iter().filter_map(|p| Some((p, place(p.x, p.y)?))).collect();
    let path: Vec<(i32, i32)> = seen.iter().map(|&(_, at)| at).collect();
    draw_path(root, &path, line.style)?;
    for &(point, at) in &seen {
        if let Some([low, high]) = point.interval
            && let (Some(low), Some(high)) = (place(point.x, low), place(point.x, high))
        {
            draw_interval(root, low, high, line.style)?;
        }
        draw_marker(root, at, line.style)?;
    }
    Ok(())
}

/// Draws a broken or unbroken line.
pub(super) fn draw_path(root: &Area<'_>, path: &[(i32, i32)], style: Style) -> Drawn {
    let pattern: Vec<f64> =
        style.dash.pattern().iter().map(|length| length * f64::from(STROKE)).collect();
    for stroke in strokes(path, &pattern) {
        root.draw(&PathElement::new(stroke, color(style).stroke_width(STROKE)))?;
    }
    Ok(())
}

/// Draws the marker of a point.
pub(super) fn draw_marker(root: &Area<'_>, (x, y): (i32, i32), style: Style) -> Drawn {
    let fill = color(style).filled();
    let (r, wide) = (RADIUS, RADIUS * 6 / 5);
    let square = [(x - r + 2, y - r + 2), (x + r - 2, y + r - 2)];
    match style.marker {
        Marker::Circle => root.draw(&Circle::new((x, y), r, fill))?,
        Marker::Square => root.draw(&Rectangle::new(square, fill))?,
        Marker::Up => {
            root.draw(&Polygon::new([(x - wide, y + r), (x + wide, y + r), (x, y - wide)], fill))?;
        }
        Marker::Down => {
            root.draw(&Polygon::new([(x - wide, y - r), (x + wide, y - r), (x, y + wide)], fill))?;
        }
        Marker::Diamond => {
            let corners = [(x - wide, y), (x, y - wide), (x + wide, y), (x, y + wide)];
            root.draw(&Polygon::new(corners, fill))?;
        }
        Marker::Ring => {
            root.draw(&Circle::new((x, y), r, WHITE.filled()))?;
            root.draw(&Circle::new((x, y), r, color(style).stroke_width(STROKE)))?;
        }
        Marker::Frame => {
            root.draw(&Rectangle::new(square, WHITE.filled()))?;
            root.draw(&Rectangle::new(square, color(style).stroke_width(STROKE)))?;
        }
        Marker::Cross => {
            let stroke = color(style).stroke_width(STROKE);
            root.draw(&PathElement::new([(x - r, y - r), (x + r, y + r)], stroke))?;
            root.draw(&PathElement::new([(x - r, y + r), (x + r, y - r)], stroke))?;
        }
        Marker::None => {}
    }
    Ok(())
}

fn draw_interval(root: &Area<'_>, low: (i32, i32), high: (i32, i32), style: Style) -> Drawn {
    let stroke = color(style).stroke_width(HAIR + 1);
    root.draw(&PathElement::new([low, high], stroke))?;
    for (x, y) in [low, high] {
        root.draw(&PathElement::new([(x - CAP, y), (x + CAP, y)], stroke))?;
    }
    Ok(())
}

fn color(style: Style) -> RGBColor {
    let crate::Rgb(r, g, b) = style.color;
    RGBColor(r, g, b)
}
