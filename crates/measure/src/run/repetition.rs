//! One repetition: one algorithm through the frames of one case.

use super::plan::Checks;
use crate::input::{Case, InputError};
use crate::output::Warning;
use crate::play::{
    BYTES_PER_EVENT, End, Halt, Instruments, Meter, Observer, RunError, search_memory,
};
use crate::process::guarded;
use crate::rows::{Collision, EventFigures, Phase, Sample};
use crate::stages::{Chain, ChainEnd, KnownAnswers, Stages, stage_memory};
use broadphase::benchmark::check_pairs;
use broadphase::benchmark::checksum;
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Counters, Pair, PairEvents};
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
    pub(crate) stages: Option<Stages<'a>>,
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
    let &Repetition { case, algorithm, settings, instruments, repeat, budget_ns, stop, .. } =
        repetition;
    let mut events = repetition.events.then(PairEvents::default);
    let is_stopped = || stop.load(Ordering::Relaxed);
    let clock = instruments.clock;
    let start = clock.now_ns();
    let audits_before = known.answers.audits_ns();
    let is_late = |audits_ns: u64| {
        let own_ns = || (clock.now_ns() - start).saturating_sub(audits_ns - audits_before);
        budget_ns.is_some_and(|budget| own_ns() > budget)
            || repetition.audit_budget_ns.is_some_and(|budget| audits_ns > budget)
    };
    let mut goes_on = |placed| {
        observer.objects_placed(placed, case.n);
        !is_stopped() && !is_late(audits_before)
    };
    let Some(playback) = case.start_followed(settings.memory_limit, &mut goes_on)? else {
        return Ok(if is_stopped() { End::Stopped } else { End::OutOfTime { frame: 0 } });
    };
    let mut playback = playback.stopped_by(stop);
    if doubts.placement.is_none() {
        doubts.placement = playback.world().and_then(|w| w.placement_warning()).map(str::to_owned);
    }
    let of_events = if repetition.events { BYTES_PER_EVENT } else { 0 };
    playback.count_searched(search_memory(algorithm) + of_events);
    let mut meter = Meter::with(instruments);
    let mut instance = match meter.make(|| guarded(|| algorithm.create(settings))) {
        Ok(Ok(instance)) => instance,
        Ok(Err(refusal)) => return Ok(End::Refused(refusal)),
        Err(message) => return Ok(End::Panicked { frame: 0, message }),
    };

    let bodies = playback.world().and_then(World::bodies);
    let mut chain = match (&repetition.stages, case.scene(), bodies) {
        (Some(stages), Some(scene), Some(bodies)) => {
            let kept = stage_memory(bodies, &[stages.volume], &[stages.narrow]);
            let chain = guarded(|| Chain::new(stages, scene, bodies));
            playback.count_kept(kept);
            match chain {
                Ok(chain) => Some(chain),
                Err(message) => return Ok(End::Panicked { frame: 0, message }),
            }
        }
        _ => None,
    };

    for frame in 0..case.total_frames() {
        if is_stopped() {
            return Ok(End::Stopped);
        }
        if is_late(known.answers.audits_ns()) {
            return Ok(End::OutOfTime { frame });
        }
        let step = playback.clocked_step(clock, |shown| {
            let clocked = guarded(|| {
                let collision = meter.collide(&mut *instance, &shown.stopped_by(stop));
                (collision, instance.counters(), instance.heap_bytes())
            });
            let (collision, counters, heap_bytes) = match clocked {
                Ok(figures) => figures,
                Err(message) => return Err(Halt::Ended(End::Panicked { frame, message })),
            };
            if is_stopped() {
                // Pairs may be missing, which would be no fault of the algorithm.
                return Err(Halt::Ended(End::Stopped));
            }
            let events = events.as_mut().map(|events| {
                let ((), ns) = meter.clocked(|| events.advance(meter.pairs()));
                let (began, ended) = (events.began().len() as u64, events.ended().len() as u64);
                EventFigures { ns, began, ended }
            });
            // It does not depend on the order.
            let checksum = checksum(meter.pairs());
            let before = known.lists.get(frame as usize).copied();
            if case.has_response()
                || repetition.checks == Checks::EveryList
                || before != Some(checksum)
            {
                meter.sort_pairs();
                if let Err(fault) = check_pairs(shown, meter.pairs()) {
                    return Err(Halt::Ended(End::Wrong { frame, fault: fault.to_string() }));
                }
                if known.lists.len() == frame as usize {
                    known.lists.push(checksum);
                }
            }
            let pairs = meter.pairs();
            Ok(ClockedPairs { pairs, collision, counters, heap_bytes, events, checksum })
        });
        let step = match step {
            Ok(step) => step,
            Err(Halt::Failed(RunError::Input(InputError::TooManyPairs {
                frame, error, ..
            }))) => {
                return Ok(End::TooManyPairs { frame, error });
            }
            Err(Halt::Failed(RunError::Stopped)) => return Ok(End::Stopped),
            Err(halt) => return halt.result(),
        };
        if doubts.waiting.is_none() {
            doubts.waiting = step.playback.waiting();
        }
        let ClockedPairs { pairs, collision, counters, heap_bytes, events, checksum } = step.found;
        // The response moves nothing, so the bodies are where their boxes were.
        let stages = match (&mut chain, step.playback.world()) {
            (Some(chain), Some(world)) => {
                let known = &mut known.answers;
                let goes_on = |audits_ns| !is_stopped() && !is_late(audits_ns);
                match guarded(|| chain.frame(clock, world, pairs, frame, known, &goes_on)) {
                    Ok(Ok(figures)) => figures,
                    Ok(Err(ChainEnd::Wrong(fault))) => return Ok(End::Wrong { frame, fault }),
                    Ok(Err(ChainEnd::Unfinished)) if is_stopped() => return Ok(End::Stopped),
                    Ok(Err(ChainEnd::Unfinished)) => return Ok(End::OutOfTime { frame }),
                    Err(message) => return Ok(End::Panicked { frame, message }),
                }
            }
            _ => None,
        };
        samples.push(Sample {
            repeat,
            frame,
            phase: if frame < case.warmup { Phase::Warmup } else { Phase::Measure },
            motion_ns: step.playback.world().map(|_| step.motion_ns),
            collision,
            response_ns: step.response.map(|_| step.response_ns),
            render_ns: None,
            counters,
            pairs: pairs.len() as u64,
            hits: step.response.map(|r| r.hits),
            heap_bytes: heap_bytes as u64,
            checksum,
            events,
            stages,
        });
        observer.frame_done(frame);
    }
    Ok(End::Complete)
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
