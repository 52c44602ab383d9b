//! The nodes or cells that the search of the picked object reached.

use super::dashes::dashed_box;
use super::faint;
use super::structure::{bounds_objects, within};
use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{Picked, Snapshot};
use crate::view::View;
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Overlay, Visited};
use glam::Vec3;

/// Most nodes that are drawn. More hide each other.
const MOST: usize = 400;

/// Gap between a dashed box and the one that it is within, in shares of its sides.
const INSET: f32 = 0.02;

/// Most candidates whose cells are looked for.
const MAX_CANDIDATES: usize = 64;

/// Share of its opacity that a searched cell keeps beside the one that is an example.
const BESIDE_EXAMPLE: f32 = 0.45;

/// Share of its opacity that the rest of a structure keeps beside them.
pub(super) const ASIDE: f32 = 0.35;

/// Whether they are drawn: where a part of the structure is shown in which they are.
pub fn shows_visited(snapshot: &Snapshot, options: &View) -> bool {
    let shown = [Overlay::Planes, Overlay::TreeBoxes, Overlay::Regions]
        .into_iter()
        .any(|overlay| snapshot.draws(options, overlay));
    shown && snapshot.picked.as_ref().is_some_and(|picked| !picked.visited.is_empty())
}

/// White around those that hold the object, green around those that were searched, dashed around those that were
/// rejected.
pub(super) fn compose(
    picked: &Picked,
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    if !shows_visited(snapshot, options) {
        return;
    }
    let last = picked.visited.iter().map(|node| node.depth).max().unwrap_or_default().max(1);
    let space = match bounds_objects(snapshot) {
        true => Aabb::new(Vec3::MIN, Vec3::MAX),
        false => snapshot.objects.occupied,
    };
    let stride = picked.visited.len().div_ceil(MOST).max(1);
    // Where objects reach out of cells, one of the searched cells is an example: the smallest that holds one of the first
    // candidates, or else the smallest.
    let candidates = picked.candidates.iter().take(MAX_CANDIDATES);
    let centers: Vec<Vec3> =
        candidates.filter_map(|object| Some(snapshot.bounds_of(*object)?.center())).collect();
    let holds_candidate =
        |cell: &Aabb| centers.iter().any(|at| cell.overlaps(&Aabb::new(*at, *at)));
    let searched = picked.visited.iter().filter(|node| node.outcome == Outcome::Searched);
    let searched = searched.filter(|_| !picked.loose.is_empty());
    let example = searched.max_by_key(|node| (holds_candidate(&node.bounds), node.depth));
    if let (Some(loose), Some(own), Some(searched)) =
        (picked.loose.first(), picked.regions.first(), example)
    {
        // As an example, how far the objects of one of the searched cells may reach.
        let half = 0.5 * searched.bounds.size() * (loose.size() / own.bounds.size());
        let middle = searched.bounds.center();
        let loose = Aabb::new(middle - half, middle + half);
        dashed_box(&within(&space, &loose), theme.overlap, 1.75, segments);
    }
    for Visited { bounds, depth, outcome } in picked.visited.iter().step_by(stride) {
        let near = *depth as f32 / last as f32;
        match outcome {
            Outcome::Holds => {
                let color = faint(theme.picked, 0.25 + 0.6 * near * near);
                boxes.push(WireBox { bounds: within(&space, bounds), color, width: 1.0 + near });
            }
            Outcome::Searched => {
                let is_example = example.is_none_or(|example| example.bounds == *bounds);
                let share = if is_example { 1.0 } else { BESIDE_EXAMPLE };
                let color = faint(theme.overlap, share);
                boxes.push(WireBox { bounds: within(&space, bounds), color, width: 1.5 });
            }
            Outcome::Rejected => {
                // Within it: its edges are those of other cells, too.
                let bounds = within(&space, bounds);
                let inset = INSET * bounds.size();
                let inner = Aabb::new(bounds.min + inset, bounds.max - inset);
                dashed_box(&inner, faint(theme.rail, 0.7), 1.25, segments);
            }
        }
    }
}
