//! The cost of each policy, simulated with a sample of the objects.
//!
//! The life of a fat AABB depends on the kind of motion: straight flight, diffusion and jitter about a
//! place need other margins, and stop and go needs another one in each phase. No formula for the kinds is
//! fitted. Each policy is simulated instead, with a few of the objects: their boxes are enlarged, escape, are
//! searched for, and are enlarged again, by the rules of a real cache. The sampled objects represent
//! all.

mod growth;
mod sample;
mod simulated;

use super::costs::{Outlook, Scene};
use super::policy::{ALL, Inflation, POLICIES};
use crate::Aabb;
use crate::memory::memory;
use crate::simd::level;
use fearless_simd::{Simd, dispatch};
use growth::Growth;
use sample::Sample;
use simulated::{Input, SimulatedCache};

/// Simulates all policies with a sample of the objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Forecast {
    pub(super) sample: Sample,
    /// One for each policy.
    caches: [SimulatedCache; POLICIES],
    growth: Growth,
    /// Frames since the one in which the sample was drawn.
    age: u32,
}

memory!(Forecast: sample, caches);

impl Forecast {
    /// The cost of a policy.
    pub(super) fn outlook(&self, policy: usize) -> Outlook {
        self.caches[policy].outlook
    }

    /// Whether the sample was drawn in the frame before, and from as many objects.
    pub(super) fn knows_one_motion(&self, objects: usize) -> bool {
        self.age == 1 && self.sample.drawn_for == objects
    }

    /// The share of the objects that would leave the fat AABBs of a policy within some frames.
    pub(super) fn escaping_within(&self, frames: f32, policy: usize) -> f32 {
        let (sample, inflation) = (&self.sample, Inflation::new(ALL[policy], self.sample.side));
        // One that appears or vanishes has no motion.
        let escapes = |at: &usize| {
            let motion = sample.motions[*at];
            motion.is_finite() && inflation.escapes_within(frames, &sample.boxes.get(*at), motion)
        };
        sample.share((0..sample.len()).filter(escapes).count() as u32)
    }

    /// Takes over how many candidate pairs a real build gave, in relation to the pairs.
    pub(super) fn learn_candidates(&mut self, policy: usize, candidates: f32, pairs: f32) {
        self.growth.candidates.learn(self.caches[policy].volume, candidates / pairs);
    }

    /// Takes over what a real build cost, in relation to a full search of as many objects.
    pub(super) fn learn_build(&mut self, policy: usize, ratio: f32) {
        self.growth.build.learn(self.caches[policy].volume, ratio);
    }

    /// Cost of a build in relation to a full search.
    pub(super) fn build_ratio(&self, policy: usize) -> f32 {
        self.growth.build.ratio(self.caches[policy].volume)
    }

    /// The same for those objects that do not rest.
    pub(super) fn insertion_ratio(&self, policy: usize) -> f32 {
        self.caches[policy].insertion_ratio.max(1.0)
    }

    /// Simulates a frame.
    pub(super) fn step(&mut self, boxes: &[Aabb], scene: Scene) {
        let is_first = self.sample.update(boxes);
        if is_first {
            (self.growth, self.age) = Default::default();
            self.caches = Default::default();
        } else {
            self.age = self.age.saturating_add(1);
        }
        dispatch!(level(), simd => self.simulate(simd, scene, is_first));
    }

    #[inline(always)]
    fn simulate<S: Simd>(&mut self, simd: S, scene: Scene, is_first: bool) {
        let Self { sample, caches, growth, .. } = self;
        for (policy, cache) in ALL.into_iter().zip(caches) {
            let inflation = Inflation::new(policy, sample.side);
            let input = Input { sample, inflation, growth: *growth, scene };
            if is_first {
                cache.begin(&input);
            } else {
                cache.step(simd, &input);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::{FIRST, Policy, RESTING};
    use super::*;
    use glam::Vec3;

    /// Small boxes that do not touch.
    fn lattice(n: usize) -> Vec<Aabb> {
        let place = |i: usize| Vec3::from([i % 16, i / 16 % 16, i / 256].map(|at| at as f32 * 1.5));
        (0..n).map(|i| Aabb::around_sphere(place(i), 0.5)).collect()
    }

    /// The policy with the lowest mean cost after some frames, in which each object moves by `way`.
    fn best_after(frames: usize, way: impl Fn(usize, usize) -> Vec3) -> (Policy, f32) {
        let mut boxes = lattice(4096);
        let mut forecast = Forecast::default();
        let scene = Scene { objects: 4096.0, pairs: 4096.0, search: 4096.0 * 60.0, columns: 9.0 };
        for number in 0..frames {
            for (object, b) in boxes.iter_mut().enumerate() {
                let way = way(number, object);
                *b = Aabb::new(b.min + way, b.max + way);
            }
            forecast.step(&boxes, scene);
        }
        let means = (0..POLICIES).map(|policy| (policy, forecast.outlook(policy).mean));
        let (best, mean) = means.min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
        (ALL[best], mean / scene.search)
    }

    /// Back and forth.
    fn oscillate(number: usize, by: f32) -> Vec3 {
        Vec3::splat(if number.is_multiple_of(2) { by } else { -by })
    }

    #[test]
    fn cache_pays_after_five_frames() {
        let ways: [&dyn Fn(usize, usize) -> Vec3; 3] =
            [&|_, _| Vec3::ZERO, &|number, _| oscillate(number, 0.01), &|_, _| Vec3::splat(0.02)];
        for (kind, way) in ways.into_iter().enumerate() {
            let (policy, mean) = best_after(5, way);
            assert!(mean < 0.6, "kind {kind}: {policy:?} costs {mean}");
        }
    }

    #[test]
    fn costs_are_positive_in_the_frame_of_a_new_sample() {
        let boxes = [Aabb::around_sphere(Vec3::ONE, 0.5); 300];
        let scene = Scene { objects: 300.0, pairs: 10.0, search: 3000.0, columns: 1.0 };
        let mut forecast = Forecast::default();
        for objects in [200, 200, 200, 300, 300, 1, 0, 200] {
            forecast.step(&boxes[..objects], scene);
            for policy in 0..POLICIES {
                let Outlook { mean, running, build } = forecast.outlook(policy);
                let are_right = [mean, running, build].iter().all(|c| *c > 0.0 && c.is_finite());
                assert!(are_right, "{objects} objects, policy {policy}: {mean} {running} {build}");
            }
        }
    }

    #[test]
    fn absent_objects_do_not_hide_the_size_of_fat_aabbs() {
        let present = lattice(300);
        let scene = Scene { objects: 300.0, pairs: 300.0, search: 18_000.0, columns: 1.0 };
        let mut forecast = Forecast::default();
        for frame in 0..20 {
            let boxes = present.iter().enumerate().map(|(object, b)| {
                let way = (frame * (1 + object % 7)) as f32 * 0.01;
                // Each is absent in three of twelve frames, not all in the same ones.
                let is_absent = (frame + object * 5) % 12 < 3;
                if is_absent { Aabb::EMPTY } else { Aabb::new(b.min + way, b.max + way) }
            });
            forecast.step(&boxes.collect::<Vec<_>>(), scene);
            let volume = forecast.caches[FIRST].volume;
            assert!(frame == 0 || (1.55..1.57).contains(&volume), "{volume} in frame {frame}");
        }
    }

    #[test]
    fn large_boxes_do_not_hide_the_growth_of_others() {
        let mut boxes = lattice(8192);
        boxes.iter_mut().step_by(40).for_each(|b| *b = Aabb::around_sphere(b.center(), 1e3));
        let scene = Scene { objects: 8192.0, pairs: 8192.0, search: 5e5, columns: 1.0 };
        let mut forecast = Forecast::default();
        (0..3).for_each(|_| forecast.step(&boxes, scene));
        let of_all = forecast.caches.last().unwrap().volume;
        assert!((1.8..3.3).contains(&of_all), "{of_all}, where each small box grows to 3.37");
    }

    #[test]
    fn objects_that_vanished_for_good_cost_nothing() {
        let mut boxes = lattice(4096);
        let scene = Scene { objects: 4096.0, pairs: 8192.0, search: 2e5, columns: 9.0 };
        let mut forecast = Forecast::default();
        for frame in 0..80 {
            for b in boxes.iter_mut().step_by(3) {
                let moved = Aabb::new(b.min + 0.02, b.max + 0.02);
                *b = if frame < 10 { moved } else { Aabb::EMPTY };
            }
            forecast.step(&boxes, scene);
        }
        let resting = forecast.outlook(RESTING).mean / scene.search;
        assert!(resting < 0.2, "the others rest, and cost {resting}");
    }

    #[test]
    fn policy_suits_the_motion() {
        let (policy, mean) = best_after(60, |_, _| Vec3::X * 0.1);
        assert!(policy.frames >= 6.0 && mean < 0.6, "straight flight: {policy:?} costs {mean}");
        let (policy, mean) = best_after(60, |number, _| oscillate(number, 0.06));
        let is_wide = (0.06..=0.3).contains(&policy.margin);
        assert!(is_wide && mean < 0.3, "jitter: {policy:?} costs {mean}");
        let some = |number: usize, object: usize| match object % 50 {
            0 => oscillate(number / 3, 3.0),
            _ => Vec3::ZERO,
        };
        let (policy, mean) = best_after(60, some);
        assert!(!policy.is_for_resting && mean < 0.4, "few fast ones: {policy:?} costs {mean}");
        let others = |number: usize, object: usize| match (object * 7 + number) % 10 {
            0 => oscillate(number, 0.01),
            _ => Vec3::ZERO,
        };
        for frames in [4, 60] {
            let (policy, mean) = best_after(frames, others);
            let is_right = policy.is_for_resting && mean < 0.7;
            assert!(is_right, "others each frame, after {frames}: {policy:?} costs {mean}");
        }
        let (policy, mean) = best_after(60, |number, object| {
            let turn = (number * 7919 + object * 104_729) as f32;
            Vec3::new(turn.sin(), (turn * 1.7).sin(), (turn * 2.3).sin()) * 5.0
        });
        assert!(mean > 0.95, "no policy pays for random jumps: {policy:?} costs {mean}");
    }
}
