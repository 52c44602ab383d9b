//! The kept list: pairs of objects whose inflated boxes overlap, by number and by object.

use crate::Pair;
use crate::scratch::{renew, resize_roomy};

/// No candidate, or the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// One of the two places of a candidate in the lists of its objects.
///
/// A place is numbered 2 k + side for candidate k: the list of an object runs through places.
#[derive(Clone, Copy, Debug)]
struct Links {
    next: u32,
    previous: u32,
}

/// Pairs that are kept from frame to frame.
///
/// The list of pairs is dense: a removed pair's place is taken by the last one. Each object's pairs
/// form a doubly linked list, so that they can be dropped without a search.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pairs: Vec<Pair>,
    /// Two for each pair, the lower object's first; empty while the lists are not wanted.
    links: Vec<[Links; 2]>,
    /// First place of each object.
    heads: Vec<u32>,
    is_linked: bool,
}

impl Candidates {
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Forgets all pairs.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.is_linked = false;
    }

    /// Forgets all pairs, and takes over those that `find` appends.
    pub(super) fn refill(&mut self, find: impl FnOnce(&mut Vec<Pair>)) {
        renew(&mut self.pairs);
        find(&mut self.pairs);
        self.is_linked = false;
    }

    /// Makes the lists by object, for as many objects, unless they are there.
    pub(super) fn link(&mut self, objects: usize) {
        if std::mem::replace(&mut self.is_linked, true) {
            return;
        }
        self.heads.clear();
        resize_roomy(&mut self.heads, objects, NONE);
        let nothing = Links { next: NONE, previous: NONE };
        self.links.clear();
        // As much room as there is for pairs.
        self.links.reserve(self.pairs.capacity());
        self.links.resize(self.pairs.len(), [nothing; 2]);
        for number in 0..self.pairs.len() {
            self.hook(number as u32);
        }
    }

    /// Adds a pair to the list, which must be linked.
    pub(super) fn push(&mut self, pair: Pair) {
        let number = self.pairs.len() as u32;
        self.pairs.push(pair);
        self.links.push([Links { next: NONE, previous: NONE }; 2]);
        self.hook(number);
    }

    /// Calls `visit` with the number of every pair of an object. The list must be linked.
    #[inline]
    pub(super) fn for_each_of(&self, object: u32, mut visit: impl FnMut(u32)) {
        let mut place = self.heads[object as usize];
        while place != NONE {
            visit(place / 2);
            place = self.links[place as usize / 2][place as usize % 2].next;
        }
    }

    /// Drops all pairs of an object. `dropped` is told each pair's number, and the number of the pair
    /// that gets it next (the same for the last one).
    pub(super) fn drop_of(&mut self, object: u32, mut dropped: impl FnMut(u32, u32)) {
        loop {
            let place = self.heads[object as usize];
            if place == NONE {
                return;
            }
            let number = place / 2;
            let last = self.pairs.len() as u32 - 1;
            self.unhook(number);
            if number != last {
                self.unhook(last);
            }
            self.pairs.swap_remove(number as usize);
            self.links.swap_remove(number as usize);
            if number != last {
                self.hook(number);
            }
            dropped(number, last);
        }
    }

    fn ends(&self, number: u32) -> [u32; 2] {
        let pair = self.pairs[number as usize];
        [pair.a, pair.b]
    }

    /// Puts a pair at the front of both objects' lists.
    fn hook(&mut self, number: u32) {
        for (side, object) in self.ends(number).into_iter().enumerate() {
            let place = 2 * number + side as u32;
            let next = std::mem::replace(&mut self.heads[object as usize], place);
            if next != NONE {
                self.links[next as usize / 2][next as usize % 2].previous = place;
            }
            self.links[number as usize][side] = Links { next, previous: NONE };
        }
    }

    fn unhook(&mut self, number: u32) {
        for (side, object) in self.ends(number).into_iter().enumerate() {
            let Links { next, previous } = self.links[number as usize][side];
            if next != NONE {
                self.links[next as usize / 2][next as usize % 2].previous = previous;
            }
            match previous {
                NONE => self.heads[object as usize] = next,
                _ => self.links[previous as usize / 2][previous as usize % 2].next = next,
            }
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair>()
            + self.links.capacity() * size_of::<[Links; 2]>()
            + self.heads.capacity() * size_of::<u32>()
    }

    /// Panics unless each object's list holds its pairs, each once.
    pub(super) fn validate(&self) {
        if !self.is_linked {
            return;
        }
        assert_eq!(self.links.len(), self.pairs.len(), "a candidate has no links");
        let mut listed = vec![0; self.pairs.len()];
        for object in 0..self.heads.len() as u32 {
            self.for_each_of(object, |number| {
                let is_own = self.ends(number).contains(&object);
                assert!(is_own, "object {object} lists a candidate of others");
                listed[number as usize] += 1;
            });
        }
        assert!(listed.iter().all(|listed| *listed == 2), "a candidate is not in both lists");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(pairs: &[(u32, u32)]) -> Candidates {
        let mut candidates = Candidates::default();
        candidates.refill(|list| list.extend(pairs.iter().map(|(a, b)| Pair::new(*a, *b))));
        candidates.link(6);
        candidates
    }

    fn left(candidates: &Candidates) -> Vec<Pair> {
        let mut left = candidates.pairs().to_vec();
        left.sort_unstable();
        left
    }

    #[test]
    fn an_objects_pairs_are_dropped_and_no_other() {
        let mut candidates = linked(&[(0, 1), (1, 2), (2, 3), (0, 3), (4, 5), (1, 5)]);
        candidates.validate();
        let mut dropped = 0;
        candidates.drop_of(1, |_, _| dropped += 1);
        candidates.validate();
        assert_eq!(dropped, 3);
        assert_eq!(left(&candidates), [Pair::new(0, 3), Pair::new(2, 3), Pair::new(4, 5)]);
        candidates.push(Pair::new(1, 4));
        candidates.validate();
        let mut of_four = 0;
        candidates.for_each_of(4, |_| of_four += 1);
        assert_eq!(of_four, 2);
    }

    #[test]
    #[should_panic(expected = "not in both lists")]
    fn validate_catches_a_pair_that_an_object_lost() {
        let mut candidates = linked(&[(0, 1), (1, 2)]);
        candidates.heads[0] = NONE;
        candidates.validate();
    }
}
