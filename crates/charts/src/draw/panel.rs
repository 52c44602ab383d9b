//! One panel: axes, grid, and what is drawn between them.

use super::page::{Page, line_of};
use super::svg::{Anchor, At, GAP, HAIR, INK, LINE_HEIGHT, Stroke, Svg, TEXT};
use crate::font::Font;
use crate::scale::Ruler;
use crate::{Line, Marks, Panel, Rgb};

/// Length of a tick.
const TICK: i32 = 12;
/// Space left of the rotated name of the vertical axis.
const INSET: i32 = 12;

const GRID: Rgb = Rgb(208, 208, 208);
const FAINT_GRID: Rgb = Rgb(236, 236, 236);

/// The area between the axes of a panel, in units.
pub(super) struct Plot<'a> {
    pub(super) page: &'a Page<'a>,
    left: i32,
    pub(super) right: i32,
    pub(super) top: i32,
    pub(super) bottom: i32,
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
        let top = top + line_of(&panel.title);
        let right = self.width - self.beside - self.last_x_label_overhang() - GAP + INSET;
        let plot = Plot { page: self, left, right, top, bottom: top + self.panel_height };
        plot.draw_axes(svg, &panel.marks, last);
        plot.draw_marks(svg, &panel.marks);
        plot.bottom + if last { self.x_label_height() } else { 0 } + GAP
    }
}

impl Plot<'_> {
    fn x(&self, place: f64) -> i32 {
        between(&self.page.x, place, [self.left, self.right])
    }

    fn y(&self, place: f64) -> i32 {
        between(&self.page.y, place, [self.bottom, self.top])
    }

    /// The pixel of a value pair; `None` outside of the axes.
    pub(super) fn seen(&self, x: f64, y: f64) -> Option<At> {
        let (x, y) = (self.page.x.place(x), self.page.y.place(y));
        (self.page.x.holds(x) && self.page.y.holds(y)).then(|| (self.x(x), self.y(y)))
    }

    /// The pixel of a value pair, on the rim if it is outside of the axes.
    pub(super) fn clamped(&self, x: f64, y: f64) -> At {
        let Page { x: x_axis, y: y_axis, .. } = self.page;
        (self.x(x_axis.clamped(x_axis.place(x))), self.y(y_axis.clamped(y_axis.place(y))))
    }

    /// Draws axes, grid and labels; those of the horizontal axis in the last panel only.
    fn draw_axes(&self, svg: &mut Svg, marks: &Marks, last: bool) {
        let &Self { page, left, right, top, bottom } = self;
        let font = Font::regular(TEXT);
        let (has_columns, has_rows) = match marks {
            Marks::Bars(_) | Marks::Factors(_) => (true, false),
            Marks::Tiles(_) => (false, false),
            _ => (true, true),
        };
        let grid =
            [(FAINT_GRID, &page.x.minor, &page.y.minor), (GRID, &page.x.ticks, &page.y.ticks)];
        for (color, columns, rows) in grid {
            let stroke = Stroke::solid(color, HAIR);
            for x in columns.iter().filter(|_| has_columns).map(|place| self.x(*place)) {
                svg.path(&[(x, top), (x, bottom)], stroke);
            }
            for y in rows.iter().filter(|_| has_rows).map(|place| self.y(*place)) {
                svg.path(&[(left, y), (right, y)], stroke);
            }
        }
        let stroke = Stroke::solid(INK, HAIR + 1);
        svg.path(&[(left, top), (left, bottom)], stroke);
        for place in &page.y.ticks {
            let y = self.y(*place);
            svg.path(&[(left - TICK, y), (left, y)], stroke);
            svg.text(&page.y_label(*place), (left - 2 * TICK, y), font, Anchor::Right);
        }
        let middle = (INSET + LINE_HEIGHT / 2, (top + bottom) / 2);
        svg.text(&page.chart.y.label, middle, font, Anchor::Upwards);
        if !last {
            return;
        }
        svg.path(&[(left, bottom), (right, bottom)], stroke);
        for place in &page.x.ticks {
            let x = self.x(*place);
            svg.path(&[(x, bottom), (x, bottom + TICK)], stroke);
            svg.text(&page.x.label(*place), (x, bottom + 2 * TICK), font, Anchor::Top);
        }
        let below = ((left + right) / 2, bottom + LINE_HEIGHT + TICK);
        svg.text(&page.chart.x.label, below, font, Anchor::Top);
    }

    /// Draws what stands between the axes.
    fn draw_marks(&self, svg: &mut Svg, marks: &Marks) {
        match marks {
            Marks::Lines(lines) => {
                // The emphasised ones over the others, and their names beside them.
                let stressed = |line: &&Line| self.page.chart.stressed.contains(&line.name);
                let (above, below): (Vec<_>, Vec<_>) = lines.iter().partition(stressed);
                for line in below.into_iter().chain(above) {
                    self.draw_line(svg, line, &|x, y| self.seen(x, y));
                }
                self.draw_names(svg);
            }
            Marks::Dots(dots) => dots.iter().for_each(|dot| self.draw_dot(svg, dot)),
            Marks::Factors(factors) => self.draw_factors(svg, factors),
            Marks::Tiles(tiles) => tiles.iter().for_each(|tile| self.draw_tile(svg, tile)),
            Marks::Layered(stack, lines) => {
                self.draw_areas(svg, stack);
                for line in lines {
                    self.draw_line(svg, line, &|x, y| Some(self.clamped(x, y)));
                }
            }
            Marks::Bars(stack) => self.draw_bars(svg, stack),
        }
    }
}
