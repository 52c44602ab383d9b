//! A grid of columns: where they are, what they list, and the search of all of them.

use super::choose::Choice;
use super::layout::Columns;
use super::lists::{BoxLists, MAX_LISTINGS};
use super::tasks::{ColumnTasks, SEARCH_NANOS};
use crate::entry::Parameter;
use crate::managed::Structure;
use crate::memory::memory;
use crate::parallel::Work;
use crate::sweep::{Counted, sweep};
use crate::{Aabb, Counters, Frame, Pair};

/// Time O(n + t / 16) for t pairs that overlap on the sweep axis and share a column; memory 40 to
/// 72 bytes an object, room to spare included.
///
/// Only the place of the columns is kept from frame to frame: a frame costs the same however the boxes
/// move.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    choice: Choice,
    /// The lists of all boxes, or of those last searched for or inserted.
    pub(super) lists: BoxLists,
    pub(super) tasks: ColumnTasks,
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

    /// The columns in use.
    pub(super) fn columns(&self) -> Option<Columns> {
        self.choice.columns
    }

    /// Lists boxes in columns that suit them, which it returns.
    pub(super) fn list_all(&mut self, boxes: &[Aabb]) -> Columns {
        let Self { choice, lists, found, .. } = self;
        let tests = found.take().map(|found| found.tests);
        let fill =
            |columns: &Columns| lists.fill(columns, boxes, MAX_LISTINGS * boxes.len(), |_| true);
        let columns = choice.list([boxes], |_, b| !b.is_empty(), tests, fill);
        self.objects = boxes.len();
        (self.listings, self.straddlers) = self.lists.counts();
        columns
    }

    /// Gives each task columns with about as many of the listed boxes.
    pub(super) fn divide(&mut self) {
        let Self { choice, lists, tasks, objects, .. } = self;
        tasks.distribute(*objects, SEARCH_NANOS, choice.count(), |column| lists.len(column));
    }

    /// Keeps the work of a full search, since later searches reuse the tasks.
    pub(super) fn count(&mut self) {
        self.found = Some(self.tasks.found());
    }
}

memory!(Grid: lists, tasks, choice);

impl Structure for Grid {
    fn update(&mut self, frame: &Frame<'_>) {
        self.list_all(frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.divide();
        let Self { lists, tasks, .. } = self;
        tasks.run(pairs, |task, column, pairs| {
            if lists.len(column) < 2 || frame.is_stopped() {
                return;
            }
            let sorted = task.sweeper.sort(column, lists.bins());
            task.found += sweep(sorted, 0..sorted.filled(), Counted::all(frame), pairs);
        });
        self.count();
    }

    fn counters(&self) -> Counters {
        let found = self.found.unwrap_or_default();
        Counters {
            tests: found.tests,
            nodes: self.choice.count() as u64,
            listings: self.listings,
            straddlers: self.straddlers,
            duplicates: found.duplicates,
            rebuilds: u64::from(self.choice.is_rechosen),
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.validate_columns(frame.boxes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::brute_force::AllPairs;
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

    /// Boxes that overlap a few others, in a cube.
    fn cube(side: usize) -> Vec<Aabb> {
        let at = |i: usize| [i % side, i / side % side, i / side / side].map(|at| at as f32);
        let around = |i: usize| {
            Aabb::around_sphere(Vec3::from(at(i)) * 1.1, 0.3 + (i * 7 % 10) as f32 * 0.06)
        };
        (0..side * side * side).map(around).collect()
    }

    #[test]
    fn boxes_that_touch_too_many_stated_columns_get_one() {
        // Every box reaches over a quarter of the cube.
        let boxes: Vec<_> = cube(6).iter().map(|b| Aabb::around_sphere(b.center(), 0.9)).collect();
        let expected = pairs_of(&mut AllPairs::default(), &boxes);
        for (stated, columns) in [(3, 9), (16, 1)] {
            let mut grid = Grid::of(stated);
            for frame in 0..40 {
                assert!(pairs_of(&mut grid, &boxes) == expected, "{stated}, frame {frame}");
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
        for (at, b) in boxes.iter_mut().enumerate().skip(1).step_by(4) {
            let [low, high] = [-1e3, 1e3].map(|end| Vec3::splat(end).with_x(at as f32 * 0.001));
            *b = Aabb::new(low, high);
        }
        let pairs = pairs_of(&mut grid, &boxes);
        assert_eq!(grid.counters().rebuilds, 1, "the columns are still the same");
        assert!(grid.counters().listings <= (MAX_LISTINGS * boxes.len()) as u64);
        assert!(pairs == pairs_of(&mut AllPairs::default(), &boxes));
    }
}
