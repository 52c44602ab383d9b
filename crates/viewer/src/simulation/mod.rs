//! The simulation on a thread of its own, so that a slow algorithm never delays the window.
//!
//! An [`Engine`] carries out [`Order`]s and takes steps; a [`Simulation`] runs it on a thread and
//! hands out [`Snapshot`]s. Without threads an engine can be driven by its owner.

mod bodies;
mod engine;
pub(crate) mod flashes;
mod intervals;
mod order;
mod pacer;
mod picked;
mod picked_body;
mod picked_path;
mod snapshot;
mod thread;
mod tint;

pub use bodies::{DrivenBody, ShownBodies};
pub use engine::{Engine, EngineState};
pub use flashes::{Changed, Changes, Escape, MovedPlane, plane_nodes};
pub use intervals::{Interval, Intervals, MAX_INTERVALS};
pub use order::{Notice, Order, Pace};
pub use picked::{Picked, TestCounts};
pub use picked_body::{Contact, Neighbour, PickedBody};
pub use picked_path::{ListSwept, PickedSweeps, SweepOutcomes};
pub use snapshot::MAX_LISTED;
pub use snapshot::{InputState, ObjectStates, SearchState, Snapshot};
pub use thread::Simulation;
pub use tint::Tint;
