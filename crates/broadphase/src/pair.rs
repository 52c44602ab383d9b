//! A pair of objects, of one set and of two.

/// Two different objects: their ids, the lower first. Ordered by the lower id, then by the higher one.
///
/// The layout is two `u32`.
#[repr(C)]
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable,
)]
pub struct Pair {
    /// The lower id.
    pub a: u32,
    /// The higher id.
    pub b: u32,
}

impl Pair {
    /// The pair of two different objects, in either order. A debug build panics if they are the same.
    pub fn new(i: u32, j: u32) -> Self {
        debug_assert_ne!(i, j, "an object makes no pair with itself");
        Self { a: i.min(j), b: i.max(j) }
    }
}

/// Removes the pairs from position `first` on that are not to be kept. Every pair is written, kept or not: the
/// loop has no branch to mispredict.
#[inline(always)]
pub(crate) fn retain_from(pairs: &mut Vec<Pair>, first: usize, keep: impl Fn(&Pair) -> bool) {
    let mut kept = first;
    for at in first..pairs.len() {
        let pair = pairs[at];
        pairs[kept] = pair;
        kept += usize::from(keep(&pair));
    }
    pairs.truncate(kept);
}

impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.a, self.b)
    }
}

/// A box of the first set and a box of the second: their indices. Ordered by the first, then by the second.
///
/// The layout is two `u32`.
#[repr(C)]
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable,
)]
pub struct JoinPair {
    /// Index in the first set.
    pub a: u32,
    /// Index in the second set.
    pub b: u32,
}

impl std::fmt::Display for JoinPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.a, self.b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_id_comes_first() {
        assert_eq!(Pair::new(7, 3), Pair { a: 3, b: 7 });
    }
}
