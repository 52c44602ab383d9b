//! The sampled objects: their boxes, how they move, and which of them rest.

use super::super::policy::{REST, mean_side};
use crate::Aabb;
use crate::memory::memory;
use crate::sample::sample;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};
use glam::Vec3A;

const LANES: usize = 16;

/// Most objects of a sample: one bit each.
pub(super) const MAX_SAMPLED: usize = 64;

/// One object of this many is sampled, but at least one vector of them and at most [`MAX_SAMPLED`].
const SHARE: usize = 128;

/// A sample is kept until one object for each of this many is added. With a new one, the forecast starts again: if one object were
/// added in each frame, it would never know any motion.
const OBJECTS_PER_ADDED: usize = 8;

/// The bits of objects, as positions in the sample.
pub(super) fn positions(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        let is_any = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_any.then_some(at)
    })
}

/// Bounds of the sampled boxes, one after the other: the lower ones, then the upper ones.
#[derive(Clone, Debug)]
pub(super) struct Bounds([[f32; MAX_SAMPLED]; 6]);

impl Default for Bounds {
    fn default() -> Self {
        let [low, high] = [[f32::INFINITY; MAX_SAMPLED], [f32::NEG_INFINITY; MAX_SAMPLED]];
        Self([low, low, low, high, high, high])
    }
}

impl Bounds {
    pub(super) fn get(&self, at: usize) -> Aabb {
        let bound = |axis: usize| self.0[axis][at];
        Aabb::new([0, 1, 2].map(bound).into(), [3, 4, 5].map(bound).into())
    }

    /// Sets a box. True if it was another one.
    pub(super) fn set(&mut self, at: usize, b: &Aabb) -> bool {
        let bounds: &[f32; 6] = bytemuck::cast_ref(b);
        let mut changes = false;
        for (all, bound) in self.0.iter_mut().zip(bounds) {
            changes |= all[at].to_bits() != bound.to_bits();
            all[at] = *bound;
        }
        changes
    }
}

/// A few objects, whose motion represents that of all.
#[derive(Clone, Debug, Default)]
pub(in crate::caching) struct Sample {
    /// Objects of the scene for which the sample was drawn.
    pub(super) drawn_for: usize,
    objects: Vec<u32>,
    pub(super) boxes: Bounds,
    /// A bit for each object whose box is another one than in the frame before.
    pub(super) changed: u64,
    /// The same since the last frame whose number is a multiple of [`REST`], and since the one before.
    changed_now: u64,
    changed_lately: u64,
    /// Motion of each object since the last frame, units.
    pub(super) motions: Vec<Vec3A>,
    /// Mean side of the median box, units.
    pub(in crate::caching) side: f32,
    /// Boxes that it was measured of: those present when the sample was drawn. Measured again when more than twice as many are.
    measured: usize,
    /// Scratch.
    sides: Vec<f32>,
    /// The number of the present frame.
    pub(super) frame: u32,
}

memory!(Sample: objects, sides, motions);

impl Sample {
    /// Takes over the boxes of a frame. True where the sample is drawn in this frame.
    pub(super) fn update(&mut self, boxes: &[Aabb]) -> bool {
        let is_drawn = !self.suits(boxes.len());
        if is_drawn {
            self.draw(boxes);
        }
        self.frame = self.frame.wrapping_add(1);
        self.changed = 0;
        for (at, object) in self.objects.iter().enumerate() {
            let b = &boxes[*object as usize];
            self.motions[at] = Vec3A::from(b.min) - Vec3A::from(self.boxes.get(at).min);
            self.changed |= u64::from(self.boxes.set(at, b)) << at;
        }
        self.changed_now |= if is_drawn { u64::MAX } else { self.changed };
        self.changed_lately |= self.changed_now;
        if self.frame.is_multiple_of(REST) {
            self.changed_lately = std::mem::take(&mut self.changed_now);
        }
        let is_any_unmeasured = self.measured < self.len();
        if is_drawn || (is_any_unmeasured && self.present().count() > 2 * self.measured) {
            self.measure_side();
        }
        is_drawn
    }

    /// Whether it represents that many objects: few were added.
    fn suits(&self, objects: usize) -> bool {
        (self.drawn_for..=self.drawn_for + self.drawn_for / OBJECTS_PER_ADDED).contains(&objects)
    }

    fn draw(&mut self, boxes: &[Aabb]) {
        self.drawn_for = boxes.len();
        let wanted = (boxes.len() / SHARE).clamp(LANES, MAX_SAMPLED) / LANES * LANES;
        self.objects.clear();
        self.objects.reserve(MAX_SAMPLED);
        self.objects
            .extend(sample(boxes, wanted).map(|(object, _)| object as u32).take(MAX_SAMPLED));
        self.boxes = Bounds::default();
        self.motions.clear();
        self.motions.resize(MAX_SAMPLED, Vec3A::ZERO);
    }

    /// The median, not the mean over all boxes: one ground among small boxes would dominate that.
    fn measure_side(&mut self) {
        let mut sides = std::mem::take(&mut self.sides);
        sides.clear();
        sides.reserve(MAX_SAMPLED);
        sides.extend(self.present().map(|b| mean_side(&b)));
        self.sides = sides;
        self.measured = self.sides.len();
        let middle = self.sides.len() / 2;
        if middle < self.sides.len() {
            self.side = *self.sides.select_nth_unstable_by(middle, f32::total_cmp).1;
        }
    }

    /// The boxes of objects that are present.
    fn present(&self) -> impl Iterator<Item = Aabb> {
        (0..self.len()).map(|at| self.boxes.get(at)).filter(|b| !b.is_empty())
    }

    pub(in crate::caching) fn len(&self) -> usize {
        self.objects.len()
    }

    /// A bit for each object.
    pub(super) fn all(&self) -> u64 {
        u64::MAX >> (MAX_SAMPLED - self.len().clamp(1, MAX_SAMPLED))
    }

    /// A bit for each object that rests.
    pub(super) fn resting(&self) -> u64 {
        !self.changed_lately
    }

    /// The share of the objects whose box changed since the last frame.
    pub(in crate::caching) fn moving_share(&self) -> f32 {
        self.share(self.changed.count_ones())
    }

    /// The share of the objects that rest.
    pub(in crate::caching) fn resting_share(&self) -> f32 {
        let moving = self.changed_lately.count_ones().min(self.len() as u32);
        1.0 - self.share(moving)
    }

    /// The share of the sample that `count` objects are.
    pub(super) fn share(&self, count: u32) -> f32 {
        count as f32 / self.len().max(1) as f32
    }

    /// The same for each object of the sample.
    pub(in crate::caching) fn each_stands_for(&self) -> f32 {
        self.drawn_for as f32 / self.len().max(1) as f32
    }

    /// A bit for each object whose box is not in its fat AABB.
    #[inline(always)]
    pub(super) fn outside<S: Simd>(&self, simd: S, fat: &Bounds) -> u64 {
        let mut outside = 0;
        for first in (0..self.len()).step_by(LANES) {
            let of = |bounds: &Bounds, bound: usize| {
                f32x16::from_slice(simd, &bounds.0[bound][first..first + LANES])
            };
            let mut here = of(&self.boxes, 0).simd_lt(of(fat, 0));
            for bound in 1..3 {
                here |= of(&self.boxes, bound).simd_lt(of(fat, bound));
            }
            for bound in 3..6 {
                here |= of(&self.boxes, bound).simd_gt(of(fat, bound));
            }
            outside |= (here.to_bitmask() & 0xffff) << first;
        }
        outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn side_is_measured_once_objects_are_present() {
        let cube = |side: f32| Aabb::new(Vec3::ZERO, Vec3::splat(side));
        let mut sample = Sample::default();
        let mut boxes = [Aabb::EMPTY; 300];
        assert!(sample.update(&boxes));
        assert_eq!(sample.side, 0.0);
        boxes.fill(cube(2.0));
        assert!(!sample.update(&boxes), "as many objects");
        assert_eq!(sample.side, 2.0);
        boxes.fill(cube(3.0));
        sample.update(&boxes);
        assert_eq!(sample.side, 2.0, "all were measured");
    }

    #[test]
    fn sample_is_kept_while_few_objects_are_added() {
        let boxes = [Aabb::EMPTY; 300];
        let mut sample = Sample::default();
        let drawn =
            [200, 201, 225, 226, 226, 225, 0].map(|objects| sample.update(&boxes[..objects]));
        assert_eq!(drawn, [true, false, false, true, false, true, true]);
    }
}
