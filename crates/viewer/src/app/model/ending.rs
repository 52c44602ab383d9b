//! The end of a window, or of a scene: the last orders are awaited, and unsaved work is saved.

use super::Model;
use crate::app::rescue;
use crate::simulation::Simulation;
use sim::Scene;
use std::thread;
use std::time::Duration;

impl Model {
    /// Carries out the last commands, and takes the snapshot that shows them. Returns whether there was one within a few
    /// seconds.
    pub(in crate::app) fn catch_up(&mut self) -> bool {
        for command in std::mem::take(&mut self.commands) {
            // The window can carry out no more.
            let _ = self.obey(command);
        }
        let is_current = self.wait_for_orders();
        self.finish_files();
        is_current
    }

    /// Takes the snapshot that shows all orders. Returns whether there was one within a few seconds.
    pub(in crate::app) fn wait_for_orders(&mut self) -> bool {
        self.take_snapshot();
        let since = self.platform.clock.now_ns();
        while self.simulation.has_started()
            && !self.simulation.has_failed()
            && self.snapshot.engine.heard < self.simulation.given()
            && self.platform.clock.now_ns() - since < Simulation::MAX_PATIENCE_NS
        {
            thread::sleep(Duration::from_millis(2));
            self.take_snapshot();
        }
        self.snapshot.engine.heard >= self.simulation.given()
    }

    /// The scene, if it has edits that are in no file.
    fn edited(&self) -> Option<&Scene> {
        let recipe = &*self.snapshot.input.recipe;
        (self.snapshot.motion.recording.is_none() && *recipe != *self.kept).then_some(recipe)
    }

    /// Saves the scene in a file of its own if it has unsaved edits. Returns a line with `why` and its path.
    pub(in crate::app) fn rescue_edits(&self, why: &str) -> Option<String> {
        let scene = self.edited()?;
        Some(rescue::rescue(why, scene, self.platform.files, &self.export_path(".scene")))
    }
}
