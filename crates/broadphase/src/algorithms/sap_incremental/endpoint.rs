//! An end of an interval, in one word.

use crate::radix_sort::{keyed_value, order_key};

/// From the highest bits down: the position on the axis, the kind of end, the object. So the order of words
/// is the order of the list.
///
/// At equal positions lower ends come before upper ones, so that touching boxes overlap. The object comes
/// last, so the order is unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListedEnd(u64);

const UPPER: u64 = 1 << 31;

impl ListedEnd {
    pub(super) fn lower(position: f32, object: u32) -> Self {
        // A 31-bit id: twice as many boxes would be a hundred gigabytes.
        debug_assert!(u64::from(object) < UPPER);
        Self(u64::from(order_key(position)) << 32 | u64::from(object))
    }

    pub(super) fn upper(position: f32, object: u32) -> Self {
        Self(Self::lower(position, object).0 | UPPER)
    }

    /// The same end of the same object, at another place.
    #[inline]
    pub(super) fn moved_to(self, position: f32) -> Self {
        Self(u64::from(order_key(position)) << 32 | self.0 & u64::from(u32::MAX))
    }

    #[inline]
    pub(super) fn is_lower(self) -> bool {
        self.0 & UPPER == 0
    }

    #[inline]
    pub(super) fn object(self) -> u32 {
        (self.0 & (UPPER - 1)) as u32
    }

    pub(super) fn position(self) -> f32 {
        keyed_value((self.0 >> 32) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_ends_come_first_at_equal_positions() {
        let ends = [
            ListedEnd::upper(-1.5, 3),
            ListedEnd::lower(-0.0, 7),
            ListedEnd::lower(0.0, 8),
            ListedEnd::upper(-0.0, 2),
            ListedEnd::upper(0.0, (UPPER - 1) as u32),
            ListedEnd::lower(1e7, 0),
        ];
        assert!(ends.is_sorted_by(|a, b| a < b));
        let lower = ends.map(|end| end.is_lower());
        assert_eq!(lower, [false, true, true, false, false, true]);
        assert_eq!(ends.map(|end| end.object()), [3, 7, 8, 2, (UPPER - 1) as u32, 0]);
        assert_eq!(ends.map(|end| end.position()), [-1.5, 0.0, 0.0, 0.0, 0.0, 1e7]);
        assert_eq!(ends[3].moved_to(1e7), ListedEnd::upper(1e7, 2));
        assert_eq!(ends[5].moved_to(-1.5), ListedEnd::lower(-1.5, 0));
    }
}
