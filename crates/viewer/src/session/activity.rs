//! What a session is doing at this moment, for a reader on another thread.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A part of a step or of an order that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Placing the objects of a scene, or generated boxes.
    Placing {
        /// Their number.
        objects: usize,
    },
    /// Moving the spheres.
    Moving,
    /// Updating a structure and finding the pairs.
    Searching {
        /// The algorithm's name.
        algorithm: &'static str,
        /// Whether it is only compared: its pairs do not move the spheres.
        compared: bool,
    },
    /// Checking the invariants of a structure.
    Validating {
        /// The algorithm's name.
        algorithm: &'static str,
    },
    /// Testing candidates of bodies, and checking the answers.
    TestingBodies {
        /// Number of candidates.
        candidates: usize,
        /// The most convex parts of a shape: each part of a body is tested with each of the other one.
        parts: usize,
    },
    /// Checking and comparing the pairs, responding to them, and recording the step.
    UsingPairs,
    /// Spending the delay of the responses.
    Delaying {
        /// Real collisions of the step.
        hits: u64,
        /// The delay of each.
        delay: Duration,
    },
    /// Writing recorded frames.
    Exporting,
}

/// A step or an order that is not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtWork {
    /// Its present part; `None` for parts that never take long.
    pub task: Option<Task>,
    /// How long this part has taken.
    pub task_for: Duration,
    /// How long all of it has taken.
    pub busy_for: Duration,
}

/// The present step or order, and its present part.
#[derive(Clone, Copy, Debug)]
struct Present {
    began: Instant,
    task: Option<(Task, Instant)>,
}

/// Written by the session's thread, read by any.
#[derive(Debug, Default)]
pub struct Activity(Mutex<Option<Present>>);

impl Activity {
    /// A step or an order begins.
    pub fn begin(&self) {
        self.set(Some(Present { began: Instant::now(), task: None }));
    }

    /// It has ended.
    pub fn end(&self) {
        self.set(None);
    }

    /// The present step or order turns to this part.
    pub(super) fn turn_to(&self, task: Task) {
        let mut present = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A session without a thread has no reader.
        if let Some(present) = &mut *present {
            present.task = Some((task, Instant::now()));
        }
    }

    /// What is being done; `None` between two steps.
    pub fn at_work(&self) -> Option<AtWork> {
        let present = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        present.map(|Present { began, task }| AtWork {
            task: task.map(|(task, _)| task),
            task_for: task.map_or(Duration::ZERO, |(_, since)| since.elapsed()),
            busy_for: began.elapsed(),
        })
    }

    fn set(&self, present: Option<Present>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = present;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_present_part_is_reported() {
        let activity = Activity::default();
        activity.turn_to(Task::Moving);
        assert_eq!(activity.at_work(), None, "no step has begun");
        activity.begin();
        assert_eq!(activity.at_work().and_then(|work| work.task), None);
        for task in [Task::Moving, Task::Placing { objects: 3 }] {
            activity.turn_to(task);
            let work = activity.at_work().unwrap();
            assert_eq!(work.task, Some(task));
            assert!(work.task_for <= work.busy_for);
        }
        activity.end();
        assert_eq!(activity.at_work(), None);
    }
}
