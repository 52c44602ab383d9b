//! One repetition: one algorithm through the frames of one case.

use super::plan::Checks;
use crate::input::{Case, InputError};
use crate::output::Warning;
use crate::play::{End, Halt, Instruments, Meter, Observer, Playback, RunError, Step, find_sorted};
use crate::process::guarded;
use crate::rows::{Collision, EventFigures, Phase, Sample, StageFigures};
use crate::stages::{Chain, ChainEnd, KnownAnswers, Stages, stage_holders};
use broadphase::benchmark::{check_pairs, checksum};
use broadphase::registry::{self, Algorithm, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair, PairEvents};
use sim::World;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be measured in one repetition.
pub(crate) struct Repetition<'a> {
    pub(crate) case: &'a Case,
    pub(crate) algorithm: &'a Algorithm,
    pub(crate) settings: &'a Settings,
    pub(crate) instruments: Instruments<'a>,
    pub(crate) repeat: u32,
    /// Whether events are found too.
    pub(crate) events: bool,
    /// Checked while objects are placed and between frames: a frame is never interrupted.
    pub(crate) budget_ns: Option<u64>,
    /// Nanoseconds for the audits of bodies, in all repetitions of all algorithms.
    pub(crate) audit_budget_ns: Option<u64>,
    /// Ends the measurement when it is set.
    pub(crate) stop: &'a AtomicBool,
    /// How pair lists are checked.
    pub(crate) checks: Checks,
    /// What is timed on the pairs of bodies.
    pub(crate) stages: Option<Stages>,
}

/// Frames that earlier repetitions of a case have played without a fault.
#[derive(Default)]
pub(crate) struct KnownFrames {
    /// Checksums of lists without a fault.
    lists: Vec<u64>,
    /// What the stages answered about bodies.
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
        let placement = self.placement.map(Warning::Placement);
        placement.into_iter().chain(self.waiting.map(Warning::Waiting))
    }
}

/// Measures one repetition from a fresh playback and a fresh algorithm, and appends its frames to
/// `samples`. The first warning of each kind goes to `doubts`. The observer is called while objects are
/// placed and after each frame, outside the clock.
pub(crate) fn measure_repetition(
    repetition: &Repetition<'_>,
    samples: &mut Vec<Sample>,
    known: &mut KnownFrames,
    doubts: &mut Doubts,
    observer: &mut dyn Observer,
) -> Result<End, RunError> {
    let &Repetition { case, instruments, stop, .. } = repetition;
    let limits = Limits::new(repetition, known.answers.audits_ns());
    let mut goes_on = |placed| {
        observer.objects_placed(placed, case.n);
        limits.goes_on(known.answers.audits_ns())
    };
    let memory = repetition.settings.memory_limit;
    let Some(playback) = case.start_followed(memory, &mut goes_on)? else {
        return Ok(limits.end(0));
    };
    let mut playback = playback.stopped_by(stop);
    playback.bound(holders(repetition, &playback));
    if doubts.placement.is_none() {
        doubts.placement = playback.world().and_then(|w| w.placement_warning()).map(str::to_owned);
    }
    let (mut search, mut chain) = match begin(repetition, &playback) {
        Ok(begun) => begun,
        Err(end) => return Ok(end),
    };
    if let (Some(drawing), Some(world)) = (instruments.drawing, playback.world())
        && let Err(message) = drawing.begin(world)
    {
        return Ok(End::Failed(message));
    }
    for frame in 0..case.total_frames() {
        if !limits.goes_on(known.answers.audits_ns()) {
            return Ok(limits.end(frame));
        }
        let step = playback.clocked_step(instruments.clock, |shown| {
            search.frame(repetition, frame, shown, &mut known.lists)
        });
        let step = match step {
            Ok(step) => step,
            Err(halt) => return end_of(halt),
        };
        if doubts.waiting.is_none() {
            doubts.waiting = step.playback.waiting();
        }
        // The response moves nothing, so the bodies are where their boxes were.
        let stages = match (&mut chain, step.playback.world()) {
            (Some(chain), Some(world)) => {
                match limits.run(chain, world, step.found.pairs, frame, &mut known.answers) {
                    Ok(figures) => figures,
                    Err(end) => return Ok(end),
                }
            }
            _ => None,
        };
        let render_ns = match drawn(repetition, step.playback) {
            Ok(render_ns) => render_ns,
            Err(message) => return Ok(End::Failed(message)),
        };
        samples.push(Sample { render_ns, ..sample_of(repetition, frame, &step, stages) });
        observer.frame_done(frame);
    }
    Ok(End::Complete)
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
fn holders(repetition: &Repetition<'_>, playback: &Playback<'_>) -> usize {
    let world = playback.world().filter(|world| world.bodies().is_some());
    let of_bodies = world.map_or(0, |world| {
        let stages = repetition.stages.as_ref();
        stages.map_or(1, |stages| stage_holders(world.scene(), &[stages.volume], &[stages.narrow]))
    });
    1 + usize::from(repetition.events) + of_bodies
}

/// Makes the algorithm, and the stages where they are timed.
fn begin<'a>(
    repetition: &Repetition<'a>,
    playback: &Playback<'_>,
) -> Result<(Search<'a>, Option<Chain>), End> {
    let &Repetition { algorithm, settings, instruments, .. } = repetition;
    let panicked = |message| End::Panicked { frame: 0, message };
    let mut meter = Meter::with(instruments);
    let made = meter.make(|| guarded(|| algorithm.create(settings))).map_err(panicked)?;
    let instance = made.map_err(End::Refused)?;
    let events = repetition.events.then(PairEvents::default);
    let search = Search { meter, instance, events };
    let bodies = playback.world().and_then(World::bodies);
    let (Some(stages), Some(bodies)) = (&repetition.stages, bodies) else {
        return Ok((search, None));
    };
    let chain = guarded(|| Chain::new(stages, bodies));
    Ok((search, Some(chain.map_err(panicked)?)))
}

/// How the repetition ends because of a frame that was not searched or responded to.
fn end_of(halt: Halt<End>) -> Result<End, RunError> {
    match halt {
        Halt::Failed(RunError::Input(InputError::TooManyPairs { frame, error, .. })) => {
            Ok(End::TooManyPairs { frame, error })
        }
        Halt::Failed(RunError::Stopped) => Ok(End::Stopped),
        halt => halt.result(),
    }
}

/// The stop flag and the budgets of a repetition.
struct Limits<'a> {
    repetition: &'a Repetition<'a>,
    start_ns: u64,
    /// Nanoseconds of audits before the repetition: those of bodies are no time of an algorithm.
    audits_before_ns: u64,
}

impl<'a> Limits<'a> {
    fn new(repetition: &'a Repetition<'a>, audits_before_ns: u64) -> Self {
        let start_ns = repetition.instruments.clock.now_ns();
        Self { repetition, start_ns, audits_before_ns }
    }

    fn is_stopped(&self) -> bool {
        self.repetition.stop.load(Ordering::Relaxed)
    }

    /// Whether the repetition goes on after `audits_ns` of audits in all.
    fn goes_on(&self, audits_ns: u64) -> bool {
        let Repetition { instruments, budget_ns, audit_budget_ns, .. } = self.repetition;
        let own_ns = || {
            let spent_ns = instruments.clock.now_ns() - self.start_ns;
            spent_ns.saturating_sub(audits_ns - self.audits_before_ns)
        };
        !self.is_stopped()
            && budget_ns.is_none_or(|budget| own_ns() <= budget)
            && audit_budget_ns.is_none_or(|budget| audits_ns <= budget)
    }

    /// The end before this frame, once the repetition does not go on.
    fn end(&self, frame: u32) -> End {
        if self.is_stopped() { End::Stopped } else { End::OutOfTime { frame } }
    }

    /// Runs the stages on the candidates of a frame, and checks their answers.
    fn run(
        &self,
        chain: &mut Chain,
        world: &World,
        pairs: &[Pair],
        frame: u32,
        known: &mut KnownAnswers,
    ) -> Result<Option<StageFigures>, End> {
        let clock = self.repetition.instruments.clock;
        let goes_on = |audits_ns| self.goes_on(audits_ns);
        match guarded(|| chain.frame(clock, world, pairs, frame, known, &goes_on)) {
            Ok(Ok(figures)) => Ok(figures),
            Ok(Err(ChainEnd::Wrong(fault))) => Err(End::Wrong { frame, fault }),
            Ok(Err(ChainEnd::Unfinished)) => Err(self.end(frame)),
            Err(message) => Err(End::Panicked { frame, message }),
        }
    }
}

/// An algorithm under the clock.
struct Search<'a> {
    meter: Meter<'a>,
    instance: Box<dyn BroadPhase>,
    events: Option<PairEvents>,
}

impl Search<'_> {
    /// Finds the pairs of a frame. Their list is checked, unless `lists` has its checksum.
    fn frame(
        &mut self,
        repetition: &Repetition<'_>,
        frame: u32,
        shown: &Frame<'_>,
        lists: &mut Vec<u64>,
    ) -> Result<ClockedPairs<'_>, Halt<End>> {
        let Self { meter, instance, events } = self;
        let shown = &shown.stopped_by(repetition.stop);
        if frame == 0 && repetition.algorithm.peer {
            // It does not count its pairs: another search must find that they fit.
            let entry = repetition.algorithm;
            let counting = registry::find("sweep-grid").unwrap_or(entry);
            find_sorted(&mut *counting.build(repetition.settings), shown, &mut Vec::new());
        }
        let clocked = guarded(|| {
            let collision = meter.collide(&mut **instance, shown);
            (collision, instance.counters(), instance.heap_bytes())
        });
        let (collision, counters, heap_bytes) =
            clocked.map_err(|message| Halt::Ended(End::Panicked { frame, message }))?;
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
            || repetition.checks == Checks::EveryList
            || before != Some(checksum)
        {
            meter.sort_pairs();
            if let Err(fault) = check_pairs(shown, meter.pairs()) {
                return Err(Halt::Ended(End::Wrong { frame, fault: fault.to_string() }));
            }
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
