//! Other steps than the next one, and changes of the motion by hand.

use super::motion::Replay;
use super::{Change, Session};
use sim::{Edit, EditError};
use std::sync::atomic::AtomicBool;

/// The name of a restart with other settings among what can be undone.
pub(crate) const RESTART: &str = "restart with other settings";

impl Session {
    /// Shows another step. Returns whether it is kept. The steps after it stay kept until another one is begun from there.
    ///
    /// # Errors
    ///
    /// A message of one line, if the frame of a trace cannot be read, or the steps before have more pairs than fit into
    /// memory; nothing changes then.
    pub fn go_to(&mut self, step: u64) -> Result<bool, String> {
        Ok(self.go_to_by(step, &AtomicBool::new(false))? == Some(true))
    }

    /// [`go_to`](Self::go_to), unless it is [stopped](super::Activity::stop): `None` then, and the step that was shown still is.
    ///
    /// # Errors
    ///
    /// As [`go_to`](Self::go_to).
    pub fn go_to_unless_stopped(&mut self, step: u64) -> Result<Option<bool>, String> {
        let activity = self.activity.clone();
        activity.set_jumps(true);
        let went = self.go_to_by(step, &activity.stop);
        activity.set_jumps(false);
        went
    }

    fn go_to_by(&mut self, step: u64, stop: &AtomicBool) -> Result<Option<bool>, String> {
        self.activity.turn_to("moving the objects", None);
        let bound = self.algorithms.pair_bound(self.steps(), self.motion.boxes().len(), true);
        let went = self.motion.go_to(step, Replay { bound, activity: &self.activity, stop })?;
        if went == Some(true) {
            self.forget(Change::Step);
        }
        Ok(went)
    }

    /// Forgets the steps of a scene after the present one. Those of a recording come again.
    pub(super) fn forget_later(&mut self) {
        let steps = self.steps();
        if self.world().is_some() && *self.motion.kept().end() > steps {
            self.algorithms.contenders_mut().for_each(|of| of.forget_after(steps));
            self.motion.forget_later();
            self.contact_events.forget_after(steps);
            if self.by_hand_from > steps {
                self.by_hand_from = u64::MAX;
            }
        }
    }

    /// The change that an undo would take back: the last drag or edit, or else the last restart with other settings.
    pub fn undoable(&self) -> Option<String> {
        let edit = self.last_drag().or_else(|| self.world()?.undoable());
        edit.or_else(|| (!self.replaced.is_empty()).then(|| RESTART.to_owned()))
    }

    /// Whether there is an edit to undo.
    pub(super) fn is_edited(&self) -> bool {
        self.world().is_some_and(|world| world.undoable().is_some())
    }

    /// The motion is no longer as the input says, from a step on.
    pub(super) fn changed_by_hand(&mut self, from: u64) {
        self.by_hand_from = self.by_hand_from.min(from);
    }

    /// Whether the present step depends on what the user did to the motion: the line that attracts or repels, a
    /// drag, or an edit, even if it was undone.
    pub fn is_changed_by_hand(&self) -> bool {
        self.steps() >= self.by_hand_from
    }

    /// Changes the running scene.
    ///
    /// # Errors
    ///
    /// If the edit is invalid; nothing is changed then. A recording is never changed.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.motion.edit(edit)?;
        if self.is_edited() {
            // Released objects may not be held again after an undo.
            self.changed_by_hand(self.steps());
        }
        self.update_input_name();
        Ok(())
    }

    /// Takes the last edit back. Returns its description, or `None` if there is none.
    pub fn undo(&mut self) -> Option<String> {
        let undone = self.motion.undo();
        if undone.is_some() {
            self.changed_by_hand(self.steps());
        }
        self.update_input_name();
        undone
    }
}
