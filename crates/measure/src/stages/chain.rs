//! One stage after the other on the pairs of a frame, and the audit of their answers.

use super::answers::{BodyFrame, REFERENCE, StageEnd};
use super::wrong_pair::describe;
use crate::process::Clock;
use crate::rows::StageFigures;
use broadphase::benchmark::mix;
use narrowphase::Answer;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use sim::stages::{FramePairs, Pipeline};
use sim::{Bodies, World};

/// Answers that were right in frames which other repetitions show again.
#[derive(Default)]
pub(crate) struct KnownAnswers {
    /// Hashes of the bodies of each frame, and of the answers about them.
    fingerprints: Vec<u64>,
    /// Nanoseconds of the audits. They serve all repetitions, so that none is charged for them.
    pub(crate) audits_ns: u64,
}

/// The stages of one repetition.
pub(crate) struct Chain<'a> {
    pipeline: Pipeline,
    clock: &'a dyn Clock,
    pub(crate) known: &'a mut KnownAnswers,
}

impl<'a> Chain<'a> {
    /// Fits the volumes to the shapes of `bodies`.
    pub(crate) fn new(
        volume: &'static VolumeKind,
        narrow: &'static NarrowPhaseKind,
        bodies: &Bodies,
        clock: &'a dyn Clock,
        known: &'a mut KnownAnswers,
    ) -> Self {
        Self { pipeline: Pipeline::new(volume, narrow, bodies), clock, known }
    }

    /// Runs all stages on the candidates of a frame, each under the clock. Then compares all answers with the reference,
    /// unless they are those that were right in this frame before. That audit goes on as long as `goes_on`, which is given
    /// the nanoseconds of all audits so far.
    pub(crate) fn frame(
        &mut self,
        of: &BodyFrame<'_, Bodies>,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<StageFigures, StageEnd> {
        let clock = self.clock;
        let figures = self.run(of);
        let (at, fingerprint) = (of.frame as usize, self.fingerprint(of));
        if self.known.fingerprints.get(at) != Some(&fingerprint) {
            let (begin, before_ns) = (clock.now_ns(), self.known.audits_ns);
            let spent_ns = || before_ns + (clock.now_ns() - begin);
            let checked = self.check(of, &|| goes_on(spent_ns()));
            self.known.audits_ns = spent_ns();
            checked?;
            if self.known.fingerprints.len() == at {
                self.known.fingerprints.push(fingerprint);
            }
        }
        Ok(figures)
    }

    fn run(&mut self, of: &BodyFrame<'_, Bodies>) -> StageFigures {
        let Self { pipeline, clock, .. } = self;
        let pairs = FramePairs::new(of.bodies, of.candidates);
        let tested = pipeline.test(&pairs, || clock.now_ns());
        // Nothing stops these bodies.
        let found = pipeline.find_contacts(&pairs, || clock.now_ns());
        let (count, contact_ns) = found.unwrap_or_default();
        StageFigures {
            volume_ns: tested.volume_ns,
            volume_passed: pipeline.passed.len() as u64,
            narrow_ns: tested.narrow_ns,
            contact_ns,
            contact_points: count.points,
        }
    }

    /// A hash of all that the audit depends on: the world, the candidates, and the answers about them.
    fn fingerprint(&self, of: &BodyFrame<'_, Bodies>) -> u64 {
        let Pipeline { volume, narrow, .. } = &self.pipeline;
        let world = of.world.map_or(0, World::hash);
        let pairs = of.candidates.iter().map(|pair| u64::from(pair.a) << 32 | u64::from(pair.b));
        let passes = volume.passes().iter().map(|passes| u64::from(*passes));
        let answers = narrow.answers().iter().map(|answer| match answer {
            Answer::Separated { .. } => 2,
            Answer::Touching { .. } => 3,
            Answer::Failed => 4,
        });
        pairs.chain(passes).chain(answers).fold(world, |hash, word| mix(hash ^ word))
    }

    /// Compares all answers of the last frame with the reference.
    fn check(
        &mut self,
        of: &BodyFrame<'_, Bodies>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), StageEnd> {
        let Self { pipeline, .. } = self;
        let pairs = FramePairs { bodies: of.bodies, pairs: of.candidates, goes_on };
        let answers = pipeline.check(&pairs).ok_or(StageEnd::Unfinished)?;
        let wrong = [
            (REFERENCE, answers.unanswered),
            (pipeline.volume.kind().id, answers.volume.wrong),
            (pipeline.narrow.method().id, answers.narrow.wrong),
        ];
        let wrong = wrong.into_iter().find_map(|(method, wrong)| Some((method, wrong?)));
        match wrong {
            Some((method, wrong)) => Err(StageEnd::wrong(describe(method, &wrong, of.bodies))),
            None if goes_on() => Ok(()),
            None => Err(StageEnd::Unfinished),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::crowd_for_tests::Crowded;
    use super::*;
    use crate::process::MonotonicClock;
    use narrowphase::{narrow, volume};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn checks_can_be_ended_and_answers_are_in_the_hash() {
        let Crowded { world, candidates } = Crowded::new();
        let of = BodyFrame::of_world(&world, &candidates, 0, true).unwrap();
        let (clock, mut known) = (MonotonicClock::new(), KnownAnswers::default());
        let (obb, sat) = (volume::find("obb").unwrap(), narrow::find("sat").unwrap());
        let mut chain = Chain::new(obb, sat, of.bodies, &clock, &mut known);
        let empty = chain.fingerprint(&of);
        chain.run(&of);
        assert_ne!(chain.fingerprint(&of), empty);
        let asked = AtomicU64::new(0);
        let is_within = |most| asked.fetch_add(1, Relaxed) < most;
        assert!(chain.check(&of, &|| is_within(u64::MAX)).is_ok());
        let all = asked.load(Relaxed);
        for most in [0, all - 1] {
            asked.store(0, Relaxed);
            let end = chain.check(&of, &|| is_within(most));
            assert!(matches!(end, Err(StageEnd::Unfinished)), "{most} of {all}");
        }
    }
}
