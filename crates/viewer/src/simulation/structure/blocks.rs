//! The blocks of a sweep, and the run of the picked object.

use super::tree_boxes::MAX_BOXES;
use broadphase::inspect::{Inspect, Mark, Overlay, SweepBlock};
use broadphase::{Aabb, Axis};

/// A block of up to sixteen boxes that a sweep compares together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The axis of the sweep.
    pub axis: Axis,
    /// The leaf or cell that is swept.
    pub region: u32,
    /// Its place in the sweep, from 0.
    pub place: u32,
    /// Bounds of its boxes.
    pub bounds: Aabb,
    /// Whether it holds the inspected object.
    pub is_own: bool,
}

/// The blocks of all sweeps.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// Those of one sweep, the longest; with an inspected object those of its sweeps, if it is in a block. Above
    /// [`MAX_BOXES`], every n-th one.
    pub kept: Vec<Block>,
    /// The number of all.
    pub number: usize,
    /// The number of sweeps.
    pub sweeps: usize,
    /// Blocks in the longest sweep.
    pub longest: u32,
}

impl Blocks {
    pub(super) fn fill(&mut self, inspect: &dyn Inspect, picked: Option<u32>) {
        let is_own = |block: &SweepBlock<'_>| picked.is_some_and(|o| block.objects.contains(&o));
        let (mut own, mut longest_sweep) = (Vec::new(), 0);
        inspect.marks(Overlay::Blocks, &mut |mark| {
            let Mark::Block(block) = mark else { return };
            self.number += 1;
            self.sweeps += usize::from(block.place == 0);
            if block.place >= self.longest {
                (self.longest, longest_sweep) = (block.place + 1, block.region);
            }
            if is_own(&block) {
                own.push(block.region);
            }
        });
        if own.is_empty() {
            own.push(longest_sweep);
        }
        let mut passed = 0usize;
        // A sweep has no more blocks than the longest.
        let stride = (own.len() * self.longest as usize).div_ceil(MAX_BOXES).max(1);
        inspect.marks(Overlay::Blocks, &mut |mark| {
            let Mark::Block(block) = mark else { return };
            if !own.contains(&block.region) {
                return;
            }
            if passed.is_multiple_of(stride) || is_own(&block) {
                let SweepBlock { axis, region, place, bounds, .. } = block;
                let is_own = is_own(&block);
                self.kept.push(Block { axis, region, place, bounds, is_own });
            }
            passed += 1;
        });
    }

    /// The blocks with which an object of this box is compared: from its own to the last that begins before it
    /// ends, in each of its sweeps.
    pub fn run(&self, b: Aabb) -> impl Iterator<Item = &Block> {
        let own: Vec<&Block> = self.kept.iter().filter(|block| block.is_own).collect();
        self.kept.iter().filter(move |block| {
            let axis = block.axis.index();
            let follows = |own: &&Block| own.region == block.region && own.place <= block.place;
            block.bounds.min[axis] <= b.max[axis] && own.iter().any(follows)
        })
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        (self.number, self.sweeps, self.longest) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn run_goes_from_the_own_block_to_the_end_of_the_box() {
        let block = |region: u32, place: u32, is_own: bool| {
            let low = Vec3::X * place as f32;
            let bounds = Aabb::new(low, low + Vec3::new(0.9, 1.0, 1.0));
            Block { axis: Axis::X, region, place, bounds, is_own }
        };
        let places = (0..6).map(|place| block(0, place, place == 2));
        let kept = places.chain((0..6).map(|place| block(1, place, false))).collect();
        let blocks = Blocks { kept, ..Blocks::default() };
        let run = |end: f32| -> Vec<(u32, u32)> {
            let b = Aabb::new(Vec3::X * 2.5, Vec3::new(end, 1.0, 1.0));
            blocks.run(b).map(|block| (block.region, block.place)).collect()
        };
        assert_eq!(run(2.6), [(0, 2)]);
        assert_eq!(run(4.0), [(0, 2), (0, 3), (0, 4)]);
    }
}
