//! The pair on which two algorithms differ, whichever of them reported it.

use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::Snapshot;
use broadphase::{Aabb, Pair};

/// The pair, while the spheres are at the step of the disagreement.
pub(super) fn pair(snapshot: &Snapshot) -> Option<Pair> {
    let disagreement = snapshot.disagreement.filter(|found| found.step == snapshot.steps)?;
    Some(disagreement.pair())
}

/// The boxes of both spheres, and a line between them.
pub(super) fn compose(
    pair: Pair,
    snapshot: &Snapshot,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    let sphere = |object: u32| {
        let at = object as usize;
        Some((*snapshot.positions.get(at)?, *snapshot.radii.get(at)?))
    };
    // A wrong algorithm may report objects that do not exist.
    let [a, b] = [pair.a, pair.b].map(sphere);
    for (center, radius) in a.into_iter().chain(b) {
        let bounds = Aabb::around_sphere(center, radius);
        boxes.push(WireBox { bounds, color: theme.hit, width: 2.5 });
    }
    if let (Some((a, _)), Some((b, _))) = (a, b) {
        segments.push(Segment { a: a.to_array(), b: b.to_array(), color: theme.hit, width: 4.0 });
    }
}
