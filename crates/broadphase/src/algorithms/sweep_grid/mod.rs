//! A grid of sweeps: columns side by side, the boxes of each sorted along it and swept.
//!
//! To sweep all boxes along one axis compares each with all that overlap it there, wherever they are
//! on the other two axes. So space is cut into columns along the axis, each box is listed in every
//! column that it touches, and each column is swept by itself, with the vectors of `box-pruning`.
//! A column is a few times as wide as a box, so that most boxes stand in one, and holds some hundreds
//! to thousands of boxes, so that all that is done to it is done in the nearer caches.
//!
//! A pair that shares several columns is reported in the first of them: the one in which, on both
//! axes across, at least one of the two boxes begins. So each entry carries two bits that say on which
//! axes its box begins earlier, and a pair is passed over where both have the same bit; no coordinate
//! is compared again (the flags of Terdiman's box pruning in cells).
//!
//! Nothing but the place of the columns is kept from frame to frame: it costs the same however the
//! boxes move.

pub(super) mod bins;
mod choose;
pub(super) mod column;
pub(super) mod columns;
mod inspect;
pub(super) mod sorted_columns;
pub(super) mod tasks;
mod validate;

use crate::simd::level;
use crate::sweep::sweep;
use crate::{Aabb, Algorithm, BroadPhase, Counters, Frame, Inspect, Overlay, Pair};
use bins::{Bins, Entry};
use choose::Choice;
use columns::Columns;
use fearless_simd::dispatch;
use rayon::prelude::*;
use sorted_columns::SortedColumns;
use tasks::ColumnTasks;

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "sweep-grid",
    name: "Grid of sweeps",
    summary: "columns side by side, each sorted along its axis and swept, sixteen boxes at a time",
    source: "after P. Terdiman, Box Pruning Revisited (2017-2018), and his cells of sweeps",
    overlays: &[Overlay::Regions],
    memory: |n| n * size_of::<Entry>() as u64,
    build: |_| Box::<SweepGrid>::default(),
};

/// Frames between two looks at whether the columns still suit the boxes: the first few, and the most
/// of them while they do.
const FRAMES_PER_LOOK: [u32; 2] = [16, 128];

/// Listings for each object up to which columns are taken as they were chosen. More come about when
/// the boxes grew, or when the sample met none of the large ones.
const MOST_LISTINGS: usize = 6;

/// Time O(n + t / 16) for t pairs that overlap on the sweep axis and share a column; memory about 60
/// bytes an object, room to spare included.
#[derive(Debug, Default)]
pub struct SweepGrid {
    columns: Option<Columns>,
    choice: Choice,
    /// For each thread the boxes that it listed.
    bins: Vec<Bins>,
    /// How many of them the last frame used.
    used: usize,
    tasks: ColumnTasks,
    /// Objects in the last frame.
    objects: usize,
    looks: Looks,
    is_chosen_anew: bool,
}

/// When the columns are looked at.
#[derive(Debug, Default)]
struct Looks {
    /// Frames from one look to the next, and those left until then.
    every: u32,
    left: u32,
    /// Objects at the last look.
    objects: usize,
    /// Tests in the frame after it; 0 before.
    tests: u64,
}

impl SweepGrid {
    /// The columns of the last frame, and their lists.
    pub(super) fn lists(&self) -> Option<(Columns, &[Bins])> {
        self.columns.map(|columns| (columns, self.bins()))
    }

    /// The lists of the last frame.
    fn bins(&self) -> &[Bins] {
        &self.bins[..self.used]
    }

    /// How many boxes a column lists.
    fn len(&self, column: usize) -> usize {
        len(self.bins(), column)
    }

    /// The columns for a frame: those in use, looked at now and then, and when there are many more
    /// objects or tests.
    fn choose(&mut self, boxes: &[Aabb]) -> Columns {
        let (tests, looks) = (self.tasks.found().tests, &mut self.looks);
        looks.tests = if looks.tests == 0 { tests } else { looks.tests };
        let is_due = looks.left == 0
            || boxes.len().abs_diff(looks.objects) > looks.objects / 8
            || tests > 2 * looks.tests + boxes.len() as u64;
        looks.left = looks.left.saturating_sub(1);
        match self.columns {
            Some(held) if !is_due => held,
            held => self.choose_anew(boxes, held),
        }
    }

    fn choose_anew(&mut self, boxes: &[Aabb], held: Option<Columns>) -> Columns {
        let chosen = dispatch!(level(), simd => self.choice.choose(simd, boxes, held));
        let is_kept = held == Some(chosen);
        self.is_chosen_anew |= !is_kept;
        let [few, many] = FRAMES_PER_LOOK;
        let every = if is_kept { (2 * self.looks.every).min(many) } else { few };
        self.looks = Looks { every, left: every, objects: boxes.len(), tests: 0 };
        chosen
    }

    /// Lists all boxes in their columns; false if they took far too many entries.
    fn list(&mut self, columns: &Columns, boxes: &[Aabb]) -> bool {
        let threads = rayon::current_num_threads();
        let is_shared_out = tasks::is_shared_out(boxes.len());
        let share = if is_shared_out { boxes.len().div_ceil(threads) } else { boxes.len().max(1) };
        self.used = boxes.len().div_ceil(share);
        if self.bins.len() < self.used {
            self.bins.resize_with(self.used, Bins::default);
        }
        // A single column lists each box once.
        let most = (MOST_LISTINGS * share) as u64;
        let level = level();
        let fill = |(number, (bins, boxes)): (usize, (&mut Bins, &[Aabb]))| {
            let first = (number * share) as u32;
            dispatch!(level, simd => bins.fill(simd, columns, (first..).zip(boxes), most))
        };
        if let [bins] = &mut self.bins[..self.used] {
            return fill((0, (bins, boxes)));
        }
        let bins = self.bins[..self.used].par_iter_mut();
        bins.zip(boxes.par_chunks(share)).enumerate().map(fill).reduce(|| true, |a, b| a & b)
    }
}

/// How many boxes of a column are listed.
fn len(bins: &[Bins], column: usize) -> usize {
    bins.iter().map(|bins| bins.len(column)).sum()
}

impl SweepGrid {
    /// Lists boxes in columns that suit others.
    pub(super) fn list_in_columns_for(&mut self, others: &[Aabb], boxes: &[Aabb]) {
        self.objects = boxes.len();
        self.is_chosen_anew = false;
        let mut columns = self.choose(others);
        self.tasks.forget_found();
        if !self.list(&columns, boxes) {
            let tried = columns;
            columns = self.choose_anew(others, None);
            if columns == tried || !self.list(&columns, boxes) {
                columns = Columns::single(columns.axis);
                self.list(&columns, boxes);
            }
        }
        self.columns = Some(columns);
    }

    /// Whether the columns are shared out over several threads.
    pub(super) fn is_shared_out(&self) -> bool {
        tasks::is_shared_out(self.objects)
    }

    /// Finds the pairs on this thread, and keeps the columns as they are sorted for that.
    pub(super) fn find_pairs_and_keep(
        &mut self,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
        kept: &mut SortedColumns,
    ) {
        let Some(columns) = self.columns else { return };
        let bins = &self.bins[..self.used];
        self.tasks.run_as_one(columns.len(), |sweeper, found| {
            kept.build(columns, bins, sweeper, frame, |sorted| {
                *found += sweep(sorted, 0..sorted.filled(), frame, pairs);
            });
        });
    }

    /// Says that the columns are to be looked at in the next frame.
    pub(super) fn look_soon(&mut self) {
        self.looks.left = 0;
    }
}

impl BroadPhase for SweepGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        self.list_in_columns_for(frame.boxes, frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let columns = self.columns.map_or(0, |columns| columns.len());
        let Self { bins, used, tasks, objects, .. } = self;
        let bins = &bins[..*used];
        tasks.share_out(*objects, columns, |column| len(bins, column));
        tasks.run(pairs, |sweeper, column, pairs| sweeper.sweep(column, bins, frame, pairs));
    }

    fn counters(&self) -> Counters {
        let found = self.tasks.found();
        Counters {
            tests: found.tests,
            nodes: self.columns.map_or(0, |columns| columns.len() as u64),
            listings: self.bins().iter().map(|bins| bins.listings).sum(),
            straddlers: self.bins().iter().map(|bins| bins.straddlers).sum(),
            duplicates: found.duplicates,
            rebuilds: u64::from(self.is_chosen_anew),
            ..Counters::default()
        }
    }

    fn heap_bytes(&self) -> usize {
        self.bins.iter().map(|bins| size_of::<Bins>() + bins.heap_bytes()).sum::<usize>()
            + self.tasks.heap_bytes()
            + self.choice.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.validate_columns(frame.boxes);
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::tasks::PARALLEL_FROM;
    use super::*;
    use crate::{ALGORITHMS, Settings};
    use glam::Vec3;

    fn pairs_of(algorithm: &mut dyn BroadPhase, boxes: &[Aabb]) -> Vec<Pair> {
        let frame = Frame::new(boxes, 0.1);
        let mut pairs = Vec::new();
        algorithm.update(&frame);
        algorithm.validate(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    fn by_brute_force(boxes: &[Aabb]) -> Vec<Pair> {
        pairs_of(&mut *(ALGORITHMS[0].build)(&Settings::new(boxes.len())), boxes)
    }

    /// Boxes that overlap a few others, in a cube.
    fn cube(side: usize) -> Vec<Aabb> {
        let at = |i: usize| [i % side, i / side % side, i / side / side].map(|at| at as f32);
        let around = |i: usize| {
            Aabb::around_sphere(Vec3::from(at(i)) * 1.1, 0.3 + (i * 7 % 10) as f32 * 0.06)
        };
        (0..side * side * side).map(around).collect()
    }

    #[test]
    fn columns_that_are_shared_out_give_the_same_pairs_and_counts() {
        let mut boxes = cube(20);
        boxes[99] = Aabb::around_sphere(Vec3::ZERO, 1e3);
        assert!(boxes.len() > PARALLEL_FROM);
        let expected = by_brute_force(&boxes);
        let mut counts = Vec::new();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut grid = SweepGrid::default();
            let pairs = pool.install(|| pairs_of(&mut grid, &boxes));
            assert!(pairs == expected, "{threads} threads");
            counts.push(grid.counters());
        }
        assert!(counts[0].nodes > 4 && counts[0].duplicates > 0);
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    }

    #[test]
    fn boxes_that_all_grow_at_once_get_other_columns_in_that_frame() {
        let boxes = cube(24);
        let mut grid = SweepGrid::default();
        assert!(pairs_of(&mut grid, &boxes) == by_brute_force(&boxes));
        let before = grid.counters();
        // Plates across the columns.
        let mut side = Vec3::splat(1e3);
        side[grid.columns.unwrap().axis] = 0.1;
        let plate = |b: &Aabb| Aabb::new(b.center() - side, b.center() + side);
        let large: Vec<_> = boxes.iter().map(plate).collect();
        assert!(pairs_of(&mut grid, &large) == by_brute_force(&large));
        let after = grid.counters();
        assert!(after.nodes < before.nodes && after.rebuilds == 1, "{before:?} {after:?}");
        assert!(after.listings <= (MOST_LISTINGS * boxes.len()) as u64);
    }

    #[test]
    fn large_boxes_that_the_columns_were_not_chosen_for_do_not_fill_the_memory() {
        // Columns for small boxes, of which every fourth then spans the world.
        let mut boxes = cube(26);
        boxes.truncate(16_384);
        let mut grid = SweepGrid::default();
        pairs_of(&mut grid, &boxes);
        assert!(grid.counters().nodes > 16, "too few columns");
        for (at, b) in boxes.iter_mut().enumerate() {
            if at % 4 == 1 {
                *b = Aabb::new(
                    Vec3::new(at as f32 * 0.001, -1e3, -1e3),
                    Vec3::new(at as f32 * 0.001, 1e3, 1e3),
                );
            }
        }
        let pairs = pairs_of(&mut grid, &boxes);
        assert_eq!(grid.counters().rebuilds, 1, "the columns are still the same");
        assert!(grid.counters().listings <= (MOST_LISTINGS * boxes.len()) as u64);
        assert!(pairs == by_brute_force(&boxes));
    }
}
