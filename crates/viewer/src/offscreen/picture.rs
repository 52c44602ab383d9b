//! A finished picture, and its file.

use super::error::OffscreenError;
use sim::AtomicFile;
use std::io::{self, Write};
use std::path::Path;

/// Rows of RGBA, 8 bits each, sRGB, upper left first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The colour of a pixel.
    ///
    /// # Panics
    ///
    /// If there is no such pixel.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(x < self.width && y < self.height, "no pixel at {x}, {y}");
        let at = 4 * (y as usize * self.width as usize + x as usize);
        [0, 1, 2, 3].map(|channel| self.rgba[at + channel])
    }

    /// Saves it as a PNG file, whole or not at all. An existing file is replaced only if `replaces`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; the error names it.
    pub fn save_png(&self, path: &Path, replaces: bool) -> Result<(), OffscreenError> {
        self.write_png(path, replaces)
            .map_err(|source| OffscreenError::Write { path: path.to_owned(), source })
    }

    fn write_png(&self, path: &Path, replaces: bool) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?.replacing(replaces);
        file.write_all(&self.png()?)?;
        file.commit()
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    ///
    /// If it cannot be encoded.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(bytes)
    }
}
