//! One stage after the other on the pairs of a frame, and the audit of their answers.

use super::wrong_pair::describe;
use crate::process::Clock;
use crate::rows::StageFigures;
use broadphase::Pair;
use broadphase::benchmark::mix;
use glam::DVec3;
use narrowphase::Answer;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use sim::stages::{FramePairs, PairPoint, Pipeline};
use sim::{Bodies, World};

/// The methods that are timed on the pairs of a scene with bodies. They change no motion.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// The bounding volume.
    pub volume: &'static VolumeKind,
    /// The narrow phase of what passes it.
    pub narrow: &'static NarrowPhaseKind,
}

/// Answers that were right in frames which other repetitions show again.
#[derive(Default)]
pub(crate) struct KnownAnswers {
    /// Hashes of the bodies of each frame, and of the answers about them.
    fingerprints: Vec<u64>,
    /// Nanoseconds of the audits. They serve all repetitions, so that none is charged for them.
    audits_ns: u64,
}

impl KnownAnswers {
    /// Nanoseconds of the audits so far.
    pub(crate) fn audits_ns(&self) -> u64 {
        self.audits_ns
    }
}

/// Why a frame has no figures.
pub(crate) enum ChainEnd {
    /// The first wrong answer in words.
    Wrong(String),
    /// The audit was ended.
    Unfinished,
}

/// The stages of one repetition.
pub(crate) struct Chain {
    pipeline: Pipeline,
}

impl Chain {
    /// Fits the volumes to the shapes of `bodies`.
    pub(crate) fn new(stages: &Stages, bodies: &Bodies) -> Self {
        let pipeline = Pipeline::new(stages.volume, stages.narrow, bodies);
        Self { pipeline }
    }

    /// Runs all stages on the sorted candidates of a frame, each under the clock. Then compares all answers
    /// with the reference, unless they are bit by bit those that `known` has of this frame. That audit goes on as long as `goes_on`, which is given the nanoseconds of all audits so far.
    pub(crate) fn frame(
        &mut self,
        clock: &dyn Clock,
        world: &World,
        candidates: &[Pair],
        frame: u32,
        known: &mut KnownAnswers,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Option<StageFigures>, ChainEnd> {
        let Some(bodies) = world.bodies() else { return Ok(None) };
        let figures = self.run(clock, bodies, candidates);
        let KnownAnswers { fingerprints, audits_ns } = known;
        let fingerprint = self.fingerprint(world, candidates);
        if fingerprints.get(frame as usize) != Some(&fingerprint) {
            let begin = clock.now_ns();
            let spent_ns = || *audits_ns + (clock.now_ns() - begin);
            let checked = self.check(bodies, candidates, &|| goes_on(spent_ns()));
            *audits_ns = spent_ns();
            checked?;
            if fingerprints.len() == frame as usize {
                fingerprints.push(fingerprint);
            }
        }
        Ok(Some(figures))
    }

    fn run(&mut self, clock: &dyn Clock, bodies: &Bodies, candidates: &[Pair]) -> StageFigures {
        let of = FramePairs::new(bodies, candidates);
        let tested = self.pipeline.test(&of, || clock.now_ns());
        let found = self.pipeline.find_contacts(&of, || clock.now_ns());
        // Nothing stops these bodies.
        let (count, contact_ns) = found.unwrap_or_default();
        StageFigures {
            volume_ns: tested.volume_ns,
            volume_passed: self.pipeline.passed.len() as u64,
            narrow_ns: tested.narrow_ns,
            contact_ns,
            contact_points: count.points,
        }
    }

    /// A hash of the world and of all answers and contact points of the last frame, bit by bit.
    fn fingerprint(&self, world: &World, candidates: &[Pair]) -> u64 {
        let ids = |pairs: &[Pair], hash| {
            let id = |pair: &Pair| u64::from(pair.a) << 32 | u64::from(pair.b);
            pairs.iter().fold(mix(hash ^ pairs.len() as u64), |hash, pair| mix(hash ^ id(pair)))
        };
        let bits = |of: DVec3| of.to_array().map(f64::to_bits);
        let mixed = |hash, bits: [u64; 3]| bits.iter().fold(hash, |hash, bits| mix(hash ^ bits));
        let pipeline = &self.pipeline;
        let hash = ids(&pipeline.passed, ids(candidates, world.hash()));
        let hash = pipeline.narrow.answers().iter().fold(hash, |hash, answer| {
            let (kind, witness) = match *answer {
                Answer::Separated { axis } => (1, axis),
                Answer::Touching { point } => (2, point),
                Answer::Failed => (3, None),
            };
            mixed(mix(hash ^ kind), witness.map_or([u64::MAX; 3], bits))
        });
        pipeline.contacts.points().fold(hash, |hash, PairPoint { pair, normal, point }| {
            let hash = ids(std::slice::from_ref(pair), hash);
            mixed(mixed(mix(hash ^ point.depth.to_bits()), bits(point.position)), bits(*normal))
        })
    }

    /// Compares all answers of the last frame with the reference.
    fn check(
        &mut self,
        bodies: &Bodies,
        candidates: &[Pair],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), ChainEnd> {
        let Self { pipeline } = self;
        let Some(answers) = pipeline.check(&FramePairs { bodies, pairs: candidates, goes_on })
        else {
            return Err(ChainEnd::Unfinished);
        };
        let wrong = [
            ("reference", answers.unanswered),
            (pipeline.volume.kind().id, answers.volume.wrong),
            (pipeline.narrow.method().id, answers.narrow.wrong),
        ];
        let wrong = wrong.into_iter().find_map(|(method, wrong)| Some((method, wrong?)));
        match wrong {
            Some((method, wrong)) => Err(ChainEnd::Wrong(describe(method, &wrong, bodies))),
            None if goes_on() => Ok(()),
            None => Err(ChainEnd::Unfinished),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::crowd_for_tests::Crowded;
    use super::*;
    use crate::process::MonotonicClock;
    use narrowphase::{narrow, volume};
    use sim::stages::ContactStage;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn checks_can_be_ended_and_contact_sets_are_in_the_hash() {
        let Crowded { world, candidates } = Crowded::new();
        let bodies = world.bodies().unwrap();
        let volume = volume::find("obb").unwrap();
        let stages = Stages { volume, narrow: narrow::find("sat").unwrap() };
        let mut chain = Chain::new(&stages, bodies);
        chain.run(&MonotonicClock::new(), bodies, &candidates);
        let right = chain.fingerprint(&world, &candidates);
        let asked = AtomicU64::new(0);
        let is_within = |most| asked.fetch_add(1, Relaxed) < most;
        assert!(chain.check(bodies, &candidates, &|| is_within(u64::MAX)).is_ok());
        let all = asked.load(Relaxed);
        for most in [0, all - 1] {
            asked.store(0, Relaxed);
            let end = chain.check(bodies, &candidates, &|| is_within(most));
            assert!(matches!(end, Err(ChainEnd::Unfinished)), "{most} of {all}");
        }
        chain.pipeline.contacts = ContactStage::default();
        assert_ne!(chain.fingerprint(&world, &candidates), right);
    }
}
