//! Sorting by a 32-bit key, shared by all algorithms.

mod bucket;
mod parallel;

use crate::memory::memory;
use crate::parallel::Tasks;
pub(crate) use bucket::BucketSort;
use parallel::Share;

/// A key and the object that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyed {
    pub(crate) key: u32,
    pub(crate) object: u32,
}

/// Maps a float to a key of the same order; -0 and 0 have the same key. Not for NaN.
///
/// All bits of a negative number are flipped, and the sign bit of any other (Terdiman, "Radix sort
/// revisited", 2000).
#[inline]
pub(crate) fn order_key(value: f32) -> u32 {
    // -0 + 0 is 0.
    let bits = (value + 0.0).to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 0x8000_0000)
}

/// The float of a key, the inverse of [`order_key`]; never -0.
#[inline]
pub(crate) fn keyed_value(key: u32) -> f32 {
    f32::from_bits(key ^ (!(key as i32 >> 31) as u32 | 0x8000_0000))
}

/// Bits sorted by in a pass.
const DIGIT_BITS: u32 = 11;
/// Values of a digit.
const DIGITS: usize = 1 << DIGIT_BITS;
/// Passes over the list; 3 x 11 bits hold a key.
const PASSES: usize = 3;

/// Keys below which a comparison sort is faster than three passes with their tables.
pub(crate) const SMALL: usize = 256;

/// A radix sort in three passes of eleven bits. Reuses its scratch memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct RadixSort {
    other: Vec<Keyed>,
    shares: Tasks<Share>,
}

memory!(RadixSort: other, shares);

impl RadixSort {
    /// Sorts by key, on this thread. The order of equal keys depends only on the list; from [`SMALL`] keys on
    /// the sort is stable.
    pub(crate) fn sort(&mut self, list: &mut Vec<Keyed>) {
        if list.len() < SMALL {
            list.sort_unstable_by_key(|keyed| keyed.key);
            // Unused: what an earlier sort took can be returned.
            self.other.clear();
            return;
        }
        self.other.resize(list.len(), Keyed::default());
        if sort_passes(list, &mut self.other) {
            std::mem::swap(list, &mut self.other);
        }
    }
}

/// Sorts a list with another one of its length as scratch. Returns whether the result is in the other one.
fn sort_passes(list: &mut [Keyed], other: &mut [Keyed]) -> bool {
    let Some(any) = list.first().copied() else { return false };
    let mut counts = [[0; DIGITS]; PASSES];
    for keyed in &*list {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(keyed.key, pass)] += 1;
        }
    }
    let (mut from, mut to, mut is_in_other) = (list, other, false);
    for (pass, counts) in counts.iter_mut().enumerate() {
        // If all keys have the same digit, the pass would move none.
        if counts[digit(any.key, pass)] as usize == from.len() {
            continue;
        }
        scatter(from, to, counts, pass);
        std::mem::swap(&mut from, &mut to);
        is_in_other = !is_in_other;
    }
    is_in_other
}

/// Moves each key behind the keys with a lower digit in a pass, given the counts of the digits.
fn scatter(from: &[Keyed], to: &mut [Keyed], counts: &mut [u32; DIGITS], pass: usize) {
    let mut start = 0;
    for count in counts.iter_mut() {
        (*count, start) = (start, start + *count);
    }
    for keyed in from {
        let next = &mut counts[digit(keyed.key, pass)];
        to[*next as usize] = *keyed;
        *next += 1;
    }
}

#[inline]
fn digit(key: u32, pass: usize) -> usize {
    (key >> (pass as u32 * DIGIT_BITS)) as usize & (DIGITS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn keys_are_in_the_order_of_their_floats() {
        let values =
            [f32::NEG_INFINITY, -1e7, -1.0, -1e-40, 0.0, 1e-40, 1e-6, 1.0, 1e7, f32::INFINITY];
        assert!(values.map(order_key).is_sorted_by(|a, b| a < b));
        assert_eq!(order_key(-0.0), order_key(0.0));
        assert_eq!(values.map(|value| keyed_value(order_key(value))), values);
    }

    #[test]
    fn sort_agrees_with_the_standard_library() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let mut sort = RadixSort::default();
        for n in [0, 1, 2, 255, 256, 257, 5000] {
            for bits in [0, 1, 11, 12, 32] {
                let mask = ((1u64 << bits) - 1) as u32;
                let mut list: Vec<_> = (0..n)
                    .map(|object| Keyed { key: rng.random::<u32>() & mask, object })
                    .collect();
                let mut expected = list.clone();
                expected.sort_by_key(|keyed| (keyed.key, keyed.object));
                sort.sort(&mut list);
                assert!(list.is_sorted_by_key(|keyed| keyed.key), "{n} keys of {bits} bits");
                list.sort_by_key(|keyed| (keyed.key, keyed.object));
                assert_eq!(list, expected, "{n} keys of {bits} bits: a key was lost");
            }
        }
    }
}
