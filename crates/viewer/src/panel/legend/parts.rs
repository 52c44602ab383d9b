//! The meaning of each overlay, with the figures of what is drawn.

use super::marks::{note, part, scale, swatch, title};
use crate::panel::format::compact;
use crate::panel::structure::regions_of;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{MOST_BOXES, MOST_ROWS, Snapshot};
use broadphase::inspect::MatrixCell;
use broadphase::registry::Kind;
use egui::{Color32, Rect, RichText, Sense, StrokeKind, Ui, vec2};

/// Width of the matrix in points.
const WIDTH: f32 = 224.0;

pub(super) fn planes(ui: &mut Ui, _: &Snapshot, theme: &Theme) {
    title(ui, "Planes", "Each divides its cell in two, as an inner node of the tree.");
    for (name, [r, g, b]) in ["y-z", "x-z", "x-y"].into_iter().zip(theme.planes) {
        swatch(ui, [r, g, b, 255], name);
    }
}

/// Occupancy of the drawn leaves or cells.
pub(super) fn regions(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let regions = &snapshot.structure.regions;
    let number = regions.number;
    let many = regions_of(snapshot.algorithm, number);
    let heading = format!("{} {many}", compact(number as f64));
    let meaning = if many == "cells" || many == "cell" {
        "Space is divided into cells: objects are tested only against those of the same or \
         neighbouring cells. The numbers are objects."
    } else {
        "The planes divide space into leaves: objects are tested only against those of the same \
         leaves. The numbers are objects."
    };
    title(ui, &heading, meaning);
    scale(ui, theme, "0", &compact(f64::from(regions.most)));
    let mean = regions.listed as f64 / number.max(1) as f64;
    ui.label(format!("objects: mean {mean:.1}, most {}", regions.most));
    let straddlers = compact(snapshot.counters.straddlers as f64);
    ui.label(format!("{straddlers} in more than one {}", regions_of(snapshot.algorithm, 1)));
    if regions.kept.len() < number {
        note(ui, format!("Only the fullest {} are drawn", compact(MOST_BOXES as f64)));
    }
}

pub(super) fn tree(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let tree = &snapshot.structure.tree;
    let is_octree = snapshot.algorithm.kind == Kind::SpaceTree;
    let meaning = if is_octree {
        "Every cell is divided into eight. The loose bounds, twice as long, are drawn for a picked object, \
         dashed."
    } else {
        "Every box bounds the boxes below it. Where two boxes do not overlap, no object in one overlaps an \
         object in the other."
    };
    title(ui, if is_octree { "Octree" } else { "Tree of boxes" }, meaning);
    scale(ui, theme, "depth 0", &tree.deepest_kept().to_string());
    swatch(ui, theme.leaf, "leaf");
    let all: u64 = tree.levels.iter().map(|number| u64::from(*number)).sum();
    let wanted = compact(tree.wanted as f64);
    ui.label(format!("{wanted} of {} boxes", compact(all as f64)));
    if tree.kept.iter().any(|tree_box| tree_box.step.is_some()) {
        ui.label(RichText::new("Numbers: the order in which the boxes were made.").small());
    }
    if !snapshot.changed.rotations.is_empty() {
        swatch(ui, theme.selected_pane_edge, "rotated a moment ago");
    }
    if tree.kept.len() < tree.wanted {
        let kept = compact(tree.kept.len() as f64);
        note(ui, format!("{kept} of these {wanted} are drawn: whole upper levels, then a part"));
    }
}

pub(super) fn lists(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let lists = &snapshot.structure.lists;
    let axes: Vec<&str> =
        ["x", "y", "z"].into_iter().zip(lists.lanes).filter(|(_, n)| *n > 0).map(|a| a.0).collect();
    title(
        ui,
        &format!("Sorted endpoints: {}", axes.join(", ")),
        "Each object's box is an interval on an axis. Once endpoints are sorted, overlapping \
         intervals are neighbours.",
    );
    swatch(ui, theme.ends[0], "lower endpoints, on the scene's side of the line");
    swatch(ui, theme.ends[1], "upper endpoints, on the other side");
    match &snapshot.picked {
        None => {
            ui.label(
                RichText::new(
                    "Bars: intervals; overlapping ones take lanes of their own. Click an object.",
                )
                .small(),
            );
        }
        Some(picked) => {
            swatch(ui, theme.picked, &format!("{} {}", snapshot.kind(), picked.object));
            swatch(ui, theme.overlap, "overlaps it on this axis");
            swatch(ui, theme.hit, "on all axes: a candidate");
            // Boxes of a recording have no spheres in them that touch.
            if snapshot.recording.is_none() {
                swatch(ui, theme.picked_hit, "touches it");
            }
        }
    }
    // Every list has an interval of each object that is drawn.
    let first = lists.kept.first().map(|interval| interval.axis);
    let drawn = lists.kept.iter().filter(|interval| Some(interval.axis) == first).count();
    part(ui, drawn, snapshot.present_objects(), "objects");
}

pub(super) fn curve(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let curve = &snapshot.structure.curve;
    title(
        ui,
        "Curve",
        "The objects in their order along a space-filling curve: neighbours on it are near each \
         other.",
    );
    scale(ui, theme, "first", "last");
    part(ui, curve.kept.len(), curve.number, "points");
}

/// The state of each object in a cache.
pub(super) fn fat_boxes(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let fat = &snapshot.structure.fat;
    title(ui, "Fat AABBs", "Each object's box within the fat AABB by which it is cached.");
    if fat.number() == 0 {
        ui.label("nothing is cached now");
        return;
    }
    for ((count, color), meaning) in fat.counts.iter().zip(theme.cached).zip([
        "resting: their own box is cached",
        "in their fat AABB",
        "moving: searched for in each step",
        "stale: searched for too, its old entry skipped",
    ]) {
        if *count > 0 {
            swatch(ui, color, &format!("{} {meaning}", compact(*count as f64)));
        }
    }
    swatch(ui, theme.escaped, "escaped a moment ago");
    part(ui, fat.kept.len(), fat.number(), "objects");
}

pub(super) fn cached_pairs(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let cached = &snapshot.structure.cached;
    let heading = format!("{} cached pairs", compact(cached.number as f64));
    title(ui, &heading, "Pairs that are known from an earlier step, and not searched for.");
    swatch(ui, theme.rail, "only the fat AABBs overlap");
    swatch(ui, theme.hit, "the boxes overlap: a candidate");
    if cached.resting > 0 {
        let resting = compact(cached.resting as f64);
        swatch(ui, theme.cached[0], &format!("{resting} of two resting objects: copied"));
    }
    part(ui, cached.kept.len(), cached.number, "pairs");
}

pub(super) fn blocks(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let blocks = &snapshot.structure.blocks;
    let (number, sweeps) = (compact(blocks.number as f64), compact(blocks.sweeps as f64));
    title(
        ui,
        &format!(
            "{number} blocks of 16 in {sweeps} {}",
            if blocks.sweeps == 1 { "sweep" } else { "sweeps" }
        ),
        "Boxes in the order in which they begin on the axis, sixteen to a block: one vector instruction \
         compares a bound of a box with those of a block.",
    );
    scale(ui, theme, "first", &format!("block {}", compact(f64::from(blocks.longest))));
    let picked = snapshot.picked.as_ref().and_then(|picked| snapshot.bounds_of(picked.object));
    match picked {
        None => {
            ui.label(
                RichText::new("Click an object: the blocks that it is compared with.").small(),
            );
        }
        Some(picked) => {
            let run = blocks.run(picked).count();
            swatch(ui, theme.picked, "its block, and the reach of its box");
            swatch(ui, theme.overlap, &format!("{run} blocks begin before its box ends"));
        }
    }
    part(ui, blocks.kept.len(), blocks.number, "blocks");
}

/// The counters themselves, a small square for each pair.
pub(super) fn matrix(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let matrix = &snapshot.structure.matrix;
    let n = matrix.objects;
    let all = n * n.saturating_sub(1) / 2;
    title(
        ui,
        &format!("Matrix: {} pairs", compact(all as f64)),
        "A counter for each pair of objects: the axes on which their boxes overlap.",
    );
    if n > MOST_ROWS {
        let rows = compact(n as f64);
        return note(ui, format!("{rows} rows and columns: drawn up to {MOST_ROWS} objects"));
    }
    let side = (WIDTH / n.max(1) as f32).min(8.0);
    let (square, _) = ui.allocate_exact_size(vec2(side, side) * n as f32, Sense::hover());
    let painter = ui.painter();
    let cell = |column: u32, row: u32| {
        let at = square.min + vec2(column as f32, row as f32) * side;
        Rect::from_min_size(at, vec2(side, side))
    };
    painter.rect_filled(square, 0.0, ui.visuals().faint_bg_color);
    let solid = |[r, g, b, _]: Color| Color32::from_rgb(r, g, b);
    let colors = axes_colors(theme).map(solid);
    for MatrixCell { pair, axes } in &matrix.cells {
        let color = colors[usize::from(*axes).clamp(1, 3) - 1];
        painter.rect_filled(cell(pair.b, pair.a).shrink(0.1 * side), 0.0, color);
    }
    if let Some(picked) = &snapshot.picked {
        let at = picked.object;
        let [row, column] =
            [cell(0, at).union(cell(n as u32 - 1, at)), cell(at, 0).union(cell(at, n as u32 - 1))];
        for line in [row, column] {
            painter.rect_stroke(line, 0.0, (1.0, solid(theme.picked)), StrokeKind::Inside);
        }
    }
    let counts = [1, 2, 3].map(|axes| matrix.cells.iter().filter(|c| c.axes == axes).count());
    for ((count, color), meaning) in counts.into_iter().zip(axes_colors(theme)).zip([
        "on 1 axis",
        "on 2 axes",
        "on 3 axes: candidates",
    ]) {
        swatch(ui, color, &format!("{} {meaning}", compact(count as f64)));
    }
}

/// The colours of cells that count one, two and three axes.
fn axes_colors(theme: &Theme) -> [Color; 3] {
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    [opaque(theme.on_scale(0.0)), opaque(theme.on_scale(0.5)), theme.hit]
}
