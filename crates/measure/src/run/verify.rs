//! Every algorithm against the reference, every frame, whole pair lists, structures and trajectories.

use super::plan::{Checks, Contender, Plan, Watch};
use super::repetition::Repetition;
use super::runner::{CaseBench, CellTrack};
use crate::input::Case;
use crate::play::{Instruments, Observer, Problem, RunError, find_sorted};
use crate::process::{Clock, available_memory, guarded};
use crate::rows::{FrameRow, Outcome};
use crate::stages::{Bench, BodyFrame, MeasuredMethod, Stages, VerifiedBodies, methods_of};
use broadphase::benchmark::{Difference, checksum, mix};
use broadphase::registry::Algorithm;
use broadphase::{BroadPhase, Frame, Pair};
use sim::{Bodies, World};

/// Verifies the algorithms of a plan and its methods on a case, on every number of threads.
///
/// The reference, brute force, plays the case first, then each algorithm by itself: its pairs drive the world. In each frame its sorted
/// pair list is compared with the reference's, its structure is validated, and where there is a world, the hash of that is
/// compared. A broken invariant is noted once and the comparison goes on, since wrong pairs show its effect. Where there are
/// bodies, every bounding volume, narrow phase and time of impact is compared with the reference in each frame, and the
/// reference and some contact sets with an independent check. The observer is called after every frame. A frame whose pairs
/// do not fit into memory ends an algorithm; the report has the frames before. So does the budget, which is checked between
/// frames. No algorithm plays more frames than the reference.
///
/// The budget is the time that an algorithm may take on one number of threads, motion and checks included; the reference with
/// the methods of bodies.
///
/// # Errors
///
/// Where the input fails, threads cannot be started, or it is stopped. A fault of an algorithm is a
/// finding.
pub fn verify_case(
    case: &Case,
    reference: &Algorithm,
    plan: &Plan<'_>,
    clock: &dyn Clock,
    watch: Watch<'_>,
) -> Result<VerifyReport, RunError> {
    let Watch { observer, stop, .. } = watch;
    let &Plan { algorithms, threads, stages, .. } = plan;
    let (reference, checks) = ([reference], Checks::EveryList);
    let memory_limit = plan.memory_limit.min(available_memory());
    let played = Plan { algorithms: &reference, memory_limit, checks, ..*plan };
    let mut bench = CaseBench::new(case, &played, Instruments::new(clock, None), stop)?;
    let (mut compared, mut pairs_compared) = (0, 0);
    for &threads in threads {
        let methods = match stages {
            Some(Stages::Each(methods)) if case.has_bodies() => methods,
            _ => &[],
        };
        let methods = methods_of(case, methods);
        let methods = methods.map(|method| MeasuredMethod::new(method, 1)).collect();
        bench.verify(reference[0], threads, methods, observer)?;
    }
    let frames = bench.verification().hashes.len() as u32;
    let first_frames = case.first_frames(frames);
    let mut bench = CaseBench { case: &first_frames, ..bench };
    for &threads in threads.iter().filter(|_| frames > 0) {
        let others = algorithms.iter().filter(|entry| entry.id != reference[0].id);
        let mut on_threads = 0;
        for algorithm in others {
            if let Some(rows) = bench.verify(algorithm, threads, Vec::new(), observer)? {
                pairs_compared += rows.iter().map(|row| row.pairs).sum::<u64>();
                on_threads += 1;
            }
        }
        compared = on_threads.max(compared);
    }
    // Else a changed trace would look like a wrong algorithm.
    case.check_unchanged()?;
    let Verification { report, hashes, .. } = bench.seen.verification.unwrap_or_default();
    let [_, waiting] = bench.seen.doubts;
    let hash = hashes.last().copied().unwrap_or(0);
    Ok(VerifyReport { frames, compared, pairs_compared, hash, waiting, ..report })
}

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct VerifyReport {
    /// Frames that were compared, on the number of threads with the most.
    pub frames: u32,
    /// Algorithms that were compared.
    pub compared: usize,
    /// Pairs in the reference's lists, counted once for each list compared with them.
    pub pairs_compared: u64,
    /// The verified pairs of bodies, on all numbers of threads.
    pub bodies: VerifiedBodies,
    /// Hash of the world after the last frame; of a trace's checksums, in order.
    pub hash: u64,
    /// Reasons why an algorithm, or the whole case, ended before the last frame: too little memory, or the budget.
    pub skipped: Vec<String>,
    /// Objects that waited within a step of the first such frame.
    pub waiting: Option<String>,
    /// The faults: at most the first one of each algorithm and number of threads, and the first
    /// broken invariant before it.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether no list of any algorithm was compared with the reference's.
    pub fn is_empty(&self) -> bool {
        self.compared == 0 || self.frames == 0
    }
}

/// A fault of an algorithm, or of a method of a stage after it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{algorithm} on {threads} thread(s), frame {frame}: {problem}")]
pub struct Finding {
    /// Id of the algorithm, or of the method.
    pub algorithm: &'static str,
    /// Threads that it could use.
    pub threads: u32,
    /// The frame, from 0.
    pub frame: u32,
    /// The fault.
    pub problem: Problem,
}

impl CaseBench<'_> {
    fn verification(&mut self) -> &mut Verification {
        self.seen.verification.get_or_insert_default()
    }

    /// Plays the case with an algorithm. Returns the frames that had no fault; `None` where it was skipped before the first.
    fn verify(
        &mut self,
        algorithm: &Algorithm,
        threads: u32,
        methods: Vec<MeasuredMethod>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Vec<FrameRow>>, RunError> {
        let verification = self.verification();
        (verification.algorithm, verification.threads) = (algorithm.id, threads);
        verification.is_valid = true;
        let mut track = CellTrack::new(Contender::Algorithm(algorithm), threads, methods);
        let played = self.repetition(&mut track, 0, observer)?;
        let is_whole = played.samples.len() == self.case.total_frames() as usize;
        if let (Some(Outcome::Skipped(reason)), false) = (played.outcome, is_whole) {
            let reason = format!("{} on {threads} thread(s): {reason}", algorithm.id);
            self.verification().report.skipped.push(reason);
            return Ok(Some(played.samples).filter(|rows| !rows.is_empty()));
        }
        Ok(Some(played.samples))
    }
}

/// What the frames of a case should show, as the reference has played them, and what was found wrong.
#[derive(Default)]
pub(super) struct Verification {
    /// Lengths and checksums of its lists.
    lists: Vec<(usize, u64)>,
    /// Hashes after its frames: of the world, or of all lists so far.
    hashes: Vec<u64>,
    /// The algorithm that is verified.
    algorithm: &'static str,
    /// Threads that it may use.
    threads: u32,
    /// Its structure has been valid so far.
    is_valid: bool,
    report: VerifyReport,
}

impl Verification {
    /// Validates a structure, until it has been found broken once.
    pub(super) fn validate(&mut self, instance: &dyn BroadPhase, frame: u32, shown: &Frame<'_>) {
        if self.is_valid
            && let Err(message) = guarded(|| instance.validate(shown))
        {
            self.is_valid = false;
            self.note(frame, Problem::Invalid(message));
        }
    }

    /// Compares sorted pairs that all overlap with those of the reference, which finds the first missing one once more.
    pub(super) fn compare_pairs(
        &mut self,
        repetition: &Repetition<'_>,
        frame: u32,
        shown: &Frame<'_>,
        pairs: &[Pair],
    ) -> Result<(), Problem> {
        let list = (pairs.len(), checksum(pairs));
        let Some(known) = self.lists.get(frame as usize) else {
            self.lists.push(list);
            return Ok(());
        };
        let reference = repetition.plan.algorithms.first().filter(|_| *known != list);
        let Some(reference) = reference else { return Ok(()) };
        let mut expected = Vec::new();
        find_sorted(&mut *reference.build(repetition.settings), shown, &mut expected);
        let difference = Difference::between(&expected, pairs);
        Err(difference.map_or_else(
            || Problem::other_frame(known.1, list.1),
            |difference| difference.first().in_frame(shown).into(),
        ))
    }

    /// Compares the motion after a frame with that of the reference.
    pub(super) fn compare_motion(
        &mut self,
        frame: u32,
        world: Option<&World>,
    ) -> Result<(), Problem> {
        let at = frame as usize;
        let before = at.checked_sub(1).map_or(0, |before| self.hashes[before]);
        let hash = world.map_or_else(|| mix(before ^ self.lists[at].1), World::hash);
        match self.hashes.get(at) {
            None => self.hashes.push(hash),
            Some(&expected) if expected != hash => return Err(Problem::trajectory(expected, hash)),
            Some(_) => {}
        }
        Ok(())
    }

    /// Verifies the methods on the bodies of a frame.
    pub(super) fn verify_bodies(
        &mut self,
        bench: &mut Bench<'_>,
        of: &BodyFrame<'_, Bodies>,
    ) -> Result<(), RunError> {
        let threads = self.threads;
        let faults = bench.verify(of, &mut self.report.bodies)?.into_iter();
        let finding =
            |(algorithm, problem)| Finding { algorithm, threads, frame: of.frame, problem };
        self.report.findings.extend(faults.map(finding));
        Ok(())
    }

    /// Notes a fault of the algorithm.
    pub(super) fn note(&mut self, frame: u32, problem: Problem) {
        let Self { algorithm, threads, .. } = *self;
        self.report.findings.push(Finding { algorithm, threads, frame, problem });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_motion_after_the_same_pairs_is_a_fault() {
        let known = || Verification { lists: vec![(1, 7)], ..Verification::default() };
        let mut first = known();
        assert_eq!(first.compare_motion(0, None), Ok(()));
        assert_eq!(first.compare_motion(0, None), Ok(()));
        let mut other = Verification { hashes: vec![first.hashes[0] ^ 1], ..known() };
        let fault = other.compare_motion(0, None).unwrap_err().to_string();
        assert!(fault.contains("the motion differs"), "{fault}");
    }
}
