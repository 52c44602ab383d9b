//! A grid of columns: where they are, what they list, and the search of all of them.

use super::bins::Bins;
use super::checks::Checks;
use super::choose::Choice;
use super::layout::Columns;
use super::lists::{BoxLists, MAX_LISTINGS, len};
use super::tasks::{ColumnTasks, SEARCH_NANOS};
use crate::entry::Parameter;
use crate::managed::Structure;
use crate::memory::memory;
use crate::parallel::Work;
use crate::sweep::{Within, sweep};
use crate::{Aabb, Counters, Frame, Pair};

/// Time O(n + t / 16) for t pairs that overlap on the sweep axis and share a column; memory 40 to
/// 72 bytes an object, room to spare included.
///
/// Only the place of the columns is kept from frame to frame: a frame costs the same however the boxes
/// move.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pub(super) columns: Option<Columns>,
    choice: Choice,
    /// The lists of all boxes, or of those last searched for or inserted.
    lists: BoxLists,
    tasks: ColumnTasks,
    checks: Checks,
    is_rechosen: bool,
    /// Boxes that were last listed all together, their entries, and the boxes in several columns.
    objects: usize,
    listings: u64,
    straddlers: u64,
    /// The work of the search that followed; `None` before it.
    found: Option<Work>,
}

impl Grid {
    /// The parameter of `sweep-grid` and `rest-grid`. Each column that it adds takes up to 0.5 kB a thread.
    pub(crate) const COLUMNS: Parameter = Parameter::count(
        "columns",
        0,
        [0, 16],
        "Columns on the longer side across the sweep, one if boxes touch more than six on average; 0: the number with the \
         least predicted work",
    )
    .automatic_at_zero();

    /// A grid without boxes, for a value of [`COLUMNS`](Self::COLUMNS).
    pub(crate) fn of(columns: usize) -> Self {
        Self { choice: Choice::of(columns), ..Self::default() }
    }

    /// The lists in use: of all boxes, or of those last searched for or inserted.
    pub(super) fn bins(&self) -> &[Bins] {
        self.lists.bins()
    }

    /// Boxes listed in a column.
    pub(super) fn len(&self, column: usize) -> usize {
        len(self.bins(), column)
    }

    /// The columns for a frame. Those in use are checked every few frames, and when there are many more
    /// objects or tests.
    fn choose(&mut self, boxes: &[Aabb]) -> Columns {
        match self.columns {
            Some(used) if !self.checks.is_due(boxes.len(), self.tests()) => used,
            used => self.rechoose(boxes, used),
        }
    }

    /// Tests of the last search, if there was one.
    fn tests(&self) -> Option<u64> {
        self.found.map(|found| found.tests)
    }

    fn rechoose(&mut self, boxes: &[Aabb], used: Option<Columns>) -> Columns {
        let chosen = self.choice.choose(boxes, used);
        self.checks.checked(boxes.len(), used == Some(chosen));
        chosen
    }

    /// Lists boxes in columns that suit them, which it returns.
    pub(super) fn list_all(&mut self, boxes: &[Aabb]) -> Columns {
        self.objects = boxes.len();
        let before = self.columns;
        let mut columns = self.choose(boxes);
        self.found = None;
        if !self.fill(&columns, boxes) {
            let tried = columns;
            columns = self.rechoose(boxes, None);
            if columns == tried || !self.fill(&columns, boxes) {
                columns = Columns::single(columns.axis);
                self.fill(&columns, boxes);
            }
        }
        (self.listings, self.straddlers) = self.lists.counts();
        self.columns = Some(columns);
        self.is_rechosen = before != self.columns;
        columns
    }

    /// Lists all boxes in some columns; false if they take far too many entries.
    fn fill(&mut self, columns: &Columns, boxes: &[Aabb]) -> bool {
        self.lists.fill(columns, boxes, MAX_LISTINGS * boxes.len(), |_| true)
    }

    /// The lists of all boxes, and the tasks, each with columns of about as many entries.
    pub(super) fn divide(&mut self) -> (&[Bins], &mut ColumnTasks) {
        let columns = self.columns.map_or(0, |columns| columns.len());
        let Self { lists, tasks, objects, .. } = self;
        let bins = lists.bins();
        tasks.distribute(*objects, SEARCH_NANOS, columns, |column| len(bins, column));
        (bins, tasks)
    }

    /// Keeps the counts of a full search, since later searches reuse the tasks.
    pub(super) fn count(&mut self) {
        self.found = Some(self.tasks.found());
    }

    /// Lends the first list and the tasks to another search. The lists of all boxes are lost.
    pub(super) fn lend(&mut self) -> (&mut Bins, &mut ColumnTasks) {
        (self.lists.lend(), &mut self.tasks)
    }

    /// Adds lists, for tests.
    #[cfg(test)]
    pub(super) fn add(&mut self, columns: Columns, bins: Bins) {
        self.columns = Some(columns);
        self.lists.add(bins);
    }
}

memory!(Grid: lists, tasks, choice);

impl Structure for Grid {
    fn update(&mut self, frame: &Frame<'_>) {
        self.list_all(frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let (bins, tasks) = self.divide();
        tasks.run(pairs, |task, column, pairs| {
            if len(bins, column) < 2 || frame.is_stopped() {
                return;
            }
            let sorted = task.sweeper.sort(column, bins);
            let kind = Within { frame, filter: None };
            task.found += sweep(sorted, 0..sorted.filled(), kind, pairs);
        });
        self.count();
    }

    fn counters(&self) -> Counters {
        let found = self.found.unwrap_or_default();
        Counters {
            tests: found.tests,
            nodes: self.columns.map_or(0, |columns| columns.len() as u64),
            listings: self.listings,
            straddlers: self.straddlers,
            duplicates: found.duplicates,
            rebuilds: u64::from(self.is_rechosen),
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.validate_columns(frame.boxes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::LIST_NANOS;
    use super::*;
    use crate::algorithms::brute_force::AllPairs;
    use crate::benchmark::PairListOrigin;
    use crate::parallel::fewest_for_two;
    use glam::Vec3;

    fn pairs_of(algorithm: &mut impl Structure, boxes: &[Aabb]) -> Vec<Pair> {
        let frame = Frame::new(boxes);
        let mut pairs = Vec::new();
        algorithm.update(&frame);
        algorithm.validate(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    fn by_brute_force(boxes: &[Aabb]) -> Vec<Pair> {
        pairs_of(&mut AllPairs::default(), boxes)
    }

    #[track_caller]
    fn assert_same(boxes: &[Aabb], expected: &[Pair], found: &[Pair]) {
        let (threads, frame) = (rayon::current_num_threads(), Frame::new(boxes));
        let input = &format_args!("a cube, {threads} threads");
        PairListOrigin { algorithm: "sweep-grid", input, number: 0, frame }
            .assert_same(expected, found);
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
    fn pairs_and_counts_are_equal_on_any_number_of_threads() {
        let mut boxes = cube(24);
        boxes[99] = Aabb::around_sphere(Vec3::ZERO, 1e3);
        assert!(boxes.len() > fewest_for_two(LIST_NANOS));
        let expected = by_brute_force(&boxes);
        let mut counts = Vec::new();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut grid = Grid::default();
            let pairs = pool.install(|| pairs_of(&mut grid, &boxes));
            pool.install(|| assert_same(&boxes, &expected, &pairs));
            counts.push(grid.counters());
        }
        assert!(counts[0].nodes > 4 && counts[0].duplicates > 0);
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    }

    #[test]
    fn boxes_that_grow_at_once_get_other_columns() {
        let boxes = cube(24);
        let mut grid = Grid::default();
        assert_same(&boxes, &by_brute_force(&boxes), &pairs_of(&mut grid, &boxes));
        let before = grid.counters();
        // Plates across the columns.
        let mut side = Vec3::splat(1e3);
        side[grid.columns.unwrap().axis] = 0.1;
        let plate = |b: &Aabb| Aabb::new(b.center() - side, b.center() + side);
        let large: Vec<_> = boxes.iter().map(plate).collect();
        assert_same(&large, &by_brute_force(&large), &pairs_of(&mut grid, &large));
        let after = grid.counters();
        assert!(after.nodes < before.nodes && after.rebuilds == 1, "{before:?} {after:?}");
        assert!(after.listings <= (MAX_LISTINGS * boxes.len()) as u64);
    }

    #[test]
    fn boxes_that_touch_too_many_stated_columns_get_one() {
        // Every box reaches over a quarter of the cube.
        let boxes: Vec<_> = cube(6).iter().map(|b| Aabb::around_sphere(b.center(), 0.9)).collect();
        let expected = by_brute_force(&boxes);
        for (stated, columns) in [(3, 9), (16, 1)] {
            let mut grid = Grid::of(stated);
            for frame in 0..40 {
                assert_same(&boxes, &expected, &pairs_of(&mut grid, &boxes));
                let counters = grid.counters();
                assert_eq!(counters.nodes, columns, "{stated}");
                assert_eq!(counters.rebuilds, u64::from(frame == 0), "{stated}, frame {frame}");
            }
        }
    }

    #[test]
    fn unexpected_large_boxes_do_not_exhaust_memory() {
        // Columns for small boxes, of which every fourth then spans the world.
        let mut boxes = cube(26);
        boxes.truncate(16_384);
        let mut grid = Grid::default();
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
        assert!(grid.counters().listings <= (MAX_LISTINGS * boxes.len()) as u64);
        assert_same(&boxes, &by_brute_force(&boxes), &pairs);
    }
}
