//! The tests of each object, and the blocks.

use super::BoxPruning;
use crate::Axis;
use crate::inspect::add_tests;
use crate::inspect::{Inspect, SweepBlock};
use crate::sweep::LANES;

impl Inspect for BoxPruning {
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        let bound = |of: &[[f32; LANES]; 3], position: usize| of[0][position % LANES];
        let low = |position: usize| bound(&self.blocks[position / LANES].min, position);
        let present = &self.order[..self.present];
        // A box is tested against its own run, and against each earlier box whose run includes it.
        let mut ended = vec![0u32; self.present + 1];
        let mut open = 0;
        for (position, keyed) in present.iter().enumerate() {
            open -= ended[position];
            let high = bound(&self.blocks[position / LANES].max, position);
            let mut end = position + 1;
            while end < self.present && low(end) <= high {
                end += 1;
            }
            add_tests(tests, keyed.object, open as usize + (end - position - 1));
            open += 1;
            ended[end] += 1;
        }
    }

    fn blocks(&self, visit: &mut dyn FnMut(SweepBlock<'_>)) {
        let filled = self.present.div_ceil(LANES);
        for (place, block) in (0..).zip(&self.blocks[..filled]) {
            let (objects, bounds) = block.filled(self.axis);
            visit(SweepBlock { axis: Axis::ALL[self.axis], region: 0, place, objects, bounds });
        }
    }
}
