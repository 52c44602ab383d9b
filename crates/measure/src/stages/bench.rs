//! All stages side by side on the same candidates.

use super::random_pairs::PlacedPairs;
use super::source::{Source, StageCase, WorldSource};
use super::times::{RowForm, Times};
use super::track::{Shown, Track, methods};
use super::wrong_pair::{Suspects, describe};
use crate::calibration::calibrate;
use crate::pools::Pools;
use crate::{Clock, Observer, Outcome, RunError, Stage, StageRow, Status, measuring_order};
use broadphase::Pair;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use narrowphase::{Answer, BoxKind, Verdict};
use sim::stages::{Audit, BodyList};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Which methods are measured, and how.
#[derive(Clone, Copy, Debug)]
pub struct StagePlan<'a> {
    /// Bounding volumes.
    pub volumes: &'a [&'static VolumeKind],
    /// Narrow phases.
    pub narrow_phases: &'a [&'static NarrowPhaseKind],
    /// Kinds of boxes: the candidates of each are measured on their own.
    pub box_kinds: &'a [BoxKind],
    /// Numbers of threads.
    pub threads: &'a [u32],
    /// Repetitions, each from a fresh start.
    pub repeats: u32,
    /// Seed of the order of the methods, which is drawn for every second frame.
    pub order_seed: u64,
    /// Time that a method may take for all its frames.
    pub budget: Option<Duration>,
    /// Bytes that the pairs of a frame may take.
    pub memory_limit: u64,
    /// Folder for pairs that were answered wrongly, each a scene of two bodies.
    pub folder: Option<&'a Path>,
}

/// The rows of a case, and readings of the calibration loop.
#[derive(Debug)]
pub struct MeasuredStages {
    /// Of each number of threads and kind of boxes: the boxes, then the volumes, the narrow phases, the
    /// contact sets.
    pub rows: Vec<StageRow>,
    /// One for each repetition; see [`notable_drift`](crate::notable_drift).
    pub calibration_ns: Vec<u64>,
}

/// Measures all methods on the same candidates, in an order that changes from frame to frame. A fault of a method
/// is the status of its row, and the others go on. The world is driven by its own reference. Of a case without
/// bodies there are no rows.
///
/// # Errors
///
/// Where the input fails, the threads cannot be started, or it is stopped.
pub fn measure_stages(
    case: &StageCase,
    plan: &StagePlan<'_>,
    run_id: &str,
    clock: &dyn Clock,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<MeasuredStages, RunError> {
    let pools = Pools::new(plan.threads)?;
    let mut benches: Vec<Bench<'_>> =
        plan.threads.iter().map(|&threads| Bench::new(case, plan, threads)).collect();
    let mut calibration_ns = Vec::new();
    for repeat in 0..plan.repeats {
        calibration_ns.push(calibrate(clock));
        for bench in &mut benches {
            let (threads, observer) = (bench.threads, &mut *observer);
            pools.install(threads, || bench.repetition(repeat, clock, observer, stop))?;
        }
    }
    let rows = benches.into_iter().flat_map(|bench| bench.rows(run_id)).collect();
    Ok(MeasuredStages { rows, calibration_ns })
}

/// All methods on one number of threads.
struct Bench<'a> {
    case: &'a StageCase,
    plan: &'a StagePlan<'a>,
    threads: u32,
    boxes: Vec<BoxTrack>,
    tracks: Vec<Track>,
    /// Whether there is anything to measure.
    has_bodies: bool,
}

/// The boxes of one kind, and their candidates.
struct BoxTrack {
    kind: BoxKind,
    times: Times,
    candidates: u64,
    false_candidates: u64,
    band: u64,
    /// Whether the boxes were computed under the clock.
    is_timed: bool,
    ended: Option<Outcome>,
}

impl<'a> Bench<'a> {
    fn new(case: &'a StageCase, plan: &'a StagePlan<'a>, threads: u32) -> Self {
        let methods = methods(plan.volumes.iter().copied(), plan.narrow_phases.iter().copied());
        let track = |&kind: &BoxKind| methods.iter().map(move |&method| Track::new(kind, method));
        let boxes = |&kind: &BoxKind| BoxTrack {
            kind,
            times: Times::default(),
            candidates: 0,
            false_candidates: 0,
            band: 0,
            is_timed: false,
            ended: None,
        };
        Self {
            case,
            plan,
            threads,
            boxes: plan.box_kinds.iter().map(boxes).collect(),
            tracks: plan.box_kinds.iter().flat_map(track).collect(),
            has_bodies: false,
        }
    }

    fn repetition(
        &mut self,
        repeat: u32,
        clock: &dyn Clock,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        match self.case {
            StageCase::World(case) => {
                let (kinds, memory) = (self.plan.box_kinds, self.plan.memory_limit);
                match WorldSource::start(case, kinds, memory, stop)? {
                    Some(mut world) => self.play(&mut world, repeat, clock, observer, stop),
                    None => Ok(()),
                }
            }
            StageCase::Pairs { pairs, .. } => {
                self.play(&mut PlacedPairs::new(pairs), repeat, clock, observer, stop)
            }
        }
    }

    fn play(
        &mut self,
        source: &mut impl Source,
        repeat: u32,
        clock: &dyn Clock,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        let Self { case, plan, boxes, tracks, has_bodies, .. } = self;
        *has_bodies = true;
        let [warmup, frames] = case.frames();
        tracks.iter_mut().for_each(|track| track.begin(source));
        // A frame is a round, in which each method has its turn.
        let per_kind = tracks.len() / boxes.len().max(1);
        let seed = plan.order_seed ^ u64::from(repeat);
        let order = measuring_order(per_kind, warmup + frames, seed);
        let (mut candidates, mut touching) = (Vec::new(), Vec::new());
        let mut audit = Audit::default();
        let budget_ns = plan.budget.map(|b| u64::try_from(b.as_nanos()).unwrap_or(u64::MAX));
        for frame in 0..warmup + frames {
            source.advance();
            let counts = frame >= warmup;
            for (own, tracks) in boxes.iter_mut().zip(tracks.chunks_mut(per_kind.max(1))) {
                if stop.load(Ordering::Relaxed) {
                    return Err(RunError::Stopped);
                }
                let ns = source.candidates(own.kind, clock, &mut candidates)?;
                audit.examine(source.bodies(), &candidates);
                own.judge(source, &audit, plan.folder, [repeat, frame]);
                touching.clear();
                touching.extend(touching_of(&audit));
                if counts {
                    own.count(repeat, ns, source.bodies().count(), &audit);
                }
                let shown = Shown {
                    repeat,
                    frame,
                    counts,
                    candidates: &candidates,
                    touching: &touching,
                    audit: &audit,
                    folder: plan.folder,
                };
                for &(at, _) in &order[frame as usize * per_kind..][..per_kind] {
                    tracks[at].frame(source, &shown, clock, budget_ns);
                }
            }
            source.respond(&candidates);
            observer.frame_done(frame);
        }
        Ok(())
    }

    fn rows(self, run_id: &str) -> Vec<StageRow> {
        let Self { case, plan, threads, boxes, tracks, has_bodies } = self;
        if !has_bodies {
            return Vec::new();
        }
        let [_, frames] = case.frames();
        let labels = case.labels(run_id, threads);
        let form = RowForm { labels, frames, repeats: plan.repeats, seed: plan.order_seed, run_id };
        let mut tracks = tracks.into_iter().peekable();
        let mut rows = Vec::new();
        for own in boxes {
            let (kind, fault) = (own.kind, own.ended.clone());
            let mut of_kind: Vec<StageRow> = own.row(&form).into_iter().collect();
            while let Some(mut track) = tracks.next_if(|track| track.box_kind == kind) {
                // What a wrong reference confirmed is no result.
                track.ended = fault.clone().or(track.ended);
                of_kind.extend(track.rows(&form));
            }
            of_kind.sort_by_key(|row| row.stage);
            rows.extend(of_kind);
        }
        rows
    }
}

/// The candidates that touch by the reference.
pub(super) fn touching_of(audit: &Audit) -> impl Iterator<Item = Pair> {
    let each = audit.candidates().iter().zip(audit.verdicts());
    each.filter(|(_, verdict)| matches!(verdict.answer, Answer::Touching { .. })).map(|(p, _)| *p)
}

impl BoxTrack {
    /// Judges the reference by its own witnesses.
    fn judge(
        &mut self,
        source: &impl Source,
        audit: &Audit,
        folder: Option<&Path>,
        [repeat, frame]: [u32; 2],
    ) {
        let bodies = source.bodies();
        let Some(wrong) = audit.reference(bodies).wrong.filter(|_| self.ended.is_none()) else {
            return;
        };
        let name = |object: usize| source.name_of(object);
        let suspects = Suspects { scene: source.scene(), folder, bodies, name: &name };
        let fault = describe("reference", &wrong, &suspects);
        let reason = format!("frame {frame} of repetition {repeat}: {fault}");
        self.ended = Some(Outcome::Disagrees(reason));
    }

    fn count(&mut self, repeat: u32, ns: Option<u64>, bodies: usize, audit: &Audit) {
        let number = |wanted: fn(&Verdict) -> bool| {
            audit.verdicts().iter().filter(|verdict| wanted(verdict)).count() as u64
        };
        self.is_timed |= ns.is_some();
        self.times.add(repeat, bodies as u64, ns.unwrap_or(0));
        self.candidates += audit.candidates().len() as u64;
        self.false_candidates += number(|verdict| !verdict.is_in_band && verdict.gap > 0.0);
        self.band += number(|verdict| verdict.is_in_band);
    }

    /// `None` where no boxes were computed.
    fn row(self, form: &RowForm<'_>) -> Option<StageRow> {
        let Self { kind, times, candidates, false_candidates, band, is_timed, ended } = self;
        let outcome = ended.unwrap_or(Outcome::Ok);
        let row = is_timed.then(|| form.row(Stage::Boxes, kind.id(), kind, &times, &outcome))?;
        if row.status != Status::Ok {
            return Some(row);
        }
        let (passed, false_passed) = (Some(candidates), Some(false_candidates));
        Some(StageRow { passed, false_passed, band: Some(band), ..row })
    }
}
