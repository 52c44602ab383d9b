//! Builds the linear tree: objects sorted by Morton code, and a node for each common prefix.
//!
//! Neighbours along the curve are neighbours in space, so the sorted codes define a tree: the binary radix tree,
//! in which each node holds the objects whose codes begin with the same bits. It is divided from the root down: a search in
//! the sorted codes finds the place at which their first differing bit changes (Lauterbach et al. 2009). Equal codes are
//! divided by the indices of the leaves (Karras 2012).

use super::tree::{Divide, Node, Tree};
use crate::curve::Curve;
use crate::radix_sort::Keyed;

/// Builds the tree over the leaves, and sorts these along the curve.
pub(super) fn build(curve: &mut Curve, leaves: &mut [Node], tree: &mut Tree) {
    tree.reset(leaves.len());
    let sorted = &mut tree.nodes[..leaves.len()];
    let codes = curve.sort(leaves, sorted, Node::place);
    leaves.copy_from_slice(sorted);
    tree.divide(&Codes(codes), leaves);
}

/// The codes of the leaves, in the order of the curve.
pub(super) struct Codes<'a>(&'a [Keyed]);

impl Divide for Codes<'_> {
    const NANOS_PER_LEAF: usize = 50;

    fn divide(&self, leaves: &mut [Node], first: usize, _: u32) -> usize {
        self.middle(first, first + leaves.len() - 1)
    }
}

impl Codes<'_> {
    /// The number of leaves in the low part of a run, whose first and last leaf are given.
    fn middle(&self, first: usize, last: usize) -> usize {
        let run = &self.0[first..=last];
        if let Some(bit) = (self.0[first].key ^ self.0[last].key).checked_ilog2() {
            return run.partition_point(|keyed| keyed.key >> bit & 1 == 0);
        }
        let bit = (first ^ last).ilog2();
        (last >> bit << bit) - first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length of the common prefix of two leaves' codes in bits, with that of their indices if the codes are equal.
    fn common_bits(codes: &[Keyed], i: usize, j: usize) -> u32 {
        match codes[i].key ^ codes[j].key {
            0 => 32 + (i ^ j).leading_zeros(),
            differing => differing.leading_zeros(),
        }
    }

    /// The tree by the definition: a run of leaves divides where the first and the last one's common prefix ends.
    fn assert_divides(codes: &[Keyed], first: usize, last: usize) {
        if first < last {
            let here = common_bits(codes, first, last);
            let split = (first..last).find(|i| common_bits(codes, *i, i + 1) == here).unwrap();
            assert_eq!(Codes(codes).middle(first, last), split + 1 - first, "{first} to {last}");
            assert_divides(codes, first, split);
            assert_divides(codes, split + 1, last);
        }
    }

    #[test]
    fn runs_are_divided_at_the_highest_differing_bit() {
        let mut codes: Vec<u32> =
            (0..500).map(|i| (crate::mix::mix(i) >> (i % 3 * 10)) as u32).collect();
        codes[100] = codes[101];
        codes[102] = codes[101];
        codes.sort_unstable();
        let powers = (0..32).map(|bit| 1 << bit).collect();
        for codes in [vec![7; 13], vec![1, 2, 4, 5, 19, 24, 25, 30], powers, codes] {
            let keyed: Vec<_> = codes.into_iter().map(|key| Keyed { key, object: 0 }).collect();
            assert_divides(&keyed, 0, keyed.len() - 1);
        }
    }
}
