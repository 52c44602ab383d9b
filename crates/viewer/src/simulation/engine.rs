//! Carries out orders and takes steps when they are due. Uses no thread.

use super::flashes::Flashes;
use super::order::{Notice, Order, Pace};
use super::pacer::Pacer;
use super::shown_fault::ShownFault;
use super::snapshot::Snapshot;
use super::watch::Watch;
use crate::session::{Disagreement, Session, SessionError, StageFault, Stepped, TooSlow};
use broadphase::registry::CreateError;
use measure::Clock;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sim::{Hold, World};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The state of an engine that a snapshot shows.
#[derive(Clone, Debug)]
pub struct EngineState {
    /// Whether the motion runs.
    pub running: bool,
    /// How fast simulated time passes.
    pub pace: Pace,
    /// Threads that a step may use.
    pub threads: usize,
    /// Orders carried out so far, of those whose effect a snapshot shows.
    pub heard: u64,
    /// The number of the order, among those, that began the present scene; 0 for the first scene.
    pub begun: u64,
    /// Picks by a ray so far, of an object or of none.
    pub picks: u64,
    /// Two algorithms that found different pairs in the last step, while both run.
    pub disagreement: Option<Disagreement>,
    /// A wrong answer about two bodies in the last step.
    pub fault: Option<Arc<ShownFault>>,
}

impl Default for EngineState {
    /// A stopped engine.
    fn default() -> Self {
        Self {
            running: false,
            pace: Pace::Times(1.0),
            threads: rayon::current_num_threads(),
            heard: 0,
            begun: 0,
            picks: 0,
            disagreement: None,
            fault: None,
        }
    }
}

/// A session and the state that drives it.
pub struct Engine {
    session: Session,
    clock: &'static dyn Clock,
    state: EngineState,
    /// The algorithm or the motion has failed: nothing is searched until an order may remedy it.
    failed: bool,
    /// Single steps that were ordered, and are not done yet.
    owed_steps: u32,
    /// Orders to carry out after them.
    later: Vec<Order>,
    pacer: Pacer,
    /// The pool that steps run in; `None`: rayon's global pool.
    pool: Option<Arc<ThreadPool>>,
    hold: Hold,
    watch: Watch,
    flashes: Flashes,
    /// The motion whose waiting objects were reported, by its [`epoch`](crate::session::Motion::epoch).
    waited: Option<u64>,
    notices: Vec<Notice>,
    /// A snapshot would differ from the last one.
    changed: bool,
}

impl Engine {
    /// Drives a session, at first in real time.
    pub fn new(session: Session, clock: &'static dyn Clock, running: bool) -> Self {
        let warning = placement_warning(&session);
        Self {
            session,
            clock,
            state: EngineState { running, ..EngineState::default() },
            failed: false,
            owed_steps: 0,
            later: Vec::new(),
            pacer: Pacer::new(clock.now_ns()),
            pool: None,
            hold: Hold::None,
            watch: Watch::default(),
            flashes: Flashes::default(),
            waited: None,
            notices: warning.into_iter().map(Notice::Problem).collect(),
            changed: true,
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Counts an order that the next one makes needless.
    pub fn skip_order(&mut self) {
        self.changed = true;
        self.state.heard += 1;
    }

    /// Carries out an order. A refused one changes nothing and is reported.
    pub fn obey(&mut self, order: Order) {
        self.failed &= !order.is_remedy();
        if order.is_shown() {
            self.changed = true;
            self.state.heard += 1;
        }
        // Exports wait for the steps ordered before them.
        let waits = matches!(order, Order::ExportFrames(_) | Order::ExportSummary(_));
        if waits && self.owed_steps > 0 {
            self.later.push(order);
        } else {
            self.carry_out(order);
        }
    }

    fn carry_out(&mut self, order: Order) {
        if order.changes_scene() && self.session.world().is_none() {
            return self.report("the motion is recorded: it can be played, not changed");
        }
        match order {
            Order::Run(running) => self.run(running),
            Order::Step if self.state.running => {}
            Order::Step if self.session.motion().is_at_end() => {
                self.report("the recording ends with this frame");
            }
            Order::Step => {
                if self.owed_steps == 0 {
                    self.session.resume_rates();
                }
                self.owed_steps = self.owed_steps.saturating_add(1);
            }
            Order::StepBack => self.step_back(),
            Order::GoTo(step) => self.go_to(step),
            Order::Restart => {
                let begun = self.session.restart();
                self.begun(begun);
            }
            Order::Generate(scene) => {
                let begun = self.session.generate(&scene);
                self.begun(begun);
            }
            Order::Begin(case) => {
                let begun = self.session.begin(&case);
                if begun.is_ok() {
                    self.state.begun = self.state.heard;
                }
                self.begun(begun);
            }
            Order::Rename(label) => self.session.rename(label),
            Order::Algorithm(row) => {
                match self.session.set_algorithm(row) {
                    Ok(()) => self.flashes.clear(),
                    Err(refusal) => self.report(refusal),
                }
                self.drop_settled_disagreement();
            }
            Order::Compare(rows) => {
                if let Err(refusal) = self.session.set_compared(&rows) {
                    self.report(format_args!("not compared: {refusal}"));
                }
                self.drop_settled_disagreement();
            }
            Order::Comparing(comparing) => self.session.set_comparing(comparing),
            Order::BoxKind(kind) => {
                self.session.set_box_kind(kind);
                self.flashes.clear();
                self.forget_faults();
            }
            Order::Methods(methods) => {
                self.session.set_methods(methods);
                self.state.fault = None;
            }
            Order::Threads(threads) => self.set_threads(threads),
            Order::Validate(validate) => self.session.set_validation(validate),
            Order::Edit(edit) => {
                if let Err(refusal) = self.session.edit(&edit) {
                    self.report(refusal);
                }
            }
            Order::Undo => match self.session.undo() {
                Some(undone) => self.notices.push(Notice::Done(format!("taken back: {undone}"))),
                None => self.report("there is no edit to take back"),
            },
            Order::Hold(hold) => self.hold = hold,
            Order::Pace(pace) => {
                self.state.pace = pace;
                self.pacer.restart(self.clock.now_ns());
            }
            Order::ResponseDelay(delay) => self.session.set_response_delay(delay),
            Order::Watch(watch) => {
                self.watch = watch;
                if self.session.is_searched() {
                    let steps = self.session.steps();
                    self.flashes.add_late(self.session.structure(), &self.watch, steps);
                }
            }
            Order::Pick(ray) => {
                let (object, asked) = self.session.pick(ray);
                if let Err(problem) = asked {
                    self.report(problem);
                }
                self.watch.picked = object;
                self.state.picks += 1;
            }
            Order::Drawn(drawing) => self.session.drawn(drawing, self.state.running),
            Order::ExportFrames(path) => {
                let frames = self.session.export(&path);
                self.exported(frames.map(|n| format!("{n} rows written to {}", path.display())));
            }
            Order::ExportSummary(path) => {
                let rows = self.session.export_summary(&path);
                self.exported(rows.map(|n| format!("{n} rows written to {}", path.display())));
            }
            Order::ExportPair(path) => match self.state.fault.clone() {
                None => self.report("no method gave a wrong answer about bodies"),
                Some(fault) => self.exported(
                    fault.write(&path).map(|()| format!("pair written to {}", path.display())),
                ),
            },
        }
    }

    /// Takes the next steps on other threads. Times on another number of threads are no longer shown.
    fn set_threads(&mut self, threads: usize) {
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => {
                self.state.threads = pool.current_num_threads();
                self.pool = Some(Arc::new(pool));
                self.session.forget_times();
            }
            Err(error) => self.report(format_args!("cannot start {threads} threads: {error}")),
        }
    }

    /// Orders carried out so far, of those whose effect a snapshot shows.
    pub fn heard(&self) -> u64 {
        self.state.heard
    }

    fn run(&mut self, running: bool) {
        if running && !self.state.running {
            self.session.resume_rates();
        }
        self.stop();
        self.state.running = running;
        self.pacer.restart(self.clock.now_ns());
        if running {
            self.forget_faults();
            // Played again from the start.
            if self.session.motion().is_at_end() {
                self.show_step(0);
                // A single frame does not move, and an unreadable one is not left.
                self.state.running = !self.session.motion().is_at_end();
            }
        }
    }

    /// Shows a step. One after all known ones, of a scene or of generated boxes, is reached by taking steps.
    fn go_to(&mut self, step: u64) {
        self.stop();
        let latest = *self.session.motion().kept().end();
        let knows_all =
            self.session.motion().recording().is_some_and(|recording| recording.frames.is_some());
        let is_ahead = !knows_all && step > latest;
        let target = if is_ahead { latest } else { step };
        if target != self.session.steps() && !self.show_step(target) {
            self.report(format_args!("step {step} is not kept"));
        } else if is_ahead {
            self.session.resume_rates();
            let unfinished = u64::from(self.session.motion().is_within_step());
            self.owed_steps = u32::try_from(step - latest + unfinished).unwrap_or(u32::MAX);
        }
    }

    /// Shows a step. Returns whether it is there.
    fn show_step(&mut self, step: u64) -> bool {
        match self.session.go_to(step) {
            Ok(true) => {
                self.forget_faults();
                self.flashes.clear();
                true
            }
            Ok(false) => false,
            Err(problem) => {
                self.report(problem);
                true
            }
        }
    }

    /// Forgets what was wrong in another step.
    fn forget_faults(&mut self) {
        (self.state.disagreement, self.state.fault) = (None, None);
    }

    /// Drops the disagreement if one of its algorithms no longer runs.
    fn drop_settled_disagreement(&mut self) {
        let session = &self.session;
        let both_run = |of: &Disagreement| session.runs(of.wrong) && session.runs(of.other);
        self.state.disagreement = self.state.disagreement.filter(both_run);
    }

    /// Stops the motion and drops the ordered steps. Orders that waited for them are carried out.
    fn stop(&mut self) {
        (self.state.running, self.owed_steps) = (false, 0);
        for order in std::mem::take(&mut self.later) {
            self.carry_out(order);
        }
    }

    /// Takes the last step back, or drops an ordered one that is not done yet.
    fn step_back(&mut self) {
        let owed = self.owed_steps;
        self.stop();
        if owed > 1 || (owed == 1 && !self.session.motion().is_within_step()) {
            self.owed_steps = owed - 1;
            return;
        }
        match self.session.step_back() {
            Ok(true) => {
                self.forget_faults();
                self.flashes.clear();
            }
            Ok(false) => self.report("there is no earlier step to go back to"),
            Err(problem) => self.report(problem),
        }
    }

    fn begun(&mut self, begun: Result<Vec<CreateError>, SessionError>) {
        match begun {
            Err(refusal) => self.report(refusal),
            Ok(refused) => {
                for refusal in refused {
                    self.report(format_args!("not compared: {refusal}"));
                }
                self.drop_settled_disagreement();
                self.owed_steps = 0;
                self.forget_faults();
                self.flashes.clear();
                self.notices.extend(placement_warning(&self.session).map(Notice::Problem));
            }
        }
    }

    fn exported(&mut self, outcome: Result<String, impl ToString>) {
        self.notices.push(match outcome {
            Ok(done) => Notice::Done(done),
            Err(error) => Notice::Problem(error.to_string()),
        });
    }

    fn report(&mut self, text: impl ToString) {
        self.notices.push(Notice::Problem(text.to_string()));
    }

    /// Reports why the motion is stopped.
    fn report_stop(&mut self, text: impl ToString) {
        self.notices.push(Notice::Stop(text.to_string()));
    }

    /// How long until the next step is due; `None` while the motion is stopped.
    pub fn due_in(&self) -> Option<Duration> {
        if self.owed_steps > 0 || self.owes_search() {
            return Some(Duration::ZERO);
        }
        let now = self.clock.now_ns();
        self.state.running.then(|| self.pacer.due_in(self.state.pace, now))
    }

    /// Whether the motion is stopped and the pairs of the present boxes, which are shown, are not
    /// known yet.
    fn owes_search(&self) -> bool {
        !self.state.running && !self.session.is_searched() && !self.failed
    }

    /// Takes the step that is due. Once `stop` is set, its search stops for the waiting orders and is
    /// repeated afterwards.
    pub fn advance(&mut self, stop: &AtomicBool) {
        match self.pool.clone() {
            Some(pool) => pool.install(|| self.advance_here(stop)),
            None => self.advance_here(stop),
        }
    }

    /// [`advance`](Self::advance) on the threads of the caller's pool.
    fn advance_here(&mut self, stop: &AtomicBool) {
        if self.owed_steps == 0 && self.owes_search() {
            self.changed = true;
            self.flashes.forget_step();
            match self.session.search_here(stop) {
                Ok(fault) => {
                    if let Some(fault) = fault {
                        self.report_fault(fault);
                    }
                }
                Err(problem) => {
                    self.failed = true;
                    self.report_stop(problem);
                }
            }
            return;
        }
        let now = self.clock.now_ns();
        self.pacer.step(self.state.pace, self.session.motion().time_step(), now);
        self.step(stop);
        let steps = self.session.steps();
        self.flashes.expire(steps);
        if self.session.is_searched() {
            self.flashes.add(self.session.structure(), &self.watch, steps);
        }
    }

    fn step(&mut self, stop: &AtomicBool) {
        match self.session.step(self.hold, stop) {
            Ok(Stepped::Done) => {
                self.changed = true;
                self.forget_faults();
                self.owed_steps = self.owed_steps.saturating_sub(1);
                self.report_dropped();
                self.report_waiting();
                let ends = self.session.motion().is_at_end();
                if ends || (self.owed_steps == 0 && !self.state.running) {
                    self.stop();
                }
            }
            // The waiting orders come first; then the search is repeated at once.
            Ok(Stepped::Stopped) => self.pacer.restart(self.clock.now_ns()),
            Ok(Stepped::Disagreed(disagreement)) => {
                self.changed = true;
                self.stop();
                self.watch.picked = Some(disagreement.pair().a);
                self.report_stop(disagreement);
                self.state.disagreement = Some(disagreement);
            }
            Ok(Stepped::Faulted(fault)) => {
                self.changed = true;
                self.stop();
                self.report_fault(fault);
            }
            Err(problem) => {
                self.changed = true;
                self.failed = true;
                self.stop();
                self.report_stop(problem);
            }
        }
    }

    /// Shows a wrong answer about two bodies, which are where the answer was given.
    fn report_fault(&mut self, fault: StageFault) {
        let scene = self.session.pair_scene(fault.pair());
        self.watch.picked = Some(fault.pair().a);
        self.report_stop(&fault);
        self.state.fault = Some(Arc::new(ShownFault { fault, scene }));
    }

    /// Reports objects that waited in the step, once in a motion.
    fn report_waiting(&mut self) {
        let epoch = self.session.motion().epoch();
        let waiting =
            self.session.world().map(World::waiting).filter(|waiting| !waiting.is_empty());
        if let Some(waiting) = waiting
            && self.waited != Some(epoch)
        {
            self.waited = Some(epoch);
            let step = self.session.steps();
            self.report(format_args!("step {step}: {waiting}"));
        }
    }

    /// Reports all dropped algorithms in one message: few messages are shown at once.
    fn report_dropped(&mut self) {
        let driving = self.session.algorithm().name;
        let times = |dropped: &TooSlow| {
            let seconds = dropped.mean_ns as f64 / 1e9;
            format!("{seconds:.1} s a step, {:.0} times as long as {driving}", dropped.ratio)
        };
        let dropped = self.session.take_dropped();
        match &dropped[..] {
            [] => {}
            [one] => self.report(format_args!(
                "{} is no longer compared: it takes {}",
                one.row.name,
                times(one)
            )),
            all => {
                let each: Vec<String> =
                    all.iter().map(|one| format!("{} ({})", one.row.name, times(one))).collect();
                let number = all.len();
                self.report(format_args!(
                    "{number} algorithms are no longer compared: {}",
                    each.join(", ")
                ));
            }
        }
    }

    /// Whether a snapshot would differ from the last one.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Fills a snapshot with the present state. Each message is handed out once.
    pub fn snapshot(&mut self, snapshot: &mut Snapshot) {
        snapshot.fill(&self.session, &self.watch);
        snapshot.engine = self.state.clone();
        self.flashes.show(self.session.steps(), self.state.running, &mut snapshot.changed);
        // A snapshot that was not taken keeps its messages.
        snapshot.notices.append(&mut self.notices);
        self.changed = false;
    }
}

/// Why the spheres of a scene overlap at its start, if they do.
fn placement_warning(session: &Session) -> Option<String> {
    session.world()?.placement_warning().map(str::to_owned)
}
