//! The messages of an engine.

use super::Engine;
use crate::simulation::order::Notice;
use sim::World;

impl Engine {
    pub(super) fn report(&mut self, text: impl ToString) {
        self.notices.push(Notice::Problem(text.to_string()));
    }

    pub(super) fn report_done(&mut self, text: String) {
        self.notices.push(Notice::Done(text));
    }

    /// Reports why the motion is stopped.
    pub(super) fn report_stop(&mut self, text: impl ToString) {
        self.notices.push(Notice::Stop(text.to_string()));
    }

    /// Reports objects that waited in the step, once in a motion.
    pub(super) fn report_waiting(&mut self) {
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
    pub(super) fn report_dropped(&mut self) {
        let dropped = self.session.take_dropped();
        if !dropped.is_empty() {
            self.report(format_args!("No longer compared, being too slow: {}", dropped.join(", ")));
        }
    }
}
