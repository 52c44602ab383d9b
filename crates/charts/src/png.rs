//! A chart as pixels: the SVG, rasterised.

use crate::{Chart, ChartError, font};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::{Arc, LazyLock};

/// Pixels per inch of an SVG.
const SVG_DPI: f64 = 96.0;
/// Longest side of a picture, pixels.
const MAX_SIDE: f64 = 16_384.0;

impl Chart {
    /// The chart as a PNG file of `dpi` pixels per inch; papers ask for 300 to 600.
    ///
    /// # Errors
    ///
    /// Where the chart cannot be drawn, or would have no pixels or too many.
    pub fn png(&self, dpi: f64) -> Result<Vec<u8>, ChartError> {
        let fault = |e: &dyn std::fmt::Display| ChartError::Drawing(e.to_string());
        let options = Options { fontdb: FONTS.clone(), ..Options::default() };
        let tree = Tree::from_str(&self.svg()?, &options).map_err(|e| fault(&e))?;
        let size = [tree.size().width(), tree.size().height()];
        let [width, height] = size.map(|side| (f64::from(side) * dpi / SVG_DPI).round());
        let size_error = ChartError::Size { width, height };
        if ![width, height].iter().all(|side| (1.0..=MAX_SIDE).contains(side)) {
            return Err(size_error);
        }
        let mut pixels = Pixmap::new(width as u32, height as u32).ok_or(size_error)?;
        // Whole pixels: a fraction of one at the edge would be half transparent.
        let fit = Transform::from_scale(width as f32 / size[0], height as f32 / size[1]);
        resvg::render(&tree, fit, &mut pixels.as_mut());
        pixels.encode_png().map_err(|e| fault(&e))
    }
}

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut database = Database::new();
    font::faces().into_iter().for_each(|face| database.load_font_data(face.to_vec()));
    Arc::new(database)
});
