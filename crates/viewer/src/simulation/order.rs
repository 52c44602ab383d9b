//! Orders to a simulation, and its messages.

use crate::session::{Drawing, Methods};
use crate::view::View;
use broadphase::registry::Algorithm;
use measure::Case;
use narrowphase::BoxKind;
use sim::{DriveKeys, Edit, Hold, Pull, Scene};
use std::path::PathBuf;
use std::time::Duration;

/// How fast simulated time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Simulated seconds per second; fewer if the steps take longer than that allows.
    Times(f32),
    /// As fast as the algorithm allows.
    Unlimited,
}

impl Pace {
    /// Bounds of [`Pace::Times`].
    pub const RANGE: std::ops::RangeInclusive<f32> = 0.1..=4.0;
}

/// An action of the simulation; actions are carried out in the order in which they were sent.
#[derive(Clone, Debug)]
pub enum Order {
    /// Start or stop the motion.
    Run(bool),
    /// Take one step while the motion is stopped.
    Step,
    /// Show the step before, and stop the motion.
    StepBack,
    /// Stop the motion and show this step. One after all known steps of a scene is reached by taking steps.
    GoTo(u64),
    /// Restart the scene with all edits, or a recording at its first frame.
    Restart,
    /// Restart the scene with other settings.
    Generate(Box<Scene>),
    /// Begin another input.
    Begin(Box<Case>),
    /// Rename the scene, which was saved under this name.
    Rename(String),
    /// Find the pairs with another algorithm.
    Algorithm(&'static Algorithm),
    /// Compare these algorithms with the running one, on the same boxes.
    Compare(Vec<&'static Algorithm>),
    /// Let the compared algorithms search, or pause them: a comparison that is not shown does not run.
    Comparing(bool),
    /// Compute the boxes of bodies like this.
    BoxKind(BoxKind),
    /// Test pairs of bodies with these methods.
    Methods(Methods),
    /// Use this many threads from the next step on.
    Threads(usize),
    /// Validate each structure after each of its updates, or no longer.
    Validate(bool),
    /// Change the running scene.
    Edit(Edit),
    /// Take the last drag, edit or restart with other settings back.
    Undo,
    /// Let the line attract or repel from now on.
    Hold(Hold),
    /// Pull an object to a place from now on, or none. Steps are taken as long as one is pulled.
    Pull(Option<Pull>),
    /// Hold keys that drive bodies, from now on.
    Drive(DriveKeys),
    /// Change the pace of simulated time.
    Pace(Pace),
    /// Spend this time on each real collision.
    ResponseDelay(Duration),
    /// Show these parts from now on.
    View(View),
    /// Record the drawing time of a step's picture.
    Drawn(Drawing),
    /// Write the recorded frames.
    ExportFrames(PathBuf),
    /// Write when contacts of bodies began and ended.
    ExportEvents(PathBuf),
}

impl Order {
    /// Whether it stops the present search: true of orders from single clicks, whose effect the
    /// user waits for. Orders sent many times a second must not, or no step would ever finish.
    pub(super) fn is_urgent(&self) -> bool {
        !matches!(
            self,
            Order::Hold(_)
                | Order::Pull(_)
                | Order::Drive(_)
                | Order::Pace(_)
                | Order::ResponseDelay(_)
                | Order::Rename(_)
                | Order::View(_)
                | Order::Drawn(_)
        )
    }

    /// Whether it replaces all objects: those of orders before it need not be placed.
    pub(super) fn replaces_objects(&self) -> bool {
        matches!(self, Order::Begin(_) | Order::Generate(_))
    }

    /// Whether a snapshot shows its effect at once. The effect of others is seen with the next step.
    pub fn is_shown(&self) -> bool {
        !matches!(self, Order::Hold(_) | Order::Pull(_) | Order::Drive(_) | Order::Drawn(_))
    }

    /// Whether it changes a scene or its motion: a recording is only played.
    pub(super) fn changes_scene(&self) -> bool {
        matches!(
            self,
            Order::Generate(_)
                | Order::Rename(_)
                | Order::Edit(_)
                | Order::Undo
                | Order::ResponseDelay(_)
                | Order::BoxKind(_)
        )
    }

    /// Whether it lets the simulation search, place or move objects.
    pub(crate) fn is_work(&self) -> bool {
        let works = self.is_remedy()
            || self.changes_scene()
            || matches!(self, Order::Threads(_) | Order::Pull(Some(_)));
        works && !matches!(self, Order::Run(false) | Order::Rename(_))
    }

    /// Whether a failed algorithm is tried again after it.
    pub(super) fn is_remedy(&self) -> bool {
        matches!(
            self,
            Order::Run(_)
                | Order::Step
                | Order::StepBack
                | Order::GoTo(_)
                | Order::Restart
                | Order::Generate(_)
                | Order::Begin(_)
                | Order::Algorithm(_)
                | Order::Compare(_)
                | Order::BoxKind(_)
                | Order::Methods(_)
                | Order::Validate(_)
        )
    }
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something was done.
    Done(String),
    /// Something failed, or is doubtful.
    Problem(String),
    /// What stopped the motion, or the search of a stopped state.
    Stop(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_orders_do_not_stop_a_search() {
        let often = [
            Order::Hold(Hold::Attract),
            Order::Pull(None),
            Order::Drive(DriveKeys::NONE),
            Order::Pace(Pace::Unlimited),
            Order::ResponseDelay(Duration::ZERO),
            Order::View(View::default()),
            Order::Drawn(Drawing { epoch: 0, step: 1, presented_ns: 2, render_ns: 1, pictures: 1 }),
        ];
        assert!(often.iter().all(|order| !order.is_urgent()));
        let once = [
            Order::Run(false),
            Order::StepBack,
            Order::GoTo(3),
            Order::Restart,
            Order::Algorithm(&broadphase::registry::ALGORITHMS[0]),
            Order::Compare(Vec::new()),
            Order::Comparing(false),
            Order::BoxKind(BoxKind::Sphere),
            Order::Methods(Methods::default()),
            Order::Validate(false),
            Order::Undo,
        ];
        assert!(once.iter().all(Order::is_urgent));
    }
}
