//! One repetition: one algorithm through the frames of one case.

use super::plan::{Checks, Plan};
use crate::input::{Case, InputError, PlacedPairs, RandomPairs};
use crate::output::Warning;
use crate::play::{
    Halt, Instruments, Meter, Observer, Playback, Problem, RunError, Step, find_sorted,
};
use crate::process::guarded;
use crate::rows::{Collision, EventFigures, Outcome, Phase, Sample, StageFigures};
use crate::stages::{
    Bench, BenchLimits, BodyFrame, Chain, KnownAnswers, MeasuredMethod, Method, StageEnd, Stages,
    bytes_of_methods, spent_ns, stage_holders,
};
use broadphase::benchmark::{check_pairs, checksum};
use broadphase::registry::{self, Algorithm, CreateError, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair, PairEvents};
use sim::stages::BodyList;
use sim::{Bodies, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be measured in one repetition.
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
}

impl<'a> Repetition<'a> {
    /// A problem in this frame as the end of the repetition.
    fn faulty(&self, frame: u32, problem: Problem) -> Halt<Outcome> {
        Halt::Ended(problem.outcome(frame, self.repeat))
    }

    fn failed(&self, reason: &str) -> Halt<Outcome> {
        Halt::Ended(Outcome::failed(reason, self.repeat))
    }

    /// Methods side by side from their start.
    fn bench<'m>(&self, methods: &'m mut [MeasuredMethod], bodies: &impl BodyList) -> Bench<'m>
    where
        'a: 'm,
    {
        let &Self { plan, instruments: Instruments { clock, .. }, repeat, stop, .. } = self;
        let limits = BenchLimits { repeat, clock, stop, budget_ns: plan.budget_ns() };
        Bench::new(methods, bodies, plan.order_seed, limits)
    }
}

/// Frames that earlier repetitions of a case have played without a fault.
#[derive(Default)]
pub(crate) struct KnownFrames {
    /// Checksums of lists without a fault.
    lists: Vec<u64>,
    /// What a chain of stages answered about bodies.
    pub(crate) answers: KnownAnswers,
}

/// Reasons to doubt the motion of a case.
#[derive(Default)]
pub(crate) struct Doubts {
    /// How objects are placed.
    placement: Option<String>,
    /// Objects that waited within a step.
    waiting: Option<String>,
}

impl Doubts {
    pub(crate) fn into_warnings(self) -> impl Iterator<Item = Warning> {
        self.placement.into_iter().chain(self.waiting).map(Warning::new)
    }
}

/// Measures one repetition from a fresh playback and a fresh algorithm, and appends its frames to
/// `samples`. The first warning of each kind goes to `doubts`. The observer is called while objects are
/// placed and after each frame, outside the clock.
///
/// # Errors
///
/// If the repetition ends before its last frame.
pub(crate) fn measure_repetition(
    repetition: &Repetition<'_>,
    algorithm: &Algorithm,
    samples: &mut Vec<Sample>,
    known: &mut KnownFrames,
    methods: &mut [MeasuredMethod],
    doubts: &mut Doubts,
    observer: &mut dyn Observer,
) -> Result<(), Halt<Outcome>> {
    let &Repetition { case, instruments, stop, .. } = repetition;
    let before_ns = known.answers.audits_ns + spent_ns(methods);
    let limits = Limits::new(repetition, before_ns);
    if let Some(pairs) = case.pairs() {
        return measure_pairs(repetition, pairs, &limits, methods, observer);
    }
    let mut goes_on = |placed| {
        observer.objects_placed(placed, case.n);
        limits.goes_on(before_ns)
    };
    let memory = repetition.settings.memory_limit.saturating_sub(bytes_of_methods(case, methods));
    let Some(playback) = case.start_followed(memory, &mut goes_on)? else {
        return Err(limits.end(0));
    };
    let mut playback = playback.stopped_by(stop);
    playback.bound(holders(repetition, &playback, methods));
    if doubts.placement.is_none() {
        doubts.placement = playback.world().and_then(|w| w.placement_warning()).map(str::to_owned);
    }
    let KnownFrames { lists, answers } = known;
    let mut search = Search::new(repetition, algorithm)?;
    let bodies = playback.world().and_then(World::bodies);
    let mut followed = match (&repetition.plan.stages, bodies) {
        (Some(Stages::Chain { volume, narrow }), Some(bodies)) => {
            let chain = guarded(|| Chain::new(volume, narrow, bodies, instruments.clock, answers));
            let chain = chain.map_err(|e| repetition.faulty(0, Problem::Panicked(e)))?;
            Followed::Chain(Box::new(chain))
        }
        (Some(Stages::Each(_)), Some(bodies)) => {
            Followed::Each(Box::new(repetition.bench(methods, bodies)))
        }
        _ => Followed::Nothing,
    };
    if let (Some(drawing), Some(world)) = (instruments.drawing, playback.world()) {
        drawing.begin(world).map_err(|reason| repetition.failed(&reason))?;
    }
    for frame in 0..case.total_frames() {
        limits.check(frame, followed.uncharged_ns())?;
        let step = playback
            .clocked_step(instruments.clock, |shown| search.frame(repetition, frame, shown, lists))
            .map_err(end_of)?;
        observer.pairs_found(frame, step.found.pairs);
        if doubts.waiting.is_none() {
            doubts.waiting = step.playback.waiting();
        }
        // The response moves nothing, so the bodies are where their boxes were.
        let world = step.playback.world();
        let counts = frame >= case.warmup;
        let of = world.and_then(|w| BodyFrame::of_world(w, step.found.pairs, frame, counts));
        let stages = of.map_or(Ok(None), |of| {
            limits.stages(frame, || followed.frame(of, &|ns| limits.goes_on(ns)))
        })?;
        let render_ns = drawn(repetition, step.playback).map_err(|e| repetition.failed(&e))?;
        samples.push(Sample { render_ns, ..sample_of(repetition, frame, &step, stages) });
        observer.frame_done(frame);
    }
    Ok(())
}

/// Measures methods on random pairs, which no broad phase finds.
fn measure_pairs(
    repetition: &Repetition<'_>,
    pairs: &RandomPairs,
    limits: &Limits<'_>,
    methods: &mut [MeasuredMethod],
    observer: &mut dyn Observer,
) -> Result<(), Halt<Outcome>> {
    let case = repetition.case;
    let mut bodies = PlacedPairs::new(pairs);
    let (candidates, seconds): (Vec<Pair>, _) = (bodies.pairs().collect(), bodies.seconds());
    let mut bench = repetition.bench(methods, &bodies);
    for frame in 0..case.total_frames() {
        limits.check(frame, bench.spent_ns())?;
        bodies.draw();
        let (bodies, candidates, counts) = (&bodies, &candidates[..], frame >= case.warmup);
        let of = BodyFrame { bodies, world: None, candidates, seconds, frame, counts };
        limits.stages(frame, || bench.frame(of, &|ns| limits.goes_on(ns)))?;
        observer.frame_done(frame);
    }
    Ok(())
}

/// What follows the search of a frame of bodies.
enum Followed<'a> {
    Nothing,
    Chain(Box<Chain<'a>>),
    Each(Box<Bench<'a>>),
}

impl Followed<'_> {
    /// Nanoseconds that the repetition is not charged for: of audits that serve all algorithms, or of the methods.
    fn uncharged_ns(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Chain(chain) => chain.known.audits_ns,
            Self::Each(bench) => bench.spent_ns(),
        }
    }

    /// Runs the stages on the candidates of a frame, and checks their answers.
    fn frame(
        &mut self,
        of: BodyFrame<'_, Bodies>,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Option<StageFigures>, StageEnd> {
        match self {
            Self::Nothing => Ok(None),
            Self::Chain(chain) => chain.frame(&of, goes_on).map(Some),
            Self::Each(bench) => bench.frame(of, goes_on).map(|()| None),
        }
    }
}

/// Draws the world, if that is asked for. Returns how long it took, ns.
fn drawn(repetition: &Repetition<'_>, playback: &Playback<'_>) -> Result<Option<u64>, String> {
    let Instruments { clock, drawing, .. } = repetition.instruments;
    let (Some(drawing), Some(world)) = (drawing, playback.world()) else { return Ok(None) };
    let start = clock.now_ns();
    drawing.draw(world, &repetition.case.input)?;
    Ok(Some(clock.now_ns() - start))
}

/// The sample of a frame that was searched and responded to.
fn sample_of(
    repetition: &Repetition<'_>,
    frame: u32,
    step: &Step<'_, ClockedPairs<'_>>,
    stages: Option<StageFigures>,
) -> Sample {
    let is_warmup = frame < repetition.case.warmup;
    let &ClockedPairs { pairs, collision, counters, heap_bytes, events, checksum } = &step.found;
    Sample {
        repeat: repetition.repeat,
        frame,
        phase: if is_warmup { Phase::Warmup } else { Phase::Measure },
        motion_ns: step.playback.world().map(|_| step.motion_ns),
        collision,
        response_ns: step.response.map(|_| step.response_ns),
        render_ns: None,
        counters,
        pairs: pairs.len() as u64,
        hits: step.response.map(|r| r.hits),
        heap_bytes: Some(heap_bytes as u64),
        checksum,
        events,
        stages,
    }
}

/// How many times what a search needs of a pair is taken of it: in the search, the events, and what follows the search of
/// bodies.
fn holders(
    repetition: &Repetition<'_>,
    playback: &Playback<'_>,
    methods: &[MeasuredMethod],
) -> usize {
    let world = playback.world().filter(|world| world.bodies().is_some());
    let of_bodies = world.map_or(0, |world| match repetition.plan.stages {
        None => 1,
        Some(Stages::Chain { volume, narrow }) => {
            let methods = [Method::Volume(volume), Method::Narrow(narrow), Method::Contacts];
            stage_holders(world.scene(), &methods)
        }
        Some(Stages::Each(_)) => {
            let methods: Vec<Method> = methods.iter().map(MeasuredMethod::method).collect();
            stage_holders(world.scene(), &methods)
        }
    });
    1 + usize::from(repetition.plan.events) + of_bodies
}

/// A frame of more pairs than can be held ends the cell alone.
fn end_of(halt: Halt<Outcome>) -> Halt<Outcome> {
    match halt {
        Halt::Failed(RunError::Input(InputError::TooManyPairs { frame, error, .. })) => {
            Halt::Ended(Outcome::Skipped(format!("frame {frame}: {error}")))
        }
        halt => halt,
    }
}

/// The stop flag and the budgets of a repetition.
struct Limits<'a> {
    repetition: &'a Repetition<'a>,
    start_ns: u64,
    /// Nanoseconds before the repetition that none is charged for.
    uncharged_before_ns: u64,
    /// Nanoseconds for the audits of a chain, in all repetitions of all algorithms.
    audit_budget_ns: Option<u64>,
}

impl<'a> Limits<'a> {
    fn new(repetition: &'a Repetition<'a>, uncharged_before_ns: u64) -> Self {
        let start_ns = repetition.instruments.clock.now_ns();
        let has_audits = !matches!(repetition.plan.stages, Some(Stages::Each(_)));
        let audit_budget_ns = repetition.plan.budget_ns().filter(|_| has_audits);
        Self { repetition, start_ns, uncharged_before_ns, audit_budget_ns }
    }

    fn is_stopped(&self) -> bool {
        self.repetition.stop.load(Ordering::Relaxed)
    }

    /// Whether the repetition goes on after `uncharged_ns` in all that it is not charged for.
    fn goes_on(&self, uncharged_ns: u64) -> bool {
        let Repetition { instruments, budget_ns, .. } = self.repetition;
        let own_ns = || {
            let spent_ns = instruments.clock.now_ns() - self.start_ns;
            spent_ns.saturating_sub(uncharged_ns.saturating_sub(self.uncharged_before_ns))
        };
        !self.is_stopped()
            && budget_ns.is_none_or(|budget| own_ns() <= budget)
            && self.audit_budget_ns.is_none_or(|budget| uncharged_ns <= budget)
    }

    /// Ends the repetition before this frame unless it [goes on](Self::goes_on).
    fn check(&self, frame: u32, uncharged_ns: u64) -> Result<(), Halt<Outcome>> {
        if self.goes_on(uncharged_ns) { Ok(()) } else { Err(self.end(frame)) }
    }

    /// The end before this frame, once the repetition does not go on.
    fn end(&self, frame: u32) -> Halt<Outcome> {
        match self.is_stopped() {
            true => RunError::Stopped.into(),
            false => Halt::Ended(Outcome::out_of_time(frame, self.repetition.repeat)),
        }
    }

    /// Runs the stages of a frame.
    fn stages<T>(
        &self,
        frame: u32,
        run: impl FnOnce() -> Result<T, StageEnd>,
    ) -> Result<T, Halt<Outcome>> {
        StageEnd::of(run).map_err(|end| match end {
            StageEnd::Faulty(problem) => self.repetition.faulty(frame, problem),
            StageEnd::Unfinished => self.end(frame),
        })
    }
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
    fn new(repetition: &Repetition<'a>, algorithm: &'a Algorithm) -> Result<Self, Halt<Outcome>> {
        let &Repetition { case, settings, instruments, plan, .. } = repetition;
        let mut meter = Meter::with(instruments);
        let made = meter.make(|| guarded(|| case.create(algorithm, settings)));
        let made = made.map_err(|message| repetition.faulty(0, Problem::Panicked(message)))?;
        let refused = |refusal: CreateError| Halt::Ended(Outcome::Skipped(refusal.to_string()));
        let (instance, events) = (made.map_err(refused)?, plan.events.then(PairEvents::default));
        Ok(Self { algorithm, meter, instance, events })
    }

    /// Finds the pairs of a frame. Their list is checked, unless `lists` has its checksum.
    fn frame(
        &mut self,
        repetition: &Repetition<'_>,
        frame: u32,
        shown: &Frame<'_>,
        lists: &mut Vec<u64>,
    ) -> Result<ClockedPairs<'_>, Halt<Outcome>> {
        let Self { algorithm, meter, instance, events } = self;
        let shown = &shown.stopped_by(repetition.stop);
        if frame == 0 && algorithm.peer {
            // It does not count its pairs: another search must find that they fit.
            let counting = registry::find("sweep-grid").unwrap_or(algorithm);
            find_sorted(&mut *counting.build(repetition.settings), shown, &mut Vec::new());
        }
        let clocked = guarded(|| {
            let collision = meter.collide(&mut **instance, shown);
            (collision, instance.counters(), instance.heap_bytes())
        });
        let (collision, counters, heap_bytes) =
            clocked.map_err(|message| repetition.faulty(frame, Problem::Panicked(message)))?;
        if shown.is_stopped() {
            // Pairs may be missing, which would be no fault of the algorithm.
            return Err(RunError::Stopped.into());
        }
        let events = events.as_mut().map(|events| {
            let ((), ns) = meter.clocked(|| events.advance(meter.pairs()));
            let (began, ended) = (events.began().len() as u64, events.ended().len() as u64);
            EventFigures { ns, began, ended }
        });
        // It does not depend on the order.
        let checksum = checksum(meter.pairs());
        let before = lists.get(frame as usize).copied();
        if repetition.case.has_response()
            || repetition.plan.checks == Checks::EveryList
            || before != Some(checksum)
        {
            meter.sort_pairs();
            check_pairs(shown, meter.pairs())
                .map_err(|fault| repetition.faulty(frame, fault.into()))?;
            if lists.len() == frame as usize {
                lists.push(checksum);
            }
        }
        let pairs = meter.pairs();
        Ok(ClockedPairs { pairs, collision, counters, heap_bytes, events, checksum })
    }
}

/// The pairs of one frame and what was measured with them.
struct ClockedPairs<'a> {
    pairs: &'a [Pair],
    collision: Collision,
    counters: Counters,
    heap_bytes: usize,
    events: Option<EventFigures>,
    checksum: u64,
}

impl AsRef<[Pair]> for ClockedPairs<'_> {
    fn as_ref(&self) -> &[Pair] {
        self.pairs
    }
}
