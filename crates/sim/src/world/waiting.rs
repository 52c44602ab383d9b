//! Objects that stopped early in a step, at a bound on its work.

use std::fmt;

/// How many objects reached a bound of the work in a step. Each waits at the last place that it reached; no force acts on it
/// for the rest of the step. Displayed as a text of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The number of objects.
    pub objects: u32,
}

impl Waiting {
    /// Whether no object waits.
    pub fn is_empty(&self) -> bool {
        self.objects == 0
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.objects {
            1 => f.write_str("1 object waits")?,
            objects => write!(f, "{objects} objects wait")?,
        }
        f.write_str(
            " for the next step: contacts took all the work of this one; take a shorter `#!dt`, or slower or smaller objects",
        )
    }
}
