//! Work of an algorithm's own kind, and the ways in which it could have answered.

use super::Overlay;

/// A count of an algorithm's own kind of work in its last frame, where tests of boxes do not describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The thing counted, in the plural.
    pub name: &'static str,
    /// Its definition, in a sentence.
    pub meaning: &'static str,
    /// How many there were.
    pub count: u64,
    /// The overlay whose marks it changes, where [changes](super::Inspect::changes) report each.
    pub changes: Option<Overlay>,
}

/// A way in which an algorithm that chooses could have answered its last frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The name of the algorithm that always answers in this way.
    pub name: &'static str,
    /// Its predicted cost of a frame, in full searches by a grid of sweeps; `None` where it was not predicted.
    pub cost: Option<f64>,
    /// The search in a few words: why it costs that much.
    pub why: String,
    /// Whether it answered.
    pub is_chosen: bool,
}
