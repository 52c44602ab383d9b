//! Faults of a scene file, by places in its text.

use std::ops::Range;

/// A fault of a file, placed by byte offsets into its text.
#[derive(Debug)]
pub(super) struct Fault {
    /// The bytes to mark; empty where something is missing.
    pub(super) at: Range<usize>,
    /// One line: what was expected, what was found.
    pub(super) message: String,
    /// A few words beside the marker.
    pub(super) label: String,
    /// What to do about it.
    pub(super) help: Option<String>,
    /// Another place that takes part in the fault, with its own words.
    pub(super) other: Option<(Range<usize>, String)>,
}

/// The result of a step of parsing; boxed, because faults are large and rare.
pub(super) type Fallible<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn new(
        at: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Box<Self> {
        Box::new(Self { at, message: message.into(), label: label.into(), help: None, other: None })
    }

    pub(super) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    pub(super) fn other(
        mut self: Box<Self>,
        at: Range<usize>,
        label: impl Into<String>,
    ) -> Box<Self> {
        self.other = Some((at, label.into()));
        self
    }
}
