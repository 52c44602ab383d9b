//! The end of a window. A page has none.

use super::Model;
use crate::console;

impl Model {
    /// Whether a window that is to close may do so. Called again at each event until then.
    pub(in crate::app) fn is_closed(&mut self) -> bool {
        let Some(until_ns) = self.closing_until_ns else { return false };
        self.obey_all();
        self.take_snapshot();
        self.finish_files();
        !self.simulation.has_started() || self.simulation.has_failed() || self.is_current(until_ns)
    }

    /// Writes settings and unsaved edits at the end, unless the window never opened. Returns a line about the edits.
    pub(in crate::app) fn write_files(&mut self) -> Option<String> {
        if !self.simulation.has_started() {
            return None;
        }
        if let Err(problem) = self.write_settings() {
            console::note(format_args!("warning: {problem}"));
        }
        let edited = self.edited();
        let kept = self.autosave.finish(&edited);
        let edited = edited?;
        if kept == Ok(true) {
            let path = edited.path.display();
            return Some(format!("the next start offers the unsaved edits of {path}"));
        }
        let written = edited.write(self.platform.files, &self.export_path(".scene"));
        Some(written.map_or_else(
            |problem| problem,
            |edits| format!("the scene with its edits is saved in {}", edits.path.display()),
        ))
    }
}
