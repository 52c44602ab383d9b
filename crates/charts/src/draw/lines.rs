//! Curves and dots: strokes, markers, intervals.

use super::panel::Plot;
use super::svg::{At, HAIR, Stroke, Svg, WHITE, fill, outline};
use crate::{Dot, Line, Marker, Rgb, Style};

/// Width of a curve, and of one that is not emphasised.
const STROKE: i32 = 9;
const THIN_STROKE: i32 = 5;
/// From the middle of a marker to its edge.
const RADIUS: i32 = 18;
const THIN_RADIUS: i32 = 12;
/// Half the width of the ends of an interval.
pub(super) const CAP: i32 = 11;

/// How a curve is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Pen {
    pub(super) stroke: Stroke,
    marker: Marker,
    radius: i32,
}

impl Pen {
    /// The pen of a style; thin and pale if other lines are emphasised.
    pub(super) fn new(style: Style, pale: bool) -> Self {
        let Style { color: Rgb(r, g, b), marker, dash } = style;
        // Half way to white.
        let half = |part: u8| 128 + part / 2;
        let (color, width, radius) = match pale {
            false => (style.color, STROKE, RADIUS),
            true => (Rgb(half(r), half(g), half(b)), THIN_STROKE, THIN_RADIUS),
        };
        Self { stroke: Stroke { color, width, dash: dash.pattern() }, marker, radius }
    }
}

impl Plot<'_> {
    /// Draws a curve whose points have tooltips. `place` maps a value pair to the page; `None` outside of the panel.
    pub(super) fn draw_line(
        &self,
        svg: &mut Svg,
        line: &Line,
        place: &dyn Fn(f64, f64) -> Option<At>,
    ) {
        let pen = self.page.chart.pen(line);
        let seen: Vec<_> = line.points.iter().filter_map(|p| Some((p, place(p.x, p.y)?))).collect();
        let path: Vec<At> = seen.iter().map(|&(_, at)| at).collect();
        svg.named(&line.name, line.style.color, |svg| {
            svg.path(&path, pen.stroke);
            // A line of many points has no markers.
            let marked = seen.iter().filter(|_| line.style.marker != Marker::None);
            for &(point, at) in marked {
                svg.value(&self.page.point_words(line, point), |svg| {
                    let ends = point.interval.map(|ends| ends.map(|y| place(point.x, y)));
                    if let Some([Some(low), Some(high)]) = ends {
                        draw_interval(svg, [low, high], (CAP, 0), pen.stroke.color);
                    }
                    draw_marker(svg, at, pen);
                });
            }
        });
    }

    /// Draws the value of a category, with its interval.
    pub(super) fn draw_dot(&self, svg: &mut Svg, dot: &Dot) {
        let (pen, at) = (Pen::new(dot.style, false), |value| self.seen(value, dot.at as f64));
        svg.value(&self.page.dot_words(dot), |svg| {
            if let Some([Some(low), Some(high)]) = dot.interval.map(|ends| ends.map(at)) {
                draw_interval(svg, [low, high], (0, CAP), pen.stroke.color);
            }
            if let Some(at) = at(dot.value) {
                draw_marker(svg, at, pen);
            }
        });
    }
}

/// Draws the marker of a point.
pub(super) fn draw_marker(svg: &mut Svg, (x, y): At, pen: Pen) {
    let stroke = Stroke { dash: &[], ..pen.stroke };
    let (color, r, wide) = (stroke.color, pen.radius, pen.radius * 6 / 5);
    let square = [(x - r + 2, y - r + 2), (x + r - 2, y + r - 2)];
    match pen.marker {
        Marker::Circle => svg.disc((x, y), r, fill(color)),
        Marker::Square => svg.rect(square, fill(color)),
        Marker::Up => svg.polygon(&[(x - wide, y + r), (x + wide, y + r), (x, y - wide)], color),
        Marker::Down => svg.polygon(&[(x - wide, y - r), (x + wide, y - r), (x, y + wide)], color),
        Marker::Diamond => {
            svg.polygon(&[(x - wide, y), (x, y - wide), (x + wide, y), (x, y + wide)], color);
        }
        Marker::Ring => svg.disc((x, y), r, format!("{} {stroke}", fill(WHITE))),
        Marker::Frame => {
            svg.rect(square, fill(WHITE));
            svg.rect(square, outline(stroke));
        }
        Marker::Cross => {
            svg.path(&[(x - r, y - r), (x + r, y + r)], stroke);
            svg.path(&[(x - r, y + r), (x + r, y - r)], stroke);
        }
        Marker::None => {}
    }
}

/// A bar from end to end; `across` is half of the stroke at each.
pub(super) fn draw_interval(svg: &mut Svg, ends: [At; 2], (dx, dy): At, color: Rgb) {
    let stroke = Stroke::solid(color, HAIR + 1);
    svg.path(&ends, stroke);
    for (x, y) in ends {
        svg.path(&[(x - dx, y - dy), (x + dx, y + dy)], stroke);
    }
}
