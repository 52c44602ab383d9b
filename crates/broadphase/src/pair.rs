//! A pair of objects, and the checksum by which pair lists are compared.

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

impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.a, self.b)
    }
}

/// Checksum of a pair list, independent of its order. A missing, additional or repeated pair changes
/// it.
///
/// It is the wrapping sum of [`mix`] of each pair, 0 for no pairs. A repeated pair counts twice; an
/// xor would cancel it. Linear in the length of the list.
pub fn checksum(pairs: &[Pair]) -> u64 {
    pairs.iter().map(|p| mix(u64::from(p.a) << 32 | u64::from(p.b))).fold(0, u64::wrapping_add)
}

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014). Each input bit flips about half of the output bits.
///
/// The increment is added first, so that 0 is not mapped to 0.
pub fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_id_comes_first() {
        assert_eq!(Pair::new(7, 3), Pair { a: 3, b: 7 });
    }

    #[test]
    fn checksum_ignores_order_but_not_repeats_or_omissions() {
        let list = [Pair::new(0, 1), Pair::new(1, 2), Pair::new(0, 7)];
        let reversed: Vec<_> = list.iter().rev().copied().collect();
        assert_eq!(checksum(&list), checksum(&reversed));
        let twice = [list[0], list[0], list[1], list[2]];
        assert_ne!(checksum(&list), checksum(&twice));
        assert_ne!(checksum(&list), checksum(&list[1..]));
        assert_ne!(checksum(&[list[0], list[0]]), 0, "a repeated pair must not cancel");
    }
}
