//! All stages side by side on the same candidates.

use super::candidates::{Audits, Candidates, shared_late};
use super::case::StageCase;
use super::frames::{FrameSource, Search, WorldFrames};
use super::holders::{holders, pairs_of_parts};
use super::plan::StagePlan;
use super::random_pairs::PlacedPairs;
use super::repetition_frame::RepetitionFrame;
use super::step_impacts::StepImpacts;
use super::times::{RowForm, Times};
use super::track::{CandidateFrame, MethodTrack, methods_of};
use crate::input::MemoryError;
use crate::output::Warning;
use crate::play::{Observer, PairBound, Pools, Rounds, RunError};
use crate::process::{Clock, calibrate};
use crate::rows::{Outcome, Stage, StageRow, Status};
use narrowphase::BoxKind;
use sim::stages::BodyList;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rows of a case, and what makes them doubtful.
#[derive(Debug)]
pub struct MeasuredStages {
    /// Of each number of threads and kind of boxes: the boxes, then the volumes, the narrow phases, the
    /// contact sets.
    pub rows: Vec<StageRow>,
    /// About the placement of the bodies, candidates that were not compared with brute force, and stops of the process.
    pub warnings: Vec<Warning>,
    /// One for each repetition; see [`notable_drift`](crate::notable_drift).
    pub calibration_ns: Vec<u64>,
}

/// Measures all methods on the same candidates. Every frame is a round: the order of box kinds, numbers of threads and
/// methods changes from one to the next. A fault of a method, too little time or memory is the status of its row, and
/// the others go on. The world is driven by its own reference. The candidates are compared with brute force where that
/// takes seconds only. Of a case without bodies there are no rows.
///
/// # Errors
///
/// Where the input fails, the threads cannot be started, or it is stopped: between two methods, and within a long audit.
pub fn measure_stages(
    case: &StageCase,
    plan: &StagePlan<'_>,
    run_id: &str,
    clock: &dyn Clock,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<MeasuredStages, RunError> {
    let mut measured =
        MeasuredStages { rows: Vec::new(), warnings: Vec::new(), calibration_ns: Vec::new() };
    if !case.has_bodies() {
        return Ok(measured);
    }
    let pools = Pools::new(plan.threads)?;
    let mut bench = Bench::new(case, plan, &pools);
    if let Err(error) = bench.check_memory() {
        bench.end_all(&Outcome::Skipped(error.to_string()));
    }
    let stopped_before_ns = clock.stopped_ns();
    for repeat in 0..plan.repeats {
        if bench.has_ended() {
            break;
        }
        measured.calibration_ns.push(calibrate(clock));
        pools.install_widest(|| bench.repetition(repeat, clock, observer, stop))?;
    }
    measured.warnings.extend(bench.placement.take().map(Warning::Placement));
    measured.warnings.extend(bench.is_unproven().then_some(Warning::Unproven));
    measured.warnings.extend(Warning::of_stops(clock, stopped_before_ns));
    measured.rows = bench.rows(run_id);
    Ok(measured)
}

/// All methods of a case.
struct Bench<'a> {
    case: &'a StageCase,
    plan: &'a StagePlan<'a>,
    pools: &'a Pools,
    /// The most candidates of a kind of boxes.
    bound: PairBound,
    /// One for each kind of boxes.
    kinds: Vec<Candidates>,
    /// One for each number of threads and kind of boxes, the kinds of a number of threads in a row.
    groups: Vec<MethodGroup>,
    /// Nanoseconds of what all methods share.
    shared_ns: u64,
    /// Why bodies are not placed as the scene asks.
    placement: Option<String>,
}

/// The methods of one number of threads on the candidates of one kind of boxes.
struct MethodGroup {
    threads: u32,
    boxes: Times,
    /// Whether the boxes were computed under the clock.
    is_timed: bool,
    tracks: Vec<MethodTrack>,
}

/// A frame in which every method is measured once, with the orders that are drawn for it.
struct Round<'a> {
    moment: RepetitionFrame,
    /// Whether the frame counts.
    counts: bool,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    threads_order: &'a [usize],
    methods_order: &'a [usize],
}

/// Bytes of the placed volumes. That of a body takes no more than a search holds of a pair.
fn bytes_placed(case: &StageCase, plan: &StagePlan<'_>) -> u64 {
    let kinds = case.box_kinds(plan).len() * plan.volumes.len();
    PairBound::within(0, plan.threads.len() * kinds).bytes_of(case.n())
}

fn check_unstopped(stop: &AtomicBool) -> Result<(), RunError> {
    if stop.load(Ordering::Relaxed) { Err(RunError::Stopped) } else { Ok(()) }
}

impl<'a> Bench<'a> {
    fn new(case: &'a StageCase, plan: &'a StagePlan<'a>, pools: &'a Pools) -> Self {
        let kinds = case.box_kinds(plan);
        let methods = methods_of(case, plan);
        let group = |threads| MethodGroup {
            threads,
            boxes: Times::default(),
            is_timed: false,
            tracks: methods.iter().map(|&method| MethodTrack::new(method, threads)).collect(),
        };
        let of_parts = match case {
            StageCase::World(case) => case.scene().map_or(1, pairs_of_parts),
            StageCase::Pairs { pairs, .. } => pairs.pairs_of_parts(),
        };
        let groups = plan.threads.len() * kinds.len();
        let memory = plan.memory_limit.saturating_sub(bytes_placed(case, plan));
        let of_threads = |&threads: &u32| kinds.iter().map(move |_| group(threads));
        Self {
            case,
            plan,
            pools,
            bound: PairBound::within(memory, groups * holders(of_parts, &methods)),
            kinds: kinds.iter().map(|&kind| Candidates::new(kind)).collect(),
            groups: plan.threads.iter().flat_map(of_threads).collect(),
            shared_ns: 0,
            placement: None,
        }
    }

    /// Refuses more bodies, or random pairs, than fit into memory.
    fn check_memory(&self) -> Result<(), MemoryError> {
        let (case, available) = (self.case, self.plan.memory_limit);
        let (objects, of_pairs) = match case {
            StageCase::World(world) => {
                world.check_memory(available)?;
                (world.n, 0)
            }
            StageCase::Pairs { pairs, .. } => {
                (2 * pairs.count(), self.bound.bytes_of(pairs.count()))
            }
        };
        let needed = bytes_placed(case, self.plan).saturating_add(of_pairs);
        if needed <= available {
            return Ok(());
        }
        Err(MemoryError { input: case.input(), objects, needed, available })
    }

    fn has_ended(&self) -> bool {
        self.kinds.iter().all(|kind| kind.ended.is_some())
    }

    fn is_unproven(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_unproven)
    }

    fn end_all(&mut self, outcome: &Outcome) {
        for kind in &mut self.kinds {
            kind.ended.get_or_insert_with(|| outcome.clone());
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
                let begin = clock.now_ns();
                let (budget, spent) = (self.plan.budget_ns(), self.shared_ns);
                let is_late = || budget.is_some_and(|most| spent + (clock.now_ns() - begin) > most);
                let world = WorldFrames::start(case, self.plan, &mut |placed| {
                    observer.objects_placed(placed, case.n);
                    !stop.load(Ordering::Relaxed) && !is_late()
                });
                self.shared_ns += clock.now_ns() - begin;
                match world {
                    Some(mut world) => {
                        let warning = world.placement_warning().map(str::to_owned);
                        self.placement = self.placement.take().or(warning);
                        self.play(&mut world, repeat, clock, observer, stop)
                    }
                    None if stop.load(Ordering::Relaxed) => Err(RunError::Stopped),
                    None => {
                        let reason = "over the time budget while the bodies were placed";
                        self.end_all(&Outcome::Skipped(reason.to_owned()));
                        Ok(())
                    }
                }
            }
            StageCase::Pairs { pairs, .. } => {
                self.play(&mut PlacedPairs::new(pairs), repeat, clock, observer, stop)
            }
        }
    }

    fn play(
        &mut self,
        source: &mut (impl FrameSource + Send),
        repeat: u32,
        clock: &dyn Clock,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        let [warmup, frames] = self.case.frames();
        let groups = self.groups.iter_mut().zip(self.kinds.iter().cycle());
        for (group, _) in groups.filter(|(_, kind)| kind.ended.is_none()) {
            group.tracks.iter_mut().for_each(|track| track.begin(source.bodies(), repeat, clock));
        }
        let seed = self.plan.order_seed ^ u64::from(repeat);
        let mut kinds_order = Rounds::new(self.kinds.len(), seed);
        let mut threads_order = Rounds::new(self.plan.threads.len(), seed);
        let mut methods_order =
            Rounds::new(self.groups.first().map_or(0, MethodGroup::methods), seed);
        let mut audits = Audits::default();
        for frame in 0..warmup + frames {
            let (counts, moment) = (frame >= warmup, RepetitionFrame { repeat, frame });
            let begin = clock.now_ns();
            source.advance(stop);
            check_unstopped(stop)?;
            self.shared_ns += clock.now_ns() - begin;
            let (threads_order, methods_order) = (threads_order.draw(), methods_order.draw());
            let round = Round { moment, counts, clock, stop, threads_order, methods_order };
            for &kind in kinds_order.draw() {
                self.candidates(kind, source, &mut audits, &round)?;
            }
            let begin = clock.now_ns();
            // Every kind has all pairs that touch, so that it does not matter which answers.
            match self.kinds.iter().find(|kind| kind.ended.is_none()) {
                Some(kind) => source.respond(kind.pairs(), stop),
                None => return Ok(()),
            }
            check_unstopped(stop)?;
            self.shared_ns += clock.now_ns() - begin;
            if self.plan.budget_ns().is_some_and(|budget| self.shared_ns > budget) {
                self.end_all(&shared_late(moment));
                return Ok(());
            }
            observer.frame_done(frame);
        }
        Ok(())
    }

    /// Finds the candidates of a kind of boxes, and runs all methods on them.
    fn candidates(
        &mut self,
        at: usize,
        source: &mut (impl FrameSource + Send),
        audits: &mut Audits,
        round: &Round<'_>,
    ) -> Result<(), RunError> {
        let &Round { moment, counts, clock, stop, .. } = round;
        let &mut Self { case, plan, bound, .. } = self;
        let search = Search {
            moment,
            counts,
            bound,
            clock,
            spent_ns: self.shared_ns,
            budget_ns: plan.budget_ns(),
            stop,
            has_impacts: !plan.impacts.is_empty()
                || plan.relative_sweep
                || !plan.contacts.is_empty(),
            tests_of_all: case.brute_force_tests(self.kinds.len()),
        };
        let number_of_kinds = self.kinds.len();
        let kind = &mut self.kinds[at];
        if kind.ended.is_some() {
            return Ok(());
        }
        let begin = clock.now_ns();
        kind.find(source, audits, &search)?;
        self.shared_ns += (clock.now_ns() - begin).saturating_sub(kind.proof_ns);
        let of_kind = self.groups.iter_mut().skip(at).step_by(number_of_kinds);
        if kind.ended.is_some() {
            of_kind.for_each(MethodGroup::release);
            return Ok(());
        }
        let seconds = source.step_seconds();
        let shown = CandidateFrame {
            moment,
            counts,
            candidates: kind.pairs(),
            touching: kind.touching(),
            audit: &audits.poses,
            impacts: seconds.map(|seconds| StepImpacts { seconds, audit: &audits.impacts }),
            stop,
        };
        let mut of_kind: Vec<&mut MethodGroup> = of_kind.collect();
        for &place in round.threads_order {
            let group = &mut *of_kind[place];
            let budget_ns = plan.budget_ns();
            self.pools.install(group.threads, || {
                group.frame(source, kind.kind, &shown, round, budget_ns)
            })?;
        }
        Ok(())
    }

    fn rows(self, run_id: &str) -> Vec<StageRow> {
        let Self { case, plan, kinds, groups, .. } = self;
        let [_, frames] = case.frames();
        let mut rows = Vec::new();
        for (group, kind) in groups.into_iter().zip(kinds.iter().cycle()) {
            let labels = case.labels(plan.finder, run_id, group.threads);
            let box_kind = if case.has_boxes() { kind.kind.id() } else { "" };
            let repeats = plan.repeats;
            let (continuous, motion) = (case.continuous(), case.motion());
            let seed = plan.order_seed;
            let form = RowForm { labels, box_kind, continuous, motion, frames, repeats, seed };
            rows.extend(group.rows(case, kind, &form));
        }
        rows
    }
}

impl MethodGroup {
    /// Number of methods.
    fn methods(&self) -> usize {
        self.tracks.len()
    }

    /// Frees what the methods keep of pairs.
    fn release(&mut self) {
        self.tracks.iter_mut().for_each(MethodTrack::release);
    }

    /// Computes the boxes of a frame, and runs all methods on its candidates.
    fn frame(
        &mut self,
        source: &mut impl FrameSource,
        kind: BoxKind,
        shown: &CandidateFrame<'_>,
        round: &Round<'_>,
        budget_ns: Option<u64>,
    ) -> Result<(), RunError> {
        let &Round { clock, stop, methods_order, .. } = round;
        self.time_boxes(source, kind, shown, clock);
        for &method in methods_order {
            check_unstopped(stop)?;
            self.tracks[method].frame(source.bodies(), shown, clock, budget_ns);
        }
        // It may have cut the last check short.
        check_unstopped(stop)
    }

    fn time_boxes(
        &mut self,
        source: &mut impl FrameSource,
        kind: BoxKind,
        shown: &CandidateFrame<'_>,
        clock: &dyn Clock,
    ) {
        let ns = source.time_boxes(kind, clock);
        if let Some(ns) = ns.filter(|_| shown.counts) {
            self.is_timed = true;
            self.boxes.add(shown.moment.repeat, source.bodies().count() as u64, ns);
        }
    }

    fn rows(self, case: &StageCase, kind: &Candidates, form: &RowForm<'_>) -> Vec<StageRow> {
        let fault = kind.ended.as_ref();
        let outcome = fault.unwrap_or(&Outcome::Ok);
        let boxes = (self.is_timed || case.has_boxes())
            .then(|| form.row(Stage::Boxes, kind.kind.id(), &self.boxes, outcome));
        let mut rows: Vec<StageRow> = boxes.into_iter().collect();
        for row in rows.iter_mut().filter(|row| row.status == Status::Ok) {
            row.passed = Some(kind.candidates);
            row.false_passed = Some(kind.false_candidates);
            row.band = Some(kind.band);
        }
        for mut track in self.tracks {
            track.ended = match (fault, track.ended) {
                // What ended before is more to the point.
                (Some(Outcome::Skipped(_)), Some(own)) => Some(own),
                // What a wrong reference confirmed is no result.
                (fault, own) => fault.cloned().or(own),
            };
            rows.extend(track.rows(form));
        }
        rows.sort_by_key(|row| row.stage);
        rows
    }
}
