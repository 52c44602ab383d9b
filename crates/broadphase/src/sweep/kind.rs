//! The kinds of sweeps: within a set, and between two.

use crate::{Frame, JoinPair, Limits, Pair};

/// The sets of a sweep, and its pairs.
pub(crate) trait SweepKind: Copy {
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

    /// Removes the pairs from position `first` on that a filter refuses, and counts the others. Returns whether they are
    /// too many.
    fn settle(self, pairs: &mut Vec<Self::Pair>, first: usize) -> bool;
}

/// Removes the pairs from a position on that do not count.
pub(crate) type Filter<'a> = &'a dyn Fn(&mut Vec<Pair>, usize);

/// The pairs of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) filter: Option<Filter<'a>>,
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
    fn settle(self, pairs: &mut Vec<Pair>, first: usize) -> bool {
        self.frame.drop_refused(pairs, first);
        if let Some(filter) = self.filter {
            filter(pairs, first);
        }
        self.frame.count(pairs.len() - first)
    }
}

/// The pairs of two sets. The rows are boxes of the first, or of the second if the sets are swapped.
#[derive(Clone, Copy)]
pub(super) struct Between<'a> {
    pub(super) is_swapped: bool,
    pub(super) limits: Limits<'a>,
}

impl SweepKind for Between<'_> {
    type Pair = JoinPair;

    const IS_WITHIN: bool = false;

    /// If two boxes begin at the same place, that of the first set is the row.
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
        self.limits.is_stopped()
    }

    #[inline(always)]
    fn settle(self, pairs: &mut Vec<JoinPair>, first: usize) -> bool {
        self.limits.count(pairs.len() - first)
    }
}
