//! Maps: rectangles between values of both axes, each with its label.

use super::panel::Plot;
use super::svg::{Anchor, HAIR, Stroke, Svg, TEXT, WHITE, fill, outline};
use crate::Tile;
use crate::font::Font;

/// Size of the labels: smaller than other text, since tiles can be narrow.
const LABEL: i32 = TEXT * 4 / 5;
/// From one line of a label to the next.
const LABEL_HEIGHT: i32 = LABEL * 6 / 5;
/// Between a label and the edges of its tile.
const INSET: i32 = 4;

impl Plot<'_> {
    pub(super) fn draw_tile(&self, svg: &mut Svg, tile: &Tile) {
        let (left, bottom) = self.clamped(tile.x[0], tile.y[0]);
        let (right, top) = self.clamped(tile.x[1], tile.y[1]);
        let corners = [(left, top), (right, bottom)];
        let above = LABEL_HEIGHT * (tile.label.len() as i32 - 1) / 2;
        let (middle, first) = ((left + right) / 2, (top + bottom) / 2 - above);
        let font = Font::regular(LABEL);
        svg.named(&tile.name, tile.color, |svg| {
            svg.value(&tile.label.join("\n"), |svg| {
                svg.rect(corners, fill(tile.color));
                svg.rect(corners, outline(Stroke::solid(WHITE, 2 * HAIR)));
                for (index, line) in (0..).zip(&tile.label) {
                    let text = font.fitted(line, right - left - 2 * INSET);
                    svg.text(&text, (middle, first + index * LABEL_HEIGHT), font, Anchor::Center);
                }
            });
        });
    }
}
