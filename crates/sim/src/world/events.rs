//! Timed events of a world.

use super::{Hold, World};
use crate::scene::{Action, Event};
use std::ops::Range;

impl World {
    /// Applies the events whose time falls into the step.
    pub(super) fn run_events(&mut self, now: &Range<f64>) {
        let due = |event: &Event| match event.action {
            Action::RemoveSource(source) => now.contains(&f64::from(event.time)).then_some(source),
            Action::Hold { .. } => None,
        };
        // Together: each time, the objects of all sources are looked through.
        let removed: Vec<u32> = self.scene().events.iter().filter_map(due).collect();
        if !removed.is_empty() {
            let before: Vec<_> = self.elements.boxes().collect();
            self.elements.remove(&removed);
            self.settle(&before, false);
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
