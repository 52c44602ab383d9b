//! The pair on which two algorithms differ, whichever of them reported it, or about which a method was wrong.

use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{EngineState, Snapshot};
use broadphase::Pair;

/// The pair, while the objects are at the step in question.
pub(super) fn pair(snapshot: &Snapshot) -> Option<Pair> {
    let (EngineState { disagreement, fault, .. }, steps) =
        (&snapshot.engine, snapshot.motion.steps);
    let disagreement = disagreement.filter(|found| found.step == steps);
    let fault = fault.as_ref().filter(|fault| fault.step == steps);
    disagreement.map(|found| found.pair()).or_else(|| fault.map(|fault| fault.pair()))
}

/// The boxes of both objects, and a line between them.
pub(super) fn compose(
    pair: Pair,
    snapshot: &Snapshot,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    // A wrong algorithm may report objects that do not exist.
    let [a, b] = [pair.a, pair.b].map(|object| snapshot.bounds_of(object));
    for bounds in a.into_iter().chain(b) {
        boxes.push(WireBox { bounds, color: theme.hit, width: 2.5 });
    }
    if a.is_some() && b.is_some() {
        let [a, b] = [pair.a, pair.b].map(|at| snapshot.objects.positions[at as usize].to_array());
        segments.push(Segment { a, b, color: theme.hit, width: 4.0 });
    }
}
