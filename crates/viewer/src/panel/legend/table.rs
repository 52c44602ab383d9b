//! The slots of a hash table of cells, side by side.

use super::marks::{line, swatch};
use crate::composer::level_color;
use crate::panel::format::{compact, counted};
use crate::panel::widgets::MIN_TEXT;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::Snapshot;
use broadphase::inspect::{HashSlot, Region};
use egui::{Align2, Color32, FontId, Rect, Sense, Ui, vec2};
use std::collections::HashMap;

/// Width of the table in points.
const WIDTH: f32 = 224.0;

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
    let side = WIDTH / ROW as f32;
    let rows = shown.div_ceil(ROW);
    let (all, _) = ui.allocate_exact_size(vec2(WIDTH, side * rows as f32), Sense::hover());
    let place = |slot: usize| {
        let at = vec2((slot % ROW) as f32, (slot / ROW) as f32) * side;
        Rect::from_min_size(all.min + at, vec2(side, side)).shrink(0.5)
    };
    let painter = ui.painter();
    for slot in 0..shown {
        painter.rect_filled(place(slot), 0.0, ui.visuals().extreme_bg_color);
    }
    let regions = &snapshot.structure.regions;
    let cells: HashMap<u32, &Region> = regions.kept.iter().map(|kept| (kept.index, kept)).collect();
    let solid = |[r, g, b]: [u8; 3]| Color32::from_rgb(r, g, b);
    let opaque = |[r, g, b, _]: Color| solid([r, g, b]);
    let own = snapshot.picked.iter().flat_map(|picked| &picked.regions);
    let own: Vec<u32> = own.map(|region| region.index).collect();
    for (region, HashSlot { slot, home, .. }) in
        table.occupied.iter().filter(|(_, at)| at.slot < shown)
    {
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
        let color = if is_home { solid(home_color) } else { opaque(theme.mark) };
        painter.rect_filled(place(*slot), 0.0, color);
        let font = FontId::proportional(MIN_TEXT);
        let ink = if is_home { Color32::WHITE } else { Color32::BLACK };
        if let Some(cell) = known {
            let middle = place(*slot).center();
            painter.text(middle, Align2::CENTER_CENTER, cell.objects.to_string(), font, ink);
        }
        if own.contains(region) {
            let frame = (1.5, opaque(theme.picked));
            painter.rect_stroke(place(*slot), 0.0, frame, egui::StrokeKind::Outside);
        }
    }
    let cases = counted(displaced, "case");
    swatch(ui, theme.mark, &format!("in {cases} the slot was taken"));
    if !own.is_empty() {
        swatch(ui, theme.picked, "cells of the picked object");
    }
    if shown < table.slots {
        line(ui, format!("The first {shown} slots are drawn."));
    }
}
