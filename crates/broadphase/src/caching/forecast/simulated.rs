//! A cache of the sampled objects, simulated under one policy.

use super::super::costs::{self, Outlook, Scene};
use super::super::policy::{Class, Inflation, MIN_LIFE};
use super::growth::Growth;
use super::sample::{Bounds, MAX_SAMPLED, Sample, positions};
use crate::memory::memory;
use fearless_simd::Simd;
use glam::Vec3A;

/// An object that escapes costs this many insertions: it is also searched for until then, and leaves
/// candidate pairs behind.
const RETURN: f32 = 2.5;

/// Share of the mean cost that remains after each frame.
const MEMORY: f32 = 1.0 - 1.0 / 24.0;

/// Most that a frame costs, in full searches: a little more than one.
const MAX_COST: f32 = 1.1;

/// Largest size of a box, in mean sides of the median box, in the mean growth of all. Else one ground would hide that of the others.
const LARGEST_SIDES: f32 = 16.0;

/// The input of a simulated frame.
pub(super) struct Input<'a> {
    pub(super) sample: &'a Sample,
    pub(super) inflation: Inflation,
    pub(super) growth: Growth,
    pub(super) scene: Scene,
}

/// A simulated cache, and its cost.
#[derive(Clone, Debug, Default)]
pub(super) struct SimulatedCache {
    fat: Bounds,
    /// The lower corner of each object when its box was enlarged, or found to be fast; and the frame of that.
    anchors: Vec<Vec3A>,
    anchored_in: Vec<u32>,
    resting: u64,
    /// Objects that are searched for in each frame.
    fast: u64,
    /// The volume of fat AABBs in relation to that of boxes, and candidate pairs in relation to pairs.
    pub(super) volume: f32,
    candidates: f32,
    /// Cost of a build in relation to a full search.
    build_ratio: f32,
    /// The same for objects that move: only these are inserted.
    pub(super) insertion_ratio: f32,
    /// Whether all boxes are enlarged in the next frame, in which motions are known.
    begins: bool,
    /// Sums of the costs, in full searches, and of the frames, those of earlier frames with less weight.
    cost: f32,
    frames: f32,
    pub(super) outlook: Outlook,
}

memory!(SimulatedCache: anchors, anchored_in);

impl SimulatedCache {
    /// Begins with the frame in which the sample is drawn. All boxes are enlarged again in the next one, by motions that are
    /// known then: so the cost of this frame is its mean, but no part of later ones.
    pub(super) fn begin(&mut self, input: &Input<'_>) {
        // Where an object came from is unknown, and so is its motion.
        self.anchors.resize(MAX_SAMPLED, Vec3A::NAN);
        self.anchored_in.resize(MAX_SAMPLED, 0);
        self.build(input);
        (self.cost, self.frames) = (0.0, 0.0);
        self.begins = true;
    }

    /// Simulates a frame after the first.
    #[inline(always)]
    pub(super) fn step<S: Simd>(&mut self, simd: S, input: &Input<'_>) {
        let Input { sample, scene, .. } = *input;
        if self.is_at_rest(input) {
            self.outlook.running = self.running(input);
            self.note(self.outlook.running, scene);
            return;
        }
        if std::mem::take(&mut self.begins) {
            return self.build(input);
        }
        let escaping =
            (sample.outside(simd, &self.fat) | (self.resting & sample.changed)) & !self.fast;
        let slowed = self.slowed(input);
        let share = |objects: u64| sample.share(objects.count_ones());
        let moved = share(escaping | slowed) * scene.objects;
        let each = scene.search_each() * self.insertion_ratio;
        let moved = costs::of_insertion(moved * RETURN, each, scene.columns);
        self.outlook.running = self.running(input) + self.of_fast(scene, share(self.fast));
        if moved > self.outlook.build {
            return self.build(input);
        }
        self.enlarge(escaping | slowed, input);
        let tightened = self.tighten(input);
        if escaping | slowed | tightened != 0 {
            self.measure(input);
        }
        self.note((self.outlook.running + moved).min(scene.search * MAX_COST), scene);
    }

    /// Whether all objects rest without margins, so that the frame changes nothing.
    fn is_at_rest(&self, Input { sample, inflation, .. }: &Input<'_>) -> bool {
        let all = sample.all();
        let is_tight = inflation.policy.is_for_resting || self.resting & all == all;
        sample.resting() & all == all && is_tight && !self.begins && self.fast == 0
    }

    /// A bit for each fast object that would be cached now.
    fn slowed(&self, Input { sample, inflation, .. }: &Input<'_>) -> u64 {
        let is_slow = |at: &usize| {
            let b = sample.boxes.get(*at);
            b.is_empty() || !inflation.escapes_within(MIN_LIFE, &b, sample.motions[*at])
        };
        positions(self.fast).filter(is_slow).fold(0, |slowed, at| slowed | 1 << at)
    }

    /// Removes the margins of resting objects, as the next build will: a real cache keeps them until then. Without this
    /// foresight, a frame takes 1.02 of the time. Returns a bit for each of these.
    fn tighten(&mut self, Input { sample, inflation, .. }: &Input<'_>) -> u64 {
        if inflation.policy.is_for_resting {
            return 0;
        }
        let tightened = sample.resting() & sample.all() & !(self.resting | self.fast);
        self.resting |= tightened;
        for at in positions(tightened) {
            self.fat.set(at, &sample.boxes.get(at));
        }
        tightened
    }

    /// Notes where some objects are.
    fn anchor(&mut self, objects: u64, sample: &Sample) {
        for at in positions(objects & sample.all()) {
            self.anchors[at] = sample.boxes.get(at).min.into();
            self.anchored_in[at] = sample.frame;
        }
    }

    /// Enlarges the boxes of all objects.
    fn build(&mut self, input: &Input<'_>) {
        self.enlarge(u64::MAX, input);
        self.measure(input);
        let scene = input.scene;
        let fast = input.sample.share(self.fast.count_ones());
        self.outlook = Outlook {
            mean: self.outlook.mean,
            running: self.running(input) + self.of_fast(scene, fast),
            build: scene.search * self.build_ratio * (1.0 - fast) + costs::BUILD * scene.objects,
        };
        let running = self.outlook.running.min(scene.search * MAX_COST);
        self.note(self.outlook.build + running, scene);
    }

    /// Enlarges the boxes of some objects, by their motion since the last time if that is known.
    fn enlarge(&mut self, objects: u64, input: &Input<'_>) {
        let Input { sample, inflation, .. } = input;
        for at in positions(objects & sample.all()) {
            let b = sample.boxes.get(at);
            let frames = sample.frame.wrapping_sub(self.anchored_in[at]).max(1);
            let motion = (Vec3A::from(b.min) - self.anchors[at]) / frames as f32;
            let motion = Some(motion).filter(|motion| motion.is_finite());
            let (class, fat) = inflation.inflate(&b, motion);
            let bit = 1 << at;
            self.resting = self.resting & !bit | u64::from(class == Class::Resting) << at;
            self.fast = self.fast & !bit | u64::from(class == Class::Fast) << at;
            self.fat.set(at, &fat);
        }
        self.anchor(objects, sample);
    }

    /// Measures how much larger the fat AABBs are than the boxes.
    fn measure(&mut self, Input { sample, growth, .. }: &Input<'_>) {
        // Sums of sizes, fat and own, those of large boxes bounded: of all cached objects, and of those that do not rest.
        let mut sums = [[Vec3A::ZERO; 2]; 2];
        for at in 0..sample.len() {
            let (b, fat) = (sample.boxes.get(at), self.fat.get(at));
            // An object that vanishes stays in its fat AABB, but its box has no size.
            if !fat.is_empty() && !b.is_empty() {
                let is_resting = self.resting >> at & 1 != 0;
                let size = Vec3A::from(b.size()).min(Vec3A::splat(LARGEST_SIDES * sample.side));
                let added = Vec3A::from(b.min - fat.min) + Vec3A::from(fat.max - b.max);
                for [grown, own] in sums.iter_mut().take(2 - usize::from(is_resting)) {
                    *grown += size + added;
                    *own += size;
                }
            }
        }
        let [volume, of_slow] = sums.map(|[grown, own]| {
            let ratio = (grown / own).element_product();
            if ratio.is_finite() { ratio.max(1.0) } else { 1.0 }
        });
        self.volume = volume;
        self.candidates = growth.candidates.ratio(volume);
        self.build_ratio = growth.build.ratio(volume);
        self.insertion_ratio = growth.build.ratio(of_slow);
    }

    /// Cost of the search for the objects that are not cached, which are a share of all.
    fn of_fast(&self, scene: Scene, share: f32) -> f32 {
        let each = scene.search_each() * self.build_ratio;
        costs::of_escaped(share * scene.objects, each, scene.columns)
    }

    /// Cost of a frame in which no object has escaped.
    fn running(&self, Input { sample, scene, .. }: &Input<'_>) -> f32 {
        let resting = sample.share(self.resting.count_ones());
        let still = resting * resting;
        let candidates = scene.pairs * self.candidates * (1.0 - still);
        costs::of_cached(scene.objects, candidates, scene.pairs * still)
    }

    /// Notes the cost of a frame.
    fn note(&mut self, cost: f32, scene: Scene) {
        // A frame that costs more is searched instead. Only a build counts in full: it is done before
        // its cost is known.
        self.cost = self.cost * MEMORY + cost / scene.search;
        self.frames = self.frames * MEMORY + 1.0;
        self.outlook.mean = self.cost / self.frames * scene.search;
    }
}
