//! Sorting by a 32-bit key, the one sort that all algorithms share.

use crate::scratch::renew;

/// A key and the object that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyed {
    pub(crate) key: u32,
    pub(crate) object: u32,
}

/// A key in the order of a float: smaller floats have smaller keys, -0 and 0 the same one. Not for
/// NaN.
///
/// All bits of negative numbers are flipped, the sign bit of the others (Terdiman, "Radix sort
/// revisited", 2000).
#[inline]
pub(crate) fn order_key(value: f32) -> u32 {
    // -0 + 0 is 0.
    let bits = (value + 0.0).to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 0x8000_0000)
}

/// The float of a key.
#[inline]
pub(crate) fn keyed_value(key: u32) -> f32 {
    f32::from_bits(key ^ (!(key as i32 >> 31) as u32 | 0x8000_0000))
}

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
/// Passes over the list; 3 x 11 bits hold a key.
const PASSES: usize = 3;

/// Below this, comparisons are faster than three passes with their tables.
pub(crate) const SMALL: usize = 256;

/// A sort in three passes of eleven bits. Keeps its scratch.
#[derive(Debug, Default)]
pub(crate) struct RadixSort {
    other: Vec<Keyed>,
}

impl RadixSort {
    /// Sorts by key. Equal keys come in an order that depends on nothing but the list; from [`SMALL`]
    /// on they keep theirs.
    pub(crate) fn sort(&mut self, list: &mut Vec<Keyed>) {
        if list.len() < SMALL {
            list.sort_unstable_by_key(|keyed| keyed.key);
            return;
        }
        // One look at the list counts the digits of all passes.
        let mut counts = [[0u32; DIGITS]; PASSES];
        for keyed in list.iter() {
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[digit(keyed.key, pass)] += 1;
            }
        }
        renew(&mut self.other);
        self.other.resize(list.len(), Keyed::default());
        for (pass, counts) in counts.iter_mut().enumerate() {
            // Where all keys have the same digit, there is nothing to move.
            if counts[digit(list[0].key, pass)] as usize == list.len() {
                continue;
            }
            let mut start = 0;
            for count in counts.iter_mut() {
                (*count, start) = (start, start + *count);
            }
            for keyed in list.iter() {
                let next = &mut counts[digit(keyed.key, pass)];
                self.other[*next as usize] = *keyed;
                *next += 1;
            }
            std::mem::swap(list, &mut self.other);
        }
    }

    /// Makes room for lists of so many keys.
    pub(crate) fn reserve(&mut self, keys: usize) {
        self.other.reserve_exact(keys.saturating_sub(self.other.len()));
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.other.capacity() * size_of::<Keyed>()
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
    fn sorts_as_the_standard_library() {
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
                assert_eq!(list, expected, "{n} keys of {bits} bits: something was lost");
            }
        }
    }
}
