//! Exchanged ends, and the places of cells.

use crate::common::{inputs, plain, run_frame};
use crate::inspect::frames::changes;
use broadphase::inspect::{Change, Exchange, for_each_region};
use broadphase::registry::{Settings, find};
use broadphase::{Aabb, Axis};
use std::collections::HashMap;

#[test]
fn exchanges_are_the_overlaps_that_began_or_ended_on_an_axis() {
    let (_, frames) = inputs(60, 6, 5).swap_remove(0);
    let mut sap = find("sap-incremental").unwrap().build(&Settings::new(60));
    let mut before: Vec<Aabb> = Vec::new();
    let mut seen = 0;
    for boxes in &frames {
        run_frame(&mut *sap, &plain(boxes));
        let shown = changes(&*sap);
        let mut expected = Vec::new();
        // A full sort exchanges no ends.
        let ids = 0..if sap.counters().rebuilds > 0 { 0 } else { boxes.len() };
        let two = ids.clone().flat_map(|a| ids.clone().map(move |b| [a, b]));
        for [a, b] in two.filter(|[a, b]| a != b) {
            for axis in Axis::ALL {
                let at = axis.index();
                let reaches = |all: &[Aabb]| all[a].min[at] <= all[b].max[at];
                let (lower, upper, begun) = (a as u32, b as u32, reaches(boxes));
                if begun != reaches(&before) {
                    expected.push(Change::Exchange(Exchange { axis, lower, upper, begun }));
                }
            }
        }
        assert_eq!(shown.len(), expected.len());
        assert!(expected.iter().all(|change| shown.contains(change)), "{shown:?}");
        seen += shown.len();
        before.clone_from(boxes);
    }
    assert!(seen > 20, "the input exchanges few ends: {seen}");
}

#[test]
fn cells_have_different_slots_of_the_hash_table() {
    let (_, frames) = inputs(60, 1, 5).swap_remove(0);
    for id in ["grid-hashed", "grid-hierarchical"] {
        let mut grid = find(id).unwrap().build(&Settings::new(60));
        run_frame(&mut *grid, &plain(&frames[0]));
        let mut homes = HashMap::new();
        for_each_region(grid.inspect(), &mut |mark| {
            let of = mark.slot.unwrap();
            assert!(of.slot.max(of.home) < of.slots, "{id}");
            assert_eq!(homes.insert(of.slot, of.home), None, "{id}: two cells in one slot");
        });
        // Slots are few enough that some cells find theirs taken.
        assert!(homes.len() > 5 && homes.iter().any(|(slot, home)| slot != home), "{id}");
    }
}
