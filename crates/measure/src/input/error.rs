//! Why an input cannot be read, or cannot follow its options.

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
    /// A frame has more pairs than can be held.
    #[error("{input}, {reason}")]
    TooManyPairs {
        /// The input as the user named it.
        input: String,
        /// The frame, and how many fit.
        reason: String,
    },
    /// A file cannot be read or has changed, or a frame is missing or has a bad box.
    #[error("{0}")]
    Unplayable(String),
}

impl InputError {
    /// A trace or a program cannot be read.
    pub(crate) fn unreadable(name: &str, source: &std::io::Error) -> Self {
        Self::Unplayable(format!("cannot read {name}: {source}"))
    }

    /// The trace has fewer frames than it had at first.
    pub(crate) fn ended(input: &str, frame: u32) -> Self {
        Self::Unplayable(format!("{input}: the trace ends before frame {frame}"))
    }
}

/// Options that an input cannot follow, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CaseError(pub(super) String);

/// A case that cannot be held, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MemoryError(pub(crate) String);
