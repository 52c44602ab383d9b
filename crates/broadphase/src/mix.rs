//! The hash of a number.

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014). Each input bit flips about half of the output bits.
///
/// The increment is added first, so that 0 is not mapped to 0.
pub fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
