//! From a chart to an SVG: the page is laid out from top to bottom, then drawn.

mod beside;
mod check;
mod factors;
mod legend;
mod lines;
mod page;
mod panel;
mod stacks;
mod svg;
mod tiles;
mod words;

use crate::{Chart, ChartError};
use check::check;
use page::Page;
use svg::{Svg, UNITS_PER_MM};

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
        Ok(Svg::document([width, height], |svg| page.draw(svg)))
    }
}
