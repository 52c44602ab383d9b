//! The inspected object, and what the algorithm found about it.

use super::dashes::dashed_box;
use super::structure::{strength, within};
use super::{faint, links};
use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{Picked, Snapshot};

/// Most tests that are drawn as lines: above it, those with every n-th object.
const MAX_TESTS: usize = 2_000;

/// Its box, lines to its candidates and hits, and the leaves or cells that list it, their loose bounds dashed.
pub(super) fn compose(
    picked: &Picked,
    snapshot: &Snapshot,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    segments: &mut Vec<Segment>,
) {
    // An absent object has no box.
    if !picked.bounds.is_empty() {
        boxes.push(WireBox { bounds: picked.bounds, color: theme.picked, width: 1.5 });
    }
    if snapshot.algorithm.tests_all_pairs() {
        tests(picked, snapshot, theme, segments);
    }
    let space = snapshot.objects.occupied;
    for region in &picked.regions {
        let bounds = within(&space, &region.bounds);
        boxes.push(WireBox { bounds, color: theme.selected_pane_edge, width: 2.0 });
    }
    for loose in &picked.loose {
        dashed_box(&within(&space, loose), theme.selected_pane_edge, 1.5, segments);
    }
    for other in &picked.candidates {
        let Some(bounds) = snapshot.bounds_of(*other) else { continue };
        let hit = picked.hits.binary_search(other).is_ok();
        let color = if hit { theme.hit } else { theme.candidate };
        boxes.push(WireBox { bounds, color, width: 1.0 });
        let place = snapshot.objects.positions[*other as usize];
        let [a, b] = links::ends([(picked.center, picked.bounds), (place, bounds)]);
        segments.push(Segment { a, b, color, width: if hit { 3.0 } else { 1.5 } });
    }
}

/// The tests of an object for which a line is drawn: all, or every `n`-th of many.
pub fn drawn_tests(tested: &[u32]) -> impl ExactSizeIterator<Item = u32> {
    let stride = tested.len().div_ceil(MAX_TESTS).max(1);
    tested.iter().copied().step_by(stride)
}

/// A thin line to each object that it is tested with: all others.
fn tests(picked: &Picked, snapshot: &Snapshot, theme: &Theme, segments: &mut Vec<Segment>) {
    let others = drawn_tests(&picked.tested);
    let color = faint(theme.rail, 0.4 * strength(others.len()));
    let others = others.filter(|other| !picked.concerns(*other));
    segments.extend(others.filter_map(|other| snapshot.bounds_of(other)).map(|bounds| {
        let own = (picked.center, picked.bounds);
        let [a, b] = links::ends([own, (bounds.center(), bounds)]);
        Segment { a, b, color, width: 1.0 }
    }));
}
