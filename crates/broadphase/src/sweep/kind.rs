//! The kinds of sweeps: within a set, and between two.

use crate::{Frame, JoinPair, Pair};

/// The sets of a sweep, and its pairs.
pub(super) trait SweepKind: Copy {
    /// Two objects.
    type Pair: Copy;

    /// Whether the boxes of one set are compared with each other, so that a row meets only the boxes after it.
    const IS_WITHIN: bool;

    /// The least lower bound of another box in the run of a row, given that of the row.
    fn begin(self, min: f32) -> f32;

    /// The pair of a row and another box.
    fn pair(self, row: u32, other: u32) -> Self::Pair;

    /// Whether the pairs are no longer wanted.
    fn is_stopped(self) -> bool;

    /// Removes the pairs from position `first` on that a filter refuses.
    fn drop_refused(self, pairs: &mut Vec<Self::Pair>, first: usize);
}

/// The pairs of a frame.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) frame: &'a Frame<'a>,
}

impl SweepKind for Within<'_> {
    type Pair = Pair;

    const IS_WITHIN: bool = true;

    #[inline(always)]
    fn begin(self, min: f32) -> f32 {
        min
    }

    #[inline(always)]
    fn pair(self, row: u32, other: u32) -> Pair {
        Pair { a: row.min(other), b: row.max(other) }
    }

    #[inline(always)]
    fn is_stopped(self) -> bool {
        self.frame.is_stopped()
    }

    #[inline(always)]
    fn drop_refused(self, pairs: &mut Vec<Pair>, first: usize) {
        self.frame.drop_refused(pairs, first);
    }
}

/// The pairs of two sets. The rows are boxes of the first, or of the second if the sets are swapped.
#[derive(Clone, Copy)]
pub(super) struct Between {
    pub(super) is_swapped: bool,
}

impl SweepKind for Between {
    type Pair = JoinPair;

    const IS_WITHIN: bool = false;

    /// Of two boxes that begin at the same place, the one of the first set is the row.
    #[inline(always)]
    fn begin(self, min: f32) -> f32 {
        if self.is_swapped { min.next_up() } else { min }
    }

    #[inline(always)]
    fn pair(self, row: u32, other: u32) -> JoinPair {
        let [a, b] = if self.is_swapped { [other, row] } else { [row, other] };
        JoinPair { a, b }
    }

    #[inline(always)]
    fn is_stopped(self) -> bool {
        false
    }

    #[inline(always)]
    fn drop_refused(self, _: &mut Vec<JoinPair>, _: usize) {}
}
