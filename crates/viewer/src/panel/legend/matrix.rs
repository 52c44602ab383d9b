//! The matrix of the counters of all pairs.

use super::marks::solid;
use crate::panel::widgets::MIN_TEXT;
use crate::picture::MATRIX;
use crate::scene_renderer::Theme;
use broadphase::inspect::PairMark;
use egui::{Align2, Color32, FontId, Rect, Sense, StrokeKind, Ui, vec2};

/// Width of the matrix, and most of a cell, in which its count has room, in points.
const WIDTH: f32 = 224.0;
const MAX_SIDE: f32 = 17.0;

/// The cells of `n` objects, with row and column of the picked one framed.
pub(super) fn draw(ui: &mut Ui, cells: &[PairMark], n: usize, picked: Option<u32>, theme: &Theme) {
    let has_room = (n + 1) as f32 * MAX_SIDE <= WIDTH;
    let side = if has_room { MAX_SIDE } else { WIDTH / n.max(1) as f32 };
    // The numbers of the objects are above their columns and next to their rows.
    let head = if has_room { side } else { 0.0 };
    let size = side * n as f32;
    let (all, _) = ui.allocate_exact_size(vec2(head + size, head + size), Sense::hover());
    let square = Rect::from_min_size(all.min + vec2(head, head), vec2(size, size));
    let painter = ui.painter();
    painter.rect_filled(square, 0.0, ui.visuals().faint_bg_color);
    // A column and a row, from 0; the numbers are at -1.
    let cell = |column: i32, row: i32| {
        let corner = square.min + side * vec2(column as f32, row as f32);
        Rect::from_min_size(corner, vec2(side, side))
    };
    let number = |place: Rect, number: i32, ink: Color32| {
        let font = FontId::proportional(MIN_TEXT);
        painter.text(place.center(), Align2::CENTER_CENTER, number, font, ink);
    };
    for object in (0..n as i32).filter(|_| has_room) {
        for place in [cell(object, -1), cell(-1, object)] {
            number(place, object, ui.visuals().text_color());
        }
    }
    let colors = MATRIX.map(|ink| solid(ink.color(theme, |_| theme.rail)));
    for PairMark { pair, role } in cells {
        let place = cell(pair.b as i32, pair.a as i32);
        painter.rect_filled(place.shrink(0.1 * side), 0.0, colors[(*role).min(colors.len() - 1)]);
        if has_room {
            let ink = if *role == 2 { Color32::BLACK } else { Color32::WHITE };
            number(place, *role as i32 + 1, ink);
        }
    }
    if let Some(picked) = picked {
        let (at, last) = (picked as i32, n as i32 - 1);
        for line in [cell(0, at).union(cell(last, at)), cell(at, 0).union(cell(at, last))] {
            let stroke = (1.0, solid(theme.picked));
            painter.rect_stroke(line, 0.0, stroke, StrokeKind::Inside);
        }
    }
}
