//! The font: built in, so that a chart looks the same on a machine without fonts.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The font families of an SVG. A browser without the first uses the next, which is as wide.
pub(crate) const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// The faces that charts are set in: regular and bold.
pub(crate) fn faces() -> [&'static [u8]; 2] {
    [dejavu::sans::regular(), dejavu::sans::bold()]
}

/// A size and weight of the font.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Font {
    /// Units of an em.
    pub(crate) em: i32,
    pub(crate) is_bold: bool,
}

impl Font {
    pub(crate) fn regular(em: i32) -> Self {
        Self { em, is_bold: false }
    }

    pub(crate) fn bold(em: i32) -> Self {
        Self { em, is_bold: true }
    }

    /// Width of a text, in units.
    pub(crate) fn width(self, text: &str) -> i32 {
        // An unreadable face is reported where the SVG is rasterised.
        let Ok(font) = FontRef::new(faces()[usize::from(self.is_bold)]) else { return 0 };
        let metrics = font.glyph_metrics(Size::new(self.em as f32), LocationRef::default());
        let letters = font.charmap();
        let advance = |c: char| metrics.advance_width(letters.map(c).unwrap_or_default());
        text.chars().filter_map(advance).sum::<f32>().ceil() as i32
    }

    /// The text, cut to its end if it is wider than `room` units: the end of a path says more than its start.
    pub(crate) fn fitted(self, text: &str, room: i32) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let starts: Vec<usize> = text.char_indices().skip(1).map(|(at, _)| at).collect();
        let end = |at: usize| format!("\u{2026}{}", &text[at..]);
        // By halving: a shorter end is narrower. One by one, a long name would be set as often as it has letters.
        let first = starts.partition_point(|&at| self.width(&end(at)) > room);
        starts.get(first).map(|&at| end(at)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_end_that_fits_is_found_in_a_very_long_name() {
        // One by one, this would take minutes.
        let (font, room) = (Font::regular(49), 1000);
        let name: String = (0..20_000).map(|i| ["i", "W", "/", "ž"][i % 4]).collect();
        let cut = font.fitted(&name, room);
        let letters = cut.chars().count() - 1;
        assert!(cut.starts_with('\u{2026}') && name.ends_with(&cut[3..]), "{cut}");
        let longer = name.chars().skip(20_000 - letters - 1);
        let longer: String = std::iter::once('\u{2026}').chain(longer).collect();
        assert!(font.width(&cut) <= room && font.width(&longer) > room, "{cut}");
        assert_eq!(font.fitted(&name, 1), "");
    }
}
