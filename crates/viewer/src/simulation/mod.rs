//! The simulation on a thread of its own, so that a slow algorithm never delays the window.
//!
//! An [`Engine`] carries out [`Order`]s and takes steps; a [`Simulation`] runs it on a thread and
//! hands out [`Snapshot`]s. Without threads an engine can be driven by its owner.

mod bodies;
mod contact_points;
mod driven;
mod engine;
mod flashes;
mod impacts;
mod order;
mod pacer;
mod picked;
mod picked_body;
mod picked_path;
mod snapshot;
mod structure;
mod thread;
mod tint;
mod volumes;

pub use bodies::ShownBodies;
pub use contact_points::ShownContact;
pub use driven::DrivenBody;
pub use engine::{Engine, EngineState};
pub(crate) use flashes::Flashes;
pub use flashes::{Changed, Changes, Escape, MovedPlane, plane_nodes};
pub use impacts::{ShownImpact, ShownImpacts};
pub use order::{Notice, Order, Pace};
pub use picked::{Picked, TestCounts};
pub use picked_body::{Contact, Neighbour, PickedBody};
pub use picked_path::{ListSwept, PickedSweeps, SweepOutcomes};
pub use snapshot::MAX_LISTED;
pub use snapshot::{InputState, ObjectStates, SearchState, Snapshot};
pub use structure::{
    Block, Blocks, Interval, Intervals, Layer, MAX_BOXES, MAX_INTERVALS, MAX_PAIRS, MAX_POINTS,
    MAX_ROWS, RegionLevel, Regions, Structure, Sweeps, TreeBoxes, is_built_from_leaves,
};
pub use thread::Simulation;
pub use tint::Tint;
pub use volumes::{MAX_VOLUMES, ShownVolumes};
