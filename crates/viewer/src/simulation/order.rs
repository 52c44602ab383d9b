//! What can be asked of a simulation.

use super::watch::Watch;
use crate::camera::Ray;
use broadphase::Algorithm;
use sim::Edit;
use sim::{Hold, Scene};
use std::path::PathBuf;
use std::time::Duration;

/// How fast simulated time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Simulated seconds per second; where a step takes longer than that leaves, less.
    Times(f32),
    /// As fast as the algorithm can.
    Unlimited,
}

impl Pace {
    /// Bounds of [`Pace::Times`].
    pub const RANGE: std::ops::RangeInclusive<f32> = 0.1..=4.0;
}

/// Something to be done, in the order in which it comes.
#[derive(Clone, Debug)]
pub enum Order {
    /// Let the motion run, or stand still.
    Run(bool),
    /// One step while standing still.
    Step,
    /// Take the last step back, and stand still.
    StepBack,
    /// Begin the scene anew as it was begun, with all edits.
    Restart,
    /// Begin anew with other settings of the scene.
    Generate(Box<Scene>),
    /// Begin another scene, under this name.
    Begin {
        /// Its name.
        label: String,
        /// The scene.
        scene: Box<Scene>,
    },
    /// Call the scene by another name: it was saved under it.
    Rename(String),
    /// Find the pairs by another algorithm.
    Algorithm(&'static Algorithm),
    /// Let these run on the same boxes too.
    Shadows(Vec<&'static Algorithm>),
    /// Change the running scene.
    Edit(Edit),
    /// Take the last edit back.
    Undo,
    /// Pull or push by the line from now on.
    Hold(Hold),
    /// Pass simulated time faster or slower.
    Pace(Pace),
    /// Spend this on each real collision.
    ResponseDelay(Duration),
    /// Show this of the scene.
    Watch(Watch),
    /// Look closely at the sphere that this ray meets first, or at none.
    Pick(Ray),
    /// A picture of a step took so many nanoseconds to draw.
    Drawn {
        /// The epoch of the snapshot that it shows.
        epoch: u64,
        /// The step, counted from 1.
        step: u64,
        /// Nanoseconds.
        render_ns: u64,
    },
    /// Write the recorded frames.
    ExportFrames(PathBuf),
    /// Write a summary of them.
    ExportSummary(PathBuf),
}

impl Order {
    /// Whether a search that is going on is left for it: what a person clicks once and waits for.
    /// What comes many times a second must not be, or no step would ever come to an end.
    pub(super) fn is_urgent(&self) -> bool {
        !matches!(
            self,
            Order::Hold(_)
                | Order::Pace(_)
                | Order::ResponseDelay(_)
                | Order::Rename(_)
                | Order::Watch(_)
                | Order::Drawn { .. }
        )
    }

    /// Whether a snapshot shows what came of it. The others are seen with the next step.
    pub fn is_shown(&self) -> bool {
        !matches!(self, Order::Hold(_) | Order::Drawn { .. })
    }

    /// Whether an algorithm that failed deserves another try after it.
    pub(super) fn is_remedy(&self) -> bool {
        matches!(
            self,
            Order::Run(_)
                | Order::Step
                | Order::StepBack
                | Order::Restart
                | Order::Generate(_)
                | Order::Begin { .. }
                | Order::Algorithm(_)
                | Order::Shadows(_)
        )
    }
}

/// One line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something was done.
    Done(String),
    /// Something is doubtful, or failed.
    Trouble(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_many_times_a_second_leaves_no_search() {
        let often = [
            Order::Hold(Hold::Attract),
            Order::Pace(Pace::Unlimited),
            Order::ResponseDelay(Duration::ZERO),
            Order::Watch(Watch::default()),
            Order::Drawn { epoch: 0, step: 1, render_ns: 1 },
        ];
        assert!(often.iter().all(|order| !order.is_urgent()));
        let once = [
            Order::Run(false),
            Order::StepBack,
            Order::Restart,
            Order::Algorithm(&broadphase::ALGORITHMS[0]),
            Order::Shadows(Vec::new()),
            Order::Undo,
        ];
        assert!(once.iter().all(Order::is_urgent));
    }
}
