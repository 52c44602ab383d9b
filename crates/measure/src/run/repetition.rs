//! One repetition: one algorithm through the frames of one case.

use super::plan::{Checks, Plan};
use super::verify::Verification;
use crate::input::{Case, CaseContent, PlacedPairs, RandomPairs};
use crate::output::Warning;
use crate::play::{Halt, Instruments, Meter, Observer, Playback, Problem, RunError, find_sorted};
use crate::process::{Untimed, clocked, guarded};
use crate::rows::{Checksum, FrameRow, Outcome, Phase};
use crate::stages::{
    Bench, BenchLimits, BodyFrame, Chain, KnownAnswers, MeasuredMethod, StageEnd, Stages,
    bytes_of_methods, stage_holders,
};
use broadphase::benchmark::{check_pairs, checksum};
use broadphase::registry::{self, Algorithm, CreateError, Settings};
use broadphase::{BroadPhase, Frame, Pair, PairEvents};
use sim::World;
use sim::stages::Pipeline;
use std::sync::atomic::{AtomicBool, Ordering};

/// A repetition to measure, and its limits.
pub(crate) struct Repetition<'a> {
    pub(crate) case: &'a Case,
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) instruments: Instruments<'a>,
    pub(crate) repeat: u32,
    /// Checked while objects are placed and between frames: a frame is never interrupted.
    pub(crate) budget_ns: Option<u64>,
    /// Ends the measurement when it is set.
    pub(crate) stop: &'a AtomicBool,
    /// The reading of the clock at its start.
    pub(crate) start_ns: u64,
    /// Nanoseconds, before the repetition, of what none is charged for: audits that serve all algorithms, and methods.
    pub(crate) uncharged_ns: u64,
}

impl<'a> Repetition<'a> {
    pub(super) fn failed(&self, reason: &str) -> Halt {
        Halt::Ended(Outcome::failed(reason, self.repeat))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether it goes on after `uncharged_ns` in all that it is not charged for.
    pub(super) fn goes_on(&self, uncharged_ns: u64) -> bool {
        let spent_ns = || self.instruments.clock.now_ns() - self.start_ns;
        let own_ns = || spent_ns().saturating_sub(uncharged_ns.saturating_sub(self.uncharged_ns));
        !self.is_stopped() && self.budget_ns.is_none_or(|budget| own_ns() <= budget)
    }

    /// The end before this frame, once the repetition does not [go on](Self::goes_on).
    pub(super) fn end(&self, frame: u32) -> Halt {
        match self.is_stopped() {
            true => RunError::Stopped.into(),
            false => Halt::Ended(Outcome::out_of_time(frame, self.repeat)),
        }
    }

    /// The end of a stage in this frame.
    fn end_of(&self, frame: u32, end: StageEnd) -> Halt {
        match end {
            StageEnd::Faulty(problem) => Halt::Faulty(frame, problem),
            StageEnd::Unfinished => self.end(frame),
        }
    }

    /// Limits of the methods, and of the audits of a chain, which serve all repetitions of all algorithms. Where methods are
    /// only verified, the reference is charged for all of them.
    fn limits(&self, is_verified: bool) -> BenchLimits<'a> {
        let &Self { plan, instruments: Instruments { clock, .. }, repeat, stop, .. } = self;
        match is_verified {
            true => BenchLimits { repeat, clock: &Untimed, stop, budget_ns: None },
            false => BenchLimits { repeat, clock, stop, budget_ns: plan.budget_ns() },
        }
    }
}

/// Results of the repetitions of a case.
#[derive(Default)]
pub(crate) struct Seen {
    /// Checksums of the lists of frames that had no fault.
    lists: Vec<Checksum>,
    /// What a chain of stages answered about bodies.
    pub(crate) answers: KnownAnswers,
    /// Reasons to doubt the motion: how objects are placed, and objects that waited within a step.
    pub(super) doubts: [Option<String>; 2],
    /// Where algorithms are verified, not measured.
    pub(super) verification: Option<Verification>,
}

impl Seen {
    pub(crate) fn warnings(self) -> impl Iterator<Item = Warning> {
        self.doubts.into_iter().flatten().map(Warning::new)
    }
}

/// Measures one repetition from a fresh playback and a fresh algorithm, and appends its frames to `rows`. The observer is
/// called while objects are placed and after each frame, outside the clock.
///
/// # Errors
///
/// If the repetition ends before its last frame.
pub(crate) fn measure_repetition(
    repetition: &Repetition<'_>,
    algorithm: &Algorithm,
    methods: &mut [MeasuredMethod],
    seen: &mut Seen,
    rows: &mut Vec<FrameRow>,
    observer: &mut dyn Observer,
) -> Result<(), Halt> {
    let &Repetition { case, plan, instruments, stop, uncharged_ns, .. } = repetition;
    let Instruments { clock, drawing, .. } = instruments;
    if let Some(pairs) = case.pairs() {
        return measure_pairs(repetition, pairs, methods, observer);
    }
    let mut goes_on = |placed| {
        observer.objects_placed(placed, case.n);
        repetition.goes_on(uncharged_ns)
    };
    let memory = repetition.settings.memory_limit.saturating_sub(bytes_of_methods(case, methods));
    let playback = case.start(memory, stop, &mut goes_on).map_err(RunError::from)?;
    let mut playback = playback.ok_or_else(|| repetition.end(0))?;
    playback.bound(holders(repetition, &playback));
    let [placement, _] = &mut seen.doubts;
    if placement.is_none() {
        *placement = playback.world().and_then(World::placement_warning).map(str::to_owned);
    }
    let mut search = Search::new(repetition, algorithm)?;
    let bodies = playback.world().and_then(World::bodies);
    let limits = repetition.limits(seen.verification.is_some());
    let (mut chain, mut bench) = (None, None);
    match (&plan.stages, bodies) {
        (Some(Stages::Chain { volume, narrow }), Some(bodies)) => {
            let pipeline = guarded(|| Pipeline::new(volume, narrow, bodies));
            let pipeline = pipeline.map_err(|e| Halt::Faulty(0, Problem::Panicked(e)))?;
            chain = Some(Chain { pipeline, limits });
        }
        (Some(Stages::Each(_)), Some(_)) if !methods.is_empty() => {
            bench = Some(Bench::new(methods, plan.order_seed, limits));
        }
        _ => {}
    }
    if let (Some(drawing), Some(world)) = (drawing, playback.world()) {
        drawing.begin(world).map_err(|reason| repetition.failed(&reason))?;
    }
    for frame in 0..case.total_frames() {
        let uncharged_ns = seen.answers.audits_ns + bench.as_ref().map_or(0, Bench::spent_ns);
        if !repetition.goes_on(uncharged_ns) {
            return Err(repetition.end(frame));
        }
        let motion_ns = playback.advance(clock)?;
        let found = playback.search(|shown| search.frame(repetition, frame, shown, seen))?;
        let (pairs, mut row) = (search.meter.pairs(), found?);
        let (response, response_ns) = playback.respond(clock, pairs)?;
        observer.pairs_found(frame, pairs);
        let [_, waiting] = &mut seen.doubts;
        if waiting.is_none() {
            *waiting = playback.waiting();
        }
        let world = playback.world();
        row.motion_ns = world.map(|_| motion_ns);
        row.response_ns = response.map(|_| response_ns);
        row.hits = response.map(|response| response.hits);
        // The response moves nothing, so the bodies are where their boxes were.
        let counts = frame >= case.warmup;
        let of = world.and_then(|world| BodyFrame::of_world(world, pairs, frame, counts));
        let end_of = |end| repetition.end_of(frame, end);
        if let Some((chain, of)) = chain.as_mut().zip(of.as_ref()) {
            StageEnd::of(|| chain.frame(of, &mut row, &mut seen.answers)).map_err(end_of)?;
        }
        match (&mut seen.verification, &mut bench, of) {
            (Some(verification), bench, of) => {
                let compared = verification.compare_motion(frame, world);
                compared.map_err(|problem| Halt::Faulty(frame, problem))?;
                if let Some((bench, of)) = bench.as_mut().zip(of) {
                    verification.verify_bodies(bench, &of)?;
                }
            }
            (None, Some(bench), Some(of)) => {
                let goes_on = |ns| repetition.goes_on(ns);
                StageEnd::of(|| bench.frame(of, &goes_on)).map_err(end_of)?;
            }
            _ => {}
        }
        if let (Some(drawing), Some(world)) = (drawing, world) {
            let (drawn, ns) = clocked(clock, || drawing.draw(world, &case.input));
            drawn.map_err(|reason| repetition.failed(&reason))?;
            row.render_ns = Some(ns);
        }
        rows.push(row);
        observer.frame_done(frame);
    }
    Ok(())
}

/// Measures methods on random pairs, which no broad phase finds.
fn measure_pairs(
    repetition: &Repetition<'_>,
    pairs: &RandomPairs,
    methods: &mut [MeasuredMethod],
    observer: &mut dyn Observer,
) -> Result<(), Halt> {
    let &Repetition { case, plan, .. } = repetition;
    let mut bodies = PlacedPairs::new(pairs);
    let (candidates, seconds): (Vec<Pair>, _) = (bodies.pairs().collect(), bodies.seconds());
    let mut bench = Bench::new(methods, plan.order_seed, repetition.limits(false));
    for frame in 0..case.total_frames() {
        if !repetition.goes_on(bench.spent_ns()) {
            return Err(repetition.end(frame));
        }
        bodies.draw();
        let (bodies, candidates, counts) = (&bodies, &candidates[..], frame >= case.warmup);
        let of = BodyFrame { bodies, world: None, candidates, seconds, frame, counts };
        StageEnd::of(|| bench.frame(of, &|ns| repetition.goes_on(ns)))
            .map_err(|end| repetition.end_of(frame, end))?;
        observer.frame_done(frame);
    }
    Ok(())
}

/// How many times what a search needs of a pair is taken of it: in the search, the events, and what follows the search of
/// bodies.
fn holders(repetition: &Repetition<'_>, playback: &Playback<'_>) -> usize {
    let Plan { events, stages, .. } = repetition.plan;
    let world = playback.world().filter(|world| world.bodies().is_some());
    let of_stages = |world: &World| {
        let methods = stages.as_ref().map(|stages| stages.methods(repetition.case));
        methods.map_or(1, |methods| stage_holders(world.scene(), &methods))
    };
    1 + usize::from(*events) + world.map_or(0, of_stages)
}

/// An algorithm under the clock.
struct Search<'a> {
    algorithm: &'a Algorithm,
    meter: Meter<'a>,
    instance: Box<dyn BroadPhase>,
    events: Option<PairEvents>,
}

impl<'a> Search<'a> {
    /// Makes the algorithm.
    fn new(repetition: &Repetition<'a>, algorithm: &'a Algorithm) -> Result<Self, Halt> {
        let &Repetition { case, settings, instruments, plan, .. } = repetition;
        let mut meter = Meter::new(instruments);
        let made = meter.make(|| guarded(|| case.create(algorithm, settings)));
        let made = made.map_err(|message| Halt::Faulty(0, Problem::Panicked(message)))?;
        let refused = |refusal: CreateError| Halt::Ended(Outcome::Skipped(refusal.to_string()));
        let (instance, events) = (made.map_err(refused)?, plan.events.then(PairEvents::default));
        Ok(Self { algorithm, meter, instance, events })
    }

    /// Finds the pairs of a frame. Their list is checked, unless its checksum was seen.
    fn frame(
        &mut self,
        repetition: &Repetition<'_>,
        frame: u32,
        shown: &Frame<'_>,
        seen: &mut Seen,
    ) -> Result<FrameRow, Halt> {
        let Self { algorithm, meter, instance, events } = self;
        let &Repetition { case, plan, settings, instruments, repeat, .. } = repetition;
        if frame == 0 && algorithm.peer {
            // It does not count its pairs: another search must find that they fit.
            let counting = registry::find("sweep-grid").unwrap_or(algorithm);
            find_sorted(&mut *counting.build(settings), shown, &mut Vec::new());
        }
        let found = guarded(|| {
            let row = meter.collide(&mut **instance, shown);
            let row = FrameRow { heap_bytes: Some(instance.heap_bytes() as u64), ..row };
            // The searches of many worlds are not counted.
            let counts = !matches!(case.content, CaseContent::Worlds { .. });
            if counts { row.counted(&instance.counters()) } else { row }
        });
        let mut row = found.map_err(|message| Halt::Faulty(frame, Problem::Panicked(message)))?;
        if let Some(events) = events {
            let ((), ns) = clocked(instruments.clock, || events.advance(meter.pairs()));
            row.events_ns = Some(ns);
            row.began = Some(events.began().len() as u64);
            row.ended = Some(events.ended().len() as u64);
        }
        row.phase = if frame < case.warmup { Phase::Warmup } else { Phase::Measure };
        (row.repeat, row.frame, row.pairs) = (repeat, frame, meter.pairs().len() as u64);
        // It does not depend on the order.
        row.checksum = Checksum(checksum(meter.pairs()));
        let is_known = seen.lists.get(frame as usize) == Some(&row.checksum);
        if case.has_response() || plan.checks == Checks::EveryList || !is_known {
            meter.sort_pairs_unless(&|| false);
            let mut checked = check_pairs(shown, meter.pairs()).map_err(Problem::from);
            if let Some(verification) = &mut seen.verification {
                verification.validate(&**instance, frame, shown);
                let pairs = meter.pairs();
                checked = checked
                    .and_then(|()| verification.compare_pairs(repetition, frame, shown, pairs));
            }
            if !shown.is_stopped() {
                checked.map_err(|problem| Halt::Faulty(frame, problem))?;
                if seen.lists.len() == frame as usize {
                    seen.lists.push(row.checksum);
                }
            }
        }
        // Pairs may be missing, which would be no fault of the algorithm.
        if shown.is_stopped() { Err(RunError::Stopped.into()) } else { Ok(row) }
    }
}
