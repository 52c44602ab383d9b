//! The lanes of a sweep: its boxes in their order, a block of sixteen a row.

use super::marks::line;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Block, Snapshot};
use broadphase::inspect::SweepBlock;
use egui::{Color32, Rect, Sense, StrokeKind, Ui, vec2};

/// Width and height of a lane in points.
const LANE: f32 = 14.0;
const HEIGHT: f32 = 11.0;

/// Distance of two rows in points, with room for their frames.
const ROW: f32 = 16.0;

/// A square for each box, in the colour of its object. The part that the picked object is compared with is framed. Boxes that
/// begin before it are hollow.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, run: &[&Block], theme: &Theme) {
    let blocks = &snapshot.structure.blocks;
    let Some(picked) = &snapshot.picked else { return };
    if blocks.lanes.is_empty() {
        return;
    }
    line(
        ui,
        "Each row is a block of 16 boxes in their order. The framed part is compared with the picked box: coloured boxes overlap it on the axis, and count as tests; grey ones do not.",
    );
    let size = vec2(LANE * SweepBlock::LANES as f32, ROW * blocks.lanes.len() as f32);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    let mut is_before = true;
    for (row, (lanes, block)) in blocks.lanes.iter().zip(&blocks.kept).enumerate() {
        let is_compared = run.contains(&block);
        let place = |lane: usize| {
            let from = area.min + vec2(LANE * lane as f32, ROW * row as f32 + 0.5 * (ROW - HEIGHT));
            Rect::from_min_size(from, vec2(LANE, HEIGHT)).shrink(1.5)
        };
        for (lane, object) in lanes.iter().enumerate() {
            let color = if *object == picked.object {
                is_before = false;
                theme.picked
            } else if picked.hits.binary_search(object).is_ok() {
                theme.hit
            } else if picked.concerns(*object) {
                theme.candidate
            } else if picked.is_tested_with(*object) {
                theme.tested
            } else {
                let share = if is_compared && !is_before { 0.9 } else { 0.35 };
                let [r, g, b, _] = theme.rail;
                [r, g, b, (255.0 * share) as u8]
            };
            match is_before {
                true => {
                    painter.rect_stroke(place(lane), 1.0, (1.0, ink(color)), StrokeKind::Inside);
                }
                false => {
                    painter.rect_filled(place(lane), 1.0, ink(color));
                }
            }
        }
        if is_compared {
            // From the picked box on.
            let first = lanes.iter().position(|object| *object == picked.object).unwrap_or(0);
            let from = vec2(LANE * first as f32, ROW * row as f32);
            let frame = Rect::from_min_size(area.min + from, vec2(size.x - from.x, ROW));
            let color = if block.is_own { theme.picked } else { theme.overlap };
            painter.rect_stroke(frame.shrink(1.0), 1.0, (1.0, ink(color)), StrokeKind::Inside);
        }
    }
    line(ui, "Hollow boxes begin before it: the coloured ones tested it in their own turn.");
}

fn ink([r, g, b, a]: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(r, g, b, a)
}
