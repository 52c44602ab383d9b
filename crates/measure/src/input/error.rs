//! Why an input cannot be read, or cannot follow its options.

use crate::table::numbers::thousands;
use broadphase::BoxError;
use bytesize::ByteSize;
use sim::{SceneDiagnostic, TraceError};

/// An input that cannot be read or played.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The scene file is wrong.
    #[error(transparent)]
    Scene(#[from] SceneDiagnostic),
    /// The trace is wrong.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A trace or a program cannot be read.
    #[error("cannot read {name}: {source}")]
    Unreadable {
        /// The file as the user named it.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file of a trace or of a program was replaced, overwritten or removed during the run.
    #[error("{name}: the file changed during the run")]
    Changed {
        /// The file as the user named it.
        name: String,
    },
    /// The trace has fewer frames than it had at first.
    #[error("{input}: the trace ends before frame {frame}")]
    Ended {
        /// The input as the user named it.
        input: String,
        /// The frame that is missing, from 0.
        frame: u32,
    },
    /// A scene's motion made a box that no algorithm may be given.
    #[error("{input}, frame {frame}: {bad_box}")]
    BadBox {
        /// The input as the user named it.
        input: String,
        /// The frame, from 0.
        frame: u32,
        /// What is wrong.
        bad_box: BoxError,
    },
    /// Random pairs have no boxes to play.
    #[error("{0} has no boxes: `harness bodies` measures random pairs")]
    NoBoxes(String),
    /// A frame has more pairs than can be held.
    #[error("{input}, frame {frame}: {error}")]
    TooManyPairs {
        /// The input as the user named it.
        input: String,
        /// The frame, from 0.
        frame: u32,
        /// How many fit.
        error: PairsError,
    },
}

/// Options that an input cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// A trace is shorter than asked for.
    #[error(
        "{input} has {available} frames, but {warmup} warm-up and {frames} measured frames are \
         asked for; take fewer"
    )]
    TooShort {
        /// The input as the user named it.
        input: String,
        /// Frames of the trace.
        available: u32,
        /// Warm-up frames asked for.
        warmup: u32,
        /// Measured frames asked for.
        frames: u32,
    },
    /// Worlds have too many boxes.
    #[error("{input}: expected at most {most} boxes")]
    TooManyBoxes {
        /// The input as the rows name it.
        input: String,
        /// The most.
        most: usize,
    },
    /// Only generated boxes can be drawn as many worlds.
    #[error("{0} cannot be many worlds: only generated boxes can")]
    NoWorlds(String),
}

/// A case that cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{input}: {objects} objects need about {}, but only {} of memory can be had; \
     take fewer objects, or smaller ones",
    ByteSize(*needed).display().si(), ByteSize(*available).display().si()
)]
pub struct MemoryError {
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub objects: usize,
    /// Bytes they need.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

/// The pairs of a frame that cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "more than {} pairs found, each of which takes up to {}, but only {} of memory can be had; take fewer \
     objects, or smaller ones, or fewer algorithms at a time",
    thousands(*most as f64), ByteSize(*each).display().si(), ByteSize(*available).display().si()
)]
pub struct PairsError {
    /// The most pairs that fit.
    pub most: u64,
    /// Bytes of one, in all that hold it.
    pub each: u64,
    /// Bytes there are.
    pub available: u64,
}
