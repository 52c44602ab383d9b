//! Timed events of a world.

use super::{Hold, World};
use crate::scene::Action;
use std::ops::Range;

impl World {
    /// Applies the events whose time falls into the step.
    pub(super) fn run_events(&mut self, now: &Range<f64>) {
        for index in 0..self.scene().events.len() {
            let event = self.scene().events[index];
            if let Action::RemoveSource(source) = event.action
                && now.contains(&f64::from(event.time))
            {
                let before: Vec<_> = self.elements.boxes().collect();
                self.elements.remove(source);
                self.release(&before);
            }
        }
    }

    /// The hold that the scene's events schedule in any part of the step.
    pub(super) fn scheduled_hold(&self, now: &Range<f64>) -> Hold {
        let held = self.scene().events.iter().rev().find_map(|event| match event.action {
            Action::Hold { attract, seconds } => {
                let start = f64::from(event.time);
                let held = start < now.end && start + f64::from(seconds) > now.start;
                held.then_some(if attract { Hold::Attract } else { Hold::Repel })
            }
            Action::RemoveSource(_) => None,
        });
        held.unwrap_or_default()
    }
}
