//! The checksum by which pair lists are compared.

use crate::Pair;
use crate::mix::mix;

/// Checksum of a pair list, independent of its order. A missing, additional or repeated pair changes
/// it.
///
/// It is the wrapping sum of [`mix`] of each pair, 0 for no pairs. A repeated pair counts twice; an
/// xor would cancel it. Linear in the length of the list.
pub fn checksum(pairs: &[Pair]) -> u64 {
    pairs.iter().map(|p| mix(u64::from(p.a) << 32 | u64::from(p.b))).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

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
