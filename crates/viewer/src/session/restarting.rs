//! Other inputs, and restarts of the present one.

use super::contact_events::ContactEvents;
use super::input_name::InputName;
use super::{Change, Session, SessionError, moments, scene_case, settings};
use broadphase::registry::CreateError;
use measure::{Case, available_memory};
use sim::Scene;

/// Most restarts with other settings that can be undone, as many as edits. The oldest are dropped first.
const MAX_REPLACED: usize = 100;

impl Session {
    /// Replaces the input, under the same algorithms.
    ///
    /// # Errors
    ///
    /// If it does not fit into memory or cannot be read; the session goes on as it was. Compared
    /// algorithms that do not fit are left out and returned.
    pub fn begin(&mut self, case: &Case) -> Result<Vec<CreateError>, SessionError> {
        let refused = self.replace(case)?;
        self.input = InputName::new(case.input.as_str().into(), case.scene());
        self.replaced.clear();
        self.update_input_name();
        Ok(refused)
    }

    /// Restarts the scene with other settings, which [can be undone](Self::undo_generate).
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn generate(&mut self, scene: &Scene) -> Result<Vec<CreateError>, SessionError> {
        let before = self.world().map(|world| world.recipe().clone());
        let refused = self.restart_as(scene)?;
        self.replaced.extend(before);
        let excess = self.replaced.len().saturating_sub(MAX_REPLACED);
        self.replaced.drain(..excess);
        Ok(refused)
    }

    /// Restarts the scene as it was before it was restarted with other settings, with the edits that it had. `None` if it
    /// was not.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn undo_generate(&mut self) -> Option<Result<Vec<CreateError>, SessionError>> {
        let before = self.replaced.pop()?;
        let begun = self.restart_as(&before);
        if begun.is_err() {
            self.replaced.push(before);
        }
        Some(begun)
    }

    fn restart_as(&mut self, scene: &Scene) -> Result<Vec<CreateError>, SessionError> {
        let refused = self.replace(&scene_case(self.input.label().clone(), scene))?;
        self.update_input_name();
        Ok(refused)
    }

    /// Restarts the scene with all edits, or a recording at its first frame.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn restart(&mut self) -> Result<Vec<CreateError>, SessionError> {
        if let Some(recipe) = self.world().map(|world| world.recipe().clone()) {
            return self.restart_as(&recipe);
        }
        let settings = self.motion.settings();
        let (algorithms, refused) = self.algorithms.recreated(settings)?;
        self.go_to(0).map_err(SessionError::Frame)?;
        self.algorithms = algorithms;
        self.begin_motion();
        Ok(refused)
    }

    fn replace(&mut self, case: &Case) -> Result<Vec<CreateError>, SessionError> {
        case.check_memory_to_show(available_memory())?;
        if case.trace().is_none() {
            self.activity.turn_to("placing the objects", None);
        }
        let (algorithms, refused) = self.algorithms.recreated(settings(case))?;
        let kept_room = moments::room(case.n as u64, available_memory());
        let goes_on = || !self.activity.is_superseded();
        if !self.motion.restart(case, kept_room, &goes_on)? {
            return Err(SessionError::Superseded);
        }
        (self.algorithms, self.kept_room) = (algorithms, kept_room);
        self.begin_motion();
        Ok(refused)
    }

    fn begin_motion(&mut self) {
        self.forget(Change::Input);
        self.log.begin_motion();
        self.by_hand_from = u64::MAX;
        self.motion.begin();
        self.contact_events = ContactEvents::default();
    }
}
