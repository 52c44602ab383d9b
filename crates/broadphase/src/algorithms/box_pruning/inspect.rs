//! The tests of each object, and the blocks.

use super::Pruning;
use crate::Axis;
use crate::inspect::{Endpoint, Inspect, Mark, Overlay, SweepBlock, SweptList};
use crate::sweep::LANES;
use std::ops::Range;

impl Pruning {
    /// The positions of the boxes that the one at a position is tested against: those that follow, until one begins
    /// after it ends.
    fn run(&self, position: usize) -> Range<usize> {
        let bound = |of: &[[f32; LANES]; 3], position: usize| of[0][position % LANES];
        let high = bound(&self.blocks[position / LANES].max, position);
        let is_met = |next: &usize| bound(&self.blocks[next / LANES].min, *next) <= high;
        let first = position + 1;
        first..first + (first..self.present).take_while(is_met).count()
    }
}

impl Inspect for Pruning {
    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        for position in 0..self.present {
            let object = |position: usize| self.order[position].object;
            self.run(position).for_each(|other| visit(object(position), object(other)));
        }
    }

    fn sweeps(&self, object: u32, visit: &mut dyn FnMut(SweptList<'_>)) {
        let objects: Vec<u32> =
            self.order[..self.present].iter().map(|keyed| keyed.object).collect();
        if objects.contains(&object) {
            let axis = Axis::ALL[self.axis];
            visit(SweptList { region: 0, axis, plane: None, objects: &objects });
        }
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let axis = Axis::ALL[self.axis];
        match overlay {
            Overlay::Endpoints => {
                for (position, keyed) in self.order[..self.present].iter().enumerate() {
                    let (block, lane) = (&self.blocks[position / LANES], position % LANES);
                    let [low, high] = [block.min[0][lane], block.max[0][lane]];
                    Endpoint::visit_both(axis, keyed.object, low, high, visit);
                }
            }
            Overlay::Blocks => {
                let filled = self.present.div_ceil(LANES);
                for (place, block) in (0..).zip(&self.blocks[..filled]) {
                    let (objects, bounds) = block.filled(self.axis);
                    visit(Mark::Block(SweepBlock { axis, region: 0, place, objects, bounds }));
                }
            }
            _ => {}
        }
    }
}
