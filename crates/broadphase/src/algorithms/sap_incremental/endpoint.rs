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
    /// Both ends of an object.
    pub(super) fn both([low, high]: [f32; 2], object: u32) -> [Self; 2] {
        // A 31-bit id: twice as many boxes would be a hundred gigabytes.
        debug_assert!(u64::from(object) < UPPER);
        let object = u64::from(object);
        [Self(object).moved_to(low), Self(UPPER | object).moved_to(high)]
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

    /// The position, as a number that has its order.
    pub(super) fn key(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn position(self) -> f32 {
        keyed_value(self.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_ends_come_first_at_equal_positions() {
        let lower = |position, object| ListedEnd::both([position; 2], object)[0];
        let upper = |position, object| ListedEnd::both([position; 2], object)[1];
        let ends = [
            upper(-1.5, 3),
            lower(-0.0, 7),
            lower(0.0, 8),
            upper(-0.0, 2),
            upper(0.0, (UPPER - 1) as u32),
            lower(1e7, 0),
        ];
        assert!(ends.is_sorted_by(|a, b| a < b));
        let is_lower = ends.map(|end| end.is_lower());
        assert_eq!(is_lower, [false, true, true, false, false, true]);
        assert_eq!(ends.map(|end| end.object()), [3, 7, 8, 2, (UPPER - 1) as u32, 0]);
        assert_eq!(ends.map(|end| end.position()), [-1.5, 0.0, 0.0, 0.0, 0.0, 1e7]);
        assert_eq!(ends[3].moved_to(1e7), upper(1e7, 2));
        assert_eq!(ends[5].moved_to(-1.5), lower(-1.5, 0));
    }
}
