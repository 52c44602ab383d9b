//! The matrix of the counters of all pairs.

use super::marks::{note, solid, swatch, title};
use super::squares::Squares;
use crate::panel::format::compact;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{MAX_ROWS, Snapshot};
use broadphase::inspect::{Overlay, PairMark};
use egui::{Color32, Rect, Sense, StrokeKind, Ui, vec2};

/// Width of the matrix, and most of a cell, in which its count has room, in points.
const WIDTH: f32 = 224.0;
const MAX_SIDE: f32 = 17.0;

/// The counters themselves, a small square for each pair.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let cells = &snapshot.structure.layer(Overlay::Matrix).pairs;
    let n = snapshot.objects.positions.len();
    let all = n * n.saturating_sub(1) / 2;
    title(
        ui,
        &format!("Matrix: {} pairs", compact(all as f64)),
        "A counter for each pair of objects: the axes on which their boxes overlap. Filled again in each step.",
    );
    if n > MAX_ROWS {
        let rows = compact(n as f64);
        return note(ui, format!("{rows} rows and columns: drawn up to {MAX_ROWS} objects"));
    }
    draw(ui, cells, n, snapshot.picked.as_ref().map(|picked| picked.object), theme);
    let counts = [0, 1, 2].map(|role| cells.iter().filter(|cell| cell.role == role).count());
    for ((count, color), meaning) in counts.into_iter().zip(axes_colors(theme)).zip([
        "on 1 axis",
        "on 2 axes",
        "on 3 axes: candidates",
    ]) {
        swatch(ui, color, &format!("{} {meaning}", compact(count as f64)));
    }
}

/// The cells of `n` objects, with row and column of the picked one framed.
fn draw(ui: &mut Ui, cells: &[PairMark], n: usize, picked: Option<u32>, theme: &Theme) {
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
    let colors = axes_colors(theme).map(solid);
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

/// The colours of cells that count one, two and three axes.
fn axes_colors(theme: &Theme) -> [Color; 3] {
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    [opaque(theme.on_scale(0.0)), opaque(theme.on_scale(0.5)), theme.candidate]
}
