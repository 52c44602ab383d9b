//! The one table of what a change makes wrong.

use Stale::{Charts, Disagreement, Fault, Marks, Pairs, Structures, Timeline, Times, WarmUp};

/// A change of what runs, or of the step that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another input, or the same one from its start.
    Input,
    /// Another algorithm moves the world.
    Algorithm,
    /// The boxes of bodies are computed in another way.
    BoxKind,
    /// Pairs of bodies are tested in another way.
    Methods,
    /// Steps run on another number of threads.
    Threads,
    /// Another step is shown.
    Step,
    /// The motion begins or goes on.
    Motion,
}

/// Something that is forgotten after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// Charts of recent steps, and the rates of the last second.
    Charts,
    /// Pairs and times along the steps.
    Timeline,
    /// The times among them. The pairs are the same for all algorithms.
    Times,
    /// Results of the search of the present step: it is done again for display.
    Pairs,
    /// Structures: the boxes of all steps are other ones.
    Structures,
    /// Times of compared algorithms. The next searches of all are a warm-up.
    WarmUp,
    /// Marks of parts of the structure that changed lately.
    Marks,
    /// Two algorithms that found different pairs.
    Disagreement,
    /// A wrong answer about two bodies.
    Fault,
}

impl Change {
    /// The list of what is forgotten: [`Charts`] to [`WarmUp`] by the session, [`Marks`] to [`Fault`] by the engine.
    pub(crate) const fn stale(self) -> &'static [Stale] {
        match self {
            Self::Input => &[Charts, Timeline, Pairs, Marks, Disagreement, Fault],
            Self::Algorithm => &[Charts, Times, Pairs, Marks],
            Self::BoxKind => &[Charts, Timeline, Pairs, Structures, Marks, Disagreement, Fault],
            Self::Methods => &[Charts, Pairs, Fault],
            Self::Threads => &[Charts, Times, WarmUp],
            Self::Step => &[Pairs, Marks, Disagreement, Fault],
            Self::Motion => &[Disagreement, Fault],
        }
    }
}
