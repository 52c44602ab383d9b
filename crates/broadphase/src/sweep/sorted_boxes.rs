//! Boxes in the order of their lower bounds on an axis, and the pairs among them.

use super::blocks::{self, Block, Sorted, axes_from};
use super::search::{Counted, sweep};
use crate::inspect::{Endpoint, Mark, SweepBlock};
use crate::memory::memory;
use crate::parallel::{OrderedTasks, tasks_for, threads_for};
use crate::radix_sort::Keyed;
use crate::simd::LANES;
use crate::{Aabb, Axis, Frame, Pair};

/// All boxes of a frame that are swept together.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedBoxes {
    axis: usize,
    /// Number of boxes.
    pub(crate) len: usize,
    /// The boxes in their order, and an empty block at the end.
    pub(crate) blocks: Vec<Block>,
    /// Each keeps its number of tests.
    tasks: OrderedTasks<u64>,
}

memory!(SortedBoxes: blocks, tasks);

impl SortedBoxes {
    /// Time to search for the pairs of an object, in nanoseconds (measured for a few thousand of a gas; it grows
    /// with the number of objects).
    pub(crate) const NANOS_PER_OBJECT: usize = 60;

    /// Copies boxes in the order of their lower bounds on an axis.
    pub(crate) fn fill(&mut self, order: &[Keyed], boxes: &[Aabb], axis: usize) {
        (self.axis, self.len) = (axis, order.len());
        blocks::fill(&mut self.blocks, order, boxes, axis);
    }

    /// Appends every pair of boxes that overlap, each once.
    pub(crate) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let rows = self.len.div_ceil(LANES);
        let count = tasks_for(threads_for(self.len, Self::NANOS_PER_OBJECT)).min(rows.max(1));
        let sorted = Sorted { blocks: &self.blocks, away: &[] };
        self.tasks.resize(count);
        self.tasks.run(pairs, |task, tests, pairs| {
            let rows = rows * task / count..rows * (task + 1) / count;
            *tests = sweep(sorted, rows, Counted::all(frame), pairs).tests;
        });
    }

    /// The axis swept along.
    pub(crate) fn axis(&self) -> Axis {
        Axis::ALL[self.axis]
    }

    /// Tests of the last search.
    pub(crate) fn tests(&self) -> u64 {
        self.tasks.sum(|tests| *tests)
    }

    fn object(&self, position: usize) -> u32 {
        self.blocks[position / LANES].objects[position % LANES]
    }

    /// The ends of a box on the axis.
    fn ends(&self, position: usize) -> [f32; 2] {
        let (block, lane) = (&self.blocks[position / LANES], position % LANES);
        [block.min[0][lane], block.max[0][lane]]
    }

    /// Visits both objects of every test of a search.
    pub(crate) fn visit_tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        for position in 0..self.len {
            let (object, [_, high]) = (self.object(position), self.ends(position));
            // Until one begins after this one ends.
            let run = (position + 1..self.len).take_while(|other| self.ends(*other)[0] <= high);
            run.for_each(|other| visit(object, self.object(other), None));
        }
    }

    /// Visits both ends of each box.
    pub(crate) fn visit_ends(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        for position in 0..self.len {
            let [low, high] = self.ends(position);
            Endpoint::visit_both(self.axis(), self.object(position), low, high, visit);
        }
    }

    /// Visits the blocks with boxes.
    pub(crate) fn visit_blocks(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let axis = self.axis();
        for (place, block) in (0..).zip(&self.blocks[..self.len.div_ceil(LANES)]) {
            let (objects, bounds) = block.filled(self.axis);
            visit(Mark::Block(SweepBlock { axis, region: 0, place, objects, bounds }));
        }
    }

    /// Panics unless the blocks hold exactly the boxes of some objects, in their order.
    pub(crate) fn validate(&self, order: &[Keyed], boxes: &[Aabb]) {
        assert_eq!(self.len, order.len(), "an object is missing from the sweep, or left over");
        assert_eq!(
            self.blocks.len(),
            self.len.div_ceil(LANES) + 1,
            "blocks are missing or left over"
        );
        let axes = axes_from(self.axis);
        for position in 0..self.blocks.len() * LANES {
            let held = |block: &Block, lane: usize| {
                (block.min.map(|b| b[lane]), block.max.map(|b| b[lane]), block.objects[lane])
            };
            let expected = match order.get(position) {
                Some(keyed) => {
                    let b = &boxes[keyed.object as usize];
                    (axes.map(|axis| b.min[axis]), axes.map(|axis| b.max[axis]), keyed.object)
                }
                // Lanes behind the last box must end every run, and be in none.
                None => held(&Block::EMPTY, 0),
            };
            let found = held(&self.blocks[position / LANES], position % LANES);
            assert_eq!(found, expected, "position {position}: another box");
        }
    }
}
