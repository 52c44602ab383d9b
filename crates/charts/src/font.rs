//! The font: built in, so that a chart looks the same on a machine without fonts.

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::Once;

/// The families that an SVG asks for. A browser without the first takes the next, which is as wide.
const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// Plotters divides a size by this before it becomes that of an SVG's text.
const PLOTTERS_FACTOR: f64 = 1.24;

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
            // A face that could not be read would be told by the first text that is set in it.
            let _ = register_font(FAMILIES, style, face);
        }
    });
    FontDesc::new(FontFamily::Name(FAMILIES), f64::from(em) * PLOTTERS_FACTOR, style)
}

/// A text that takes `room` units at most: of a longer one the end, which tells more of a path.
pub(crate) fn fitted(text: &str, font: &FontDesc<'static>, room: i32) -> String {
    if width(text, font) <= room {
        return text.to_owned();
    }
    let ends = text.char_indices().skip(1).map(|(at, _)| format!("\u{2026}{}", &text[at..]));
    ends.into_iter().find(|end| width(end, font) <= room).unwrap_or_default()
}

/// Units that a text takes from left to right.
pub(crate) fn width(text: &str, font: &FontDesc<'static>) -> i32 {
    font.box_size(text).map_or(0, |(width, _)| width as i32)
}
