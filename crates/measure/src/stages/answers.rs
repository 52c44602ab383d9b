//! A frame of bodies, what the references know of its candidates, one stage after the other on them, and wrong answers in
//! words.

use super::bench::BenchLimits;
use crate::play::Problem;
use crate::process::guarded;
use crate::rows::{FrameRow, Outcome};
use broadphase::Pair;
use broadphase::benchmark::mix;
use narrowphase::Answer;
use sim::scene::Continuous;
use sim::stages::{Audit, BodyList, FramePairs, Pipeline, WrongAnswer};
use sim::{Bodies, World};

/// Id of the reference in faults.
pub(super) const REFERENCE: &str = "reference";

/// The bodies of a frame, and its candidates.
pub(crate) struct BodyFrame<'a, B> {
    pub(crate) bodies: &'a B,
    /// The world that they are in; `None` for random pairs.
    pub(crate) world: Option<&'a World>,
    /// Sorted.
    pub(crate) candidates: &'a [Pair],
    /// How long a step lasts, if bodies collide within steps.
    pub(crate) seconds: Option<f64>,
    /// From 0.
    pub(crate) frame: u32,
    /// Whether the frame counts.
    pub(crate) counts: bool,
}

impl<'a> BodyFrame<'a, Bodies> {
    /// The bodies of a world; `None` if it has spheres.
    pub(crate) fn of_world(
        world: &'a World,
        candidates: &'a [Pair],
        frame: u32,
        counts: bool,
    ) -> Option<Self> {
        let scene = world.scene();
        let seconds = (scene.continuous != Continuous::Off).then(|| f64::from(scene.dt));
        let bodies = world.bodies()?;
        Some(Self { bodies, world: Some(world), candidates, seconds, frame, counts })
    }
}

/// Why a frame, or a method in it, has no figures.
#[derive(Debug)]
pub(crate) enum StageEnd {
    /// The first wrong answer, or a panic.
    Faulty(Problem),
    /// The time is used up, or the checks were ended.
    Unfinished,
}

impl StageEnd {
    /// Runs a stage; a panic becomes its end.
    pub(crate) fn of<T>(run: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        guarded(run).unwrap_or_else(|message| Err(Self::Faulty(Problem::Panicked(message))))
    }

    /// Outcome of a cell or a method with this end, in this frame of a repetition.
    pub(super) fn outcome(&self, frame: u32, repeat: u32) -> Outcome {
        match self {
            Self::Faulty(problem) => problem.outcome(frame, repeat),
            Self::Unfinished => Outcome::out_of_time(frame, repeat),
        }
    }

    /// A wrong answer in words.
    pub(super) fn wrong(fault: String) -> Self {
        Self::Faulty(Problem::Wrong(fault))
    }
}

/// Answers of both references about the candidates of a frame.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) poses: Audit,
    /// First contacts within the step; unused where bodies do not collide within steps.
    pub(super) impacts: Audit,
    /// The candidates that touch, sorted.
    pub(super) touching: Vec<Pair>,
}

impl Answers {
    /// Asks the references about all candidates. It is an error if they know nothing of one.
    pub(super) fn examine(
        &mut self,
        of: &BodyFrame<'_, impl BodyList>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), StageEnd> {
        let Self { poses, impacts, touching } = self;
        let &BodyFrame { bodies, candidates: pairs, seconds, .. } = of;
        let pairs = FramePairs { bodies, pairs, goes_on };
        let is_whole = poses.examine(&pairs)
            && seconds.is_none_or(|seconds| impacts.examine_impacts(&pairs, seconds));
        if !is_whole {
            return Err(StageEnd::Unfinished);
        }
        let of_impacts = || impacts.unanswered().filter(|_| seconds.is_some());
        let wrong = [(REFERENCE, poses.unanswered()), ("reference of impacts", of_impacts())];
        let wrong = wrong.into_iter().find_map(|(method, wrong)| Some((method, wrong?)));
        if let Some((method, wrong)) = wrong {
            return Err(StageEnd::wrong(describe(method, &wrong, bodies)));
        }
        touching.clear();
        touching.extend(poses.touching());
        Ok(())
    }
}

/// The fault of `method`'s answer: both bodies and both answers.
pub(super) fn describe<B: BodyList>(method: &str, wrong: &WrongAnswer, bodies: &B) -> String {
    describe_fault(method, wrong.pair, &wrong.to_string(), bodies)
}

/// The fault of the state that `method` keeps of a pair.
pub(super) fn describe_fault<B: BodyList>(
    method: &str,
    pair: Pair,
    fault: &str,
    bodies: &B,
) -> String {
    let name = |object: u32| &bodies.shapes()[bodies.shape_of(object as usize)].name;
    let [of_a, of_b] = [pair.a, pair.b].map(name);
    let Pair { a, b } = pair;
    format!("`{method}` is wrong about bodies {a} and {b} ({of_a} and {of_b}): {fault}")
}

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
