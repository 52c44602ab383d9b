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
    /// Play a recording again after its last frame, or stop there.
    Loop(bool),
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

/// Effect of an order on the work that goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    /// It stops the present search: true of single clicks, whose effect the user waits for. Orders sent many times a second
    /// must not, or no step would ever finish.
    pub(super) is_urgent: bool,
    /// A snapshot shows its effect at once. The effect of others is seen with the next step.
    pub(super) is_shown: bool,
    /// It lets the simulation search, place or move objects.
    pub(crate) is_work: bool,
    /// A failed algorithm is tried again after it.
    pub(super) is_remedy: bool,
    /// It changes a scene or its motion: a recording is only played.
    pub(super) changes_scene: bool,
    /// It depends on the step that is shown.
    pub(super) needs_step: bool,
    /// It replaces all objects: those of orders before it need not be placed.
    pub(super) replaces_objects: bool,
}

impl Order {
    pub(crate) fn traits(&self) -> Traits {
        let often = Traits::default();
        let click = Traits { is_urgent: true, is_shown: true, ..often };
        let work = Traits { is_work: true, ..click };
        let change = Traits { changes_scene: true, ..work };
        let remedy = Traits { is_remedy: true, ..work };
        match self {
            Order::Hold(_) | Order::Pull(None) | Order::Drive(_) | Order::Drawn(_) => often,
            Order::Pull(Some(_)) => Traits { is_work: true, ..often },
            Order::Pace(_) | Order::Loop(_) | Order::View(_) => Traits { is_shown: true, ..often },
            Order::Comparing(_) | Order::ExportFrames(_) => click,
            Order::ExportEvents(_) => Traits { needs_step: true, ..click },
            Order::Threads(_) => work,
            Order::Edit(_) | Order::Undo => Traits { needs_step: true, ..change },
            Order::ResponseDelay(_) => Traits { is_urgent: false, ..change },
            Order::Rename(_) => Traits { is_urgent: false, is_work: false, ..change },
            Order::Run(true)
            | Order::GoTo(_)
            | Order::Restart
            | Order::Algorithm(_)
            | Order::Compare(_)
            | Order::Methods(_)
            | Order::Validate(_) => remedy,
            Order::Step | Order::StepBack => Traits { needs_step: true, ..remedy },
            Order::Run(false) => Traits { is_work: false, ..remedy },
            Order::BoxKind(_) => Traits { changes_scene: true, ..remedy },
            Order::Generate(_) => Traits { changes_scene: true, replaces_objects: true, ..remedy },
            Order::Begin(_) => Traits { replaces_objects: true, ..remedy },
        }
    }
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something was done.
    Done(String),
    /// Something failed, or is doubtful.
    Problem(String),
    /// The reason why the motion stopped, or the search of a stopped state.
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
            Order::Drawn(Drawing { epoch: 0, step: 1, presented_ns: 2, render_ns: 1 }),
        ];
        assert!(often.iter().all(|order| !order.traits().is_urgent));
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
        assert!(once.iter().all(|order| order.traits().is_urgent));
    }
}
