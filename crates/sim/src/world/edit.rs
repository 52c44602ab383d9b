//! Edits of a running world: their kinds, errors and undo records.

use super::change::Change;
use super::homes::Held;
use crate::scene::{Driving, Gravity, Obstacle, Source};
use std::fmt;

/// An edit of a running world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// Appends a source, under a number not yet used in this world.
    NewSource(Source),
    /// Replaces a listed source.
    SetSource {
        /// The source's number; see [`World::sources`](super::World::sources).
        number: u32,
        /// The new source.
        source: Source,
    },
    /// Deletes a listed source, and the timed events that would remove it. Its objects become free.
    DeleteSource {
        /// The source's number; see [`World::sources`](super::World::sources).
        number: u32,
    },
    /// Appends an obstacle.
    NewObstacle(Obstacle),
    /// Replaces an obstacle.
    SetObstacle {
        /// Its index in the scene's list.
        index: usize,
        /// The new obstacle.
        obstacle: Obstacle,
    },
    /// Deletes an obstacle; those behind it move up.
    DeleteObstacle {
        /// Its index in the scene's list.
        index: usize,
    },
    /// Sets the gravity.
    Gravity(Gravity),
    /// Sets x and y of the vertical line.
    Line([f32; 2]),
    /// Sets how driven bodies move.
    Driving(Driving),
    /// Sets whether all objects stay within the first listed source.
    Strict(bool),
}

impl fmt::Display for Edit {
    /// A short description; obstacles are counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::NewSource(_) => f.write_str("new source"),
            Edit::SetSource { number, .. } => write!(f, "change source {number}"),
            Edit::DeleteSource { number } => write!(f, "delete source {number}"),
            Edit::NewObstacle(_) => f.write_str("new obstacle"),
            Edit::SetObstacle { index, .. } => write!(f, "change obstacle {}", from_one(*index)),
            Edit::DeleteObstacle { index } => write!(f, "delete obstacle {}", from_one(*index)),
            Edit::Gravity(gravity) => write!(f, "gravity {gravity}"),
            Edit::Line([x, y]) => write!(f, "line at {x}, {y}"),
            Edit::Driving(driving) => write!(f, "driving {driving}"),
            Edit::Strict(true) => f.write_str("objects strictly inside"),
            Edit::Strict(false) => f.write_str("objects not strictly inside"),
        }
    }
}

/// Why an edit was refused, in one line. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No scene file could describe the result: what was expected and what was found.
    #[error("{0}")]
    Refused(String),
    /// The scene would have no source left.
    #[error("source {0} cannot be deleted: a scene needs at least one source")]
    LastSource(u32),
    /// No source of this number is listed.
    #[error("there is no source {0} (it may have been deleted, or removed by a timed event)")]
    NoSource(u32),
    /// No obstacle has this index.
    #[error("there is no obstacle {}: the scene has {count}", from_one(*.index))]
    NoObstacle {
        /// The index of the edit.
        index: usize,
        /// How many obstacles there are.
        count: usize,
    },
}

fn from_one(index: usize) -> usize {
    index.saturating_add(1)
}

/// An edit that can be undone.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    pub(super) edit: Edit,
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) inverse: Change,
    /// Spheres that the edit released.
    pub(super) released: Vec<Held>,
    /// Free spheres that a source took hold of.
    pub(super) taken: Vec<Held>,
}
