//! A few fixed areas, and pairs tested within each: the simplest grouping.
//!
//! The map, seen from above, is cut into four quadrants, or into other numbers of columns and rows. Each area has a list of the objects that touch it,
//! so an object on a border is in several lists. The lists are refilled every frame. Then all objects of a
//! list are tested against each other.
//!
//! It is a step between [`brute_force`](super::brute_force) and a grid. The areas are too few to change how the
//! cost grows. But they show both problems of a grid: objects on borders, and pairs that share several
//! areas and must be reported in one.

mod area;
mod inspect;

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::Caption;
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::{Rows, SearchTasks, Work};
use crate::scratch::renew;
use crate::{Aabb, Counters, Frame, Pair};
use area::Area;

/// Its entry in the registry: the four quadrants of the source.
pub const ENTRY: Algorithm =
    Algorithm::new("areas", Kind::Grid, |settings| Managed::boxed(Areas::of(settings, [COLUMNS, ROWS])))
        .name("Areas")
        .summary(
            "a few areas of the map, its quadrants by default; objects in the same area are compared with each other",
        )
        .source(
            "lab text on collision detection (\"Zajęcia VI\"), grouping of obstacles into areas",
        )
        .cost("n² / (2 × number of areas)")
        .watch_for("areas that fill up when objects gather: each costs the square of its objects")
        .overlays(&[Caption::CELLS])
        .memory(memory)
        .parameters(&[COLUMNS, ROWS])
        .vectorised(true);

/// The variant of four times four areas.
pub const ENTRY_4X4: Algorithm = ENTRY
    .variant("areas+4x4", |settings| Managed::boxed(Areas::of(settings, [COLUMNS_OF_4, ROWS_OF_4])))
    .parameters(&[COLUMNS_OF_4, ROWS_OF_4])
    .name("Areas, 4 x 4")
    .summary("sixteen areas of the map; objects in the same area are compared with each other");

/// Most areas along an axis: more are the matter of a grid.
const MAX_AREAS: u32 = 16;

/// Areas along x.
const COLUMNS: Parameter = columns(2);
/// Areas along y.
const ROWS: Parameter = rows(2);

const COLUMNS_OF_4: Parameter = columns(4);
const ROWS_OF_4: Parameter = rows(4);

const fn columns(default: u32) -> Parameter {
    Parameter::count("columns", default, [1, MAX_AREAS], "Areas along x")
}

const fn rows(default: u32) -> Parameter {
    Parameter::count("rows", default, [1, MAX_AREAS], "Areas along y")
}

/// Bytes of n objects, most of them in one area.
fn memory(n: u64) -> u64 {
    n * 85
}

/// Fixed areas. Time O(n a + Σ mᵢ²) for a areas with mᵢ objects in area i: about n²/2a tests where
/// the objects are spread evenly, n²/2 where all are in one area. Memory O(listings).
#[derive(Clone, Debug)]
pub(crate) struct Areas {
    world: Aabb,
    /// Areas along x and along y.
    counts: [usize; 2],
    /// Empty before the first object.
    areas: Vec<Area>,
    /// Objects, area by area.
    objects: Vec<u32>,
    /// Their boxes, in the same order.
    boxes: BoxSet,
    tasks: SearchTasks,
    straddlers: u64,
    work: Work,
}

memory!(Areas: areas, objects, boxes, tasks);

impl Areas {
    /// As many areas along x and along y, at least 1, of `world`, which is finite. If it is empty, the bounds of the first
    /// frame that has an object replace it.
    fn new(world: Aabb, counts: [usize; 2]) -> Self {
        Self {
            world,
            counts,
            areas: Vec::new(),
            objects: Vec::new(),
            boxes: BoxSet::default(),
            tasks: SearchTasks::default(),
            straddlers: 0,
            work: Work::default(),
        }
    }

    fn of(settings: &Settings, counts: [Parameter; 2]) -> Self {
        Self::new(settings.world, counts.map(|count| settings.count(&count)))
    }

    /// Creates the areas once, over the bounds of the first boxes if the world is unknown.
    fn create_once(&mut self, boxes: &[Aabb]) {
        if self.areas.is_empty() {
            if self.world.is_empty() {
                self.world = Aabb::bounds(boxes);
            }
            if !self.world.is_empty() {
                self.areas = Area::divide(&self.world, self.counts);
            }
        }
    }
}

impl Default for Areas {
    /// The four quadrants of the first frame that has an object.
    fn default() -> Self {
        Self::new(Aabb::EMPTY, [2, 2])
    }
}

impl Structure for Areas {
    fn update(&mut self, frame: &Frame<'_>) {
        self.create_once(frame.boxes);
        renew(&mut self.objects);
        self.straddlers = 0;
        for area in &mut self.areas {
            let start = self.objects.len();
            for (object, b) in frame.boxes.iter().enumerate() {
                if area.is_touched_by(b) {
                    self.objects.push(object as u32);
                    // Counted in the area where it begins, if it ends in another one.
                    self.straddlers += u64::from(area.holds(b.min) && !area.holds(b.max));
                }
            }
            area.run = start..self.objects.len();
        }
        self.boxes.resize(self.objects.len());
        for (position, object) in self.objects.iter().enumerate() {
            self.boxes.set(position, &frame.boxes[*object as usize]);
        }
    }

    /// A pair is reported in the area in which the lowest corner of the two boxes' intersection
    /// lies. Both boxes hold that point, so both are listed there, and no second area holds it.
    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let Self { objects, boxes, tasks, work, .. } = self;
        *work = Work::default();
        for area in &self.areas {
            let pair = |i: usize, j: usize| {
                let corner = boxes.get(i).min.max(boxes.get(j).min);
                area.holds(corner).then(|| Pair::new(objects[i], objects[j]))
            };
            *work += tasks.run_triangle(area.run.clone(), pairs, |task, pairs, rows| {
                task.find(boxes, Rows::Within(rows, area.run.end), frame, pairs, pair);
            });
        }
    }

    fn counters(&self) -> Counters {
        Counters {
            tests: self.work.tests,
            nodes: self.areas.len() as u64,
            listings: self.objects.len() as u64,
            straddlers: self.straddlers,
            duplicates: self.work.duplicates,
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        for (index, area) in self.areas.iter().enumerate() {
            let touching = (0..).zip(frame.boxes).filter(|(_, b)| area.is_touched_by(b));
            assert!(
                self.objects[area.run.clone()]
                    .iter()
                    .copied()
                    .eq(touching.map(|(object, _)| object)),
                "area {index} does not list the objects that touch it, in order"
            );
        }
        let listings: usize = self.areas.iter().map(|area| area.run.len()).sum();
        assert_eq!(listings, self.objects.len(), "the areas do not cover the list");
        for (position, object) in self.objects.iter().enumerate() {
            assert_eq!(
                self.boxes.get(position),
                frame.boxes[*object as usize],
                "the list has an outdated box of object {object}"
            );
        }
        for (object, b) in frame.boxes.iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            // The lowest corner of an intersection combines lowest corners of boxes.
            let owners = self.areas.iter().filter(|area| area.holds(b.min)).count();
            assert_eq!(owners, 1, "the lowest corner of object {object} lies in {owners} areas");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn square() -> Aabb {
        Aabb::new(Vec3::splat(-8.0), Vec3::splat(8.0))
    }

    /// Two about the middle, one beyond the world's corner, one absent.
    fn boxes() -> [Aabb; 4] {
        [
            Aabb::around_sphere(Vec3::ZERO, 2.0),
            Aabb::around_sphere(Vec3::splat(1.0), 3.0),
            Aabb::around_sphere(Vec3::splat(100.0), 1.0),
            Aabb::new(Vec3::splat(1.0), Vec3::splat(-1.0)),
        ]
    }

    fn updated(rows: usize, boxes: &[Aabb]) -> Areas {
        let mut areas = Areas::new(square(), [rows, rows]);
        areas.update(&Frame::new(boxes));
        areas
    }

    #[test]
    fn pair_on_a_border_is_reported_once() {
        let boxes = boxes();
        for rows in [2, 4] {
            let mut areas = updated(rows, &boxes);
            areas.validate(&Frame::new(&boxes));
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
        let mut areas = Areas::new(square(), [2, 1]);
        areas.update(&Frame::new(&boxes));
        areas.validate(&Frame::new(&boxes));
        let lists: Vec<&[u32]> =
            areas.areas.iter().map(|area| &areas.objects[area.run.clone()]).collect();
        // The last one begins at 0, which belongs to the second area.
        assert_eq!(lists, [&[0, 1][..], &[1, 2, 3]]);
        assert_eq!(areas.counters().straddlers, 1);
    }

    #[test]
    #[should_panic(expected = "area 3 does not list")]
    fn validate_catches_an_object_missing_from_an_area() {
        let boxes = boxes();
        let mut areas = updated(2, &boxes);
        // The last of the last area.
        areas.objects.pop();
        areas.areas[3].run.end -= 1;
        areas.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "area 0 does not list")]
    fn validate_catches_an_object_listed_twice() {
        let boxes = boxes();
        let mut areas = updated(2, &boxes);
        areas.objects[1] = areas.objects[0];
        areas.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "outdated box of object 1")]
    fn validate_catches_an_outdated_box() {
        let mut boxes = boxes();
        let areas = updated(2, &boxes);
        boxes[1].max.z += 0.5;
        areas.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "lies in 0 areas")]
    fn validate_catches_a_gap_between_areas() {
        let boxes = boxes();
        let mut areas = updated(2, &boxes[..1]);
        // Object 0, from -2 to 2, still touches area 0, but begins outside it.
        areas.areas[0].region.min.x = -1.0;
        areas.validate(&Frame::new(&boxes[..1]));
    }
}
