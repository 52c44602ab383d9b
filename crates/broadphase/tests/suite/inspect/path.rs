//! The lists that are swept with an object, and the nodes that its search reached.

use crate::common::{inputs, plain, run_frame};
use crate::inspect::frames::tested_with;
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Visited, for_each_region};
use broadphase::registry::{ALGORITHMS, Settings, find};
use std::collections::HashSet;

#[test]
fn swept_lists_hold_the_object_and_all_that_it_is_tested_with() {
    for id in ["sweep-grid", "kd-sap"] {
        for (input, frames) in inputs(2000, 2, 5) {
            let mut algorithm = find(id).unwrap().create(&Settings::new(2000)).unwrap();
            for boxes in &frames {
                run_frame(&mut *algorithm, &plain(boxes));
                let present = (0..).zip(boxes).step_by(97).filter(|(_, b)| !b.is_empty());
                for (object, own) in present {
                    let (mut own_lists, mut listed) = (0, HashSet::new());
                    let mut overlapping = HashSet::new();
                    algorithm.inspect().sweeps(object, &mut |list| {
                        let (at, others) = (list.axis.index(), list.objects.iter().copied());
                        own_lists += others.clone().filter(|other| *other == object).count();
                        let overlaps =
                            |b: &Aabb| b.min[at] <= own.max[at] && own.min[at] <= b.max[at];
                        let others = others.filter(|other| *other != object);
                        overlapping
                            .extend(others.clone().filter(|o| overlaps(&boxes[*o as usize])));
                        listed.extend(others);
                    });
                    let tested: HashSet<u32> =
                        tested_with(&*algorithm, object).into_iter().collect();
                    let name = format!("{id} on {input}: {object}");
                    assert!(own_lists > 0, "{name} is in no list");
                    assert!(overlapping.is_subset(&tested) && tested.is_subset(&listed), "{name}");
                    // An object of a tree that reaches far is tested with all that begin before its end.
                    assert!(id == "kd-sap" || tested == overlapping, "{name}");
                }
            }
        }
    }
}

#[test]
fn nodes_that_hold_an_object_are_nested_and_rejected_ones_are_apart() {
    for entry in ALGORITHMS.iter().filter(|entry| entry.id.starts_with("bvh-")) {
        for (input, frames) in inputs(300, 3, 7) {
            let mut tree = entry.create(&Settings::new(300)).unwrap();
            for boxes in &frames {
                run_frame(&mut *tree, &plain(boxes));
                for object in (0..boxes.len() as u32).step_by(41) {
                    let b = boxes[object as usize];
                    let mut visited: Vec<Visited> = Vec::new();
                    tree.inspect().way(object, &b, &mut |node| visited.push(node));
                    let name = format!("{} on {input}: {object}", entry.id);
                    assert_eq!(visited.is_empty(), b.is_empty(), "{name}");
                    let of = |outcome| visited.iter().filter(move |node| node.outcome == outcome);
                    let contains = |outer: &Aabb, inner: &Aabb| outer.union(inner) == *outer;
                    assert!(of(Outcome::Holds).all(|node| contains(&node.bounds, &b)), "{name}");
                    let mut depths: Vec<u32> = of(Outcome::Holds).map(|node| node.depth).collect();
                    depths.sort_unstable();
                    assert!(
                        depths.iter().copied().eq(0..depths.len() as u32),
                        "{name}: {depths:?}"
                    );
                    assert!(of(Outcome::Rejected).all(|node| !node.bounds.overlaps(&b)), "{name}");
                    // Each object that it was tested against is in a node that was reached.
                    for other in tested_with(&*tree, object) {
                        let other = boxes[other as usize];
                        let reached = visited.iter().filter(|node| node.outcome != Outcome::Holds);
                        let mut holding = reached.filter(|node| contains(&node.bounds, &other));
                        assert!(holding.next().is_some(), "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn coarser_cells_are_searched_or_empty() {
    let mixed = inputs(400, 2, 5).into_iter().find(|(input, _)| *input == "mixed sizes");
    let (_, frames) = mixed.unwrap();
    let mut grid = find("grid-hierarchical").unwrap().create(&Settings::new(400)).unwrap();
    let mut coarser = [0; 2];
    for boxes in &frames {
        run_frame(&mut *grid, &plain(boxes));
        let mut cells = Vec::new();
        for_each_region(grid.inspect(), &mut |mark| {
            cells.push((mark.region.bounds, mark.region.depth));
        });
        for object in 0..boxes.len() as u32 {
            let b = boxes[object as usize];
            // Drawn cells have corners of single precision.
            let rounded = Aabb::new(b.min - 1e-6, b.max + 1e-6);
            let mut own = None;
            grid.inspect().way(object, &b, &mut |Visited { bounds, depth, outcome }| {
                assert!(bounds.overlaps(&rounded), "{object} is far from {bounds:?}");
                let is_cell = cells.contains(&(bounds, depth));
                assert_eq!(is_cell, outcome != Outcome::Rejected, "{object}: {bounds:?}");
                match outcome {
                    Outcome::Holds => own = Some(depth),
                    Outcome::Searched => coarser[0] += 1,
                    Outcome::Rejected => coarser[1] += 1,
                }
                assert!(own.is_some_and(|own| depth <= own), "{object}: a finer cell");
            });
        }
    }
    assert!(coarser.iter().all(|number| *number > 0), "{coarser:?}");
}
