//! The parts of a structure in the space of the spheres: planes, leaves or cells, boxes of a tree,
//! a curve.

use super::dashes::dashed_box;
use super::faint;
use super::visited::{self, shows_visited};
use crate::scene_renderer::{Plane, Segment, Theme, WireBox};
use crate::simulation::{MovedPlane, Snapshot};
use crate::view::View;
use broadphase::Aabb;
use broadphase::inspect::{Overlay, Rotation};
use glam::Vec3;

/// More lines than this are drawn fainter, so that the scene behind them stays visible.
const MANY: f32 = 400.0;

/// The place of the first level on the colour scale: its beginning is dark, and cells of the first level are few.
const FIRST_LEVEL: f32 = 0.35;

/// Share of its opacity that each of a number of lines or boxes keeps.
pub(super) fn strength(number: usize) -> f32 {
    (MANY / (number as f32).max(1.0)).sqrt().clamp(0.35, 1.0)
}

/// Most objects at planes whose boxes are outlined. More hide each other.
const MAX_OUTLINED: usize = 100;

/// The splitting planes, and the boxes of the objects that they hold in their colours. Planes that have just moved flash
/// at their new positions, with edges, and are dashed where they were before.
pub(super) fn compose_planes(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    planes: &mut Vec<Plane>,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    if !options.shows(Overlay::Planes) {
        return;
    }
    let shown = |depth: u32| depth <= options.plane_depth;
    for plane in snapshot.structure.planes.iter().filter(|plane| shown(plane.depth)) {
        // Deeper planes are smaller and more numerous, and drawn more transparent.
        let alpha = options.plane_opacity * 0.86f32.powi(plane.depth as i32);
        planes.push(Plane::of_split(plane, alpha));
    }
    let held = snapshot.structure.sweeps.held().iter();
    let few = held.clone().filter(|_| held.len() <= MAX_OUTLINED);
    boxes.extend(few.filter_map(|(object, axis)| {
        let (bounds, color) = (snapshot.bounds_of(*object)?, theme.plane(*axis, 1.0));
        Some(WireBox { bounds, color, width: 1.5 })
    }));
    let moved = snapshot.changed.planes.fresh.iter().filter(|(moved, _)| shown(moved.now.depth));
    for (MovedPlane { now, before, .. }, fresh) in moved {
        let flash = Plane { color: Some(theme.mark), ..Plane::of_split(now, 0.45 * fresh) };
        planes.push(flash);
        let color = faint(theme.mark, *fresh);
        boxes.push(WireBox { bounds: now.within(), color, width: 1.0 + 1.5 * fresh });
        if let Some(before) = before {
            dashed_box(&before.within(), color, 1.0 + fresh, segments);
        }
    }
}

/// The part of a cell within a space; the whole cell where it has none.
pub fn within(space: &Aabb, cell: &Aabb) -> Aabb {
    let part = Aabb::new(cell.min.max(space.min), cell.max.min(space.max));
    if part.is_empty() { *cell } else { part }
}

/// The share of its opacity that the structure keeps: little where the nodes are drawn that a search reached.
fn beside_visited(snapshot: &Snapshot, options: &View) -> f32 {
    if shows_visited(snapshot, options) { visited::ASIDE } else { 1.0 }
}

/// The edges of leaves or cells, stronger for those with more objects, or in the colours of their levels; empty ones
/// are left out.
pub(super) fn compose_regions(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    if !options.shows(Overlay::Regions) {
        return;
    }
    let regions = &snapshot.structure.regions;
    let strength = strength(regions.kept.len()) * beside_visited(snapshot, options);
    let space = snapshot.objects.occupied;
    let occupied = regions.kept.iter().filter(|region| region.objects > 0);
    if snapshot.has_levels() {
        let alpha = (210.0 * strength) as u8;
        return boxes.extend(occupied.map(|region| {
            let [r, g, b] = level_color(region.depth as usize, regions.levels.len(), theme);
            let bounds = within(&space, &region.bounds);
            WireBox { bounds, color: [r, g, b, alpha], width: 1.5 }
        }));
    }
    boxes.extend(occupied.map(|region| {
        let share = region.objects as f32 / regions.most as f32;
        let [r, g, b] = theme.on_scale(share);
        let alpha = (70.0 + 160.0 * share) * strength;
        let bounds = within(&space, &region.bounds);
        WireBox { bounds, color: [r, g, b, alpha as u8], width: 1.0 + share }
    }));
}

/// The colour of cells at one of several depths.
pub fn level_color(depth: usize, levels: usize, theme: &Theme) -> [u8; 3] {
    let share = depth as f32 / levels.saturating_sub(1).max(1) as f32;
    theme.on_scale(FIRST_LEVEL + (1.0 - FIRST_LEVEL) * share)
}

/// Whether the leaves of a tree are drawn as cells, with their objects.
fn hides_leaves(snapshot: &Snapshot, options: &View) -> bool {
    snapshot.draws(options, Overlay::Regions)
}

/// Whether the boxes of the tree bound their objects, and are drawn whole. A tree with cells divides space.
pub fn bounds_objects(snapshot: &Snapshot) -> bool {
    snapshot.algorithm.shows(Overlay::TreeBoxes) && !snapshot.algorithm.shows(Overlay::Regions)
}

/// The boxes of a tree. Those on later levels are thinner and farther along the colour scale, which spans the levels
/// that are drawn. Boxes of leaves have a colour of their own: with heights the scale begins at height 1.
pub(super) fn compose_tree(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    if !options.shows(Overlay::TreeBoxes) {
        return;
    }
    let tree = &snapshot.structure.tree;
    let first = u32::from(tree.from_leaves);
    let levels = tree.deepest_kept().saturating_sub(first).max(1) as f32;
    let beside = beside_visited(snapshot, options);
    let alpha = (235.0 * strength(tree.kept.len()) * beside) as u8;
    let space = (!bounds_objects(snapshot)).then_some(snapshot.objects.occupied);
    let drawn =
        tree.kept.iter().filter(|tree_box| !(tree_box.is_leaf && hides_leaves(snapshot, options)));
    boxes.extend(drawn.map(|tree_box| {
        let share = tree_box.depth.saturating_sub(first) as f32 / levels;
        let [r, g, b] = if tree_box.is_leaf {
            let [r, g, b, _] = theme.leaf;
            [r, g, b]
        } else {
            theme.on_scale(share)
        };
        let bounds = match space {
            Some(space) => within(&space, &tree_box.bounds),
            None => tree_box.bounds,
        };
        WireBox { bounds, color: [r, g, b, alpha], width: 2.5 - 1.5 * share }
    }));
}

/// Subtrees that have just changed places flash, over the boxes that a search reached.
pub(super) fn compose_rotations(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    if !options.shows(Overlay::TreeBoxes) {
        return;
    }
    for (Rotation { lowered, raised, .. }, fresh) in &snapshot.changed.rotations.fresh {
        let color = faint(theme.rotated, 0.3 + 0.7 * *fresh);
        boxes.extend([*lowered, *raised].map(|bounds| WireBox { bounds, color, width: 2.5 }));
    }
}

/// A line through the objects in their order, with a colour gradient from the first to the last.
pub(super) fn compose_curve(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    segments: &mut Vec<Segment>,
) {
    for (_, layer) in snapshot.layers(options) {
        compose_points(&layer.points, theme, segments);
    }
}

fn compose_points(points: &[Vec3], theme: &Theme, segments: &mut Vec<Segment>) {
    let alpha = (255.0 * strength(points.len())) as u8;
    let width = if points.len() as f32 > MANY { 1.25 } else { 2.5 };
    let last = points.len().saturating_sub(2).max(1) as f32;
    segments.extend(points.windows(2).enumerate().map(|(place, ends)| {
        let [r, g, b] = theme.on_scale(place as f32 / last);
        let [a, to] = [ends[0], ends[1]].map(|point| point.to_array());
        Segment { a, b: to, color: [r, g, b, alpha], width }
    }));
}
