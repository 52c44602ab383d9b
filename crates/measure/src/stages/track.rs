//! One method of a stage through all frames and repetitions: its times, its counts, its end.

use super::at_impact::ContactMethod;
use super::case::StageCase;
use super::plan::StagePlan;
use super::repetition_frame::RepetitionFrame;
use super::step_impacts::{StepImpacts, checked_impacts};
use super::times::{RowForm, Times};
use super::wrong_pair::{describe, describe_fault};
use crate::process::{Clock, guarded};
use crate::rows::{Outcome, Stage, StageRow, Status};
use broadphase::Pair;
use narrowphase::impact::{ApproximateContact, ImpactMethod};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use sim::stages::{
    Audit, BodyList, ContactStage, Errors, FramePairs, ImpactStage, NarrowStage, RelativeSweep,
    Tally, VolumeStage,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Id of the one method that finds contact sets.
pub(super) const CLIP: &str = "clip";

/// What is measured.
#[derive(Clone, Copy)]
pub(super) enum Method {
    Volume(&'static VolumeKind),
    Narrow(&'static NarrowPhaseKind),
    Contacts,
    Impact(ImpactMethod),
    RelativeSweep,
    AtImpact(ContactMethod),
}

impl Method {
    /// Its id; of a time of impact without its number of static tests.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Volume(kind) => kind.id,
            Self::Narrow(kind) => kind.id,
            Self::Impact(method) => method.kind.id,
            Self::Contacts => CLIP,
            Self::RelativeSweep => RelativeSweep::ID,
            Self::AtImpact(method) => method.id(),
        }
    }

    /// Its name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Self::Impact(method) => method.to_string(),
            other => other.id().to_owned(),
        }
    }
}

/// A method with what it keeps from frame to frame.
enum MethodStage {
    Volume(VolumeStage),
    Narrow(NarrowStage),
    Contacts(ContactStage),
    Impact(ImpactStage),
    RelativeSweep(RelativeSweep),
    /// With memory for regions.
    AtImpact(ContactMethod, Vec<Option<ApproximateContact>>),
}

/// A frame as a method sees it.
pub(super) struct CandidateFrame<'a> {
    pub(super) moment: RepetitionFrame,
    /// Whether the frame counts.
    pub(super) counts: bool,
    /// The sorted candidates, and those that touch by the reference.
    pub(super) candidates: &'a [Pair],
    pub(super) touching: &'a [Pair],
    /// What the reference knows of the candidates.
    pub(super) audit: &'a Audit,
    /// `None` where bodies do not collide within steps.
    pub(super) impacts: Option<StepImpacts<'a>>,
    /// Ends the checks when it is set. The caller then drops what was found.
    pub(super) stop: &'a AtomicBool,
}

/// One method on the candidates of one kind of boxes.
pub(super) struct MethodTrack {
    pub(super) method: Method,
    running: Option<MethodStage>,
    /// Of placing volumes.
    place: Times,
    times: Times,
    tally: Tally,
    regions: Errors,
    work: u64,
    passed: Vec<Pair>,
    /// Its checks included.
    spent_ns: u64,
    pub(super) ended: Option<Outcome>,
    /// Whether its end was reported, where faults are reported frame by frame.
    pub(super) is_reported: bool,
}

impl MethodTrack {
    pub(super) fn new(method: Method, threads: u32) -> Self {
        let is_serial = matches!(method, Method::RelativeSweep);
        let other = || Outcome::Skipped("runs on one thread only".to_owned());
        Self {
            method,
            running: None,
            place: Times::default(),
            times: Times::default(),
            tally: Tally::default(),
            regions: Errors::default(),
            work: 0,
            passed: Vec::new(),
            spent_ns: 0,
            ended: (is_serial && threads > 1).then(other),
            is_reported: false,
        }
    }

    /// Answers that were compared with the reference, in frames that count. Contact sets are no answers.
    pub(super) fn answers(&self) -> u64 {
        match self.method {
            Method::Contacts | Method::AtImpact(_) => 0,
            _ => self.times.tests,
        }
    }

    /// Begins a repetition: nothing is known of any pair. A panic ends the method.
    pub(super) fn begin(&mut self, bodies: &impl BodyList, repeat: u32, clock: &dyn Clock) {
        if self.ended.is_some() {
            return;
        }
        let begin = clock.now_ns();
        let method = self.method;
        let started = guarded(|| match method {
            Method::Volume(kind) => MethodStage::Volume(VolumeStage::new(kind, bodies)),
            Method::Narrow(kind) => MethodStage::Narrow(NarrowStage::new(kind)),
            Method::Contacts => MethodStage::Contacts(ContactStage::default()),
            Method::Impact(method) => MethodStage::Impact(ImpactStage::new(method)),
            Method::RelativeSweep => MethodStage::RelativeSweep(RelativeSweep::default()),
            Method::AtImpact(method) => MethodStage::AtImpact(method, Vec::new()),
        });
        self.spent_ns += clock.now_ns() - begin;
        match started {
            Ok(running) => self.running = Some(running),
            Err(message) => self.end(RepetitionFrame { repeat, frame: 0 }.panicked(message)),
        }
    }

    fn end(&mut self, outcome: Outcome) {
        self.ended = Some(outcome);
        self.release();
    }

    /// Frees what it keeps of pairs.
    pub(super) fn release(&mut self) {
        (self.running, self.passed) = (None, Vec::new());
    }

    /// Runs the method on a frame under the clock, then checks its answers. A wrong answer, a panic or a spent
    /// budget ends it.
    pub(super) fn frame(
        &mut self,
        bodies: &impl BodyList,
        shown: &CandidateFrame<'_>,
        clock: &dyn Clock,
        budget_ns: Option<u64>,
    ) {
        if self.ended.is_some() {
            return;
        }
        let moment = shown.moment;
        let (begin, spent_ns) = (clock.now_ns(), self.spent_ns);
        let is_late =
            || budget_ns.is_some_and(|budget| spent_ns + (clock.now_ns() - begin) > budget);
        let goes_on = || !shown.stop.load(Ordering::Relaxed) && !is_late();
        let result = guarded(|| self.run(bodies, shown, clock, &goes_on));
        self.spent_ns += clock.now_ns() - begin;
        match result {
            Ok(Ok(())) if budget_ns.is_some_and(|budget| self.spent_ns > budget) => {
                self.end(moment.skipped("over the time budget"));
            }
            Ok(Ok(())) => {}
            Ok(Err(fault)) => self.end(moment.wrong(&fault)),
            Err(message) => self.end(moment.panicked(message)),
        }
    }

    fn run(
        &mut self,
        bodies: &impl BodyList,
        shown: &CandidateFrame<'_>,
        clock: &dyn Clock,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), String> {
        let &CandidateFrame { moment, counts, candidates, touching, audit, .. } = shown;
        let of = &FramePairs::new(bodies, candidates);
        let Self { method, running, passed, .. } = self;
        let (tests, place_ns, ns, work, tally) = match running {
            None => return Ok(()),
            Some(MethodStage::Volume(stage)) => {
                passed.reserve(candidates.len().saturating_sub(passed.len()));
                let begin = clock.now_ns();
                stage.place(bodies);
                let placed = clock.now_ns();
                stage.filter(of, passed);
                let filtered = clock.now_ns();
                let tally = audit.volume(stage.kind(), stage.passes());
                (candidates.len(), placed - begin, filtered - placed, 0, tally)
            }
            Some(MethodStage::Narrow(stage)) => {
                let steps = |stage: &NarrowStage| -> u64 {
                    stage.workers().iter().map(|method| method.steps()).sum()
                };
                let (before, begin) = (steps(stage), clock.now_ns());
                stage.test(of);
                let ns = clock.now_ns() - begin;
                let tally = audit.narrow(stage.method(), of, stage.answers());
                (candidates.len(), 0, ns, steps(stage) - before, tally)
            }
            Some(MethodStage::Impact(stage)) => {
                let Some(impacts) = &shown.impacts else { return Ok(()) };
                let steps = |stage: &ImpactStage| -> u64 {
                    stage.workers().iter().map(|method| method.steps()).sum()
                };
                let (before, begin) = (steps(stage), clock.now_ns());
                stage.find(of, impacts.seconds);
                let ns = clock.now_ns() - begin;
                let tally = checked_impacts(*method, stage.answers(), impacts, of)?;
                (candidates.len(), 0, ns, steps(stage) - before, tally)
            }
            Some(MethodStage::RelativeSweep(sweep)) => {
                let Some(impacts) = &shown.impacts else { return Ok(()) };
                let begin = clock.now_ns();
                let found = sweep.find(of, impacts.seconds);
                let ns = clock.now_ns() - begin;
                let found = found.map_err(|error| error.to_string())?;
                let tally = checked_impacts(*method, found, impacts, of)?;
                (candidates.len(), 0, ns, candidates.len() as u64, tally)
            }
            Some(MethodStage::AtImpact(method, regions)) => {
                let Some(impacts) = &shown.impacts else { return Ok(()) };
                let found = method.find(regions, &FramePairs { goes_on, ..*of }, impacts, clock);
                let found = found.map_err(|fault| {
                    describe_fault(method.id(), fault.pair, &fault.text, bodies)
                })?;
                if counts {
                    self.regions = self.regions.plus(&found.errors);
                }
                let tally = Tally { passed: found.passed, ..Tally::default() };
                (found.tests, 0, found.ns, found.points, tally)
            }
            Some(MethodStage::Contacts(stage)) => {
                let begin = clock.now_ns();
                let count = stage.find(&FramePairs { pairs: touching, ..*of });
                let ns = clock.now_ns() - begin;
                let tally = Tally { passed: count.sets, ..Tally::default() };
                (touching.len(), 0, ns, count.points, tally)
            }
        };
        if let Some(wrong) = tally.wrong {
            return Err(describe(self.method.id(), &wrong, bodies));
        }
        if counts {
            let repeat = moment.repeat;
            self.place.add(repeat, bodies.count() as u64, place_ns);
            self.times.add(repeat, tests as u64, ns);
            self.tally = self.tally.plus(&tally);
            self.work += work;
        }
        Ok(())
    }

    /// The rows of the method: two of a volume, which is placed and tested.
    pub(super) fn rows(self, form: &RowForm<'_>) -> Vec<StageRow> {
        let Self { method, place, times, tally, regions, work, ended, .. } = self;
        let (name, outcome) = (method.name(), ended.unwrap_or(Outcome::Ok));
        let row = |stage, times: &Times| form.row(stage, &name, times, &outcome);
        let passed = Some(tally.passed);
        let counted = |row: StageRow, set: &dyn Fn(StageRow) -> StageRow| match row.status {
            Status::Ok => set(row),
            Status::Skipped | Status::Error => row,
        };
        match method {
            Method::Volume(_) => {
                let (false_passed, missed) = (Some(tally.false_passed), Some(tally.missed));
                let band = Some(tally.band);
                let test = counted(row(Stage::Volume, &times), &|row| StageRow {
                    passed,
                    false_passed,
                    missed,
                    band,
                    ..row
                });
                vec![row(Stage::Place, &place), test]
            }
            Method::Narrow(_) => {
                let (band, failures) = (Some(tally.band), Some(tally.failures));
                let work = Some(work);
                vec![counted(row(Stage::Narrow, &times), &|row| StageRow {
                    passed,
                    band,
                    failures,
                    work,
                    ..row
                })]
            }
            Method::AtImpact(ContactMethod::Approximate) => {
                vec![counted(row(Stage::Contact, &times), &|row| StageRow {
                    passed,
                    mean_error: regions.mean(),
                    largest_error: regions.mean().map(|_| regions.largest),
                    ..row
                })]
            }
            Method::Contacts | Method::AtImpact(ContactMethod::Exact) => {
                let work = Some(work);
                vec![counted(row(Stage::Contact, &times), &|row| StageRow { passed, work, ..row })]
            }
            Method::Impact(_) | Method::RelativeSweep => {
                vec![counted(row(Stage::Impact, &times), &|row| StageRow {
                    passed,
                    false_passed: Some(tally.false_passed),
                    missed: Some(tally.missed),
                    band: Some(tally.band),
                    work: Some(work),
                    failures: Some(tally.failures),
                    mean_error: tally.errors.mean(),
                    largest_error: tally.errors.mean().map(|_| tally.errors.largest),
                    ..row
                })]
            }
        }
    }
}

/// The methods of all stages, in their order.
pub(super) fn methods(
    volumes: &[&'static VolumeKind],
    narrow_phases: &[&'static NarrowPhaseKind],
    impacts: &[ImpactMethod],
) -> Vec<Method> {
    let volumes = volumes.iter().map(|&kind| Method::Volume(kind));
    let narrow_phases = narrow_phases.iter().map(|&kind| Method::Narrow(kind));
    let impacts = impacts.iter().map(|&method| Method::Impact(method));
    volumes.chain(narrow_phases).chain([Method::Contacts]).chain(impacts).collect()
}

/// The methods of a plan on a case, which has first contacts only where bodies collide within steps.
pub(super) fn methods_of(case: &StageCase, plan: &StagePlan<'_>) -> Vec<Method> {
    if !case.has_impacts() {
        return methods(plan.volumes, plan.narrow_phases, &[]);
    }
    let mut methods = methods(plan.volumes, plan.narrow_phases, plan.impacts);
    methods.extend(plan.relative_sweep.then_some(Method::RelativeSweep));
    methods.extend(plan.contacts.iter().map(|&method| Method::AtImpact(method)));
    methods
}
