//! Every algorithm against the reference, every frame, whole pair lists; then trajectories.

use crate::input::Case;
use crate::play::{Halt, Observer, Playback, Pools, Problem, RunError, Step, Untimed, find_sorted};
use crate::process::{Clock, available_memory, clocked, guarded};
use crate::rows::Outcome;
use crate::stages::{
    Bench, BenchLimits, BodyFrame, MeasuredMethod, Method, VerifiedBodies, methods_of,
    stage_holders,
};
use broadphase::benchmark::{Difference, check_pairs, checksum, mix};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{BroadPhase, Frame, Pair};
use sim::World;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Name of the work that all algorithms of a case share, in the reason of a skip.
const SHARED: &str = "motion, reference and methods of bodies";

/// Verifies algorithms on a case, on every number of threads.
///
/// First all see the same boxes: the reference's pairs drive the world. In each frame every
/// algorithm's sorted pair list is compared with the reference's, and its structure is validated. A
/// broken invariant is noted once and the comparison goes on, since wrong pairs show its effect. Then,
/// where there is a world, every algorithm drives one alone, whose hash must be the same after each
/// frame. Where there are bodies, every bounding volume, narrow phase and time of impact is compared with the
/// reference in each frame, and the reference and some contact sets with an independent check. The observer is called
/// after every frame. A frame whose pairs do not fit into memory ends the case; the report has those before. So does
/// the budget of what all algorithms share. It is checked between frames.
///
/// # Errors
///
/// Where the input fails, threads cannot be started, or it is stopped. A fault of an algorithm is a
/// finding.
pub fn verify_case(
    case: &Case,
    plan: &VerifyPlan<'_>,
    observer: &mut dyn Observer,
) -> Result<VerifyReport, RunError> {
    let mut report = VerifyReport::default();
    let mut first_hashes: Option<Vec<u64>> = None;
    let pools = Pools::new(plan.threads)?;
    for &threads in plan.threads {
        let verification =
            Verification { case, plan, threads, report: &mut report, observer: &mut *observer };
        let hashes = pools.install(threads, || verification.run())?;
        let expected = first_hashes.get_or_insert_with(|| hashes.clone());
        report.frames = report.frames.max(hashes.len() as u32);
        let differs = expected.iter().zip(&hashes).position(|(e, h)| e != h);
        if let Some(frame) = differs {
            let problem = Problem::trajectory(expected[frame], hashes[frame]);
            let (algorithm, frame) = (plan.reference.id, frame as u32);
            report.findings.push(Finding { algorithm, threads, frame, problem });
        }
        // The budget may have ended another number of threads sooner.
        if hashes.len() > expected.len() {
            *expected = hashes;
        }
    }
    // Else a changed trace would look like a wrong algorithm.
    case.check_unchanged()?;
    let hashes = first_hashes.unwrap_or_default();
    report.hash = hashes.last().copied().unwrap_or(0);
    Ok(report)
}

/// The algorithms to verify, and the reference they are compared with.
#[derive(Clone, Copy)]
pub struct VerifyPlan<'a> {
    /// The algorithm that is right: brute force.
    pub reference: &'a Algorithm,
    /// The algorithms to verify; the reference among them is passed over.
    pub algorithms: &'a [&'a Algorithm],
    /// The methods to verify on pairs of bodies.
    pub methods: &'a [Method],
    /// Numbers of threads; everything is done on each.
    pub threads: &'a [u32],
    /// Time that an algorithm may take on one number of threads, its checks included; and once more what all share:
    /// motion, the reference, the methods of bodies.
    pub budget: Option<Duration>,
    /// The clock of the budget.
    pub clock: &'a dyn Clock,
    /// Bytes that an algorithm may take.
    pub memory_limit: u64,
    /// Ends the verification when it is set.
    pub stop: &'a AtomicBool,
}

impl VerifyPlan<'_> {
    /// Nanoseconds since a reading of the clock.
    fn since(&self, start_ns: u64) -> u64 {
        self.clock.now_ns() - start_ns
    }

    /// Whether `spent_ns` is more than the budget.
    fn is_late(&self, spent_ns: u64) -> bool {
        self.budget.is_some_and(|budget| u128::from(spent_ns) > budget.as_nanos())
    }
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

/// The work on one number of threads.
struct Verification<'a> {
    case: &'a Case,
    plan: &'a VerifyPlan<'a>,
    threads: u32,
    report: &'a mut VerifyReport,
    observer: &'a mut dyn Observer,
}

/// An algorithm that has given no wrong result so far.
struct Candidate<'a> {
    algorithm: &'a Algorithm,
    instance: Box<dyn BroadPhase>,
    /// Its structure has been valid so far.
    valid: bool,
    /// Nanoseconds that it has taken.
    spent_ns: u64,
}

impl<'a> Verification<'a> {
    /// The hash after each frame of the world that the reference drives.
    fn run(mut self) -> Result<Vec<u64>, RunError> {
        let plan = self.plan;
        let others = plan.algorithms.iter().filter(|a| a.id != plan.reference.id);
        let mut candidates: Vec<Candidate<'_>> =
            others.filter_map(|algorithm| self.create(algorithm)).collect();
        let Some(mut reference) = self.create(plan.reference) else {
            return Ok(Vec::new());
        };
        self.report.compared = candidates.len();

        let hashes = self.drive(&mut reference, &mut candidates, None)?;
        if self.case.has_response() {
            // Without the structures: each may hold the pairs of a frame.
            let algorithms: Vec<_> =
                candidates.into_iter().map(|c| (c.algorithm, c.spent_ns)).collect();
            drop(reference);
            for (algorithm, spent_ns) in algorithms {
                let Some(candidate) = self.create(algorithm) else { continue };
                // Its structure was validated beside the others.
                let mut alone = Candidate { valid: false, spent_ns, ..candidate };
                self.drive(&mut alone, &mut Vec::new(), Some(&hashes))?;
            }
        }
        Ok(hashes)
    }

    /// Lets an algorithm drive the case, and the candidates search its frames too. Returns the hash after each frame.
    /// Alone in a world of its own, the hashes are compared with `expected`, and the time that the algorithm has taken
    /// before counts. Else it is the reference, with the methods of bodies.
    fn drive(
        &mut self,
        driver: &mut Candidate<'_>,
        candidates: &mut Vec<Candidate<'_>>,
        expected: Option<&[u64]>,
    ) -> Result<Vec<u64>, RunError> {
        let plan = self.plan;
        let what = if expected.is_some() { driver.algorithm.id } else { SHARED };
        let (mut hashes, mut pairs, mut found) = (Vec::new(), Vec::new(), Vec::new());
        let (start_ns, mut of_candidates_ns) = (self.plan.clock.now_ns(), 0);
        let Some(mut playback) = self.start(start_ns, driver.spent_ns)? else {
            self.note_late(what, 0);
            return Ok(hashes);
        };
        let methods: Vec<Method> = methods_of(self.case, self.plan.methods).collect();
        let mut measured: Vec<MeasuredMethod> =
            methods.iter().map(|&method| MeasuredMethod::new(method, 1)).collect();
        let world = playback.world().filter(|_| expected.is_none());
        let bodies = world.and_then(|world| Some((world.bodies()?, world.scene())));
        let of_bodies = bodies.map(|(_, scene)| stage_holders(scene, &methods));
        let (clock, stop) = (&Untimed, self.plan.stop);
        let limits = BenchLimits { repeat: 0, clock, stop, budget_ns: None };
        let mut bench = bodies.map(|(bodies, _)| Bench::new(&mut measured, bodies, 0, limits));
        let frames = expected.map_or(self.case.total_frames(), |hashes| hashes.len() as u32);
        for frame in 0..frames {
            let own_ns = self.plan.since(start_ns).saturating_sub(of_candidates_ns);
            if self.plan.is_late(driver.spent_ns + own_ns) {
                self.note_late(what, frame);
                break;
            }
            for late in candidates.extract_if(.., |one| plan.is_late(one.spent_ns)) {
                self.note_late(late.algorithm.id, frame);
            }
            if let Some(of_bodies) = of_bodies {
                // The methods of bodies hold the pairs of one search.
                playback.bound(1 + of_bodies.div_ceil(1 + candidates.len()));
            }
            let step = playback.step(|shown| {
                let shown = shown.stopped_by(self.plan.stop);
                let searched = find(&mut *driver.instance, &shown, &mut pairs)
                    .and_then(|()| Ok(check_pairs(&shown, &pairs)?));
                check_complete(&shown)?;
                if let Err(problem) = searched {
                    self.note(driver.algorithm, frame, problem.clone());
                    return Err(Halt::Ended(problem.outcome(frame, 0)));
                }
                self.validate(driver, frame, &shown);
                candidates.retain_mut(|candidate| {
                    let compare = || self.compare(candidate, frame, &shown, &pairs, &mut found);
                    let (is_right, ns) = clocked(plan.clock, compare);
                    candidate.spent_ns += ns;
                    of_candidates_ns += ns;
                    is_right
                });
                check_complete(&shown)?;
                self.observer.frame_done(frame);
                Ok(&pairs)
            });
            let step = match step {
                Ok(step) => step,
                Err(Halt::Failed(error)) => return Err(error),
                Err(Halt::Ended(outcome)) => {
                    // The case ends where its pairs do not fit into memory.
                    if let Outcome::Skipped(reason) = outcome {
                        self.note_skipped(reason);
                    }
                    break;
                }
            };
            let waiting = self.report.waiting.take();
            self.report.waiting = waiting.or_else(|| step.playback.waiting());
            let found = hash_of(&step, hashes.last().copied());
            hashes.push(found);
            if let Some(&expected) = expected.and_then(|hashes| hashes.get(frame as usize))
                && found != expected
            {
                self.note(driver.algorithm, frame, Problem::trajectory(expected, found));
                break;
            }
            let world = step.playback.world();
            let of = world.and_then(|w| BodyFrame::of_world(w, step.found, frame, true));
            if let Some((bench, of)) = bench.as_mut().zip(of) {
                let threads = self.threads;
                let faults = bench.verify(&of, &mut self.report.bodies)?;
                let finding = |(algorithm, problem)| Finding { algorithm, threads, frame, problem };
                self.report.findings.extend(faults.into_iter().map(finding));
            }
        }
        Ok(hashes)
    }

    /// Compares the pairs that an algorithm finds with the expected ones. Returns whether they are the same. Once the search
    /// is stopped, pairs may be missing, which is no fault of the algorithm.
    fn compare(
        &mut self,
        candidate: &mut Candidate<'_>,
        frame: u32,
        shown: &Frame<'_>,
        expected: &[Pair],
        found: &mut Vec<Pair>,
    ) -> bool {
        if shown.is_stopped() {
            return false;
        }
        let searched = find(&mut *candidate.instance, shown, found).and_then(|()| {
            match Difference::between(expected, found) {
                // The expected list is complete: a longer one is wrong.
                Some(difference) if !shown.is_stopped() || found.len() > expected.len() => {
                    Err(difference.first().in_frame(shown).into())
                }
                _ => Ok(()),
            }
        });
        if !matches!(searched, Err(Problem::Panicked(_))) {
            self.validate(candidate, frame, shown);
        }
        self.report.pairs_compared += expected.len() as u64;
        searched.map_err(|problem| self.note(candidate.algorithm, frame, problem)).is_ok()
    }

    /// The case in motion. `None` if placing its objects since `start_ns` exceeds the budget, with `spent_ns` before.
    fn start(&mut self, start_ns: u64, spent_ns: u64) -> Result<Option<Playback<'a>>, RunError> {
        let &mut Self { case, plan, .. } = self;
        let mut goes_on = |placed| {
            self.observer.objects_placed(placed, case.n);
            !plan.stop.load(Ordering::Relaxed) && !plan.is_late(spent_ns + plan.since(start_ns))
        };
        let memory = plan.memory_limit.min(available_memory());
        let playback = case.start_followed(memory, &mut goes_on)?;
        if plan.stop.load(Ordering::Relaxed) {
            return Err(RunError::Stopped);
        }
        Ok(playback.map(|playback| playback.stopped_by(plan.stop)))
    }

    fn note_late(&mut self, what: &str, frame: u32) {
        let threads = self.threads;
        let reason =
            format!("{what} on {threads} thread(s): over the time budget at frame {frame}");
        self.note_skipped(reason);
    }

    /// Validates the structure, until it has been found broken once.
    fn validate(&mut self, candidate: &mut Candidate<'_>, frame: u32, shown: &Frame<'_>) {
        if candidate.valid
            && let Err(message) = guarded(|| candidate.instance.validate(shown))
        {
            candidate.valid = false;
            self.note(candidate.algorithm, frame, Problem::Invalid(message));
        }
    }

    fn create<'c>(&mut self, algorithm: &'c Algorithm) -> Option<Candidate<'c>> {
        let settings = Settings::new(self.case.n)
            .world(self.case.space())
            .memory_limit(self.plan.memory_limit);
        match guarded(|| self.case.create(algorithm, &settings)) {
            Ok(Ok(instance)) => {
                return Some(Candidate { algorithm, instance, valid: true, spent_ns: 0 });
            }
            Ok(Err(refusal)) => self.note_skipped(refusal.to_string()),
            Err(message) => self.note(algorithm, 0, Problem::Panicked(message)),
        }
        None
    }

    fn note_skipped(&mut self, reason: String) {
        if !self.report.skipped.contains(&reason) {
            self.report.skipped.push(reason);
        }
    }

    fn note(&mut self, algorithm: &Algorithm, frame: u32, problem: Problem) {
        let (algorithm, threads) = (algorithm.id, self.threads);
        self.report.findings.push(Finding { algorithm, threads, frame, problem });
    }
}

/// An error where pairs may be missing, which would be no fault of the algorithm.
fn check_complete(frame: &Frame<'_>) -> Result<(), RunError> {
    if frame.is_stopped() { Err(RunError::Stopped) } else { Ok(()) }
}

/// The algorithm's sorted pairs.
fn find(
    instance: &mut dyn BroadPhase,
    frame: &Frame<'_>,
    pairs: &mut Vec<Pair>,
) -> Result<(), Problem> {
    guarded(|| find_sorted(instance, frame, pairs)).map_err(Problem::Panicked)
}

/// The world's hash; for a trace, which has none, the hash of all pair lists so far.
fn hash_of(step: &Step<'_, &Vec<Pair>>, previous: Option<u64>) -> u64 {
    let of_pairs = || mix(previous.unwrap_or(0) ^ checksum(step.found));
    step.playback.world().map_or_else(of_pairs, World::hash)
}
