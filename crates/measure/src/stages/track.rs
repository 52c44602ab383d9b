//! One method of a stage through all frames and repetitions: its times, its counts, its end.

use super::repetition_frame::RepetitionFrame;
use super::times::{RowForm, Times};
use super::wrong_pair::{FaultPlace, describe, describe_fault};
use crate::process::{Clock, guarded};
use crate::rows::{Outcome, Stage, StageRow, Status};
use broadphase::Pair;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use sim::Scene;
use sim::stages::{Audit, BodyList, Checked, ContactStage, NarrowStage, Tally, VolumeStage};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Id of the one method that finds contact sets.
pub(super) const CLIP: &str = "clip";

/// What is measured.
#[derive(Clone, Copy)]
pub(super) enum Method {
    Volume(&'static VolumeKind),
    Narrow(&'static NarrowPhaseKind),
    Contacts,
}

impl Method {
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Volume(kind) => kind.id,
            Self::Narrow(kind) => kind.id,
            Self::Contacts => CLIP,
        }
    }
}

/// A method with what it keeps from frame to frame.
enum MethodStage {
    Volume(VolumeStage),
    Narrow(NarrowStage),
    Contacts(ContactStage),
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
    /// A scene with the shapes.
    pub(super) scene: &'a Scene,
    pub(super) folder: Option<&'a Path>,
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
    work: u64,
    /// Contact sets that were checked.
    checked: Checked,
    passed: Vec<Pair>,
    /// Its checks included.
    spent_ns: u64,
    pub(super) ended: Option<Outcome>,
    /// Whether its end was reported, where faults are reported frame by frame.
    pub(super) is_reported: bool,
}

impl MethodTrack {
    pub(super) fn new(method: Method) -> Self {
        Self {
            method,
            running: None,
            place: Times::default(),
            times: Times::default(),
            tally: Tally::default(),
            work: 0,
            checked: Checked::default(),
            passed: Vec::new(),
            spent_ns: 0,
            ended: None,
            is_reported: false,
        }
    }

    /// Answers that were compared with the reference, in frames that count. Contact sets are no answers.
    pub(super) fn answers(&self) -> u64 {
        match self.method {
            Method::Volume(_) | Method::Narrow(_) => self.times.tests,
            Method::Contacts => 0,
        }
    }

    /// Pairs whose contact sets were checked.
    pub(super) fn checked(&self) -> Checked {
        self.checked
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
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        let &CandidateFrame { moment, counts, candidates, touching, audit, scene, folder, .. } =
            shown;
        let place = FaultPlace { scene, folder, bodies };
        let Self { running, passed, checked, .. } = self;
        let (tests, place_ns, ns, work, tally) = match running {
            None => return Ok(()),
            Some(MethodStage::Volume(stage)) => {
                passed.reserve(candidates.len().saturating_sub(passed.len()));
                let begin = clock.now_ns();
                stage.place(bodies);
                let placed = clock.now_ns();
                stage.filter(bodies, candidates, passed);
                let filtered = clock.now_ns();
                let tally = audit.volume(stage.kind(), passed);
                (candidates.len(), placed - begin, filtered - placed, 0, tally)
            }
            Some(MethodStage::Narrow(stage)) => {
                let steps = stage.counters().steps;
                let begin = clock.now_ns();
                stage.test(bodies, candidates);
                let ns = clock.now_ns() - begin;
                let tally = audit.narrow(bodies, stage.kind(), candidates, stage.answers());
                (candidates.len(), 0, ns, stage.counters().steps - steps, tally)
            }
            Some(MethodStage::Contacts(stage)) => {
                let begin = clock.now_ns();
                let count = stage.find(bodies, touching);
                let ns = clock.now_ns() - begin;
                match stage.check(bodies, touching, goes_on) {
                    Ok(found) => *checked += found,
                    Err(fault) => {
                        return Err(describe_fault(CLIP, fault.pair, &fault.text, &place));
                    }
                }
                let tally = Tally { passed: count.sets, ..Tally::default() };
                (touching.len(), 0, ns, count.points, tally)
            }
        };
        if let Some(wrong) = tally.wrong {
            return Err(describe(self.method.id(), &wrong, &place));
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
        let Self { method, place, times, tally, work, ended, .. } = self;
        let (id, outcome) = (method.id(), ended.unwrap_or(Outcome::Ok));
        let row = |stage, times: &Times| form.row(stage, id, times, &outcome);
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
            Method::Contacts => {
                let work = Some(work);
                vec![counted(row(Stage::Contact, &times), &|row| StageRow { passed, work, ..row })]
            }
        }
    }
}

/// The methods of all stages.
pub(super) fn methods(
    volumes: impl Iterator<Item = &'static VolumeKind>,
    narrow_phases: impl Iterator<Item = &'static NarrowPhaseKind>,
) -> Vec<Method> {
    let (volumes, narrow_phases) = (volumes.map(Method::Volume), narrow_phases.map(Method::Narrow));
    volumes.chain(narrow_phases).chain([Method::Contacts]).collect()
}
