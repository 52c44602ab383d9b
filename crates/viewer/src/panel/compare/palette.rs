//! Colours and strokes that distinguish algorithms.

use egui::Color32;

/// Colours that colour-blind readers can distinguish (Okabe and Ito 2008). The first algorithm has
/// the text's colour instead.
const COLORS: [Color32; 7] = [
    Color32::from_rgb(0xe6, 0x9f, 0x00),
    Color32::from_rgb(0x56, 0xb4, 0xe9),
    Color32::from_rgb(0x00, 0x9e, 0x73),
    Color32::from_rgb(0xcc, 0x79, 0xa7),
    Color32::from_rgb(0xd5, 0x5e, 0x00),
    Color32::from_rgb(0x00, 0x72, 0xb2),
    Color32::from_rgb(0xf0, 0xe4, 0x42),
];

/// The yellow on white ground, dark enough to be seen.
const DARK_YELLOW: Color32 = Color32::from_rgb(0xa8, 0x9c, 0x00);

/// Lengths of the dashes of algorithms with the same colour, in this order, in points.
const DASHES: [Option<f32>; 4] = [None, Some(8.0), Some(2.0), Some(4.0)];

/// The colour of an algorithm by its place in the list.
pub(super) fn color(place: usize, dark: bool) -> Color32 {
    match (place % (COLORS.len() + 1)).checked_sub(1) {
        None => Color32::from_gray(if dark { 225 } else { 40 }),
        Some(6) if !dark => DARK_YELLOW,
        Some(number) => COLORS[number],
    }
}

/// The length of the dashes of its line.
pub(super) fn dash(place: usize) -> Option<f32> {
    DASHES[place / (COLORS.len() + 1) % DASHES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_two_algorithms_differ_in_colour_or_stroke() {
        for dark in [true, false] {
            for a in 0..32 {
                for b in 0..a {
                    let same = color(a, dark) == color(b, dark) && dash(a) == dash(b);
                    assert!(!same, "{a} looks like {b}");
                }
            }
        }
    }
}
