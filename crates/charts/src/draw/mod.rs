//! From a chart to an SVG: the page is laid out from top to bottom, then drawn by plotters.
//!
//! Lengths are in units, of which there are [`UNITS_PER_MM`]; plotters knows whole ones only.

mod beside;
mod check;
mod coordinate;
mod dash;
mod factors;
mod legend;
mod lines;
mod panel;
mod stacks;
mod tiles;

use crate::scale::Ruler;
use crate::{Chart, ChartError, Numbers, Scale, font};
use beside::{height_beside, width_beside};
use check::{Extent, check};
use legend::Legend;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Units per millimetre: fine enough that curves look smooth in print.
const UNITS_PER_MM: f64 = 20.0;
/// Size of all text but titles, 7 points.
const TEXT: u32 = 49;
/// Size of titles, 8 points.
const TITLE: u32 = 56;
/// From one line of text to the next.
const LINE_HEIGHT: i32 = 68;
/// Gap between neighbouring parts.
const GAP: i32 = 24;
/// Width of thin lines: frame, ticks, grid.
const HAIR: u32 = 3;

const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(208, 208, 208);
const FAINT_GRID: RGBColor = RGBColor(236, 236, 236);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The layout that every part is drawn by.
struct Page<'a> {
    chart: &'a Chart,
    x: Ruler,
    y: Ruler,
    legend: Legend<'a>,
    width: i32,
    /// Width of the names that stand beside the curves.
    beside: i32,
    panel_height: i32,
}

impl Chart {
    /// The chart as an SVG document, its size in millimetres.
    ///
    /// # Errors
    ///
    /// Where there is nothing to draw, or a value has no place on its axis.
    pub fn svg(&self) -> Result<String, ChartError> {
        let extent = check(self)?;
        let page = Page::new(self, extent);
        let (width, height) = (page.width, page.height());
        if width < 200 || page.panel_height < 20 || width.max(height) > 200_000 {
            let [width, height] = [width, height].map(|units| f64::from(units) / UNITS_PER_MM);
            return Err(ChartError::Size { width, height });
        }
        let mut svg = String::new();
        let root =
            SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        page.draw(&root).map_err(|e| ChartError::Drawing(e.to_string()))?;
        root.present().map_err(|e| ChartError::Drawing(e.to_string()))?;
        drop(root);
        Ok(in_millimetres(&svg, width, height))
    }
}

impl<'a> Page<'a> {
    fn new(chart: &'a Chart, extent: Extent) -> Self {
        let [width, panel_height] =
            [chart.width_mm, chart.panel_mm].map(|mm| (mm * UNITS_PER_MM).round() as i32);
        let beside = width_beside(chart, width);
        let panel_height = panel_height.max(height_beside(chart));
        // A number is about five digits wide, half a letter's height each, and needs a gap of that width.
        // Round numbers of a logarithmic axis are shorter.
        let spacing = if chart.x.scale == Scale::Log { 5 } else { 6 };
        let x_room = ((width - beside) / (spacing * TEXT as i32)).max(2) as usize;
        let y_room = (panel_height / (2 * LINE_HEIGHT)).max(2) as usize;
        let [left, right] = extent.x;
        let [bottom, top] = extent.y;
        Self {
            chart,
            x: Ruler::new(&chart.x, left, right, x_room),
            y: Ruler::new(&chart.y, bottom, top, y_room),
            legend: Legend::new(chart, width - 2 * GAP),
            width,
            beside,
            panel_height,
        }
    }

    fn height(&self) -> i32 {
        let panels: i32 = self.chart.panels.iter().map(|p| self.panel_title_height(p)).sum();
        let areas = self.chart.panels.len() as i32 * (self.panel_height + GAP);
        self.title_height() + self.legend.height() + panels + areas + self.x_label_height() + GAP
    }

    fn title_height(&self) -> i32 {
        if self.chart.title.is_empty() { GAP } else { GAP + LINE_HEIGHT }
    }

    fn panel_title_height(&self, panel: &crate::Panel) -> i32 {
        if panel.title.is_empty() { 0 } else { LINE_HEIGHT }
    }

    /// Height of the numbers and the axis' name.
    fn x_label_height(&self) -> i32 {
        let name = if self.chart.x.label.is_empty() { 0 } else { LINE_HEIGHT };
        LINE_HEIGHT + name
    }

    /// Width of the numbers, the rotated name of the axis, and the gaps beside them.
    fn y_label_width(&self) -> i32 {
        let regular = font::regular(TEXT);
        let label = |&tick: &f64| font::width(&self.y_label(tick), &regular);
        let labels = self.y.ticks.iter().map(label);
        let name = if self.chart.y.label.is_empty() { 0 } else { LINE_HEIGHT };
        labels.max().unwrap_or(0) + name + 2 * GAP
    }

    fn draw(&self, root: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
        root.fill(&WHITE)?;
        if !self.chart.title.is_empty() {
            let style = font::bold(TITLE).color(&INK);
            let title = font::fitted(&self.chart.title, &font::bold(TITLE), self.width - 2 * GAP);
            root.draw(&Text::new(title, (GAP, GAP), style))?;
        }
        let mut top = self.title_height();
        self.legend.draw(root, top)?;
        top += self.legend.height();
        for (index, panel) in self.chart.panels.iter().enumerate() {
            top = self.draw_panel(root, panel, top, index + 1 == self.chart.panels.len())?;
        }
        Ok(())
    }

    /// The label at a place of the vertical axis. Names take half of the page at most.
    fn y_label(&self, place: f64) -> String {
        font::fitted(&self.y.label(place), &font::regular(TEXT), self.width / 2)
    }

    fn last_x_label_overhang(&self) -> i32 {
        // Half of a number like "100 %" extends beyond the end of the axis.
        let wide = if self.chart.x.numbers == Numbers::Percent { 3 } else { 2 };
        wide * TEXT as i32 / 2
    }
}

/// Replaces the size in pixels that plotters writes by one in millimetres, so that the chart prints at its
/// true size.
fn in_millimetres(svg: &str, width: i32, height: i32) -> String {
    let mm = |units: i32| format!("{:.2}mm", f64::from(units) / UNITS_PER_MM);
    let pixels = format!("width=\"{width}\" height=\"{height}\"");
    svg.replacen(&pixels, &format!("width=\"{}\" height=\"{}\"", mm(width), mm(height)), 1)
}
