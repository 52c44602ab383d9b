//! The lists that are swept with an object, and the nodes that its search reached.

use crate::common::{inputs, plain, run_frame};
use crate::inspect::frames::{Now, tested_with};
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Visited, for_each_region};
use broadphase::registry::{Settings, find};
use std::collections::{HashMap, HashSet};

#[test]
fn swept_lists_hold_the_object_and_all_that_it_is_tested_with() {
    for id in ["sweep-grid", "kd-sap"] {
        for (input, frames) in inputs(1000, 2, 5) {
            let mut algorithm = find(id).unwrap().build(&Settings::new(1000));
            for boxes in &frames {
                run_frame(&mut *algorithm, &plain(boxes));
                let present = (0..).zip(boxes).step_by(97).filter(|(_, b)| !b.is_empty());
                for (object, own) in present {
                    let (mut listed, mut overlapping) = (HashSet::new(), HashSet::new());
                    algorithm.inspect().sweeps(object, &mut |list| {
                        let at = list.axis.index();
                        let overlaps = |other: &u32| {
                            let b = &boxes[*other as usize];
                            b.min[at] <= own.max[at] && own.min[at] <= b.max[at]
                        };
                        overlapping.extend(list.objects.iter().copied().filter(overlaps));
                        listed.extend(list.objects);
                    });
                    let name = format!("{id} on {input}: {object}");
                    assert!(overlapping.remove(&object), "{name} is in no list");
                    let tested = HashSet::from_iter(tested_with(&*algorithm, object));
                    assert!(overlapping.is_subset(&tested) && tested.is_subset(&listed), "{name}");
                    // An object of a tree that reaches far is tested with all that begin before its end.
                    assert!(id == "kd-sap" || tested == overlapping, "{name}");
                }
            }
        }
    }
}

/// Nodes that hold an object are nested, and rejected ones are apart from it.
pub(crate) fn check_nodes(now: &Now<'_>) {
    let contains = |outer: &Aabb, inner: &Aabb| outer.union(inner) == *outer;
    if !now.entry.id.starts_with("bvh-") {
        return;
    }
    for (object, b) in (0..).zip(now.boxes).step_by(41) {
        let name = format!("{}, object {object}", now.name);
        let mut visited: Vec<Visited> = Vec::new();
        now.algorithm.inspect().way(object, b, &mut |node| visited.push(node));
        assert_eq!(visited.is_empty(), b.is_empty(), "{name}");
        let (mut holding, reached): (Vec<Visited>, Vec<Visited>) =
            visited.into_iter().partition(|node| node.outcome == Outcome::Holds);
        assert!(holding.iter().all(|node| contains(&node.bounds, b)), "{name}");
        holding.sort_unstable_by_key(|node| node.depth);
        assert!((0..).zip(&holding).all(|(depth, node)| node.depth == depth), "{name}");
        let is_apart = |node: &Visited| !node.bounds.overlaps(b);
        let is_right = |node: &Visited| node.outcome != Outcome::Rejected || is_apart(node);
        assert!(reached.iter().all(is_right), "{name}");
        // Each object that it was tested against is in a node that was reached.
        for other in tested_with(now.algorithm, object) {
            let other = &now.boxes[other as usize];
            assert!(reached.iter().any(|node| contains(&node.bounds, other)), "{name}");
        }
    }
}

#[test]
fn coarser_cells_are_searched_or_empty() {
    let mut inputs = inputs(400, 2, 5).into_iter();
    let (_, frames) = inputs.find(|(input, _)| *input == "mixed sizes").unwrap();
    let mut grid = find("grid-hierarchical").unwrap().build(&Settings::new(400));
    let mut coarser = HashMap::new();
    for boxes in &frames {
        run_frame(&mut *grid, &plain(boxes));
        let mut cells = Vec::new();
        for_each_region(grid.inspect(), &mut |mark| {
            cells.push((mark.region.bounds, mark.region.depth));
        });
        for (object, b) in (0..).zip(boxes) {
            // Drawn cells have corners of single precision.
            let rounded = Aabb::new(b.min - 1e-6, b.max + 1e-6);
            let mut finest = None;
            grid.inspect().way(object, b, &mut |Visited { bounds, depth, outcome }| {
                // Its own cells come first.
                let finest = *finest.get_or_insert(depth);
                assert!(depth <= finest && bounds.overlaps(&rounded), "{object}: {bounds:?}");
                let is_cell = cells.contains(&(bounds, depth));
                assert_eq!(is_cell, outcome != Outcome::Rejected, "{object}: {bounds:?}");
                *coarser.entry(outcome).or_insert(0) += 1;
            });
        }
    }
    assert_eq!(coarser.len(), 3, "{coarser:?}");
}
