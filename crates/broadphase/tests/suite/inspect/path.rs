//! The lists that are swept with an object, and the nodes that its search reached.

use crate::common::{inputs, plain, run_frame};
use crate::inspect::frames::{escapes, play, tested_with};
use broadphase::inspect::{NO_REGION, Outcome, Visited, for_each_region, region_by_object};
use broadphase::registry::{ALGORITHMS, Settings, find};
use broadphase::{Aabb, BroadPhase};
use std::collections::HashSet;

/// Of each list that is swept with an object: its axis, its objects.
fn sweeps(algorithm: &dyn BroadPhase, object: u32) -> Vec<(usize, Vec<u32>)> {
    let mut sweeps = Vec::new();
    algorithm.inspect().sweeps(object, &mut |list| {
        sweeps.push((list.axis.index(), list.objects.to_vec()));
    });
    sweeps
}

/// The others in these lists whose boxes overlap an object's on the axis of the list.
fn overlapping(sweeps: &[(usize, Vec<u32>)], object: u32, boxes: &[Aabb]) -> HashSet<u32> {
    let own = &boxes[object as usize];
    let mut others = HashSet::new();
    for (axis, objects) in sweeps {
        others.extend(objects.iter().copied().filter(|other| {
            let b = &boxes[*other as usize];
            *other != object && b.min[*axis] <= own.max[*axis] && own.min[*axis] <= b.max[*axis]
        }));
    }
    others
}

#[test]
fn tests_of_a_full_search_are_the_overlaps_in_its_sweeps() {
    for id in ["sweep-grid", "box-pruning", "kd-sap"] {
        for (input, frames) in inputs(2000, 2, 5) {
            let mut algorithm = find(id).unwrap().create(&Settings::new(2000)).unwrap();
            for boxes in &frames {
                run_frame(&mut *algorithm, &plain(boxes));
                for object in (0..boxes.len() as u32).step_by(97) {
                    if boxes[object as usize].is_empty() {
                        continue;
                    }
                    let sweeps = sweeps(&*algorithm, object);
                    let own = sweeps.iter().filter(|(_, objects)| objects.contains(&object));
                    assert!(own.count() > 0, "{id} on {input}: {object} is in no list");
                    let tested: HashSet<u32> =
                        tested_with(&*algorithm, object).into_iter().collect();
                    let expected = overlapping(&sweeps, object, boxes);
                    let name = format!("{id} on {input}: {object}");
                    if id == "kd-sap" {
                        // An object that reaches far is tested with all that begin before its end.
                        assert!(expected.is_subset(&tested), "{name}");
                        let lists: HashSet<u32> = sweeps
                            .iter()
                            .flat_map(|(_, objects)| objects.iter().copied())
                            .collect();
                        assert!(tested.is_subset(&lists), "{name}");
                    } else {
                        assert_eq!(tested, expected, "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn tests_of_a_moving_object_are_in_its_sweeps() {
    let mut seen = 0;
    play(find("rest-grid").unwrap(), 600, false, |name, algorithm, boxes, _| {
        for object in escapes(algorithm).into_iter().take(5) {
            let tested: HashSet<u32> = tested_with(algorithm, object).into_iter().collect();
            let lists = sweeps(algorithm, object);
            // Its own outdated entry is not in the lists.
            for other in tested.iter().filter(|other| **other != object) {
                let is_listed = lists.iter().any(|(_, objects)| objects.contains(other));
                assert!(
                    is_listed || !boxes[*other as usize].overlaps(&boxes[object as usize]),
                    "{name}"
                );
                seen += usize::from(is_listed);
            }
        }
    });
    assert!(seen > 100, "{seen}");
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
fn objects_of_searched_nodes_of_an_octree_are_tested() {
    let mut searched = 0;
    for (input, frames) in inputs(600, 2, 7) {
        let mut tree = find("octree-loose").unwrap().create(&Settings::new(600)).unwrap();
        for boxes in &frames {
            run_frame(&mut *tree, &plain(boxes));
            let mut cells = Vec::new();
            for_each_region(tree.inspect(), &mut |mark| {
                cells.push((mark.region.bounds, mark.region.depth));
            });
            let mut cell_of = vec![0; boxes.len()];
            region_by_object(tree.inspect(), &mut cell_of);
            for object in (0..boxes.len() as u32).step_by(29) {
                let mut reached = HashSet::new();
                tree.inspect().way(object, &boxes[object as usize], &mut |node| {
                    let cell = cells.iter().position(|cell| *cell == (node.bounds, node.depth));
                    assert!(reached.insert(cell.expect("it is a cell with objects") as u32));
                    searched += usize::from(node.outcome == Outcome::Searched);
                });
                let name = format!("{input}: {object}");
                // Objects that do not fit the tree are tested against all.
                let in_tree = |other: &u32| cell_of[*other as usize] != NO_REGION;
                assert_eq!(reached.is_empty(), !in_tree(&object), "{name}");
                let is_reached = |other: &u32| reached.contains(&cell_of[*other as usize]);
                let listed = (0..boxes.len() as u32).filter(is_reached);
                let listed: HashSet<u32> = listed.filter(|other| *other != object).collect();
                let tested = tested_with(&*tree, object).into_iter().filter(in_tree);
                if in_tree(&object) {
                    assert_eq!(tested.collect::<HashSet<_>>(), listed, "{name}");
                }
            }
        }
    }
    assert!(searched > 100, "{searched}");
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
