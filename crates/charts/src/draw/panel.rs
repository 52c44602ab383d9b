//! One panel: axes, grid, and what is drawn between them.

use super::beside::draw_names;
use super::factors::draw_factors;
use super::lines::{Pen, draw_dot, draw_line};
use super::measures::{Area, FAINT_GRID, GAP, GRID, HAIR, INK, TEXT};
use super::page::Page;
use super::stacks::{draw_areas, draw_bars};
use super::svg::{Group, grouped};
use super::tiles::draw_tiles;
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
        if !panel.title.is_empty() {
            let style = font::bold(TEXT).color(&INK);
            let title = font::fitted(&panel.title, &font::bold(TEXT), self.width - GAP - left);
            root.draw(&Text::new(title, (left, top), style))?;
        }
        let top = top + self.panel_title_height(panel);
        let x_labels = if last { self.x_label_height() } else { 0 };
        let bottom = top + self.panel_height + x_labels;
        let right = self.width - self.beside - self.last_x_label_overhang();
        let area = root.clone().shrink((INSET, top), (right - GAP, bottom - top));

        let (x, y) = (&self.x, &self.y);
        let mut chart = ChartBuilder::on(&area)
            .y_label_area_size(left - INSET)
            .x_label_area_size(x_labels)
            .build_cartesian_2d(x.clone(), y.clone())?;
        let text = TextStyle::from(font::regular(TEXT)).color(&INK);
        let (x_label, y_label) = (|v: &f64| x.label(*v), |v: &f64| self.y_label(*v));
        let mut mesh = chart.configure_mesh();
        match panel.marks {
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
        mesh.draw()?;

        let plot = chart.plotting_area();
        let seen = |px: f64, py: f64| {
            let inside = |p: f64, a: f64, b: f64| (a.min(b) - 1e-9..=a.max(b) + 1e-9).contains(&p);
            (inside(px, x.low, x.high) && inside(py, y.low, y.high))
                .then(|| plot.map_coordinate(&(px, py)))
        };
        let clamped = |px: f64, py: f64| {
            let clamp = |p: f64, a: f64, b: f64| p.clamp(a.min(b), a.max(b));
            plot.map_coordinate(&(clamp(px, x.low, x.high), clamp(py, y.low, y.high)))
        };
        match &panel.marks {
            Marks::Lines(lines) => {
                let place = |vx: f64, vy: f64| seen(x.place(vx), y.place(vy));
                // Emphasised lines are drawn last, over the others.
                let stressed = |line: &&Line| self.chart.stressed.contains(&line.name);
                let (above, below): (Vec<_>, Vec<_>) = lines.iter().partition(stressed);
                for line in below.into_iter().chain(above) {
                    let (pen, words) =
                        (self.chart.pen(line), |p: &Point| self.point_words(line, p));
                    grouped(root, &Group::of_line(line), || {
                        draw_line(root, line, pen, &place, &words)
                    })?;
                }
                let edges = (right - GAP + INSET, self.width - GAP);
                draw_names(root, self.chart, edges, (top, top + self.panel_height), &place)?;
            }
            Marks::Dots(dots) => {
                for dot in dots {
                    let place = |vx: f64, vy: f64| seen(x.place(vx), y.place(vy));
                    let pen = Pen::new(dot.style, false);
                    grouped(root, &Group::Value(&self.dot_words(dot)), || {
                        draw_dot(root, dot, pen, &place)
                    })?;
                }
            }
            Marks::Factors(factors) => {
                let place = |vx: f64, vy: f64| clamped(x.place(vx), y.place(vy));
                let sides = [top, top + self.panel_height];
                let words = |factor: &Factor| self.factor_words(factor);
                draw_factors(root, factors, sides, self.width - GAP, &place, &words)?;
            }
            Marks::Tiles(tiles) => {
                draw_tiles(root, tiles, &|vx, vy| clamped(x.place(vx), y.place(vy)))?;
            }
            Marks::Areas(stack) => {
                draw_areas(root, stack, &|vx, vy| clamped(x.place(vx), y.place(vy)))?;
            }
            Marks::Layered(stack, lines) => {
                let place = |vx: f64, vy: f64| clamped(x.place(vx), y.place(vy));
                draw_areas(root, stack, &place)?;
                for line in lines {
                    let words = |p: &Point| self.point_words(line, p);
                    grouped(root, &Group::of_line(line), || {
                        let place = |vx: f64, vy: f64| Some(place(vx, vy));
                        draw_line(root, line, self.chart.pen(line), &place, &words)
                    })?;
                }
            }
            Marks::Bars(stack) => {
                let place = |vx: f64, vy: f64| clamped(x.place(vx), y.place(vy));
                let words = |layer: &Layer, index| self.bar_words(layer, stack.at[index], index);
                draw_bars(root, stack, &place, &words)?;
            }
        }
        Ok(bottom + GAP)
    }
}
