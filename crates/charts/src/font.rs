//! The font: built in, so that a chart looks the same on a machine without fonts.

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::Once;

/// The font families of an SVG. A browser without the first uses the next, which is as wide.
const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// Plotters divides the size of a font by this before it sets a text.
pub(crate) const PLOTTERS_FACTOR: f64 = 1.24;

/// The faces that charts are set in.
pub(crate) fn faces() -> [&'static [u8]; 2] {
    [dejavu::sans::regular(), dejavu::sans::bold()]
}

/// The font in a size of `em` units.
pub(crate) fn regular(em: u32) -> FontDesc<'static> {
    font(em, FontStyle::Normal)
}

/// Its bold face.
pub(crate) fn bold(em: u32) -> FontDesc<'static> {
    font(em, FontStyle::Bold)
}

fn font(em: u32, style: FontStyle) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let [regular, bold] = faces();
        for (style, face) in [(FontStyle::Normal, regular), (FontStyle::Bold, bold)] {
            // An unreadable face is reported by the first text that is set in it.
            let _ = register_font(FAMILIES, style, face);
        }
    });
    FontDesc::new(FontFamily::Name(FAMILIES), f64::from(em) * PLOTTERS_FACTOR, style)
}

/// The text, cut to its end if it is wider than `room` units: the end of a path says more than its start.
pub(crate) fn fitted(text: &str, font: &FontDesc<'static>, room: i32) -> String {
    if width(text, font) <= room {
        return text.to_owned();
    }
    let starts: Vec<usize> = text.char_indices().skip(1).map(|(at, _)| at).collect();
    let end = |at: usize| format!("\u{2026}{}", &text[at..]);
    // By halving: a shorter end is narrower. One by one, a long name would be set as often as it has letters.
    let first = starts.partition_point(|&at| width(&end(at), font) > room);
    starts.get(first).map(|&at| end(at)).unwrap_or_default()
}

/// Width of a text, in units.
pub(crate) fn width(text: &str, font: &FontDesc<'static>) -> i32 {
    font.box_size(text).map_or(0, |(width, _)| width as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_end_that_fits_is_found_in_a_very_long_name() {
        // One by one, this would take minutes.
        let (font, room) = (regular(49), 1000);
        let name: String = (0..20_000).map(|i| ["i", "W", "/", "ž"][i % 4]).collect();
        let cut = fitted(&name, &font, room);
        let letters = cut.chars().count() - 1;
        assert!(cut.starts_with('\u{2026}') && name.ends_with(&cut[3..]), "{cut}");
        let longer = name.chars().skip(20_000 - letters - 1);
        let longer: String = std::iter::once('\u{2026}').chain(longer).collect();
        assert!(width(&cut, &font) <= room && width(&longer, &font) > room, "{cut}");
        assert_eq!(fitted(&name, &font, 1), "");
    }
}
