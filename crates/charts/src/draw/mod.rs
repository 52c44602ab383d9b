//! From a chart to an SVG: the page is laid out from top to bottom, then drawn by plotters.

mod beside;
mod check;
mod coordinate;
mod dash;
mod factors;
mod legend;
mod lines;
mod measures;
mod page;
mod panel;
mod stacks;
mod tiles;

use crate::{Chart, ChartError};
use check::check;
use measures::UNITS_PER_MM;
use page::Page;
use plotters::prelude::*;

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
        Ok(in_millimetres(&without_control(svg), width, height))
    }
}

/// Replaces the characters that XML does not have, which the name of a file may contain.
fn without_control(svg: String) -> String {
    let is_in_xml = |c: char| {
        !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) || matches!(c, '\n' | '\r' | '\t')
    };
    if svg.chars().all(is_in_xml) {
        return svg;
    }
    svg.chars().map(|c| if is_in_xml(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Replaces the size in pixels that plotters writes by one in millimetres, so that the chart prints at its
/// true size.
fn in_millimetres(svg: &str, width: i32, height: i32) -> String {
    let mm = |units: i32| format!("{:.2}mm", f64::from(units) / UNITS_PER_MM);
    let pixels = format!("width=\"{width}\" height=\"{height}\"");
    svg.replacen(&pixels, &format!("width=\"{}\" height=\"{}\"", mm(width), mm(height)), 1)
}
