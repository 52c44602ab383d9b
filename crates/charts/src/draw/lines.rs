//! Curves and dots: strokes, markers, intervals.

use super::dash::strokes;
use super::measures::{Area, Drawn, HAIR};
use super::svg::{Group, grouped};
use crate::{Dash, Dot, Line, Marker, Point, Rgb, Style};
use plotters::prelude::*;

/// Width of a curve, and of one that is not emphasised.
const STROKE: u32 = 9;
const THIN_STROKE: u32 = 5;
/// From the middle of a marker to its edge.
const RADIUS: i32 = 18;
const THIN_RADIUS: i32 = 12;
/// Half the width of the ends of an interval.
pub(super) const CAP: i32 = 11;

/// Colour, dash and marker of a curve.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Pen {
    pub(super) color: RGBColor,
    dash: Dash,
    marker: Marker,
    stroke: u32,
    radius: i32,
}

impl Pen {
    /// The pen of a style; thin and pale if other lines are emphasised.
    pub(super) fn new(style: Style, pale: bool) -> Self {
        let Style { color: Rgb(r, g, b), marker, dash } = style;
        if !pale {
            return Self { color: RGBColor(r, g, b), dash, marker, stroke: STROKE, radius: RADIUS };
        }
        // Half way to white.
        let [r, g, b] = [r, g, b].map(|part| 128 + part / 2);
        let (stroke, radius) = (THIN_STROKE, THIN_RADIUS);
        Self { color: RGBColor(r, g, b), dash, marker, stroke, radius }
    }
}

/// Draws a curve. `place` maps a value pair to the page; `None` outside of the panel. `words` states the values
/// of a point.
pub(super) fn draw_line(
    root: &Area<'_>,
    line: &Line,
    pen: Pen,
    place: &dyn Fn(f64, f64) -> Option<(i32, i32)>,
    words: &dyn Fn(&Point) -> String,
) -> Drawn {
    let seen: Vec<_> = line.points.iter().filter_map(|p| Some((p, place(p.x, p.y)?))).collect();
    let path: Vec<(i32, i32)> = seen.iter().map(|&(_, at)| at).collect();
    draw_path(root, &path, pen)?;
    // A line of many points has no markers.
    let marked = seen.iter().filter(|_| line.style.marker != Marker::None);
    for &(point, at) in marked {
        grouped(root, &Group::Value(&words(point)), || {
            if let Some([low, high]) = point.interval
                && let (Some(low), Some(high)) = (place(point.x, low), place(point.x, high))
            {
                draw_interval(root, [low, high], (CAP, 0), pen.color)?;
            }
            draw_marker(root, at, pen)
        })?;
    }
    Ok(())
}

/// Draws the value of a category, with its interval.
pub(super) fn draw_dot(
    root: &Area<'_>,
    dot: &Dot,
    pen: Pen,
    place: &dyn Fn(f64, f64) -> Option<(i32, i32)>,
) -> Drawn {
    let at = |value| place(value, dot.at as f64);
    if let Some([low, high]) = dot.interval
        && let (Some(low), Some(high)) = (at(low), at(high))
    {
        draw_interval(root, [low, high], (0, CAP), pen.color)?;
    }
    at(dot.value).map_or(Ok(()), |at| draw_marker(root, at, pen))
}

/// Draws a broken or unbroken line.
pub(super) fn draw_path(root: &Area<'_>, path: &[(i32, i32)], pen: Pen) -> Drawn {
    let pattern: Vec<f64> =
        pen.dash.pattern().iter().map(|length| length * f64::from(pen.stroke)).collect();
    for stroke in strokes(path, &pattern) {
        root.draw(&PathElement::new(stroke, pen.color.stroke_width(pen.stroke)))?;
    }
    Ok(())
}

/// Draws the marker of a point.
pub(super) fn draw_marker(root: &Area<'_>, (x, y): (i32, i32), pen: Pen) -> Drawn {
    let (fill, stroke) = (pen.color.filled(), pen.color.stroke_width(pen.stroke));
    let (r, wide) = (pen.radius, pen.radius * 6 / 5);
    let square = [(x - r + 2, y - r + 2), (x + r - 2, y + r - 2)];
    match pen.marker {
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
            root.draw(&Circle::new((x, y), r, stroke))?;
        }
        Marker::Frame => {
            // Plotters draws the outline of a rectangle as a hairline, whatever the stroke.
            let [(left, top), (right, bottom)] = square;
            let around = [(left, top), (right, top), (right, bottom), (left, bottom)];
            root.draw(&Rectangle::new(square, WHITE.filled()))?;
            // The first side comes twice, so that no corner is open.
            root.draw(&PathElement::new(
                around.into_iter().cycle().take(6).collect::<Vec<_>>(),
                stroke,
            ))?;
        }
        Marker::Cross => {
            root.draw(&PathElement::new([(x - r, y - r), (x + r, y + r)], stroke))?;
            root.draw(&PathElement::new([(x - r, y + r), (x + r, y - r)], stroke))?;
        }
        Marker::None => {}
    }
    Ok(())
}

/// A bar from end to end; `across` is half of the stroke at each.
pub(super) fn draw_interval(
    root: &Area<'_>,
    ends: [(i32, i32); 2],
    (dx, dy): (i32, i32),
    color: RGBColor,
) -> Drawn {
    let stroke = color.stroke_width(HAIR + 1);
    root.draw(&PathElement::new(ends, stroke))?;
    for (x, y) in ends {
        root.draw(&PathElement::new([(x - dx, y - dy), (x + dx, y + dy)], stroke))?;
    }
    Ok(())
}
