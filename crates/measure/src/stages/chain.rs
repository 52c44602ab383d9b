//! One stage after the other on the pairs of a frame, and the audit of their answers.

use super::answers::{BodyFrame, REFERENCE, StageEnd, describe};
use super::bench::BenchLimits;
use crate::rows::FrameRow;
use broadphase::benchmark::mix;
use narrowphase::Answer;
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
    pub(crate) pipeline: Pipeline,
    pub(crate) limits: BenchLimits<'a>,
}

impl Chain<'_> {
    /// Runs all stages on the candidates of a frame, each under the clock. Then compares all answers with the reference,
    /// unless they are those that were right in this frame before. The budget bounds the audits of all repetitions.
    pub(crate) fn frame(
        &mut self,
        of: &BodyFrame<'_, Bodies>,
        row: &mut FrameRow,
        known: &mut KnownAnswers,
    ) -> Result<(), StageEnd> {
        let limits = self.limits;
        self.run(of, row);
        let (at, fingerprint) = (of.frame as usize, self.fingerprint(of));
        if known.fingerprints.get(at) != Some(&fingerprint) {
            let (begin, before_ns) = (limits.clock.now_ns(), known.audits_ns);
            let spent_ns = || before_ns + (limits.clock.now_ns() - begin);
            let checked = self.check(of, &|| limits.allows(spent_ns()));
            known.audits_ns = spent_ns();
            checked?;
            if known.fingerprints.len() == at {
                known.fingerprints.push(fingerprint);
            }
        }
        Ok(())
    }

    fn run(&mut self, of: &BodyFrame<'_, Bodies>, row: &mut FrameRow) {
        let Self { pipeline, limits: BenchLimits { clock, .. } } = self;
        let pairs = FramePairs::new(of.bodies, of.candidates);
        let tested = pipeline.test(&pairs, || clock.now_ns());
        // Nothing stops these bodies.
        let found = pipeline.find_contacts(&pairs, || clock.now_ns());
        let (count, contact_ns) = found.unwrap_or_default();
        row.volume_ns = Some(tested.volume_ns);
        row.volume_passed = Some(pipeline.passed.len() as u64);
        row.narrow_ns = Some(tested.narrow_ns);
        row.contact_ns = Some(contact_ns);
        row.contact_points = Some(count.points);
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
        let pipeline = &mut self.pipeline;
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
