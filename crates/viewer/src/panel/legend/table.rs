//! The slots of a hash table of cells, side by side.

use super::marks::{line, solid, swatch};
use super::squares::Squares;
use crate::composer::level_color;
use crate::panel::format::{compact, counted};
use crate::scene_renderer::Theme;
use crate::simulation::Snapshot;
use broadphase::inspect::{HashSlot, Region};
use egui::{Color32, Sense, StrokeKind, Ui, vec2};
use std::collections::HashMap;

/// Width of the table in points.
const WIDTH: f32 = 224.0;

/// Gap around a slot, in points.
const GAP: f32 = 0.5;

/// Slots in a row, and most rows.
const ROW: usize = 16;
const MAX_ROWS: usize = 8;

/// Occupied slots with their cell's number of objects, and in its colour; those of cells that found their slot taken are
/// marked, and those of the picked object framed.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let table = &snapshot.structure.table;
    let displaced = table.occupied.iter().filter(|(_, slot)| slot.slot != slot.home).count();
    let [used, slots] = [table.occupied.len(), table.slots].map(|number| compact(number as f64));
    line(
        ui,
        format!(
            "Hash table: {used} of {slots} slots hold a cell, here its number of objects. The hash of its coordinates names its slot; if that is taken, the next free one holds it."
        ),
    );
    let shown = table.slots.min(ROW * MAX_ROWS);
    let own = snapshot.picked.iter().flat_map(|picked| &picked.regions);
    let own: Vec<u32> = own.map(|region| region.index).collect();
    draw(ui, snapshot, shown, &own, theme);
    let cases = counted(displaced, "case");
    swatch(ui, theme.mark, &format!("in {cases} the slot was taken"));
    if !own.is_empty() {
        swatch(ui, theme.picked, "cells of the picked object");
    }
    if shown < table.slots {
        line(ui, format!("The first {shown} slots are drawn."));
    }
}

/// The first `shown` slots; those of the cells `own` are framed.
fn draw(ui: &mut Ui, snapshot: &Snapshot, shown: usize, own: &[u32], theme: &Theme) {
    let side = WIDTH / ROW as f32;
    let rows = shown.div_ceil(ROW);
    let (all, _) = ui.allocate_exact_size(vec2(WIDTH, side * rows as f32), Sense::hover());
    let squares = Squares::new(ui, all.min, side, GAP);
    let place = |slot: usize| [(slot % ROW) as i32, (slot / ROW) as i32];
    for slot in 0..shown {
        squares.fill(place(slot), ui.visuals().extreme_bg_color);
    }
    let regions = &snapshot.structure.regions;
    let cells: HashMap<u32, &Region> = regions.kept.iter().map(|kept| (kept.index, kept)).collect();
    let occupied = snapshot.structure.table.occupied.iter().filter(|(_, at)| at.slot < shown);
    for (region, HashSlot { slot, home, .. }) in occupied {
        // Of many cells only the fullest are known.
        let known = cells.get(region);
        let home_color = match known {
            Some(cell) if snapshot.has_levels() => {
                level_color(cell.depth as usize, regions.levels.len(), theme)
            }
            Some(cell) => theme.on_scale(cell.objects as f32 / regions.most.max(1) as f32),
            None => theme.on_scale(0.0),
        };
        let is_home = slot == home;
        let [r, g, b] = home_color;
        let color = if is_home { Color32::from_rgb(r, g, b) } else { solid(theme.mark) };
        squares.fill(place(*slot), color);
        let ink = if is_home { Color32::WHITE } else { Color32::BLACK };
        if let Some(cell) = known {
            squares.number(place(*slot), cell.objects, ink);
        }
        if own.contains(region) {
            let frame = squares.at(place(*slot)).shrink(GAP);
            let stroke = (1.5, solid(theme.picked));
            ui.painter().rect_stroke(frame, 0.0, stroke, StrokeKind::Outside);
        }
    }
}
