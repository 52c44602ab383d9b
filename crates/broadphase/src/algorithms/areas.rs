//! A few fixed areas, and pairs tested within each: the simplest grouping.
//!
//! The map, seen from above, is cut into four quadrants, or into other numbers of columns and rows. Each area has a list of
//! the objects that touch it, so an object on a border is in several lists. The lists are refilled every frame. Then all
//! objects of a list are tested against each other.
//!
//! It is a step between [`brute_force`](super::brute_force) and a grid. The areas are too few to change how the
//! cost grows. But they show both problems of a grid: objects on borders, and pairs that share several
//! areas and must be reported in one.

use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Inspect};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::{Cells, Leaves, PAIR_MEMORY};
use crate::{Aabb, Axis, Counters, Frame, Pair};
use glam::Vec3;

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
    pair_memory: PAIR_MEMORY,
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
    /// `None` before the first object.
    map: Option<Map>,
    leaves: Leaves,
}

memory!(Areas: map, leaves);

impl Areas {
    /// As many areas along x and along y as stated, of the world. If that is unknown, the bounds of the first frame that has
    /// an object replace it.
    fn new(settings: &Settings) -> Self {
        let counts = [COLUMNS, ROWS].map(|count| settings.count(&count));
        Self { world: settings.world, counts, map: None, leaves: Leaves::default() }
    }
}

impl Structure for Areas {
    fn update(&mut self, frame: &Frame<'_>) {
        if self.map.is_none() {
            if self.world.is_empty() {
                self.world = Aabb::bounds(frame.boxes);
            }
            self.map = (!self.world.is_empty()).then(|| Map::new(self.world, self.counts));
            self.map.iter().for_each(|map| self.leaves.reshape(map));
        }
        if let Some(map) = &mut self.map {
            self.leaves.refill(map, frame);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.leaves.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.leaves.counters()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.leaves.validate(self.map.as_ref(), frame.boxes);
    }
}

impl Inspect for Areas {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.leaves)
    }
}

/// The areas, row by row in ascending y, each in ascending x.
#[derive(Clone, Debug)]
struct Map {
    world: Aabb,
    /// Along x and along y, with those of the outermost areas.
    borders: [Vec<f32>; 2],
}

memory!(Map: borders);

impl Map {
    fn new(world: Aabb, counts: [usize; 2]) -> Self {
        Self { world, borders: [0, 1].map(|axis| borders(&world, axis, counts[axis])) }
    }

    fn columns(&self) -> usize {
        self.borders[0].len() - 1
    }
}

impl Cells for Map {
    fn root(&self) -> Aabb {
        self.world
    }

    fn leaves(&self) -> usize {
        self.borders.iter().map(|borders| borders.len() - 1).product()
    }

    fn visit_leaves(&self, visit: &mut dyn FnMut(usize, Aabb, u32)) {
        for (row, y) in self.borders[1].windows(2).enumerate() {
            for (column, x) in self.borders[0].windows(2).enumerate() {
                let min = Vec3::new(x[0], y[0], f32::NEG_INFINITY);
                let max = Vec3::new(x[1], y[1], f32::INFINITY);
                visit(row * self.columns() + column, Aabb::new(min, max), 0);
            }
        }
    }

    #[inline]
    fn enter(&mut self, b: &Aabb, _: &mut Vec<(usize, Axis)>, mut visit: impl FnMut(u32)) {
        let touched = |axis: usize| {
            let areas = self.borders[axis].windows(2).enumerate();
            let touches = move |area: &[f32]| b.min[axis] < area[1] && area[0] <= b.max[axis];
            areas.filter(move |(_, area)| touches(area)).map(|(number, _)| number)
        };
        for row in touched(1) {
            touched(0).for_each(|column| visit((row * self.columns() + column) as u32));
        }
    }
}

/// The borders of the areas along an axis. The outermost are infinite: no object is outside.
fn borders(world: &Aabb, axis: usize, count: usize) -> Vec<f32> {
    let (low, high) = (f64::from(world.min[axis]), f64::from(world.max[axis]));
    // In f64, so that rounding keeps their order in the smallest world.
    let border = |k| (low + (high - low) * k as f64 / count as f64) as f32;
    let mut borders: Vec<_> = (0..=count).map(border).collect();
    (borders[0], borders[count]) = (f32::NEG_INFINITY, f32::INFINITY);
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(areas.leaves.objects_of(0..1).eq([0, 1]));
        assert!(areas.leaves.objects_of(1..2).eq([1, 2, 3]));
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
                let borders = borders(&world, 0, 4);
                assert!(borders.is_sorted(), "{borders:?}");
                assert!(borders[1..4].iter().all(|border| border.is_finite()), "{borders:?}");
            }
        }
    }
}
