//! Scenes of bouncing spheres, their motion, and recorded box traces.
//!
//! A [`Scene`] is what a scene file says; [`SceneDocument`] is the file itself, comments and order
//! kept. A [`World`] is a scene in motion: [`World::step`] moves its spheres by a fixed step,
//! [`World::boxes`] gives their boxes, and [`World::respond`] responds to the pairs that a broad phase
//! found among them. Everything is seeded and portable: the same scene gives the same trajectory on
//! every machine, for every algorithm and every number of threads. An [`Edit`] changes what acts on
//! the running spheres, and can be undone; a [`WorldState`] is a moment to go back to.
//!
//! [`stages`] has what comes after the broad phase: bounding volumes, narrow phases, contact sets.
//!
//! [`atlas`] makes boxes without a file: named kinds, and a random family. [`trace`] reads and
//! writes recorded boxes (`.bpt`). An [`AtomicFile`] is how all files are written, [`open_regular`] how
//! they are opened for reading. [`remove_unfinished`] cleans up where a signal ends the process.

pub mod atlas;
mod atomic_file;
mod pieces;
mod placing;
mod printable;
mod random;
mod regular_file;
pub mod scene;
pub mod stages;
pub mod trace;
mod unfinished;
mod world;

pub use atlas::{GeneratedBoxes, GeneratedKind, GeneratedSpec};
pub use atomic_file::{AtomicFile, refuse_link};
pub use placing::{Placing, PlacingEnded};
pub use printable::{is_terminal_control, printable};
pub use regular_file::{
    open_regular, open_unpacked, read_regular, refuse_irregular, refuse_packed,
};
pub use scene::{DEFAULT_SEED, DriveKeys, Scene, SceneDiagnostic, SceneDocument};
pub use trace::{TraceError, TraceReader, TraceWriter};
pub use unfinished::{Unfinished, remove_unfinished};
pub use world::{
    BYTES_PER_PATH, Bodies, BodyContact, BodyState, Edit, EditError, Hold, MAX_WORK, Pull, Refusal,
    RefusedBy, Response, StepImpact, Waiting, World, WorldState,
};
