//! One panel: axes, grid, and what is drawn between them.

use super::beside::draw_names;
use super::factors::draw_factors;
use super::lines::{Pen, draw_dot, draw_line};
use super::measures::{Area, Drawn, FAINT_GRID, GAP, GRID, HAIR, INK, TEXT};
use super::page::Page;
use super::stacks::{draw_areas, draw_bars};
use super::svg::{Group, Svg, grouped};
use super::tiles::draw_tiles;
use crate::scale::Ruler;
use crate::{Factor, Layer, Line, Marks, Panel, Point, font};
use plotters::prelude::*;

/// Length of a tick.
const TICK: i32 = 12;
/// Space left of the rotated name of the vertical axis.
const INSET: i32 = 12;

impl Page<'_> {
    /// Draws a panel whose upper edge is at `top`; returns that of the next. Only the last panel labels the
    /// horizontal axis, which all panels share.
    pub(super) fn draw_panel(
        &self,
        root: &Area<'_>,
        panel: &Panel,
        top: i32,
        last: bool,
    ) -> Result<i32, Box<dyn std::error::Error>> {
        let left = self.y_label_width();
        self.draw_panel_title(root, panel, (left, top))?;
        let top = top + self.panel_title_height(panel);
        let x_labels = if last { self.x_label_height() } else { 0 };
        let bottom = top + self.panel_height + x_labels;
        let right = self.width - self.beside - self.last_x_label_overhang();
        let area = root.clone().shrink((INSET, top), (right - GAP, bottom - top));

        let mut chart = ChartBuilder::on(&area)
            .y_label_area_size(left - INSET)
            .x_label_area_size(x_labels)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        self.draw_axes(&mut chart, &panel.marks, last)?;

        let (x, y, plot) = (&self.x, &self.y, chart.plotting_area());
        let seen = |vx: f64, vy: f64| {
            let (px, py) = (x.place(vx), y.place(vy));
            (is_between(px, x.low, x.high) && is_between(py, y.low, y.high))
                .then(|| plot.map_coordinate(&(px, py)))
        };
        let clamped = |vx: f64, vy: f64| {
            let (px, py) = (x.place(vx), y.place(vy));
            plot.map_coordinate(&(between(px, x.low, x.high), between(py, y.low, y.high)))
        };
        let frame = PlotFrame {
            seen: &seen,
            clamped: &clamped,
            right: [right - GAP + INSET, self.width - GAP],
            sides: [top, top + self.panel_height],
        };
        self.draw_marks(root, &panel.marks, &frame)?;
        Ok(bottom + GAP)
    }
    /// Draws axes, grid and labels; those of the horizontal axis in the last panel only.
    fn draw_axes(
        &self,
        chart: &mut ChartContext<'_, Svg<'_>, Cartesian2d<Ruler, Ruler>>,
        marks: &Marks,
        last: bool,
    ) -> Drawn {
        let text = TextStyle::from(font::regular(TEXT)).color(&INK);
        let (x_label, y_label) = (|v: &f64| self.x.label(*v), |v: &f64| self.y_label(*v));
        let mut mesh = chart.configure_mesh();
        match marks {
            Marks::Bars(_) | Marks::Factors(_) => drop(mesh.disable_y_mesh()),
            Marks::Tiles(_) => drop(mesh.disable_mesh()),
            _ => {}
        }
        mesh.bold_line_style(GRID.stroke_width(HAIR))
            .light_line_style(FAINT_GRID.stroke_width(HAIR))
            .axis_style(INK.stroke_width(HAIR + 1))
            .label_style(text.clone())
            .axis_desc_style(text)
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .set_all_tick_mark_size(TICK)
            .y_desc(&self.chart.y.label);
        if last {
            mesh.x_desc(&self.chart.x.label);
        }
        Ok(mesh.draw()?)
    }

    fn draw_panel_title(&self, root: &Area<'_>, panel: &Panel, at: (i32, i32)) -> Drawn {
        if panel.title.is_empty() {
            return Ok(());
        }
        let title = font::fitted(&panel.title, &font::bold(TEXT), self.width - GAP - at.0);
        Ok(root.draw(&Text::new(title, at, font::bold(TEXT).color(&INK)))?)
    }

    /// Draws what stands between the axes.
    fn draw_marks(&self, root: &Area<'_>, marks: &Marks, frame: &PlotFrame<'_>) -> Drawn {
        let clamped = frame.clamped;
        match marks {
            Marks::Lines(lines) => self.draw_lines(root, lines, frame)?,
            Marks::Dots(dots) => {
                for dot in dots {
                    let pen = Pen::new(dot.style, false);
                    grouped(root, &Group::Value(&self.dot_words(dot)), || {
                        draw_dot(root, dot, pen, frame.seen)
                    })?;
                }
            }
            Marks::Factors(factors) => {
                let words = |factor: &Factor| self.factor_words(factor);
                draw_factors(root, factors, frame.sides, frame.right[1], clamped, &words)?;
            }
            Marks::Tiles(tiles) => draw_tiles(root, tiles, clamped)?,
            Marks::Areas(stack) => draw_areas(root, stack, clamped)?,
            Marks::Layered(stack, lines) => {
                draw_areas(root, stack, clamped)?;
                for line in lines {
                    self.draw_named_line(root, line, &|vx, vy| Some(clamped(vx, vy)))?;
                }
            }
            Marks::Bars(stack) => {
                let words = |layer: &Layer, index| self.bar_words(layer, stack.at[index], index);
                draw_bars(root, stack, clamped, &words)?;
            }
        }
        Ok(())
    }

    /// Draws lines, the emphasised ones over the others, and their names beside them.
    fn draw_lines(&self, root: &Area<'_>, lines: &[Line], frame: &PlotFrame<'_>) -> Drawn {
        let stressed = |line: &&Line| self.chart.stressed.contains(&line.name);
        let (above, below): (Vec<_>, Vec<_>) = lines.iter().partition(stressed);
        for line in below.into_iter().chain(above) {
            self.draw_named_line(root, line, frame.seen)?;
        }
        draw_names(root, self.chart, frame.right.into(), frame.sides.into(), frame.seen)
    }

    /// Draws a line whose points have tooltips.
    fn draw_named_line(
        &self,
        root: &Area<'_>,
        line: &Line,
        place: &dyn Fn(f64, f64) -> Option<(i32, i32)>,
    ) -> Drawn {
        let words = |p: &Point| self.point_words(line, p);
        grouped(root, &Group::of_line(line), || {
            draw_line(root, line, self.chart.pen(line), place, &words)
        })
    }
}

/// Whether a place lies between two others, up to rounding.
fn is_between(place: f64, a: f64, b: f64) -> bool {
    (a.min(b) - 1e-9..=a.max(b) + 1e-9).contains(&place)
}

/// The place itself, or the nearest one between two others.
fn between(place: f64, a: f64, b: f64) -> f64 {
    place.clamp(a.min(b), a.max(b))
}

/// The area between the axes of a panel.
struct PlotFrame<'a> {
    /// The pixel of a value, `None` outside of the axes.
    seen: &'a dyn Fn(f64, f64) -> Option<(i32, i32)>,
    /// The pixel of a value, on the rim if it is outside of the axes.
    clamped: &'a dyn Fn(f64, f64) -> (i32, i32),
    /// Right edge of the area, and of what stands beside it.
    right: [i32; 2],
    /// Its upper and lower edge.
    sides: [i32; 2],
}
