//! Maps: rectangles between values of both axes, each with its label.

use super::measures::{Area, Drawn, HAIR, INK, TEXT};
use super::svg::{Group, grouped};
use crate::{Rgb, Tile, font};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Size of the labels: smaller than other text, since tiles can be narrow.
const LABEL: u32 = TEXT * 4 / 5;
/// From one line of a label to the next.
const LABEL_HEIGHT: i32 = LABEL as i32 * 6 / 5;
/// Between a label and the edges of its tile.
const INSET: i32 = 4;

/// Draws the tiles. `place` maps a value pair to the page, clamped to the panel.
pub(super) fn draw_tiles(
    root: &Area<'_>,
    tiles: &[Tile],
    place: &dyn Fn(f64, f64) -> (i32, i32),
) -> Drawn {
    for tile in tiles {
        let words = tile.label.join("\n");
        grouped(root, &Group::of_fill(&tile.name, tile.color), || {
            grouped(root, &Group::Value(&words), || draw_tile(root, tile, place))
        })?;
    }
    Ok(())
}

fn draw_tile(root: &Area<'_>, tile: &Tile, place: &dyn Fn(f64, f64) -> (i32, i32)) -> Drawn {
    let regular = font::regular(LABEL);
    let Rgb(r, g, b) = tile.color;
    let (left, bottom) = place(tile.x[0], tile.y[0]);
    let (right, top) = place(tile.x[1], tile.y[1]);
    let corners = [(left, top), (right, bottom)];
    root.draw(&Rectangle::new(corners, RGBColor(r, g, b).filled()))?;
    // Plotters draws the outline of a rectangle as a hairline.
    let outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    root.draw(&PathElement::new(outline, WHITE.stroke_width(2 * HAIR)))?;
    let anchor = Pos::new(HPos::Center, VPos::Center);
    let style = TextStyle::from(regular.clone()).color(&INK).pos(anchor);
    let above = LABEL_HEIGHT * (tile.label.len() as i32 - 1) / 2;
    let first = (top + bottom) / 2 - above;
    for (index, line) in (0..).zip(&tile.label) {
        let text = font::fitted(line, &regular, right - left - 2 * INSET);
        let at = ((left + right) / 2, first + index * LABEL_HEIGHT);
        root.draw(&Text::new(text, at, style.clone()))?;
    }
    Ok(())
}
