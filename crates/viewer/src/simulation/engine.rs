//! Carries out orders and takes steps when they are due. Uses no thread.

mod orders;
#[cfg(test)]
mod tests;

use super::flashes::Flashes;
use super::order::{Notice, Order, Pace};
use super::pacer::Pacer;
use super::snapshot::Snapshot;
use crate::platform::{Files, Platform};
use crate::session::{Change, Disagreement, Session, StageFault, Stepped, StructureAt};
use crate::view::View;
use measure::Clock;
use rayon::ThreadPool;
use sim::Hold;
use std::sync::Arc;
use std::time::Duration;

/// The state of an engine that a snapshot shows.
#[derive(Clone, Debug)]
pub struct EngineState {
    /// Whether the motion runs.
    pub running: bool,
    /// How fast simulated time passes.
    pub pace: Pace,
    /// A recording is played again after its last frame.
    pub loops: bool,
    /// Threads that a step may use.
    pub threads: usize,
    /// Orders carried out so far, of those whose effect a snapshot shows.
    pub orders_done: u64,
    /// The number of the order, among those, that began the present scene; 0 for the first scene.
    pub scene_order: u64,
    /// The algorithm or the motion has failed: nothing is searched until an order may remedy it.
    pub failed: bool,
    /// Two algorithms that found different pairs in the last step, while both run.
    pub disagreement: Option<Disagreement>,
    /// A wrong answer about two bodies in the last step.
    pub fault: Option<Arc<StageFault>>,
    /// The shortest time that is shown, in ns: shorter ones are too few steps of the clock.
    pub shortest_ns: u64,
}

impl Default for EngineState {
    /// A stopped engine.
    fn default() -> Self {
        Self {
            running: false,
            pace: Pace::Times(1.0),
            loops: false,
            threads: rayon::current_num_threads(),
            orders_done: 0,
            scene_order: 0,
            failed: false,
            disagreement: None,
            fault: None,
            shortest_ns: 0,
        }
    }
}

/// A session and the state that drives it.
pub struct Engine {
    session: Session,
    clock: &'static dyn Clock,
    files: &'static dyn Files,
    state: EngineState,
    /// Single steps that were ordered, and are not done yet.
    owed_steps: u32,
    /// A step to show first: the way to it was stopped.
    jump: Option<u64>,
    /// Orders to carry out after the ordered steps.
    later: Vec<Order>,
    pacer: Pacer,
    /// The pool that steps run in; `None`: rayon's global pool.
    pool: Option<Arc<ThreadPool>>,
    hold: Hold,
    /// The pull that goes on was ended: until the next one begins, no object is pulled.
    pull_ended: bool,
    view: View,
    flashes: Flashes,
    /// The motion whose waiting objects were reported, by its [`epoch`](crate::session::Motion::epoch).
    waited: Option<u64>,
    /// The step of the last report that the motion differs from it.
    reported_difference: Option<u64>,
    notices: Vec<Notice>,
    /// A snapshot would differ from the last one.
    changed: bool,
}

impl Engine {
    /// Drives a session, at first in real time. Tables are written to `files`.
    pub fn new(session: Session, platform: Platform, running: bool) -> Self {
        let Platform { clock, files, .. } = platform;
        let warning = placement_warning(&session);
        Self {
            session,
            clock,
            files,
            state: EngineState {
                running,
                shortest_ns: clock.shortest_ns(),
                ..EngineState::default()
            },
            owed_steps: 0,
            jump: None,
            later: Vec::new(),
            pacer: Pacer::new(clock.now_ns()),
            pool: None,
            hold: Hold::None,
            pull_ended: false,
            view: View::default(),
            flashes: Flashes::default(),
            waited: None,
            reported_difference: None,
            notices: warning.into_iter().map(Notice::Problem).collect(),
            changed: true,
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The state that snapshots show.
    pub fn state(&self) -> &EngineState {
        &self.state
    }

    /// How long until the next step is due; `None` while the motion is stopped.
    pub fn due_in(&self) -> Option<Duration> {
        if self.owed_steps > 0 || self.jump.is_some() || self.owes_search() {
            return Some(Duration::ZERO);
        }
        let now = self.clock.now_ns();
        (self.state.running || self.session.is_pulling())
            .then(|| self.pacer.due_in(self.state.pace, now))
    }

    /// Whether the motion is stopped and the pairs of the present boxes, which are shown, are not known yet, or a compared
    /// algorithm has no figures yet.
    fn owes_search(&self) -> bool {
        let is_known = self.session.is_searched() && !self.session.has_new_compared();
        !self.state.running && !is_known && !self.state.failed
    }

    /// Takes the step that is due. Once the session is [stopped](crate::session::Activity::stop), its search ends for the
    /// waiting orders and is repeated afterwards.
    pub fn advance(&mut self) {
        match self.pool.clone() {
            Some(pool) => pool.install(|| self.advance_here()),
            None => self.advance_here(),
        }
    }

    /// [`advance`](Self::advance) on the threads of the caller's pool.
    fn advance_here(&mut self) {
        if self.jump.is_some() {
            return self.take_jump(true);
        }
        if self.owed_steps == 0 && self.owes_search() {
            return self.search();
        }
        let now = self.clock.now_ns();
        self.pacer.step(self.state.pace, self.session.motion().time_step(), now);
        if self.state.running && self.session.motion().is_at_end() {
            // Played again.
            self.jump = Some(0);
            self.take_jump(true);
            self.changed = true;
            if self.jump.take().is_some() {
                // It is begun again after the order that stopped it, unless that stops the motion.
                return;
            }
            if self.session.motion().is_at_end() {
                // A single frame does not move, and an unreadable one is not left.
                return self.stop();
            }
            return self.search();
        }
        let before = self.session.steps();
        self.step();
        let steps = self.session.steps();
        if steps > before {
            self.flashes.begin(steps);
        }
        if self.session.is_searched() {
            self.flashes.add(self.session.structure_here(), &self.view);
        }
    }

    /// Finds the pairs of the present step for display, or what compared algorithms find in it that have searched none yet.
    fn search(&mut self) {
        self.changed = true;
        let searched = if self.session.is_searched() {
            self.session.search_compared().map(|found| found.map(Stepped::Disagreed))
        } else {
            self.flashes.forget_step();
            let (flashes, view) = (&mut self.flashes, &self.view);
            let mut replayed = |searched: StructureAt<'_>| flashes.add(searched, view);
            let fault = self.session.search_here(&mut replayed);
            fault.map(|fault| fault.map(Stepped::Faulted))
        };
        searched.transpose().into_iter().for_each(|ended| self.end_wrongly(ended));
    }

    /// Reports wrong answers, or why a step failed.
    fn end_wrongly(&mut self, ended: Result<Stepped, String>) {
        match ended {
            Ok(Stepped::Stopped | Stepped::Done) => {}
            Ok(Stepped::Disagreed(disagreement)) => {
                self.view.picked = Some(disagreement.pair().a);
                self.report_stop(disagreement);
                self.state.disagreement = Some(disagreement);
            }
            Ok(Stepped::Faulted(fault)) => {
                self.view.picked = Some(fault.pair().a);
                self.report_stop(&fault);
                self.state.fault = Some(fault);
            }
            Err(problem) => {
                self.state.failed = true;
                self.report_stop(problem);
            }
        }
    }

    fn step(&mut self) {
        let stepped = self.session.step(self.hold);
        if matches!(stepped, Ok(Stepped::Stopped)) {
            // The waiting orders come first; then the step is taken again at once.
            return self.pacer.restart(self.clock.now_ns());
        }
        self.changed = true;
        if !matches!(stepped, Ok(Stepped::Done)) {
            self.stop();
            self.let_go();
            return self.end_wrongly(stepped);
        }
        self.forget(Change::Motion);
        self.reported_difference = None;
        self.owed_steps = self.owed_steps.saturating_sub(1);
        self.report_dropped();
        self.report_waiting();
        let ends = self.session.motion().is_at_end() && !(self.state.running && self.state.loops);
        if ends || (self.owed_steps == 0 && !self.state.running) {
            self.stop();
        }
    }

    fn report(&mut self, text: impl ToString) {
        self.notices.push(Notice::Problem(text.to_string()));
    }

    fn report_done(&mut self, text: String) {
        self.notices.push(Notice::Done(text));
    }

    /// Reports why the motion is stopped.
    fn report_stop(&mut self, text: impl ToString) {
        self.notices.push(Notice::Stop(text.to_string()));
    }

    /// Reports objects that waited in the step, once in a motion.
    fn report_waiting(&mut self) {
        let epoch = self.session.motion().epoch();
        let waiting =
            self.session.world().map(sim::World::waiting).filter(|waiting| !waiting.is_empty());
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
        let dropped = self.session.take_dropped();
        if !dropped.is_empty() {
            self.report(format_args!("No longer compared, being too slow: {}", dropped.join(", ")));
        }
    }

    /// Whether a snapshot would differ from the last one.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Fills a snapshot with the present state. Each message is handed out once.
    pub fn snapshot(&mut self, snapshot: &mut Snapshot) {
        snapshot.fill(&self.session, &self.view);
        snapshot.engine = self.state.clone();
        self.flashes.show(self.session.steps(), self.state.running, &mut snapshot.changed);
        snapshot.draw(&self.session, &self.view);
        // A snapshot that was not taken keeps its messages.
        snapshot.notices.append(&mut self.notices);
        self.changed = false;
    }
}

/// Why the spheres of a scene overlap at its start, if they do.
fn placement_warning(session: &Session) -> Option<String> {
    session.world()?.placement_warning().map(str::to_owned)
}
