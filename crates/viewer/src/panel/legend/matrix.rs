//! The matrix of the counters of all pairs.

use super::marks::solid;
use super::squares::Squares;
use crate::picture::MATRIX;
use crate::scene_renderer::Theme;
use broadphase::inspect::PairMark;
use egui::{Color32, Rect, Sense, StrokeKind, Ui, vec2};

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
    ui.painter().rect_filled(square, 0.0, ui.visuals().faint_bg_color);
    let squares = Squares::new(ui, square.min, side, 0.1 * side);
    for object in (0..n as i32).filter(|_| has_room) {
        for place in [[object, -1], [-1, object]] {
            squares.number(place, object, ui.visuals().text_color());
        }
    }
    let colors = MATRIX.map(|ink| solid(ink.color(theme, |_| theme.rail)));
    for PairMark { pair, role } in cells {
        let place = [pair.b as i32, pair.a as i32];
        squares.fill(place, colors[(*role).min(colors.len() - 1)]);
        if has_room {
            let ink = if *role == 2 { Color32::BLACK } else { Color32::WHITE };
            squares.number(place, role + 1, ink);
        }
    }
    if let Some(picked) = picked {
        let (at, last) = (picked as i32, n as i32 - 1);
        for [from, to] in [[[0, at], [last, at]], [[at, 0], [at, last]]] {
            let line = squares.at(from).union(squares.at(to));
            let stroke = (1.0, solid(theme.picked));
            ui.painter().rect_stroke(line, 0.0, stroke, StrokeKind::Inside);
        }
    }
}
