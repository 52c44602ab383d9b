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
mod svg;
mod tiles;
mod words;

use crate::{Chart, ChartError};
use check::check;
use measures::UNITS_PER_MM;
use page::Page;
use plotters::prelude::IntoDrawingArea;
use svg::Svg;

impl Chart {
    /// The chart as an SVG document, its size in millimetres.
    ///
    /// A mark is a group `<g class="value">` whose title states its values, which a browser shows under the
    /// mouse. The marks of one name are a group `<g data-name="NAME" color="#RRGGBB">`, and so is its entry
    /// in the legend.
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
        let mut document = String::new();
        let root = Svg::new(&mut document, (width as u32, height as u32)).into_drawing_area();
        page.draw(&root).map_err(|e| ChartError::Drawing(e.to_string()))?;
        root.present().map_err(|e| ChartError::Drawing(e.to_string()))?;
        drop(root);
        Ok(document)
    }
}
