//! Exchanged ends, and the places of cells.

use crate::common::{inputs, plain, run_frame};
use broadphase::inspect::{Change, Exchange, HashSlot, for_each_region};
use broadphase::registry::{Settings, find};
use broadphase::{Aabb, Axis, BroadPhase};
use std::collections::{HashMap, HashSet};

fn create(id: &str, objects: usize) -> Box<dyn BroadPhase> {
    find(id).unwrap().create(&Settings::new(objects)).unwrap()
}

#[test]
fn exchanges_are_the_overlaps_that_began_or_ended_on_an_axis() {
    let (_, frames) = inputs(60, 6, 5).swap_remove(0);
    let mut sap = create("sap-incremental", 60);
    let mut before: Vec<Aabb> = Vec::new();
    let mut seen = 0;
    for boxes in &frames {
        run_frame(&mut *sap, &plain(boxes));
        let mut exchanges: HashSet<Exchange> = HashSet::new();
        sap.inspect().changes(&mut |change| {
            let Change::Exchange(exchange) = change else { panic!("{change:?}") };
            assert!(exchanges.insert(exchange));
        });
        if sap.counters().rebuilds > 0 {
            assert!(exchanges.is_empty(), "a full sort exchanges no ends");
        } else {
            seen += exchanges.len();
            let mut expected = HashSet::new();
            for (b, upper) in (0..).zip(boxes) {
                for (a, lower) in (0..).zip(boxes).filter(|(a, _)| *a != b) {
                    for axis in Axis::ALL {
                        let at = axis.index();
                        let reaches = |lower: &Aabb, upper: &Aabb| lower.min[at] <= upper.max[at];
                        let [was, is] = [
                            reaches(&before[a as usize], &before[b as usize]),
                            reaches(lower, upper),
                        ];
                        if was != is {
                            expected.insert(Exchange { axis, lower: a, upper: b, begun: is });
                        }
                    }
                }
            }
            assert_eq!(exchanges, expected);
        }
        before.clone_from(boxes);
    }
    assert!(seen > 20, "the input exchanges few ends: {seen}");
}

#[test]
fn cells_have_different_slots_of_the_hash_table() {
    let (_, mut frames) = inputs(60, 1, 5).swap_remove(0);
    let boxes = frames.remove(0);
    for (id, has_places) in [("grid-hashed", true), ("grid-hierarchical", true), ("areas", false)] {
        let mut grid = create(id, boxes.len());
        run_frame(&mut *grid, &plain(&boxes));
        let mut slots = HashMap::new();
        for_each_region(grid.inspect(), &mut |mark| {
            assert_eq!(mark.slot.is_some(), has_places, "{id}");
            let Some(HashSlot { slot, home, slots: all, .. }) = mark.slot else { return };
            assert!(slot.max(home) < all, "{id}");
            assert_eq!(slots.insert(slot, home), None, "{id}: two cells in one slot");
        });
        assert_eq!(slots.len() > 5, has_places, "{id}");
        // Slots are few enough that some cells find theirs taken.
        assert!(!has_places || slots.iter().any(|(slot, home)| slot != home), "{id}");
    }
}
