//! Objects listed in regions of space, such as cells and leaves, and the pairs among those that share one.
//!
//! An algorithm arranges its objects: it says which regions a box touches. All else is here: lists, the search on threads, the
//! one region that reports a pair, counters, marks and checks. Objects of different regions are compared where the algorithm
//! says so ([`Neighbours`]); an object in no region is compared with all others.
//!
//! **One owner per pair.** Two objects may meet in several regions. The pair belongs to the region that holds the lowest corner
//! of their intersection. So it is the one in which, on every axis, one of the two begins. Three bits for each object and
//! region mark the axes on which it begins there, or below. The region owns the pair where the bits of both objects together
//! are all three.

mod lattice;
mod plane_tree;

pub(crate) use lattice::{Cell, CellRange, Lattice};
pub(crate) use plane_tree::{
    DEPTH, EVERYWHERE, LISTINGS_PER_OBJECT, Plane, PlaneTree, children, depth_for, depth_of,
};

use crate::box_set::{BoxSet, NANOS_PER_TEST, parts};
use crate::inspect::{HashSlot, Mark, RegionMark, tests_within};
use crate::memory::memory;
use crate::parallel::{Rows, Search, SearchTasks, Work, threads_for};
use crate::{Aabb, Counters, Frame, Pair};
use std::ops::Range;

/// Time to search for the pairs of an object in a region, in nanoseconds (measured for a few in each).
pub(crate) const NANOS_PER_LISTING: usize = 50;

/// The bits of an object in its only region: it begins there on every axis.
pub(crate) const ALL_AXES: u32 = 0b111;

/// An object in a region, with a bit for each axis on which it begins there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ListedObject(u32);

impl ListedObject {
    const AXES: u32 = 3;

    #[inline]
    fn new(object: u32, begins: u32) -> Self {
        Self(object << Self::AXES | begins)
    }

    #[inline]
    pub(crate) fn object(self) -> u32 {
        self.0 >> Self::AXES
    }

    /// Whether this is the lowest region of the object. Each object has one.
    #[inline]
    pub(crate) fn is_lowest(self) -> bool {
        self.owns_pair(0)
    }

    /// Whether the region owns the pair of this object and one with these bits there.
    #[inline]
    pub(crate) fn owns_pair(self, begins: u32) -> bool {
        (self.0 | begins) & ALL_AXES == ALL_AXES
    }
}

/// An arrangement in which objects of different regions are compared.
pub(crate) trait Neighbours: Sync {
    /// Calls `visit` for the objects of a region at some positions, its rows: with a range of rows, the positions of another
    /// region to compare them with, and the bits that a row would have there. The comparisons of a row must not depend on the
    /// other rows: a region is divided among tasks.
    fn visit(
        &self,
        regions: &Regions,
        region: usize,
        rows: Range<usize>,
        visit: &mut dyn FnMut(Range<usize>, Range<usize>, u32),
    );
}

/// The objects of each region. Regions are numbered from 0. Refilled every frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions {
    /// Regions and objects in the order of [`list`](Self::list).
    listings: Vec<(u32, ListedObject)>,
    /// Start of each region in `entries`, then the end of the last one.
    starts: Vec<u32>,
    /// Objects by region, in ascending order within each. If objects are in no region, these follow, then all others.
    entries: Vec<ListedObject>,
    /// Their boxes, in the same order.
    boxes: BoxSet,
    /// Objects in no region, which are compared with all others: meant for few.
    oversized: Vec<u32>,
    /// Objects in more than one region.
    straddlers: u64,
    tasks: SearchTasks,
    work: Work,
}

memory!(Regions: listings, starts, entries, boxes, oversized, tasks);

impl Regions {
    /// Most objects: their ids share 32 bits with those of the axes.
    const MAX_OBJECTS: usize = 1 << (32 - ListedObject::AXES);

    /// Regions in which boxes are compared one pair at a time.
    fn scalar() -> Self {
        Self { boxes: BoxSet::scalar(), ..Self::default() }
    }

    /// Begins a frame.
    pub(crate) fn clear(&mut self) {
        self.listings.clear();
        self.oversized.clear();
        self.straddlers = 0;
    }

    /// Lists an object. `enter` calls the given function with each region that it touches, and its bits there. An object that
    /// enters none is compared with all others. Objects come in ascending order, at least those of one region and those of none.
    #[inline]
    pub(crate) fn list(&mut self, object: u32, enter: impl FnOnce(&mut dyn FnMut(u32, u32))) {
        let before = self.listings.len();
        enter(&mut |region, begins| {
            self.listings.push((region, ListedObject::new(object, begins)));
        });
        match self.listings.len() - before {
            0 => self.oversized.push(object),
            listed => self.straddlers += u64::from(listed > 1),
        }
    }

    /// Makes room for some regions: a list that grew later would take twice as much.
    pub(crate) fn reserve(&mut self, regions: usize) {
        self.starts.clear();
        self.starts.reserve(regions);
    }

    /// Sorts the objects by region, a counting sort, and copies their boxes.
    pub(crate) fn sort(&mut self, regions: usize, boxes: &[Aabb]) {
        assert!(boxes.len() <= Self::MAX_OBJECTS, "more objects than 29 bits can number");
        let listings = self.listings.len();
        assert!(u32::try_from(listings).is_ok(), "more listings than 32 bits count");
        // `starts[region + 2]` counts the objects of a region. The prefix sum makes `starts[region + 1]` the place of its
        // next object, which ends as the start of the region after it.
        self.starts.clear();
        self.starts.resize(regions + 2, 0);
        for (region, _) in &self.listings {
            self.starts[*region as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.clear();
        self.entries.resize(listings, ListedObject::default());
        for (region, entry) in &self.listings {
            let next = &mut self.starts[*region as usize + 1];
            self.entries[*next as usize] = *entry;
            *next += 1;
        }
        self.starts.pop();
        if !self.oversized.is_empty() {
            let is_other = |object: &u32| self.oversized.binary_search(object).is_err();
            let others = present(boxes).filter(is_other);
            let all = self.oversized.iter().copied().chain(others);
            self.entries.extend(all.map(|object| ListedObject::new(object, ALL_AXES)));
        }
        // Boxes are scattered over memory. A loop that only copies them has many cache misses in flight at
        // once.
        self.boxes.fill(self.entries.iter().map(|entry| &boxes[entry.object() as usize]));
    }

    /// Number of regions, empty ones included.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Positions of the objects of consecutive regions.
    #[inline]
    pub(crate) fn run(&self, regions: Range<usize>) -> Range<usize> {
        self.starts[regions.start] as usize..self.starts[regions.end] as usize
    }

    /// The object at a position.
    #[inline]
    pub(crate) fn entry(&self, position: usize) -> ListedObject {
        self.entries[position]
    }

    /// The objects of consecutive regions; an object of several is repeated.
    pub(crate) fn objects_of(
        &self,
        regions: Range<usize>,
    ) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.entries[self.run(regions)].iter().map(|entry| entry.object())
    }

    /// The box of the object at a position.
    #[inline]
    pub(crate) fn bounds(&self, position: usize) -> Aabb {
        self.boxes.get(position)
    }

    /// Number of listings: each object counts once in each of its regions.
    pub(crate) fn listings(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    /// Number of pairs that the search will test.
    pub(crate) fn tests_ahead(&self) -> u64 {
        let listed = self.starts.windows(2).map(|run| u64::from(run[1] - run[0]));
        listed.map(|listed| listed * listed.saturating_sub(1) / 2).sum()
    }

    /// Appends the pairs of objects that share a region, each once, and those of objects in no region.
    pub(crate) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let tests = usize::try_from(self.tests_ahead()).unwrap_or(usize::MAX);
        let nanos = tests.saturating_mul(NANOS_PER_TEST);
        let nanos = nanos.saturating_add(self.listings().saturating_mul(NANOS_PER_LISTING));
        let mut tasks = std::mem::take(&mut self.tasks);
        let threads = threads_for(nanos, 1);
        let pair = |i: usize, j: usize| {
            let (a, b) = (self.entry(i), self.entry(j));
            a.owns_pair(b.0).then(|| Pair::new(a.object(), b.object()))
        };
        let mut work = self.search(&mut tasks, threads, pairs, |task, pairs, region, rows| {
            let end = self.run(region..region + 1).end;
            if end >= rows.start + 2 {
                task.find(&self.boxes, Rows::Within(rows, end), frame, pairs, pair);
            }
        });
        let (first, end) = (self.listings(), self.entries.len());
        let tests = self.oversized.len().saturating_mul(end - first);
        let threads = threads_for(tests, NANOS_PER_TEST);
        work += tasks.run(self.oversized.len(), threads, pairs, |task, pairs, rows| {
            let rows = first + rows.start..first + rows.end;
            task.find(&self.boxes, Rows::Within(rows, end), frame, pairs, pair);
        });
        (self.work, self.tasks) = (work, tasks);
    }

    /// Appends the pairs of objects of different regions, each once. `nanos_each` is the time that it takes for an object in a
    /// region, in nanoseconds.
    pub(crate) fn find_pairs_between(
        &mut self,
        neighbours: &impl Neighbours,
        nanos_each: usize,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        let threads = threads_for(self.listings(), nanos_each);
        let mut tasks = std::mem::take(&mut self.tasks);
        self.work += self.search(&mut tasks, threads, pairs, |task, pairs, region, rows| {
            for rows in parts(rows, self.listings(), frame) {
                neighbours.visit(self, region, rows, &mut |rows, columns, begins| {
                    task.find(&self.boxes, Rows::Between(rows, columns), frame, pairs, |i, j| {
                        let (a, b) = (self.entry(i), self.entry(j));
                        b.owns_pair(begins).then(|| Pair::new(a.object(), b.object()))
                    });
                });
            }
        });
        self.tasks = tasks;
    }

    /// Calls `search` with each region and the positions there of a part of all listings, on threads.
    fn search(
        &self,
        tasks: &mut SearchTasks,
        threads: usize,
        pairs: &mut Vec<Pair>,
        search: impl Fn(&mut Search, &mut Vec<Pair>, usize, Range<usize>) + Sync,
    ) -> Work {
        tasks.run(self.listings(), threads, pairs, |task, pairs, part| {
            for region in self.regions_in(part.clone()) {
                let run = self.run(region..region + 1);
                let rows = run.start.max(part.start)..run.end.min(part.end);
                search(task, pairs, region, rows);
            }
        })
    }

    /// The regions with objects at the positions of a part of all listings. Empty ones may be among them.
    pub(crate) fn regions_in(&self, part: Range<usize>) -> Range<usize> {
        let starts = &self.starts[..self.len()];
        let end = starts.partition_point(|start| (*start as usize) < part.end);
        // The last region that starts there or before.
        let first = starts.partition_point(|start| *start as usize <= part.start);
        first.saturating_sub(1).min(end)..end
    }

    /// The regions with objects, in ascending order.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = (usize, &[ListedObject])> {
        let all =
            (0..self.len()).map(|region| (region, &self.entries[self.run(region..region + 1)]));
        all.filter(|(_, entries)| !entries.is_empty())
    }

    /// Counters of the last frame, with a node for each region.
    pub(crate) fn counters(&self) -> Counters {
        Counters {
            tests: self.work.tests,
            nodes: self.len() as u64,
            listings: self.listings() as u64,
            straddlers: self.straddlers,
            duplicates: self.work.duplicates,
            ..Counters::default()
        }
    }

    /// Visits the occupied regions. `place` gives the space of a region, its depth, its larger bounds and its slot.
    pub(crate) fn visit_occupied(
        &self,
        place: impl Fn(usize) -> (Aabb, u32, Option<Aabb>, Option<HashSlot>),
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        for (index, (region, _)) in self.occupied().enumerate() {
            let objects: Vec<u32> = self.objects_of(region..region + 1).collect();
            let (bounds, depth, loose, slot) = place(region);
            let mark = RegionMark::new(index, bounds, depth, &objects);
            visit(Mark::Region(RegionMark { loose, slot, ..mark }));
        }
    }

    /// Visits the tests of [`find_pairs`](Self::find_pairs), with the number of the region.
    fn tests_within(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        for region in 0..self.len() {
            let number = Some(region as u32);
            tests_within(self.objects_of(region..region + 1), &mut |a, b| visit(a, b, number));
        }
        let mut others = self.entries[self.listings()..].iter();
        for large in &self.oversized {
            others.next();
            others.clone().for_each(|other| visit(*large, other.object(), None));
        }
    }

    /// Visits every test, with the place of the region among the [occupied](Self::visit_occupied) ones: that of the second
    /// object, if regions are compared with [others](Self::find_pairs_between).
    pub(crate) fn tests(
        &self,
        neighbours: Option<&dyn Neighbours>,
        visit: &mut dyn FnMut(u32, u32, Option<u32>),
    ) {
        let mut places = vec![0; self.len()];
        (0..).zip(self.occupied()).for_each(|(place, (region, _))| places[region] = place);
        self.tests_within(&mut |a, b, region| visit(a, b, region.map(|at| places[at as usize])));
        let object = |position| self.entry(position).object();
        let Some(neighbours) = neighbours else { return };
        for region in 0..self.len() {
            let rows = self.run(region..region + 1);
            neighbours.visit(self, region, rows, &mut |rows, columns, _| {
                let of = |at| self.starts.partition_point(|start| *start as usize <= at) - 1;
                let place = (!columns.is_empty()).then(|| places[of(columns.start)]);
                for row in rows {
                    columns.clone().for_each(|column| visit(object(row), object(column), place));
                }
            });
        }
    }

    /// Panics unless each region lists exactly the objects that touch it, in order, once each, with their current boxes and
    /// bits. `enter` calls the given function with the number of each region that an object touches, and its bits there. The
    /// objects without a region must be those that are compared with all others.
    pub(crate) fn validate(
        &self,
        boxes: &[Aabb],
        mut enter: impl FnMut(u32, &Aabb, &mut dyn FnMut(u32, u32)),
    ) {
        assert!(self.starts.is_sorted(), "a region ends before it starts");
        for (position, entry) in self.entries.iter().enumerate() {
            let object = entry.object();
            let b = boxes[object as usize];
            assert_eq!(self.bounds(position), b, "an outdated box of object {object} is tested");
        }
        for (region, entries) in self.occupied() {
            assert!(
                entries.is_sorted_by(|a, b| a.object() < b.object()),
                "an object is in region {region} twice, or not in order"
            );
        }
        let (mut listings, mut oversized) = (0, Vec::new());
        for object in present(boxes) {
            let before = listings;
            enter(object, &boxes[object as usize], &mut |region, begins| {
                listings += 1;
                let (region, entry) = (region as usize, ListedObject::new(object, begins));
                let entries = &self.entries[self.run(region..region + 1)];
                assert!(
                    entries.binary_search(&entry).is_ok(),
                    "object {object} is missing from region {region}, or begins there on other axes"
                );
            });
            if listings == before {
                oversized.push(object);
            }
        }
        // Each object is in its regions. Further listings would be wrong.
        assert_eq!(self.listings(), listings, "an object is in a region that it does not touch");
        assert_eq!(
            self.oversized, oversized,
            "other objects than the oversized ones are in no region"
        );
        let mut all: Vec<_> = self.entries[listings..].iter().map(|entry| entry.object()).collect();
        assert!(all.starts_with(&oversized), "the oversized objects are not the first of all");
        all.sort_unstable();
        let expected = present(boxes).filter(|_| !oversized.is_empty());
        assert!(all.into_iter().eq(expected), "an oversized object is not tested against all");
    }
}

/// The objects that are present, in ascending order.
fn present(boxes: &[Aabb]) -> impl Iterator<Item = u32> {
    (0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(|(object, _)| object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
    use glam::Vec3;

    const BOXES: [Aabb; 6] = [Aabb::new(Vec3::ZERO, Vec3::ONE); 6];

    /// Regions of each object, with its bits there.
    const LISTED: [&[(u32, u32)]; 6] =
        [&[(3, 7)], &[], &[(1, 7), (3, 0)], &[], &[], &[(1, 7), (3, 3)]];

    fn filled() -> Regions {
        let mut regions = Regions::default();
        regions.clear();
        for (object, listed) in (0..).zip(LISTED) {
            regions.list(object, |enter| {
                listed.iter().for_each(|(region, begins)| enter(*region, *begins));
            });
        }
        regions.sort(5, &BOXES);
        regions
    }

    fn validate(regions: &Regions) {
        regions.validate(&BOXES, |object, _, visit| {
            LISTED[object as usize].iter().for_each(|(region, begins)| visit(*region, *begins));
        });
    }

    #[test]
    fn regions_have_their_objects_and_tasks_their_regions() {
        let regions = filled();
        assert_eq!(regions.counters().straddlers, 2);
        let objects = |region| regions.objects_of(region..region + 1).collect::<Vec<_>>();
        let expected: [&[u32]; 5] = [&[], &[2, 5], &[], &[0, 2, 5], &[]];
        assert!((0..5).map(objects).eq(expected));
        for parts in 1..9 {
            let part = |part: usize| part * 5 / parts..(part + 1) * 5 / parts;
            for part in (0..parts).map(part).filter(|part| !part.is_empty()) {
                let found = regions.regions_in(part.clone());
                let expected = part.map(|position| if position < 2 { 1 } else { 3 });
                assert!(expected.clone().all(|region| found.contains(&region)), "{found:?}");
                let others = found.filter(|region| !expected.clone().any(|one| one == *region));
                assert!(others.clone().all(|region| regions.run(region..region + 1).is_empty()));
            }
        }
    }

    #[test]
    fn each_pair_with_an_oversized_object_is_found_once() {
        let mut boxes = BOXES;
        boxes[3] = Aabb::EMPTY;
        let mut regions = Regions::default();
        for object in [0, 1, 2, 4, 5] {
            regions.list(object, |enter| {
                if ![1, 4].contains(&object) {
                    enter(object, 7);
                }
            });
        }
        regions.sort(6, &boxes);
        let mut pairs = Vec::new();
        regions.find_pairs(&Frame::new(&boxes), &mut pairs);
        pairs.sort_unstable();
        let expected = [(0, 1), (0, 4), (1, 2), (1, 4), (1, 5), (2, 4), (4, 5)];
        assert_eq!(pairs, expected.map(|(a, b)| Pair { a, b }));
        assert_eq!(regions.counters().tests, 7);
        let mut tested = Vec::new();
        regions.tests(None, &mut |a, b, _| tested.push(Pair::new(a, b)));
        tested.sort_unstable();
        assert_eq!(tested, pairs);
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn crowded_region_is_divided_among_threads() {
        let at = |i: u32| Vec3::new((i % 50) as f32, (i / 50) as f32, 0.0);
        let boxes: Vec<_> = (0..5000).map(|i| Aabb::around_sphere(at(i), 0.6)).collect();
        let on_threads = |threads| {
            let mut regions = Regions::default();
            for object in 0..5000 {
                regions.list(object, |enter| {
                    // All in one, some of them in another, which owns no pair.
                    enter(7, 0b111);
                    (object % 9 == 0).then(|| enter(3, 0));
                });
            }
            regions.sort(9, &boxes);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut pairs = Vec::new();
            pool.install(|| regions.find_pairs(&Frame::new(&boxes), &mut pairs));
            (pairs, regions.counters())
        };
        let (pairs, counters) = on_threads(1);
        assert_eq!(counters.tests, 5000 * 4999 / 2 + 556 * 555 / 2);
        assert!(pairs.len() > 9000 && on_threads(3) == (pairs, counters));
    }

    #[test]
    fn validate_catches_each_fault() {
        let faults: [Fault<Regions>; 6] = [
            ("twice", |regions| regions.entries[1] = regions.entries[0]),
            ("begins there on other axes", |regions| regions.entries[3] = ListedObject::new(2, 1)),
            ("not the first of all", |regions| regions.entries.swap(5, 8)),
            ("not tested against all", |regions| _ = regions.entries.pop()),
            ("that it does not touch", |regions| {
                regions.list(5, |enter| enter(4, 0));
                regions.sort(5, &BOXES);
            }),
            ("outdated box of object 2", |regions| {
                regions.boxes.set(0, &Aabb::new(Vec3::ZERO, Vec3::X));
            }),
        ];
        assert_faults_are_caught(filled, validate, &faults);
    }
}
