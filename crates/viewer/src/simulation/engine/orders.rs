//! The orders of an engine.

use super::{Engine, placement_warning};
use crate::format::counted;
use crate::session::{Change, Disagreement, RESTART, SessionError, Stale};
use crate::simulation::order::{Notice, Order};
use crate::view::View;
use broadphase::registry::{Algorithm, CreateError};
use measure::Case;
use rayon::ThreadPoolBuilder;
use sim::Pull;
use std::io;
use std::path::Path;
use std::sync::Arc;

impl Engine {
    /// Counts an order that the next one makes needless.
    pub fn skip_order(&mut self) {
        self.changed = true;
        self.state.orders_done += 1;
    }

    /// Carries out an order. A refused one changes nothing and is reported. A way to another step ends once the session is
    /// stopped: the step before is still shown then, and [`advance`](Self::advance) begins the way again.
    pub fn obey(&mut self, order: Order) {
        let traits = order.traits();
        let owed = self.jump;
        self.state.failed &= !traits.is_remedy;
        if traits.is_shown {
            self.changed = true;
            self.state.orders_done += 1;
        }
        // Exports wait for the steps ordered before them.
        let waits = matches!(order, Order::ExportFrames(_) | Order::ExportEvents(_));
        if waits && self.owed_steps > 0 {
            self.later.push(order);
        } else {
            if traits.needs_step {
                self.take_jump(false);
            }
            self.carry_out(order);
        }
        // Another one that was stopped is taken after what the order has done is shown.
        if self.jump != owed {
            self.take_jump(true);
        }
    }

    fn carry_out(&mut self, order: Order) {
        if order.traits().changes_scene && self.session.world().is_none() {
            let lack =
                if matches!(order, Order::Undo) { "there is no edit to take back: " } else { "" };
            return self.report(format_args!(
                "{lack}the motion is recorded or generated: it can be played, not changed"
            ));
        }
        match order {
            Order::Run(running) => self.run(running),
            Order::Step => self.order_step(),
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
            Order::Begin(case) => self.begin(&case),
            Order::Rename(label) => self.session.rename(label),
            Order::Algorithm(entry) => self.set_algorithm(entry),
            Order::Compare(rows) => self.compare(&rows),
            Order::Comparing(comparing) => self.session.set_comparing(comparing),
            Order::BoxKind(kind) => {
                self.session.set_box_kind(kind);
                self.forget(Change::BoxKind);
            }
            Order::Methods(methods) => {
                self.session.set_methods(methods);
                self.forget(Change::Methods);
            }
            Order::Threads(threads) => self.set_threads(threads),
            Order::Validate(validate) => self.session.set_validation(validate),
            Order::Edit(edit) => {
                if let Err(refusal) = self.session.edit(&edit) {
                    self.report(refusal);
                }
            }
            Order::Undo => self.undo(),
            Order::Hold(hold) => self.hold = hold,
            Order::Pull(pull) => self.pull(pull),
            Order::Drive(keys) => self.session.set_drive(keys),
            Order::Pace(pace) => {
                self.state.pace = pace;
                self.pacer.restart(self.clock.now_ns());
            }
            Order::Loop(loops) => {
                self.state.loops = loops;
                if !loops && self.session.motion().is_at_end() {
                    self.stop();
                }
            }
            Order::ResponseDelay(delay) => self.session.set_response_delay(delay),
            Order::View(view) => self.set_view(view),
            Order::Drawn(drawing) => self.session.drawn(drawing, self.state.running),
            Order::ExportFrames(path) => self.write(self.session.export(), &path),
            Order::ExportEvents(path) => self.write(self.session.export_events(), &path),
        }
    }

    fn order_step(&mut self) {
        if self.state.running {
            return;
        }
        if self.session.motion().is_at_end() {
            return self.report("the recording ends with this frame");
        }
        if self.owed_steps == 0 {
            self.session.resume_rates();
        }
        self.owed_steps = self.owed_steps.saturating_add(1);
    }

    /// Takes back the last drag or edit, or else the last restart with other settings.
    fn undo(&mut self) {
        match self.session.undo_drag() {
            Some(Ok(undone)) => {
                self.stop();
                self.let_go();
                self.forget(Change::Step);
                return self.report_done(format!("taken back: {undone}"));
            }
            Some(Err(problem)) => return self.report(problem),
            None => {}
        }
        if let Some(undone) = self.session.undo() {
            return self.report_done(format!("taken back: {undone}"));
        }
        let Some(begun) = self.session.undo_generate() else {
            return self.report("there is no edit to take back");
        };
        let is_done = begun.is_ok();
        self.begun(begun);
        if is_done {
            self.report_done(format!("taken back: {RESTART}"));
        }
    }

    /// Pulls an object in the steps from now on. A motion that is stopped goes on for as long.
    fn pull(&mut self, pull: Option<Pull>) {
        self.pull_ended &= pull.is_some();
        if self.pull_ended {
            return;
        }
        if pull.is_some() && !self.session.is_pulling() {
            self.pacer.restart(self.clock.now_ns());
        }
        self.session.set_pull(pull);
    }

    /// Ends the pull that goes on, though the user still holds the object.
    pub(super) fn let_go(&mut self) {
        self.pull_ended = self.session.is_pulling();
        self.session.set_pull(None);
    }

    fn begin(&mut self, case: &Case) {
        // A recording stops at its end, which is no wish of the user.
        let was_at_end = self.session.motion().is_at_end();
        let begun = self.session.begin(case);
        let is_begun = begun.is_ok();
        self.begun(begun);
        if is_begun {
            self.state.scene_order = self.state.orders_done;
            if was_at_end {
                self.run(true);
            }
        }
    }

    fn set_algorithm(&mut self, entry: &'static Algorithm) {
        match self.session.set_algorithm(entry) {
            Ok(()) => self.forget(Change::Algorithm),
            Err(refusal) => self.report(refusal),
        }
        self.drop_settled_disagreement();
    }

    fn compare(&mut self, rows: &[&'static Algorithm]) {
        if let Err(refusal) = self.session.set_compared(rows) {
            self.report(format_args!("not compared: {refusal}"));
        }
        self.drop_settled_disagreement();
    }

    fn set_view(&mut self, view: View) {
        self.view = view;
        if self.session.is_searched() {
            // The changes of this step in parts that were not watched when it was taken.
            self.flashes.add(self.session.structure_here(), &self.view);
        }
    }

    /// Writes a table, and reports its number of rows.
    fn write(&mut self, table: io::Result<(Vec<u8>, usize)>, path: &Path) {
        let shown = path.display();
        let written = table.and_then(|(bytes, rows)| self.files.write(path, &bytes).map(|()| rows));
        match written {
            Ok(rows) => self.report_done(format!("{} written to {shown}", counted(rows, "row"))),
            Err(error) => self.report(format_args!("cannot write {shown}: {error}")),
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

    pub(super) fn run(&mut self, running: bool) {
        if running && !self.state.running {
            self.session.resume_rates();
        }
        self.stop();
        self.state.running = running;
        self.pacer.restart(self.clock.now_ns());
        if running {
            self.forget(Change::Motion);
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
        self.jump = Some(target).filter(|target| *target != self.session.steps());
        if is_ahead {
            self.session.resume_rates();
            self.owed_steps = u32::try_from(step - latest).unwrap_or(u32::MAX);
        }
    }

    /// Shows the step that is owed, unless it `may_stop` and is stopped.
    pub(super) fn take_jump(&mut self, may_stop: bool) {
        let Some(step) = self.jump.take() else { return };
        let went = match may_stop {
            true => self.session.go_to_unless_stopped(step),
            false => self.session.go_to(step).map(Some),
        };
        match went {
            Ok(None) => self.jump = Some(step),
            Ok(Some(true)) => {
                self.changed = true;
                self.forget(Change::Step);
                if let Some(step) = self.session.motion().differs_from()
                    && self.reported_difference.replace(step) != Some(step)
                {
                    self.report(format_args!(
                        "step {step}: an algorithm missed pairs when it was first taken; from there on, all pairs \
                         collide in what is shown"
                    ));
                }
            }
            Ok(Some(false)) => {
                self.owed_steps = 0;
                self.report(format_args!("step {step} is not kept"));
            }
            Err(problem) => {
                self.owed_steps = 0;
                self.report(problem);
            }
        }
    }

    /// Forgets what a change makes wrong in the engine. The session has forgotten its own.
    pub(super) fn forget(&mut self, change: Change) {
        for stale in change.stale() {
            match stale {
                Stale::Marks if change == Change::Step => self.flashes.forget_marks(),
                Stale::Marks => self.flashes.clear(),
                Stale::Disagreement => self.state.disagreement = None,
                Stale::Fault => self.state.fault = None,
                Stale::Charts
                | Stale::Timeline
                | Stale::Times
                | Stale::Pairs
                | Stale::Structures
                | Stale::WarmUp => {}
            }
        }
    }

    /// Drops the disagreement if one of its algorithms no longer runs.
    fn drop_settled_disagreement(&mut self) {
        let session = &self.session;
        let both_run = |of: &Disagreement| session.runs(of.wrong) && session.runs(of.other);
        self.state.disagreement = self.state.disagreement.filter(both_run);
    }

    /// Stops the motion and drops the ordered steps. Orders that waited for them are carried out.
    pub(super) fn stop(&mut self) {
        (self.state.running, self.owed_steps) = (false, 0);
        for order in std::mem::take(&mut self.later) {
            self.carry_out(order);
        }
    }

    /// Shows the step before, or drops an ordered one that is not done yet.
    fn step_back(&mut self) {
        let owed = self.owed_steps;
        self.stop();
        if owed > 0 {
            self.owed_steps = owed - 1;
            return;
        }
        match self.session.motion_state().steps_back() {
            0 => self.report("there is no earlier step to go back to"),
            _ => self.jump = Some(self.session.steps() - 1),
        }
    }

    fn begun(&mut self, begun: Result<Vec<CreateError>, SessionError>) {
        match begun {
            Err(SessionError::Superseded) => {}
            Err(refusal) => self.report(refusal),
            Ok(refused) => {
                for refusal in refused {
                    self.report(format_args!("not compared: {refusal}"));
                }
                self.drop_settled_disagreement();
                (self.owed_steps, self.jump, self.reported_difference) = (0, None, None);
                self.let_go();
                self.forget(Change::Input);
                self.notices.extend(placement_warning(&self.session).map(Notice::Problem));
            }
        }
    }
}
