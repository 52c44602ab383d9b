//! The nodes or cells that the search of the picked object reached.

use super::dashes::dashed_box;
use super::faint;
use super::options::DrawOptions;
use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{Picked, Snapshot};
use broadphase::inspect::{Outcome, Overlay, Visited};

/// Most nodes that are drawn. More hide each other.
const MOST: usize = 400;

/// Share of its opacity that the rest of a structure keeps beside them.
pub(super) const ASIDE: f32 = 0.22;

/// Whether they are drawn: where a part of the structure is shown in which they are.
pub fn shows_visited(snapshot: &Snapshot, options: &DrawOptions) -> bool {
    let is_on = |overlay: Overlay, on: bool| on && snapshot.algorithm.shows(overlay);
    let shown = is_on(Overlay::Planes, options.planes)
        || is_on(Overlay::TreeBoxes, options.tree_boxes)
        || is_on(Overlay::Regions, options.regions);
    shown && snapshot.picked.as_ref().is_some_and(|picked| !picked.visited.is_empty())
}

/// White around those that hold the object, green around those that were searched, dashed around those that were
/// rejected.
pub(super) fn compose(
    picked: &Picked,
    snapshot: &Snapshot,
    options: &DrawOptions,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    if !shows_visited(snapshot, options) {
        return;
    }
    let last = picked.visited.iter().map(|node| node.depth).max().unwrap_or_default().max(1);
    let stride = picked.visited.len().div_ceil(MOST).max(1);
    for Visited { bounds, depth, outcome } in picked.visited.iter().step_by(stride) {
        let near = *depth as f32 / last as f32;
        match outcome {
            Outcome::Holds => {
                let color = faint(theme.picked, 0.35 + 0.5 * near);
                boxes.push(WireBox { bounds: *bounds, color, width: 1.25 + 0.75 * near });
            }
            Outcome::Searched => {
                boxes.push(WireBox { bounds: *bounds, color: theme.overlap, width: 1.5 });
            }
            Outcome::Rejected => {
                dashed_box(bounds, faint(theme.rail, 0.75), 1.0, segments);
            }
        }
    }
}
