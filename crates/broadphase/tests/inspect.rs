//! What `Inspect` and `DebugDraw` report agrees with counters, boxes and pairs.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::inspect::{
    DebugDraw, Endpoint, NO_REGION, Overlay, Region, SplitPlane, TreeBox, Work,
};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame};
use common::{inputs, pairs_by_definition, plain, run_frame};
use glam::Vec3;
use std::collections::HashMap;

const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };
const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Calls `check` with every algorithm after every frame of every input.
fn for_each_frame(
    sizes: &[usize],
    mut check: impl FnMut(&'static Algorithm, &str, &dyn BroadPhase, &[Aabb]),
) {
    for row in ALGORITHMS {
        for n in sizes {
            for (input, frames) in inputs(*n, 3, 1739) {
                for world in [WORLD, Aabb::EMPTY] {
                    let settings = Settings::new(*n).world(world);
                    let mut algorithm = row.create(&settings).unwrap();
                    for (number, boxes) in frames.iter().enumerate() {
                        run_frame(&mut *algorithm, &plain(boxes));
                        let name = format!("{} on {input} ({n} objects), frame {number}", row.id);
                        check(row, &name, &*algorithm, boxes);
                    }
                }
            }
        }
    }
}

fn tests_by_object(algorithm: &dyn BroadPhase, objects: usize) -> Vec<u32> {
    let mut tests = vec![u32::MAX; objects];
    algorithm.inspect().tests_by_object(&mut tests);
    tests
}

fn regions(algorithm: &dyn BroadPhase) -> Vec<Region> {
    let mut regions = Vec::new();
    algorithm.inspect().regions(&mut |region| regions.push(region));
    regions
}

fn regions_of(algorithm: &dyn BroadPhase, object: usize) -> Vec<Region> {
    let mut regions = Vec::new();
    algorithm.inspect().regions_of(object as u32, &mut |region| regions.push(region));
    regions
}

/// A leaf between drawn planes: its half-open cell, and the finite part of it.
type Leaf = (Aabb, Aabb);

/// The planes of a full tree, parents first and low sides first.
#[derive(Default)]
struct Planes(Vec<SplitPlane>);

impl DebugDraw for Planes {
    fn plane(&mut self, plane: SplitPlane) {
        self.0.push(plane);
    }
}

impl Planes {
    fn of(algorithm: &dyn BroadPhase) -> Self {
        let mut planes = Self::default();
        algorithm.debug_draw(&mut planes);
        planes
    }

    /// The leaves from low to high; none before the planes are placed.
    fn leaves(&self, depth: u32) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        if let Some(root) = self.0.first() {
            cut(&mut self.0.iter(), depth, (EVERYWHERE, root.cell), &mut leaves);
        }
        leaves
    }
}

fn cut<'a>(
    planes: &mut impl Iterator<Item = &'a SplitPlane>,
    depth: u32,
    cell: Leaf,
    leaves: &mut Vec<Leaf>,
) {
    if depth == 0 {
        leaves.push(cell);
        return;
    }
    let plane = planes.next().expect("the tree is not full");
    let (mut low, mut high) = (cell, cell);
    for (low, high) in [(&mut low.0, &mut high.0), (&mut low.1, &mut high.1)] {
        low.max[plane.axis.index()] = plane.position;
        high.min[plane.axis.index()] = plane.position;
    }
    cut(planes, depth - 1, low, leaves);
    cut(planes, depth - 1, high, leaves);
}

fn touches(b: &Aabb, cell: &Aabb) -> bool {
    !b.is_empty() && b.min.cmplt(cell.max).all() && cell.min.cmple(b.max).all()
}

#[test]
fn tests_by_object_sum_to_twice_the_counter() {
    let mut counted = 0;
    for_each_frame(&[0, 1, 2, 9, 10, 50, 250, 600], |row, name, algorithm, boxes| {
        let tests = tests_by_object(algorithm, boxes.len());
        let sum: u64 = tests.iter().map(|tests| u64::from(*tests)).sum();
        assert_eq!(sum, 2 * algorithm.counters().tests, "{name}");
        counted += sum;
        // `sap-matrix` tests exactly the pairs that it reports. An algorithm that caches pairs does not test
        // them again. All others test at least each pair that they report.
        let mut partners = vec![0; boxes.len()];
        for pair in pairs_by_definition(boxes) {
            partners[pair.a as usize] += 1;
            partners[pair.b as usize] += 1;
        }
        for (object, (tests, partners)) in tests.iter().zip(&partners).enumerate() {
            let fits = match row.family {
                "sap-matrix" => tests == partners,
                "sap-incremental" | "rest-grid" | "neighbour-list" | "auto"
                    if algorithm.counters().rebuilds == 0 =>
                {
                    true
                }
                _ => tests >= partners,
            };
            assert!(fits, "{name}: object {object} has {tests} tests and {partners} partners");
        }
    });
    assert!(counted > 100_000, "the inputs need few tests: {counted}");
}

#[test]
fn regions_of_plane_trees_are_their_cells_and_list_objects() {
    let mut straddlers = 0;
    for_each_frame(&[0, 1, 9, 10, 50, 260], |row, name, algorithm, boxes| {
        if !matches!(row.family, "bsp" | "kd-tree") {
            return;
        }
        let counters = algorithm.counters();
        let leaves = Planes::of(algorithm).leaves(counters.depth);
        let regions = regions(algorithm);
        assert_eq!(regions.len(), leaves.len(), "{name}: number of regions");
        let mut objects = vec![0; regions.len()];
        let mut first = vec![7; boxes.len()];
        algorithm.inspect().region_by_object(&mut first);
        for (object, b) in boxes.iter().enumerate() {
            let touched = (0..).zip(&leaves).filter(|(_, leaf)| touches(b, &leaf.0));
            let touched: Vec<u32> = touched.map(|(leaf, _)| leaf).collect();
            let found = regions_of(algorithm, object);
            let indices: Vec<u32> = found.iter().map(|region| region.index).collect();
            assert_eq!(indices, touched, "{name}: regions of object {object}");
            assert!(found.iter().all(|region| *region == regions[region.index as usize]), "{name}");
            let expected = touched.first().copied().unwrap_or(NO_REGION);
            assert_eq!(first[object], expected, "{name}: first region of object {object}");
            let is_covered = leaves.is_empty() || b.is_empty() || !found.is_empty();
            assert!(is_covered, "{name}: object {object} is in no region");
            indices.iter().for_each(|region| objects[*region as usize] += 1);
            straddlers += usize::from(found.len() > 1);
        }
        for (index, (region, (_, bounds))) in (0..).zip(regions.iter().zip(&leaves)) {
            let objects = objects[index as usize];
            let expected = Region { index, bounds: *bounds, depth: counters.depth, objects };
            assert_eq!(*region, expected, "{name}");
        }
        if !regions.is_empty() {
            let listed: u32 = regions.iter().map(|region| region.objects).sum();
            assert_eq!(u64::from(listed), counters.listings, "{name}: listings");
        }
    });
    assert!(straddlers > 1000, "few objects are in two regions: {straddlers}");
}

#[test]
fn object_counts_of_regions_agree_with_regions_of() {
    for_each_frame(&[1, 10, 260], |_, name, algorithm, boxes| {
        let regions = regions(algorithm);
        assert!((0..).zip(&regions).all(|(index, region)| region.index == index), "{name}: order");
        let mut objects = vec![0; regions.len()];
        let mut first = vec![7; boxes.len()];
        algorithm.inspect().region_by_object(&mut first);
        for (object, b) in boxes.iter().enumerate() {
            let found = regions_of(algorithm, object);
            assert!(found.is_sorted_by_key(|region| region.index), "{name}: object {object}");
            assert!(found.iter().all(|region| *region == regions[region.index as usize]), "{name}");
            let expected = found.first().map_or(NO_REGION, |region| region.index);
            assert_eq!(first[object], expected, "{name}: first region of object {object}");
            assert!(found.is_empty() || !b.is_empty(), "{name}: absent object {object} is listed");
            found.iter().for_each(|region| objects[region.index as usize] += 1);
        }
        let listed: Vec<_> = regions.iter().map(|region| region.objects).collect();
        assert_eq!(objects, listed, "{name}: objects of the regions");
    });
}

/// Counts the items drawn of each overlay.
#[derive(Default)]
struct Drawn(HashMap<Overlay, usize>);

impl Drawn {
    fn add(&mut self, overlay: Overlay) {
        *self.0.entry(overlay).or_default() += 1;
    }
}

impl DebugDraw for Drawn {
    fn plane(&mut self, _: SplitPlane) {
        self.add(Overlay::Planes);
    }

    fn tree_box(&mut self, _: TreeBox) {
        self.add(Overlay::TreeBoxes);
    }

    fn endpoint(&mut self, _: Endpoint) {
        self.add(Overlay::Endpoints);
    }

    fn curve(&mut self, _: Vec3) {
        self.add(Overlay::Curve);
    }
}

#[test]
fn algorithms_show_the_overlays_they_declare() {
    let (_, frames) = inputs(100, 1, 1).swap_remove(0);
    let drawn = |algorithm: &dyn BroadPhase| {
        let mut drawn = Drawn::default();
        algorithm.debug_draw(&mut drawn);
        drawn.0.insert(Overlay::Regions, regions(algorithm).len());
        drawn.0
    };
    for row in ALGORITHMS {
        let mut algorithm = row.create(&Settings::new(100)).unwrap();
        let before = drawn(&*algorithm);
        assert!(before.values().all(|drawn| *drawn == 0), "{} before its first frame", row.id);
        run_frame(&mut *algorithm, &plain(&frames[0]));
        let shown = drawn(&*algorithm);
        for overlay in [
            Overlay::Planes,
            Overlay::Regions,
            Overlay::TreeBoxes,
            Overlay::Endpoints,
            Overlay::Curve,
        ] {
            let count = shown.get(&overlay).copied().unwrap_or(0);
            assert_eq!(count > 0, row.shows(overlay), "{} draws {count} {overlay:?}", row.id);
        }
    }
}

#[test]
fn slices_of_any_length_are_filled() {
    let (_, mut frames) = inputs(60, 3, 5).swap_remove(0);
    frames[2].truncate(40);
    for row in ALGORITHMS {
        let mut algorithm = row.create(&Settings::new(60)).unwrap();
        assert_eq!(tests_by_object(&*algorithm, 3), [0; 3], "{} before its first frame", row.id);
        // After an update without a search, also when the number of objects has changed.
        for boxes in &frames {
            algorithm.update(&Frame::new(boxes));
            let all = tests_by_object(&*algorithm, boxes.len());
            let mut first = vec![7; 100];
            algorithm.inspect().region_by_object(&mut first);
            assert!(first[boxes.len()..].iter().all(|region| *region == NO_REGION), "{}", row.id);
            let short = tests_by_object(&*algorithm, 10);
            assert_eq!(short, all[..10], "{}", row.id);
            let long = tests_by_object(&*algorithm, 100);
            assert_eq!(
                (&long[..all.len()], long.iter().sum::<u32>()),
                (&all[..], all.iter().sum())
            );
            algorithm.inspect().region_by_object(&mut first[..10]);
            assert_eq!(regions_of(&*algorithm, 99), [], "{}", row.id);
            run_frame(&mut *algorithm, &plain(boxes));
        }
    }
}

/// The counts of an algorithm's own work, by name.
fn work(algorithm: &dyn BroadPhase) -> HashMap<&'static str, u64> {
    let mut counts = HashMap::new();
    algorithm.inspect().work(&mut |Work { name, meaning, count }| {
        assert!(!meaning.is_empty() && name.len() <= 15, "{name}");
        assert_eq!(counts.insert(name, count), None, "{name} is reported twice");
    });
    counts
}

#[test]
fn own_work_is_no_less_than_what_it_leads_to() {
    let mut seen = HashMap::<&str, u64>::new();
    for_each_frame(&[3, 200], |row, name, algorithm, boxes| {
        let (counters, pairs) = (algorithm.counters(), pairs_by_definition(boxes).len() as u64);
        for (what, count) in work(algorithm) {
            *seen.entry(what).or_default() += count;
            let least = match what {
                "cells written" => counters.axis_overlaps,
                "cells read" => counters.tests.max(pairs),
                // Each exchange that begins an overlap is a test.
                "exchanges" | "node pairs" | "nodes visited" => counters.tests,
                "objects swept" | "escaped objects" | "reinsertions" | "cached pairs" => 0,
                other => panic!("{}: {other}", row.id),
            };
            assert!(count >= least, "{name}: {count} {what}, at least {least}");
        }
    });
    assert_eq!(seen.len(), 9, "{seen:?}");
    assert!(seen.values().all(|sum| *sum > 0), "{seen:?}");
}

#[test]
fn boxes_at_rest_cause_no_work_of_motion() {
    let boxes: Vec<Aabb> = (0..300)
        .map(|i| Aabb::around_sphere(Vec3::new(i as f32 * 0.01, (i % 7) as f32, 0.0), 0.02))
        .collect();
    for id in ["sap-incremental", "bvh-incremental", "neighbour-list", "auto"] {
        let row = broadphase::registry::find(id).unwrap();
        let mut algorithm = row.create(&Settings::new(boxes.len()).world(WORLD)).unwrap();
        for _ in 0..3 {
            run_frame(&mut *algorithm, &plain(&boxes));
        }
        for what in ["exchanges", "reinsertions", "escaped objects"] {
            assert_eq!(work(&*algorithm).get(what).copied().unwrap_or(0), 0, "{id}: {what}");
        }
    }
}
