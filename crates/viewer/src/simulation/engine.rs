//! Carries out orders and takes steps when they are due. Knows no thread.

use super::order::{Notice, Order, Pace};
use super::snapshot::Snapshot;
use super::structure::collect_planes;
use super::watch::Watch;
use crate::session::{Disagreement, Session, SessionError, Stepped};
use broadphase::{CreateError, SplitPlane};
use measure::Clock;
use sim::Hold;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Steps that are late by more than this are not made up for: a scene that was held up goes on
/// calmly.
const MOST_LATE_NS: u64 = 100_000_000;

/// Steps for which a plane that was moved is marked.
const FLASH_STEPS: u64 = 30;

/// A session and what drives it.
pub struct Engine {
    session: Session,
    clock: &'static dyn Clock,
    running: bool,
    /// The algorithm or the motion has failed: there is nothing to search until that changes.
    broken: bool,
    /// Single steps that have been asked for, and are not done yet.
    owed_steps: u32,
    /// What is to be done after them.
    later: Vec<Order>,
    /// Orders heard so far that a snapshot shows, and the number of the last one that began a scene.
    heard: u64,
    begun: u64,
    pace: Pace,
    /// When the next step is due, by the clock.
    due_ns: u64,
    hold: Hold,
    watch: Watch,
    /// How often a ray has picked a sphere, or none.
    picks: u64,
    disagreement: Option<Disagreement>,
    /// Planes that the algorithm moved lately, with the step in which it did.
    moved_planes: Vec<(SplitPlane, u64)>,
    notices: Vec<Notice>,
    /// Something has changed since the last snapshot.
    changed: bool,
}

impl Engine {
    /// Drives a session, at first in real time.
    pub fn new(session: Session, clock: &'static dyn Clock, running: bool) -> Self {
        let warning = session.world().placement_warning().map(str::to_owned);
        Self {
            session,
            clock,
            running,
            broken: false,
            owed_steps: 0,
            later: Vec::new(),
            heard: 0,
            begun: 0,
            pace: Pace::Times(1.0),
            due_ns: clock.now_ns(),
            hold: Hold::None,
            watch: Watch::default(),
            picks: 0,
            disagreement: None,
            moved_planes: Vec::new(),
            notices: warning.into_iter().map(Notice::Trouble).collect(),
            changed: true,
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Carries an order out. A refusal is told, and changes nothing.
    pub fn obey(&mut self, order: Order) {
        self.broken &= !order.is_remedy();
        if order.is_shown() {
            self.changed = true;
            self.heard += 1;
        }
        // What a step is to be taken before waits for it.
        let waits = matches!(order, Order::ExportFrames(_) | Order::ExportSummary(_));
        if waits && self.owed_steps > 0 {
            self.later.push(order);
        } else {
            self.carry_out(order);
        }
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Run(running) => self.run(running),
            Order::Step if self.running => {}
            Order::Step => self.owed_steps = self.owed_steps.saturating_add(1),
            Order::StepBack => self.step_back(),
            Order::Restart => {
                let scene = self.session.world().recipe().clone();
                let begun = self.session.generate(&scene);
                self.begun(begun);
            }
            Order::Generate(scene) => {
                let begun = self.session.generate(&scene);
                self.begun(begun);
            }
            Order::Begin { label, scene } => {
                let begun = self.session.begin(label, &scene);
                if begun.is_ok() {
                    self.begun = self.heard;
                }
                self.begun(begun);
            }
            Order::Rename(label) => self.session.rename(label),
            Order::Algorithm(row) => {
                match self.session.set_algorithm(row) {
                    Ok(()) => self.moved_planes.clear(),
                    Err(refusal) => self.trouble(refusal),
                }
                self.forget_others();
            }
            Order::Shadows(rows) => {
                if let Err(refusal) = self.session.set_shadows(&rows) {
                    self.trouble(refusal);
                }
                self.forget_others();
            }
            Order::Edit(edit) => {
                if let Err(refusal) = self.session.edit(&edit) {
                    self.trouble(refusal);
                }
            }
            Order::Undo => match self.session.undo() {
                Some(undone) => self.notices.push(Notice::Done(format!("taken back: {undone}"))),
                None => self.trouble("there is no edit to take back"),
            },
            Order::Hold(hold) => self.hold = hold,
            Order::Pace(pace) => {
                self.pace = pace;
                self.due_ns = self.clock.now_ns();
            }
            Order::ResponseDelay(delay) => self.session.set_response_delay(delay),
            Order::Watch(watch) => self.watch = watch,
            Order::Pick(ray) => {
                let (object, asked) = self.session.pick(ray);
                if let Err(trouble) = asked {
                    self.trouble(trouble);
                }
                self.watch.picked = object;
                self.picks += 1;
            }
            Order::Drawn { epoch, step, render_ns } => self.session.drawn(epoch, step, render_ns),
            Order::ExportFrames(path) => {
                let frames = self.session.export(&path);
                self.exported(frames.map(|n| format!("{n} frames written to {}", path.display())));
            }
            Order::ExportSummary(path) => {
                let rows = self.session.export_summary(&path);
                self.exported(rows.map(|n| format!("{n} rows written to {}", path.display())));
            }
        }
    }

    fn run(&mut self, running: bool) {
        self.stand_still();
        self.running = running;
        self.due_ns = self.clock.now_ns();
        if running {
            self.disagreement = None;
        }
    }

    /// A disagreement with an algorithm that runs no more is settled.
    fn forget_others(&mut self) {
        let session = &self.session;
        let stands = |of: &Disagreement| session.runs(of.wrong) && session.runs(of.other);
        self.disagreement = self.disagreement.filter(stands);
    }

    /// Nothing more is done by itself. What was to be done after a step is done now.
    fn stand_still(&mut self) {
        (self.running, self.owed_steps) = (false, 0);
        for order in std::mem::take(&mut self.later) {
            self.carry_out(order);
        }
    }

    /// Takes the last step back; one that is not done yet is not taken at all.
    fn step_back(&mut self) {
        let owed = self.owed_steps;
        self.stand_still();
        if owed > 1 || (owed == 1 && !self.session.is_within_step()) {
            self.owed_steps = owed - 1;
        } else if self.session.step_back() {
            self.disagreement = None;
        } else {
            self.trouble("there is no earlier step to go back to");
        }
    }

    fn begun(&mut self, begun: Result<Vec<CreateError>, SessionError>) {
        match begun {
            Err(refusal) => self.trouble(refusal),
            Ok(refused) => {
                for refusal in refused {
                    self.trouble(refusal);
                }
                self.forget_others();
                self.owed_steps = 0;
                self.disagreement = None;
                self.moved_planes.clear();
                let warning = self.session.world().placement_warning();
                self.notices.extend(warning.map(|text| Notice::Trouble(text.to_owned())));
            }
        }
    }

    fn exported(&mut self, outcome: Result<String, measure::OutputError>) {
        self.notices.push(match outcome {
            Ok(done) => Notice::Done(done),
            Err(error) => Notice::Trouble(error.to_string()),
        });
    }

    fn trouble(&mut self, text: impl ToString) {
        self.notices.push(Notice::Trouble(text.to_string()));
    }

    /// How long until the next step is due; `None` while standing still.
    pub fn due_in(&self) -> Option<Duration> {
        if self.owed_steps > 0 || self.owes_search() {
            return Some(Duration::ZERO);
        }
        let now = self.clock.now_ns();
        self.running.then(|| match self.pace {
            Pace::Unlimited => Duration::ZERO,
            Pace::Times(_) => Duration::from_nanos(self.due_ns.saturating_sub(now)),
        })
    }

    /// Standing still, whoever looks wants to see the pairs of what is there.
    fn owes_search(&self) -> bool {
        !self.running && !self.session.is_searched() && !self.broken
    }

    /// Takes the step that is due. Once `stop` is set it is left for the orders that came in, and
    /// then taken up again.
    pub fn advance(&mut self, stop: &AtomicBool) {
        if self.owed_steps == 0 && self.owes_search() {
            self.changed = true;
            if let Err(trouble) = self.session.search_here(stop) {
                self.broken = true;
                self.trouble(trouble);
            }
            return;
        }
        let now = self.clock.now_ns();
        if let Pace::Times(times) = self.pace {
            let dt = f64::from(self.session.world().scene().dt);
            let period = (dt / f64::from(times) * 1e9) as u64;
            self.due_ns = (self.due_ns + period).max(now.saturating_sub(MOST_LATE_NS));
        }
        self.step(stop);
        self.keep_moved_planes();
    }

    /// Planes that move do so in a single step: they are kept for a while, to be seen.
    fn keep_moved_planes(&mut self) {
        let now = self.session.world().steps();
        // Steps that were taken back have moved nothing.
        self.moved_planes.retain(|(_, step)| *step <= now && now - step < FLASH_STEPS);
        if self.watch.planes && self.session.structure().counters().rebuilds > 0 {
            let mut planes = Vec::new();
            collect_planes(self.session.structure(), &mut planes);
            let moved = planes.into_iter().filter(|plane| plane.moved);
            self.moved_planes.extend(moved.map(|plane| (plane, now)));
        }
    }

    fn step(&mut self, stop: &AtomicBool) {
        match self.session.step(self.hold, stop) {
            Ok(Stepped::Done) => {
                self.changed = true;
                self.disagreement = None;
                self.owed_steps = self.owed_steps.saturating_sub(1);
                if self.owed_steps == 0 && !self.running {
                    self.stand_still();
                }
            }
            // The orders for which it was stopped come first; then it is taken up again at once.
            Ok(Stepped::Stopped) => self.due_ns = self.clock.now_ns(),
            Ok(Stepped::Disagreed(disagreement)) => {
                self.changed = true;
                self.stand_still();
                self.watch.picked = Some(disagreement.pair().a);
                self.trouble(disagreement);
                self.disagreement = Some(disagreement);
            }
            Err(trouble) => {
                self.changed = true;
                self.broken = true;
                self.stand_still();
                self.trouble(trouble);
            }
        }
    }

    /// Whether a snapshot would differ from the last one.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Shows the present state. What is to be told is told once.
    pub fn snapshot(&mut self, snapshot: &mut Snapshot) {
        snapshot.fill(&self.session, &self.watch);
        snapshot.running = self.running;
        snapshot.pace = self.pace;
        snapshot.disagreement = self.disagreement;
        (snapshot.heard, snapshot.begun, snapshot.picks) = (self.heard, self.begun, self.picks);
        let now = self.session.world().steps();
        snapshot.moved_planes.clear();
        snapshot.moved_planes.extend(self.moved_planes.iter().map(|(plane, step)| {
            (*plane, 1.0 - now.saturating_sub(*step) as f32 / FLASH_STEPS as f32)
        }));
        // One that was not looked at keeps what it had to tell.
        snapshot.notices.append(&mut self.notices);
        self.changed = false;
    }
}
