//! Maps: rectangles between values of both axes, each with its label.

use super::svg::{Anchor, At, HAIR, Stroke, Svg, TEXT, WHITE};
use crate::Tile;
use crate::font::Font;

/// Size of the labels: smaller than other text, since tiles can be narrow.
const LABEL: i32 = TEXT * 4 / 5;
/// From one line of a label to the next.
const LABEL_HEIGHT: i32 = LABEL * 6 / 5;
/// Between a label and the edges of its tile.
const INSET: i32 = 4;

/// Draws the tiles. `place` maps a value pair to the page, clamped to the panel.
pub(super) fn draw_tiles(svg: &mut Svg, tiles: &[Tile], place: &dyn Fn(f64, f64) -> At) {
    for tile in tiles {
        svg.named(&tile.name, tile.color, |svg| {
            svg.value(&tile.label.join("\n"), |svg| draw_tile(svg, tile, place));
        });
    }
}

fn draw_tile(svg: &mut Svg, tile: &Tile, place: &dyn Fn(f64, f64) -> At) {
    let (left, bottom) = place(tile.x[0], tile.y[0]);
    let (right, top) = place(tile.x[1], tile.y[1]);
    svg.rect([(left, top), (right, bottom)], tile.color);
    svg.outline([(left, top), (right, bottom)], Stroke::solid(WHITE, 2 * HAIR));
    let above = LABEL_HEIGHT * (tile.label.len() as i32 - 1) / 2;
    let first = (top + bottom) / 2 - above;
    for (index, line) in (0..).zip(&tile.label) {
        let font = Font::regular(LABEL);
        let text = font.fitted(line, right - left - 2 * INSET);
        let at = ((left + right) / 2, first + index * LABEL_HEIGHT);
        svg.text(&text, at, font, Anchor::Center);
    }
}
