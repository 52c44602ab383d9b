//! What each policy would cost, played with a sample of the objects.
//!
//! The life of a fat AABB depends on the kind of motion: straight flight, diffusion and jitter about a
//! place need other margins, and stop and go needs another one in each phase. No formula for the kinds is
//! fitted. Each policy is played instead, with a few of the objects: their boxes are enlarged, escape, are
//! searched for, and are enlarged again, by the rule that a real cache follows. What the sampled objects do
//! stands for all.

use super::costs::COSTS;
use super::policy::{self, Class, Inflation, POLICIES, mean_side};
use crate::Aabb;
use crate::sample::sample;
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16};
use glam::Vec3A;

const LANES: usize = 16;

/// Most objects of a sample: a bit each.
const MOST: usize = 64;

/// One object of this many is sampled, but at least one vector of them and at most [`MOST`].
const SHARE: usize = 128;

/// An object that escapes costs this many insertions: it is also searched for until then, and leaves
/// candidate pairs behind.
const RETURN: f32 = 2.5;

/// Exponent by which the cost of a build grows with the volume of boxes, before one was seen.
const BUILD_GROWTH: f32 = 0.35;

/// How much of the mean cost remains after each frame.
const MEMORY: f32 = 1.0 - 1.0 / 24.0;

/// A play is hopeless where more than this share escapes in the frame after its boxes were enlarged. Then
/// it pauses, longer each time, up to the last number of frames.
const HOPELESS: f32 = 0.5;
const MOST_PAUSED: u32 = 4;

/// What a frame of a pause costs, in full searches: a little more than one.
const HOPELESS_COST: f32 = 1.1;

/// An object rests once it has not changed for this many frames; it is noticed at most as many frames later.
pub(super) const REST: u32 = 3;

/// The forecast sleeps after no policy was worth its cost for this many frames.
const AWAKE: u32 = 12;

/// Frames for which it sleeps: the first time, and at most where no policy pays after it wakes.
const ASLEEP: u32 = 32;
const MOST_ASLEEP: u32 = 128;

/// It wakes where the mean speed of the sampled objects falls below this share of what it was.
const SLOWER: f32 = 0.6;

/// Weight of the present frame in the mean speed.
const SPEED_NOW: f32 = 0.2;

/// Faster motions than this, units a frame, count as none, like appearing and vanishing: the sum is finite.
const LIGHT: f32 = 1e30;

/// What is known of a frame beside its boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// Objects, and pairs that overlap.
    pub(super) objects: f32,
    pub(super) pairs: f32,
    /// Cost of a full search.
    pub(super) search: f32,
    /// Columns of a cache.
    pub(super) columns: f32,
}

/// What a policy costs, in the units of [`COSTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Outlook {
    /// A frame on average, builds included.
    pub(super) mean: f32,
    /// A frame soon after a build.
    pub(super) running: f32,
    /// A build.
    pub(super) build: f32,
}

/// Plays all policies with a sample of the objects.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    /// Objects of the scene for which the sample was drawn.
    objects: usize,
    sample: Vec<u32>,
    boxes: Bounds,
    /// A bit for each sampled object whose box is another one than in the frame before.
    changed: u64,
    /// The same since the last frame whose number is a multiple of [`REST`], and since the one before.
    changed_now: u64,
    changed_lately: u64,
    /// How each moved since that frame, units.
    motions: Vec<Vec3A>,
    side: f32,
    sides: Vec<f32>,
    plays: Vec<Play>,
    frame: u32,
    /// Frames since a policy was worth its cost, or since the forecast fell asleep; and for how many it sleeps.
    hopeless_for: u32,
    asleep_for: u32,
    asleep: u32,
    /// How fast the sampled objects are, and were when it fell asleep: sums, units a frame.
    speed: f32,
    fell_asleep_at: f32,
    /// Exponents by which candidate pairs, and the cost of a build, grow with the volume of boxes.
    growth: f32,
    build_growth: f32,
}

/// Bounds of the sampled boxes, one after the other: the lower ones, then the upper ones.
#[derive(Clone, Debug)]
struct Bounds([[f32; MOST]; 6]);

impl Default for Bounds {
    fn default() -> Self {
        let [low, high] = [[f32::INFINITY; MOST], [f32::NEG_INFINITY; MOST]];
        Self([low, low, low, high, high, high])
    }
}

impl Bounds {
    fn get(&self, at: usize) -> Aabb {
        let bound = |axis: usize| self.0[axis][at];
        Aabb::new([0, 1, 2].map(bound).into(), [3, 4, 5].map(bound).into())
    }

    /// Sets a box; whether it was another one.
    fn set(&mut self, at: usize, b: &Aabb) -> bool {
        let bounds: &[f32; 6] = bytemuck::cast_ref(b);
        let mut changes = false;
        for (all, bound) in self.0.iter_mut().zip(bounds) {
            changes |= all[at].to_bits() != bound.to_bits();
            all[at] = *bound;
        }
        changes
    }
}

/// A policy in play.
#[derive(Clone, Debug, Default)]
struct Play {
    fat: Bounds,
    /// The lower corner of each object when its box was enlarged, or found to be fast; and the frame of that.
    anchors: Vec<Vec3A>,
    anchored_in: Vec<u32>,
    resting: u64,
    /// Objects that are searched for in each frame.
    fast: u64,
    /// The volume of fat AABBs in relation to that of boxes, and how many times as many candidate pairs there
    /// are as pairs.
    volume: f32,
    candidates: f32,
    /// How many times as much as a full search a build costs.
    build_ratio: f32,
    /// The same for objects that move: only these are inserted.
    insertion_ratio: f32,
    /// Frames since all boxes were enlarged.
    age: u32,
    /// Frames left of a pause, its length, and whether it ended in the last frame.
    paused: u32,
    pause: u32,
    resumes: bool,
    /// Sums of the costs, in full searches, and of the frames, those of earlier frames with less weight.
    cost: f32,
    frames: f32,
    outlook: Outlook,
}

impl Forecast {
    /// What a policy costs.
    pub(super) fn outlook(&self, policy: usize) -> Outlook {
        self.plays.get(policy).map_or(Outlook::default(), |play| play.outlook)
    }

    /// The mean side of a usual box, units.
    pub(super) fn side(&self) -> f32 {
        self.side
    }

    /// Takes over how many candidate pairs a real build gave, in relation to the pairs.
    pub(super) fn learn_candidates(&mut self, policy: usize, candidates: f32, pairs: f32) {
        let Some(play) = self.plays.get(policy).filter(|_| pairs > 32.0) else { return };
        learn(&mut self.growth, play.volume, candidates / pairs);
    }

    /// Takes over what a real build cost, in relation to a full search of as many objects.
    pub(super) fn learn_build(&mut self, policy: usize, ratio: f32) {
        let Some(play) = self.plays.get(policy) else { return };
        learn(&mut self.build_growth, play.volume, ratio);
    }

    /// How many times as much as a full search a build costs.
    pub(super) fn build_ratio(&self, policy: usize) -> f32 {
        self.plays.get(policy).map_or(1.0, |play| play.volume.powf(self.build_growth))
    }

    /// The same for those objects that do not rest.
    pub(super) fn insertion_ratio(&self, policy: usize) -> f32 {
        self.plays.get(policy).map_or(1.0, |play| play.insertion_ratio.max(1.0))
    }

    /// Draws the sample.
    fn begin(&mut self, boxes: &[Aabb]) {
        self.objects = boxes.len();
        let wanted = (boxes.len() / SHARE).clamp(LANES, MOST) / LANES * LANES;
        self.sample.clear();
        self.sample.reserve(MOST);
        self.sample.extend(sample(boxes, wanted).1.map(|(object, _)| object as u32).take(MOST));
        self.boxes = Bounds::default();
        (self.hopeless_for, self.asleep_for, self.asleep) = (0, 0, 0);
        self.speed = 0.0;
        self.motions.clear();
        self.motions.resize(MOST, Vec3A::ZERO);
        (self.growth, self.build_growth) = (1.0, BUILD_GROWTH);
        self.plays.clear();
        self.plays.resize_with(POLICIES, Play::default);
    }

    /// The usual side: not the mean, which one ground among small boxes decides.
    fn measure_side(&mut self) {
        self.sides.clear();
        self.sides.reserve(MOST);
        let boxes = (0..self.sample.len()).map(|at| self.boxes.get(at));
        self.sides.extend(boxes.filter(|b| !b.is_empty()).map(|b| mean_side(&b)));
        let middle = self.sides.len() / 2;
        if middle < self.sides.len() {
            self.side = *self.sides.select_nth_unstable_by(middle, f32::total_cmp).1;
        }
    }

    /// Plays a frame.
    pub(super) fn step(&mut self, boxes: &[Aabb], scene: Scene) {
        let is_first = self.objects != boxes.len();
        if is_first {
            self.begin(boxes);
        }
        self.frame = self.frame.wrapping_add(1);
        self.changed = 0;
        for (at, object) in self.sample.iter().enumerate() {
            let b = &boxes[*object as usize];
            self.motions[at] = Vec3A::from(b.min) - Vec3A::from(self.boxes.get(at).min);
            self.changed |= u64::from(self.boxes.set(at, b)) << at;
        }
        self.note_changes(is_first);
        if is_first {
            self.measure_side();
        } else if self.sleeps(scene) {
            return;
        }
        dispatch!(level(), simd => self.play(simd, scene, is_first));
    }

    /// Notes which objects changed lately.
    fn note_changes(&mut self, is_first: bool) {
        self.changed_now |= if is_first { u64::MAX } else { self.changed };
        self.changed_lately |= self.changed_now;
        if self.frame.is_multiple_of(REST) {
            self.changed_lately = std::mem::take(&mut self.changed_now);
        }
    }

    /// How many objects each of the sample stands for.
    pub(super) fn each_stands_for(&self) -> f32 {
        self.objects as f32 / self.sample.len().max(1) as f32
    }

    /// The share of the objects that rest.
    pub(super) fn resting(&self) -> f32 {
        let moving = self.changed_lately.count_ones().min(self.sample.len() as u32) as f32;
        1.0 - moving / self.sample.len().max(1) as f32
    }

    /// Whether no policy is played in this frame, since none was worth its cost lately.
    fn sleeps(&mut self, scene: Scene) -> bool {
        let speeds = self.motions.iter().map(|motion| motion.length().min(LIGHT));
        let speed: f32 = speeds.filter(|speed| *speed < LIGHT).sum();
        self.speed += (speed - self.speed) * SPEED_NOW;
        if self.asleep_for > 0 {
            self.asleep_for += 1;
            let is_slower = self.speed < SLOWER * self.fell_asleep_at;
            if self.asleep_for <= self.asleep && !is_slower {
                return true;
            }
            if is_slower {
                self.asleep = 0;
            }
            (self.asleep_for, self.hopeless_for) = (0, 0);
            self.plays.iter_mut().for_each(Play::wake);
            return false;
        }
        let is_any_of_use = self.plays.iter().any(|play| play.outlook.mean < scene.search);
        if is_any_of_use {
            (self.hopeless_for, self.asleep) = (0, 0);
        } else {
            self.hopeless_for += 1;
        }
        if self.hopeless_for > AWAKE {
            (self.asleep_for, self.fell_asleep_at) = (1, self.speed);
            self.asleep = (2 * self.asleep).clamp(ASLEEP, MOST_ASLEEP);
        }
        false
    }

    #[inline(always)]
    fn play<S: Simd>(&mut self, simd: S, scene: Scene, is_first: bool) {
        let Self {
            plays,
            boxes,
            motions,
            changed,
            changed_lately,
            side,
            sample,
            growth,
            build_growth,
            frame,
            ..
        } = self;
        for (policy, play) in policy::ALL.into_iter().zip(plays) {
            let inflation = Inflation::new(policy, *side);
            let count = sample.len();
            let sampled = Sampled {
                boxes,
                motions,
                count,
                inflation,
                growth: *growth,
                build_growth: *build_growth,
                frame: *frame,
                changed: *changed,
                resting: !*changed_lately,
            };
            if is_first {
                play.begin(&sampled, scene);
                continue;
            }
            play.step(simd, &sampled, scene);
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.plays.capacity() * (size_of::<Play>() + MOST * size_of::<(Vec3A, u32)>())
            + self.sample.capacity() * size_of::<u32>()
            + self.sides.capacity() * size_of::<f32>()
            + self.motions.capacity() * size_of::<Vec3A>()
    }
}

/// Cost of a full search for each object.
fn per_object(scene: Scene) -> f32 {
    scene.search / scene.objects.max(1.0)
}

/// Learns the exponent by which something grows with the volume of boxes.
fn learn(exponent: &mut f32, volume: f32, ratio: f32) {
    if volume > 1.05 && ratio > 1.0 {
        *exponent += ((ratio.ln() / volume.ln()).clamp(0.1, 1.5) - *exponent) * 0.5;
    }
}

/// The sample in a frame, and how a policy enlarges it.
struct Sampled<'a> {
    boxes: &'a Bounds,
    motions: &'a [Vec3A],
    count: usize,
    inflation: Inflation,
    growth: f32,
    build_growth: f32,
    frame: u32,
    /// A bit for each object whose box changed in this frame; and for each that rests.
    changed: u64,
    resting: u64,
}

impl Sampled<'_> {
    /// A bit for each object.
    fn all(&self) -> u64 {
        u64::MAX >> (MOST - self.count.clamp(1, MOST))
    }
}

impl Play {
    /// Goes on after frames that were not played.
    fn wake(&mut self) {
        (self.paused, self.pause) = (1, 1);
    }

    /// Begins with boxes of whose motion nothing is known.
    fn begin(&mut self, sampled: &Sampled<'_>, scene: Scene) {
        self.anchors.resize(MOST, Vec3A::ZERO);
        self.anchored_in.resize(MOST, 0);
        self.enlarge(u64::MAX, sampled, false);
        self.measure(sampled);
        self.note_build(sampled, scene);
    }

    /// Plays a frame after the first.
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, sampled: &Sampled<'_>, scene: Scene) {
        self.age += 1;
        if self.is_at_rest(sampled) {
            self.outlook.running = self.running(scene, sampled.count);
            self.note(self.outlook.running, scene);
            return;
        }
        if self.paused > 0 {
            self.paused -= 1;
            if self.paused == 0 {
                self.anchor(u64::MAX, sampled);
                self.resumes = true;
            }
            self.note(scene.search * HOPELESS_COST, scene);
            return;
        }
        if std::mem::take(&mut self.resumes) {
            // The frame after a pause: it is known again how objects move.
            self.age = 0;
            self.enlarge(u64::MAX, sampled, true);
            self.measure(sampled);
            self.note_build(sampled, scene);
            return;
        }
        let escaping = (self.out(simd, sampled) | (self.resting & sampled.changed)) & !self.fast;
        let slowed = self.slowed(sampled);
        let share = |objects: u64| objects.count_ones() as f32 / sampled.count.max(1) as f32;
        if share(escaping) > HOPELESS && self.age == 1 {
            self.pause = (2 * self.pause).clamp(1, MOST_PAUSED);
            self.paused = self.pause;
            self.note(scene.search * HOPELESS_COST, scene);
            return;
        }
        let moved = share(escaping | slowed) * scene.objects;
        let each = per_object(scene) * self.insertion_ratio;
        let moved = COSTS.of_insertion(moved * RETURN, each, scene.columns);
        let running = self.running(scene, sampled.count);
        self.outlook.running = running + self.of_fast(scene, share(self.fast));
        if moved > self.outlook.build {
            (self.pause, self.age) = (0, 0);
            self.enlarge(u64::MAX, sampled, true);
            self.measure(sampled);
            self.note_build(sampled, scene);
            return;
        }
        self.enlarge(escaping | slowed, sampled, true);
        let tightened = self.tighten(sampled);
        if escaping | slowed | tightened != 0 {
            self.measure(sampled);
        }
        self.note((self.outlook.running + moved).min(scene.search * HOPELESS_COST), scene);
    }

    /// Whether all objects rest, and nothing is left to do.
    fn is_at_rest(&self, sampled: &Sampled<'_>) -> bool {
        let all = sampled.all();
        let is_tight = sampled.inflation.is_for_resting() || self.resting & all == all;
        let is_playing = self.paused == 0 && !self.resumes;
        sampled.resting & all == all && is_tight && is_playing && self.fast == 0
    }

    /// A bit for each object whose box is not in its fat AABB.
    #[inline(always)]
    fn out<S: Simd>(&self, simd: S, sampled: &Sampled<'_>) -> u64 {
        let mut out = 0;
        for first in (0..sampled.count).step_by(LANES) {
            let of = |bounds: &Bounds, bound: usize| {
                f32x16::from_slice(simd, &bounds.0[bound][first..first + LANES])
            };
            let mut here = of(sampled.boxes, 0).simd_lt(of(&self.fat, 0));
            for bound in 1..3 {
                here |= of(sampled.boxes, bound).simd_lt(of(&self.fat, bound));
            }
            for bound in 3..6 {
                here |= of(sampled.boxes, bound).simd_gt(of(&self.fat, bound));
            }
            out |= (here.to_bitmask() & 0xffff) << first;
        }
        out
    }

    /// A bit for each fast object that would be cached now.
    fn slowed(&self, sampled: &Sampled<'_>) -> u64 {
        let (mut slowed, mut left) = (0, self.fast);
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let (b, motion) = (sampled.boxes.get(at), sampled.motions[at]);
            slowed |= u64::from(!sampled.inflation.is_fast(&b, motion)) << at;
        }
        slowed
    }

    /// Takes the margins of resting objects away; gives a bit for each of these.
    fn tighten(&mut self, sampled: &Sampled<'_>) -> u64 {
        if sampled.inflation.is_for_resting() {
            return 0;
        }
        let tightened = sampled.resting & sampled.all() & !(self.resting | self.fast);
        self.resting |= tightened;
        let mut left = tightened;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            self.fat.set(at, &sampled.boxes.get(at));
        }
        tightened
    }

    /// Notes where some objects are.
    fn anchor(&mut self, objects: u64, sampled: &Sampled<'_>) {
        for at in (0..sampled.count).filter(|at| objects >> at & 1 != 0) {
            self.anchors[at] = sampled.boxes.get(at).min.into();
            self.anchored_in[at] = sampled.frame;
        }
    }

    /// Enlarges the boxes of some objects, by their motion since the last time if that is known.
    fn enlarge(&mut self, objects: u64, sampled: &Sampled<'_>, is_known: bool) {
        for at in (0..sampled.count).filter(|at| objects >> at & 1 != 0) {
            let b = sampled.boxes.get(at);
            let frames = sampled.frame.wrapping_sub(self.anchored_in[at]).max(1);
            let motion = (Vec3A::from(b.min) - self.anchors[at]) / frames as f32;
            let motion = Some(motion).filter(|motion| is_known && motion.is_finite());
            let (class, fat) = sampled.inflation.inflate(&b, motion);
            let bit = 1 << at;
            self.resting = self.resting & !bit | u64::from(class == Class::Resting) << at;
            self.fast = self.fast & !bit | u64::from(class == Class::Fast) << at;
            self.fat.set(at, &fat);
        }
        self.anchor(objects, sampled);
    }

    /// Measures by how much boxes were enlarged.
    fn measure(&mut self, sampled: &Sampled<'_>) {
        // Sums of sizes, fat and own: of all cached objects, and of those that do not rest.
        let mut sums = [[Vec3A::ZERO; 2]; 2];
        for at in 0..sampled.count {
            let (b, fat) = (sampled.boxes.get(at), self.fat.get(at));
            if !fat.is_empty() {
                let is_resting = self.resting >> at & 1 != 0;
                for [grown, own] in sums.iter_mut().take(2 - usize::from(is_resting)) {
                    *grown += Vec3A::from(fat.size());
                    *own += Vec3A::from(b.size());
                }
            }
        }
        let [volume, of_slow] = sums.map(|[grown, own]| {
            let ratio = (grown / own).element_product();
            if ratio.is_finite() { ratio.max(1.0) } else { 1.0 }
        });
        self.volume = volume;
        self.candidates = volume.powf(sampled.growth);
        self.build_ratio = volume.powf(sampled.build_growth);
        self.insertion_ratio = of_slow.powf(sampled.build_growth);
    }

    /// Notes a frame in which all boxes were enlarged.
    fn note_build(&mut self, sampled: &Sampled<'_>, scene: Scene) {
        let fast = self.fast.count_ones() as f32 / sampled.count.max(1) as f32;
        self.outlook = Outlook {
            mean: self.outlook.mean,
            running: self.running(scene, sampled.count) + self.of_fast(scene, fast),
            build: scene.search * self.build_ratio * (1.0 - fast) + COSTS.build * scene.objects,
        };
        let running = self.outlook.running.min(scene.search * HOPELESS_COST);
        self.note(self.outlook.build + running, scene);
    }

    /// Cost of the search for the objects that are not cached, which are a share of all.
    fn of_fast(&self, scene: Scene, share: f32) -> f32 {
        let each = per_object(scene) * self.build_ratio;
        COSTS.of_escaped(share * scene.objects, each, scene.columns)
    }

    /// Cost of a frame in which no object has escaped.
    fn running(&self, scene: Scene, count: usize) -> f32 {
        let resting = self.resting.count_ones() as f32 / count.max(1) as f32;
        let still = resting * resting;
        let candidates = scene.pairs * self.candidates * (1.0 - still);
        COSTS.check * scene.objects + COSTS.test * candidates + COSTS.copy * scene.pairs * still
    }

    /// Notes what a frame cost.
    fn note(&mut self, cost: f32, scene: Scene) {
        // A frame that costs more is searched instead; only a build, which comes before that is known, counts.
        self.cost = self.cost * MEMORY + cost / scene.search;
        self.frames = self.frames * MEMORY + 1.0;
        self.outlook.mean = self.cost / self.frames * scene.search;
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::ALL;
    use super::*;
    use glam::Vec3;

    /// The policy with the lowest mean cost after some frames, in which each object goes a way.
    fn best_after(frames: usize, way: impl Fn(usize, usize) -> Vec3) -> (policy::Policy, f32) {
        let place = |i: usize| Vec3::from([i % 16, i / 16 % 16, i / 256].map(|at| at as f32 * 1.5));
        let mut boxes: Vec<_> = (0..4096).map(|i| Aabb::around_sphere(place(i), 0.5)).collect();
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

    /// There and back again.
    fn oscillate(number: usize, by: f32) -> Vec3 {
        Vec3::splat(if number.is_multiple_of(2) { by } else { -by })
    }

    #[test]
    fn five_frames_show_that_a_cache_pays() {
        let ways: [&dyn Fn(usize, usize) -> Vec3; 3] =
            [&|_, _| Vec3::ZERO, &|number, _| oscillate(number, 0.01), &|_, _| Vec3::splat(0.02)];
        for (kind, way) in ways.into_iter().enumerate() {
            let (policy, mean) = best_after(5, way);
            assert!(mean < 0.6, "kind {kind}: {policy:?} costs {mean}");
        }
    }

    #[test]
    fn the_policy_suits_the_motion() {
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
        let (policy, mean) = best_after(60, |number, object| {
            let turn = (number * 7919 + object * 104_729) as f32;
            Vec3::new(turn.sin(), (turn * 1.7).sin(), (turn * 2.3).sin()) * 5.0
        });
        assert!(mean > 0.95, "nothing pays where all jump about: {policy:?} costs {mean}");
    }

    #[test]
    fn objects_that_stop_wake_a_sleeping_forecast() {
        let jump = |number: usize, object: usize| match number {
            0..80 => {
                let turn = (number * 7919 + object * 104_729) as f32;
                Vec3::new(turn.sin(), (turn * 1.7).sin(), (turn * 2.3).sin()) * 5.0
            }
            _ => Vec3::ZERO,
        };
        assert!(best_after(80, jump).1 > 0.95);
        let (policy, mean) = best_after(90, jump);
        assert!(mean < 0.85, "ten frames after all stopped: {policy:?} costs {mean}");
    }
}
