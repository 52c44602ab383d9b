//! A few fixed areas, and pairs tested within each: the simplest grouping.
//!
//! The map, seen from above, is cut into four quadrants, or into other numbers of columns and rows. Each area has a list of
//! the objects that touch it, so an object on a border is in several lists. The lists are refilled every frame. Then all
//! objects of a list are tested against each other.
//!
//! It is a step between [`BruteForce`](super::BruteForce) and a grid. The areas are too few to change how the
//! cost grows. But they show both problems of a grid: objects on borders, and pairs that share several
//! areas and must be reported in one.

use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Inspect, Mark, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::{Plane, PlaneTree, children};
use crate::{Aabb, Axis, Counters, Frame, Pair};
use std::ops::Range;

/// Its entry in the registry: the four quadrants of the source.
pub const ENTRY: Algorithm = Algorithm {
    name: "Areas",
    summary: "a few areas of the map, its quadrants by default; objects in the same area are compared with each other",
    source: "lab text on collision detection (\"Zajęcia VI\"), grouping of obstacles into areas",
    cost: "n² / (2 × number of areas)",
    watch_for: "areas that fill up when objects gather: each costs the square of its objects",
    overlays: &[Caption::CELLS],
    // Most objects are in one area.
    memory: |n| n * 37,
    parameters: &[COLUMNS, ROWS],
    vectorised: true,
    ..Algorithm::new("areas", Kind::Grid, |settings| Managed::boxed(Areas::new(settings)))
};

/// Most areas along an axis: more are the matter of a grid.
const MAX_AREAS: u32 = 16;

const COLUMNS: Parameter = Parameter::count("columns", 2, [1, MAX_AREAS], "Areas along x");
const ROWS: Parameter = Parameter::count("rows", 2, [1, MAX_AREAS], "Areas along y");

/// Fixed areas. Time O(n a + Σ mᵢ²) for a areas with mᵢ objects in area i: about n²/2a tests where
/// the objects are spread evenly, n²/2 where all are in one area. Memory O(listings).
#[derive(Clone, Debug)]
pub(crate) struct Areas {
    world: Aabb,
    /// Areas along x and along y.
    counts: [usize; 2],
    /// Its planes are the borders, its leaves the areas: row by row in ascending y, each in ascending x.
    tree: PlaneTree,
}

memory!(Areas: tree);

impl Areas {
    /// As many areas along x and along y as stated, of the world. If that is unknown, the bounds of the first frame that has
    /// an object replace it.
    fn new(settings: &Settings) -> Self {
        let counts = [COLUMNS, ROWS].map(|count| settings.count(&count));
        Self { world: settings.world, counts, tree: PlaneTree::default() }
    }

    /// Divides a node into some columns and rows, at its middle row first.
    fn divide(&mut self, node: usize, columns: Range<usize>, rows: Range<usize>) {
        let axis = if rows.len() > 1 { Axis::Y } else { Axis::X };
        let areas = if axis == Axis::Y { &rows } else { &columns };
        let middle = areas.start.midpoint(areas.end);
        if areas.len() < 2 {
            return self.tree.set(node, None);
        }
        let position = border(&self.world, self.counts, axis.index(), middle);
        self.tree.set(node, Some(Plane { axis, position }));
        let parts = [areas.start..middle, middle..areas.end];
        for (child, part) in children(node).into_iter().zip(parts) {
            match axis {
                Axis::Y => self.divide(child, columns.clone(), part),
                _ => self.divide(child, part, rows.clone()),
            }
        }
    }
}

impl Structure for Areas {
    fn update(&mut self, frame: &Frame<'_>) {
        if self.tree.is_empty() {
            if self.world.is_empty() {
                self.world = Aabb::bounds(frame.boxes);
            }
            if !self.world.is_empty() {
                self.divide(0, 0..self.counts[0], 0..self.counts[1]);
                self.tree.reshape(self.world);
            }
        }
        self.tree.refill(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.tree.regions.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        let nodes = if self.tree.is_empty() { 0 } else { self.counts.iter().product::<usize>() };
        Counters { nodes: nodes as u64, depth: 0, rebuilds: 0, ..self.tree.counters() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes);
    }
}

impl Inspect for Areas {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay == Overlay::Regions {
            self.tree.visit_leaves(|_| 0, visit);
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.tree.tests(visit);
    }
}

/// The lower border of an area along an axis.
fn border(world: &Aabb, counts: [usize; 2], axis: usize, area: usize) -> f32 {
    let (low, high) = (f64::from(world.min[axis]), f64::from(world.max[axis]));
    // In f64, so that rounding keeps their order in the smallest world.
    (low + (high - low) * area as f64 / counts[axis] as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn updated(counts: [usize; 2], boxes: &[Aabb]) -> Areas {
        let world = Aabb::new(Vec3::splat(-8.0), Vec3::splat(8.0));
        let mut areas = Areas { counts, ..Areas::new(&Settings::new(0).world(world)) };
        areas.update(&Frame::new(boxes));
        areas.validate(&Frame::new(boxes));
        areas
    }

    #[test]
    fn pair_on_a_border_is_reported_once() {
        // Two about the middle, one beyond the world's corner, one absent.
        let boxes = [
            Aabb::around_sphere(Vec3::ZERO, 2.0),
            Aabb::around_sphere(Vec3::splat(1.0), 3.0),
            Aabb::around_sphere(Vec3::splat(100.0), 1.0),
            Aabb::new(Vec3::splat(1.0), Vec3::splat(-1.0)),
        ];
        for rows in [2, 4] {
            let mut areas = updated([rows, rows], &boxes);
            let mut pairs = Vec::new();
            areas.find_pairs(&Frame::new(&boxes), &mut pairs);
            assert_eq!(pairs, [Pair::new(0, 1)], "{rows} rows");
            let counters = areas.counters();
            assert_eq!(counters.nodes, (rows * rows) as u64);
            // Object 1 begins at -2 and ends at 4, which is a border of the four rows.
            assert_eq!(counters.listings, if rows == 2 { 4 + 4 + 1 } else { 4 + 9 + 1 });
            assert_eq!((counters.straddlers, counters.duplicates), (2, 3));
        }
    }

    #[test]
    fn object_on_the_border_of_two_areas_is_listed_in_both() {
        // The areas x < 0 and x >= 0 of the lab text.
        let boxes = [-3.0, 0.0, 3.0, 1.0].map(|x| Aabb::around_sphere(Vec3::new(x, 5.0, 0.0), 1.0));
        let areas = updated([2, 1], &boxes);
        // The last one begins at 0, which belongs to the second area.
        assert!(areas.tree.objects_below(1).eq([0, 1]));
        assert!(areas.tree.objects_below(2).eq([1, 2, 3]));
        assert_eq!(areas.counters().straddlers, 1);
    }

    #[test]
    fn borders_of_degenerate_worlds_are_sorted() {
        for corner in [0.0, 1e7 + 1.0, -3e38, 1e-45] {
            for world in [
                Aabb::new(Vec3::splat(corner), Vec3::splat(corner)),
                Aabb::new(Vec3::splat(corner), Vec3::splat(corner.next_up())),
                Aabb::new(Vec3::splat(-f32::MAX), Vec3::splat(f32::MAX)),
            ] {
                let borders = [1, 2, 3].map(|area| border(&world, [4, 1], 0, area));
                assert!(borders.is_sorted(), "{borders:?}");
                assert!(borders.iter().all(|border| border.is_finite()), "{borders:?}");
            }
        }
    }
}
