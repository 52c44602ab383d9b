//! One panel: axes, grid, and what is drawn between them.

use super::beside::draw_names;
use super::factors::draw_factors;
use super::lines::{Pen, draw_dot, draw_line};
use super::page::Page;
use super::stacks::{draw_areas, draw_bars};
use super::svg::{Anchor, At, GAP, HAIR, INK, LINE_HEIGHT, Stroke, Svg, TEXT};
use super::tiles::draw_tiles;
use crate::font::Font;
use crate::scale::Ruler;
use crate::{Factor, Layer, Line, Marks, Panel, Point, Rgb};

/// Length of a tick.
const TICK: i32 = 12;
/// Space left of the rotated name of the vertical axis.
const INSET: i32 = 12;

const GRID: Rgb = Rgb(208, 208, 208);
const FAINT_GRID: Rgb = Rgb(236, 236, 236);

/// The area between the axes of a panel, in units.
struct Plot<'a> {
    page: &'a Page<'a>,
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Plot<'_> {
    fn x(&self, place: f64) -> i32 {
        between(&self.page.x, place, [self.left, self.right])
    }

    fn y(&self, place: f64) -> i32 {
        between(&self.page.y, place, [self.bottom, self.top])
    }

    /// The pixel of a value pair; `None` outside of the axes.
    fn seen(&self, x: f64, y: f64) -> Option<At> {
        let (x, y) = (self.page.x.place(x), self.page.y.place(y));
        (self.page.x.holds(x) && self.page.y.holds(y)).then(|| (self.x(x), self.y(y)))
    }

    /// The pixel of a value pair, on the rim if it is outside of the axes.
    fn clamped(&self, x: f64, y: f64) -> At {
        let Page { x: x_axis, y: y_axis, .. } = self.page;
        (self.x(x_axis.clamped(x_axis.place(x))), self.y(y_axis.clamped(y_axis.place(y))))
    }
}

/// Where a place of an axis is between two ends of it on the page.
fn between(ruler: &Ruler, place: f64, ends: [i32; 2]) -> i32 {
    let [from, to] = ends.map(f64::from);
    (from + (place - ruler.low) / (ruler.high - ruler.low) * (to - from)).round() as i32
}

impl Page<'_> {
    /// Draws a panel whose upper edge is at `top`; returns that of the next. Only the last panel labels the
    /// horizontal axis, which all panels share.
    pub(super) fn draw_panel(&self, svg: &mut Svg, panel: &Panel, top: i32, last: bool) -> i32 {
        let left = self.y_label_width();
        let title = Font::bold(TEXT).fitted(&panel.title, self.width - GAP - left);
        svg.text(&title, (left, top), Font::bold(TEXT), Anchor::TopLeft);
        let top = top + self.panel_title_height(panel);
        let right = self.width - self.beside - self.last_x_label_overhang() - GAP + INSET;
        let plot = Plot { page: self, left, right, top, bottom: top + self.panel_height };
        self.draw_axes(svg, &plot, &panel.marks, last);
        self.draw_marks(svg, &panel.marks, &plot);
        plot.bottom + if last { self.x_label_height() } else { 0 } + GAP
    }

    /// Draws axes, grid and labels; those of the horizontal axis in the last panel only.
    fn draw_axes(&self, svg: &mut Svg, plot: &Plot<'_>, marks: &Marks, last: bool) {
        let &Plot { left, right, top, bottom, .. } = plot;
        let font = Font::regular(TEXT);
        let (has_columns, has_rows) = match marks {
            Marks::Bars(_) | Marks::Factors(_) => (true, false),
            Marks::Tiles(_) => (false, false),
            _ => (true, true),
        };
        let grid =
            [(FAINT_GRID, &self.x.minor, &self.y.minor), (GRID, &self.x.ticks, &self.y.ticks)];
        for (color, columns, rows) in grid {
            let stroke = Stroke::solid(color, HAIR);
            for x in columns.iter().filter(|_| has_columns).map(|place| plot.x(*place)) {
                svg.path(&[(x, top), (x, bottom)], stroke);
            }
            for y in rows.iter().filter(|_| has_rows).map(|place| plot.y(*place)) {
                svg.path(&[(left, y), (right, y)], stroke);
            }
        }
        let stroke = Stroke::solid(INK, HAIR + 1);
        svg.path(&[(left, top), (left, bottom)], stroke);
        for place in &self.y.ticks {
            let y = plot.y(*place);
            svg.path(&[(left - TICK, y), (left, y)], stroke);
            svg.text(&self.y_label(*place), (left - 2 * TICK, y), font, Anchor::Right);
        }
        let middle = (INSET + LINE_HEIGHT / 2, (top + bottom) / 2);
        svg.text(&self.chart.y.label, middle, font, Anchor::Upwards);
        if !last {
            return;
        }
        svg.path(&[(left, bottom), (right, bottom)], stroke);
        for place in &self.x.ticks {
            let x = plot.x(*place);
            svg.path(&[(x, bottom), (x, bottom + TICK)], stroke);
            svg.text(&self.x.label(*place), (x, bottom + 2 * TICK), font, Anchor::Top);
        }
        let below = ((left + right) / 2, bottom + LINE_HEIGHT + TICK);
        svg.text(&self.chart.x.label, below, font, Anchor::Top);
    }

    /// Draws what stands between the axes.
    fn draw_marks(&self, svg: &mut Svg, marks: &Marks, plot: &Plot<'_>) {
        let seen = |x: f64, y: f64| plot.seen(x, y);
        let clamped = |x: f64, y: f64| plot.clamped(x, y);
        let (sides, end) = ([plot.top, plot.bottom], self.width - GAP);
        match marks {
            Marks::Lines(lines) => {
                // The emphasised ones over the others, and their names beside them.
                let stressed = |line: &&Line| self.chart.stressed.contains(&line.name);
                let (above, below): (Vec<_>, Vec<_>) = lines.iter().partition(stressed);
                for line in below.into_iter().chain(above) {
                    self.draw_named_line(svg, line, &seen);
                }
                draw_names(svg, self.chart, [plot.right, end], sides, &seen);
            }
            Marks::Dots(dots) => {
                for dot in dots {
                    let pen = Pen::new(dot.style, false);
                    svg.value(&self.dot_words(dot), |svg| draw_dot(svg, dot, pen, &seen));
                }
            }
            Marks::Factors(factors) => {
                let words = |factor: &Factor| self.factor_words(factor);
                draw_factors(svg, factors, sides, end, &clamped, &words);
            }
            Marks::Tiles(tiles) => draw_tiles(svg, tiles, &clamped),
            Marks::Areas(stack) => draw_areas(svg, stack, &clamped),
            Marks::Layered(stack, lines) => {
                draw_areas(svg, stack, &clamped);
                for line in lines {
                    self.draw_named_line(svg, line, &|x, y| Some(clamped(x, y)));
                }
            }
            Marks::Bars(stack) => {
                let words = |layer: &Layer, index| self.bar_words(layer, stack.at[index], index);
                draw_bars(svg, stack, &clamped, &words);
            }
        }
    }

    /// Draws a line whose points have tooltips.
    fn draw_named_line(&self, svg: &mut Svg, line: &Line, place: &dyn Fn(f64, f64) -> Option<At>) {
        let words = |p: &Point| self.point_words(line, p);
        svg.named(&line.name, line.style.color, |svg| {
            draw_line(svg, line, self.chart.pen(line), place, &words);
        });
    }
}
