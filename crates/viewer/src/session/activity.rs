//! The present work of a session, for another thread: it reads what is done, and stops it.

use measure::Clock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A part of a step or of an order that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its words.
    pub words: &'static str,
    /// The name of the algorithm that does it, if one does.
    pub algorithm: Option<&'static str>,
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
struct Work {
    began_ns: u64,
    task: Option<(Task, u64)>,
}

/// Written by the session's thread, read and stopped by any.
pub struct Activity {
    present: Mutex<Option<Work>>,
    /// Inputs that were announced and not received yet.
    announced: AtomicU64,
    /// Set to end the present step, search or way to another step.
    pub(super) stop: AtomicBool,
    /// The session is going to another step.
    jumps: AtomicBool,
    clock: &'static dyn Clock,
}

impl Activity {
    /// None yet.
    pub(super) fn new(clock: &'static dyn Clock) -> Self {
        let [stop, jumps] = [false; 2].map(AtomicBool::new);
        Self { present: Mutex::new(None), announced: AtomicU64::new(0), stop, jumps, clock }
    }

    /// Ends the present step, search or way to another step within milliseconds. It is undone.
    pub fn stop(&self) {
        self.stop.store(true, SeqCst);
    }

    /// Lets the next one go on. Returns whether the last one was to end.
    pub fn go_on(&self) -> bool {
        self.stop.swap(false, SeqCst)
    }

    /// Whether the session is going to another step, which can be stopped.
    pub(crate) fn jumps(&self) -> bool {
        self.jumps.load(SeqCst)
    }

    /// Notes that the session begins or ends going to another step.
    pub(crate) fn set_jumps(&self, jumps: bool) {
        self.jumps.store(jumps, SeqCst);
    }

    /// Another thread is about to send an input, which makes those before it needless.
    pub fn announce_input(&self) {
        self.announced.fetch_add(1, SeqCst);
    }

    /// The session's thread has received an announced input.
    pub fn receive_input(&self) {
        self.announced.fetch_sub(1, SeqCst);
    }

    /// Whether an input was announced and not received yet: the objects of the present one are needless.
    pub fn is_superseded(&self) -> bool {
        self.announced.load(SeqCst) > 0
    }

    /// A step or an order begins.
    pub fn begin(&self) {
        self.set(Some(Work { began_ns: self.clock.now_ns(), task: None }));
    }

    /// It has ended.
    pub fn end(&self) {
        self.set(None);
    }

    /// The present step or order turns to this part.
    pub(super) fn turn_to(&self, words: &'static str, algorithm: Option<&'static str>) {
        let task = Task { words, algorithm };
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        // A session without a thread has no reader.
        if let Some(present) = &mut *present {
            present.task = Some((task, self.clock.now_ns()));
        }
    }

    /// The present work; `None` between two steps.
    pub fn at_work(&self) -> Option<AtWork> {
        let present = *self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let Work { began_ns, task } = present?;
        let now_ns = self.clock.now_ns();
        let since = |since_ns| Duration::from_nanos(now_ns.saturating_sub(since_ns));
        Some(AtWork {
            task: task.map(|(task, _)| task),
            task_for: task.map_or(Duration::ZERO, |(_, since_ns)| since(since_ns)),
            busy_for: since(began_ns),
        })
    }

    fn set(&self, present: Option<Work>) {
        *self.present.lock().unwrap_or_else(PoisonError::into_inner) = present;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::{Double, TICK_NS};

    #[test]
    fn only_the_present_part_is_reported() {
        let double = Double::leaked();
        let activity = Activity::new(double);
        activity.turn_to("moving", None);
        assert_eq!(activity.at_work(), None, "no step has begun");
        let began_ns = double.now_ns.load(SeqCst);
        activity.begin();
        assert_eq!(activity.at_work().and_then(|work| work.task), None);
        for algorithm in [None, Some("BSP tree")] {
            activity.turn_to("searching", algorithm);
            // It turned to the task at the last reading, and this is the next one.
            let turned_ns = double.now_ns.fetch_add(2_000_000, SeqCst) - TICK_NS;
            let work = activity.at_work().unwrap();
            assert_eq!(work.task, Some(Task { words: "searching", algorithm }));
            assert_eq!(work.task_for, Duration::from_nanos(TICK_NS + 2_000_000));
            assert_eq!(work.busy_for, work.task_for + Duration::from_nanos(turned_ns - began_ns));
        }
        activity.end();
        assert_eq!(activity.at_work(), None);
    }
}
