//! The kept list: pairs of objects whose inflated boxes overlap, by number and by object.

use crate::Pair;
use crate::scratch::{renew_for, resize_roomy};
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, u32x16};
use std::ops::Range;

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
    /// How many there were when the list was made.
    made_with: usize,
    /// How many of them, the first ones, are sure to overlap; none while the lists by object are there.
    sure: usize,
    /// Two for each pair, the lower object's first; of no use while the lists are not there.
    links: Vec<[Links; 2]>,
    /// First place of each object.
    heads: Vec<u32>,
    is_linked: bool,
    /// Scratch: the numbers of the pairs of some objects, and maybe of others.
    of_some: Vec<u32>,
}

/// A list is bloated where it holds more than so many times the pairs that it was made with, and so many for
/// each object.
const BLOATED: usize = 2;

/// Pairs are compared with so many objects one by one.
const FEW: usize = 8;

/// Pairs that are compared at once.
const GROUP: usize = 8;

/// Appends the numbers of all pairs in those groups in which any is of one of some objects.
#[inline(always)]
fn append_of<S: Simd>(simd: S, pairs: &[Pair], objects: &[u32], numbers: &mut Vec<u32>) {
    let (groups, rest) = pairs.as_chunks::<GROUP>();
    for (first, group) in (0..).step_by(GROUP).zip(groups) {
        let ends: &[u32; 2 * GROUP] = bytemuck::cast_ref(group);
        let ends = u32x16::load_array_ref(simd, ends);
        if objects.iter().any(|object| ends.simd_eq(*object).any_true()) {
            numbers.extend(first..first + GROUP as u32);
        }
    }
    let first = groups.len() * GROUP;
    numbers.extend((first..first + rest.len()).map(|at| at as u32));
}

impl Candidates {
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pairs that are sure to overlap, and the others.
    pub(super) fn sure_and_others(&self) -> (&[Pair], &[Pair]) {
        self.pairs.split_at(self.sure)
    }

    /// Puts those pairs first that are sure to overlap.
    pub(super) fn settle(&mut self, is_sure: impl Fn(Pair) -> bool) {
        self.sure = 0;
        for at in 0..self.pairs.len() {
            // Without a branch, as kept pairs are tested.
            let (pair, other) = (self.pairs[at], self.pairs[self.sure]);
            let is_sure = is_sure(pair);
            let (first, second) = if is_sure { (pair, other) } else { (other, pair) };
            (self.pairs[self.sure], self.pairs[at]) = (first, second);
            self.sure += usize::from(is_sure);
        }
        // Room for all of them, when many are looked at again.
        renew_for(&mut self.of_some, self.sure);
    }

    /// Puts those pairs behind the sure ones that are sure no more, all of which are of some objects.
    pub(super) fn unsettle(&mut self, objects: &[u32], is_unsure: impl Fn(Pair) -> bool) {
        let Self { pairs, sure, of_some, .. } = self;
        of_some.clear();
        if objects.len() <= FEW {
            let pairs = &pairs[..*sure];
            dispatch!(level(), simd => append_of(simd, pairs, objects, of_some));
        } else {
            of_some.extend(0..*sure as u32);
        }
        // From the end, since what takes a pair's place comes from there.
        for at in of_some.iter().rev().map(|at| *at as usize) {
            if is_unsure(pairs[at]) {
                *sure -= 1;
                pairs.swap(at, *sure);
            }
        }
    }

    /// Takes none for sure any more.
    pub(super) fn forget_sure(&mut self) {
        self.sure = 0;
    }

    /// Forgets all pairs.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        (self.sure, self.is_linked) = (0, false);
    }

    /// Forgets all pairs, and takes over those that `find` appends: a list is made.
    pub(super) fn refill(&mut self, find: impl FnOnce(&mut Vec<Pair>)) {
        renew_for(&mut self.pairs, self.made_with);
        find(&mut self.pairs);
        (self.sure, self.is_linked) = (0, false);
        self.made_with = self.pairs.len();
    }

    /// How many pairs a list of so many objects may hold, before it is better made anew.
    fn most(&self, objects: usize) -> usize {
        BLOATED * (self.made_with + objects)
    }

    /// Whether there are more.
    pub(super) fn are_bloated(&self, objects: usize) -> bool {
        self.pairs.len() > self.most(objects) || !self.are_numbered()
    }

    /// Whether the places of all pairs have numbers: without them there are no lists by object, and none may
    /// be sure.
    pub(super) fn are_numbered(&self) -> bool {
        self.pairs.len() < NONE as usize / 2
    }

    /// Makes room for as many pairs as a list of so many objects may come to hold.
    pub(super) fn make_room(&mut self, objects: usize) {
        let room = self.most(objects);
        if self.pairs.capacity() < room {
            // With an eighth to spare: lists differ a little.
            self.pairs.reserve_exact(room + room / 8 - self.pairs.len());
        }
        if self.is_linked {
            self.links.reserve_exact(self.pairs.capacity() - self.links.len());
        }
    }

    /// Whether the lists by object are there.
    pub(super) fn is_linked(&self) -> bool {
        self.is_linked
    }

    /// Drops all pairs of some objects, while the lists by object are not there.
    pub(super) fn drop_of_all(&mut self, is_meant: impl Fn(u32) -> bool) {
        debug_assert!(!self.is_linked, "the lists by object would hold other pairs");
        let all = self.pairs.len();
        let mut keep = |part: Range<usize>, mut kept: usize| {
            // Without a branch, as kept pairs are tested.
            for at in part {
                let pair = self.pairs[at];
                self.pairs[kept] = pair;
                kept += usize::from(!(is_meant(pair.a) | is_meant(pair.b)));
            }
            kept
        };
        let sure = keep(0..self.sure, 0);
        let kept = keep(self.sure..all, sure);
        self.sure = sure;
        self.pairs.truncate(kept);
    }

    /// Makes the lists by object, for as many objects, unless they are there.
    pub(super) fn link(&mut self, objects: usize) {
        if std::mem::replace(&mut self.is_linked, true) {
            return;
        }
        self.sure = 0;
        self.heads.clear();
        resize_roomy(&mut self.heads, objects, NONE);
        let nothing = Links { next: NONE, previous: NONE };
        self.links.clear();
        // As much room as there is for pairs.
        self.links.reserve_exact(self.pairs.capacity());
        self.links.resize(self.pairs.len(), [nothing; 2]);
        for number in 0..self.pairs.len() {
            self.hook(number as u32);
        }
    }

    /// Adds a pair.
    pub(super) fn push(&mut self, pair: Pair) {
        let number = self.pairs.len() as u32;
        self.pairs.push(pair);
        if !self.is_linked {
            return;
        }
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
            + (self.heads.capacity() + self.of_some.capacity()) * size_of::<u32>()
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
    fn sure_pairs_stand_first_and_are_dropped_with_the_others() {
        let all: Vec<_> = (0..30).map(|i| Pair::new(i, i + 1 + i % 3)).collect();
        let filtered = |pairs: &[Pair], is_meant: &dyn Fn(Pair) -> bool| {
            let mut pairs: Vec<_> = pairs.iter().copied().filter(|pair| is_meant(*pair)).collect();
            pairs.sort_unstable();
            pairs
        };
        let (few, many): (Vec<_>, Vec<_>) = ((0..40).step_by(5).collect(), (0..40).collect());
        for objects in [few, many] {
            let mut candidates = Candidates::default();
            candidates.refill(|list| list.extend_from_slice(&all));
            let check = |candidates: &Candidates,
                         is_left: &dyn Fn(Pair) -> bool,
                         is_sure: &dyn Fn(Pair) -> bool| {
                let (sure, others) = candidates.sure_and_others();
                let of = |is_meant: &dyn Fn(Pair) -> bool| filtered(&all, is_meant);
                assert_eq!(filtered(sure, &|_| true), of(&|pair| is_left(pair) && is_sure(pair)));
                assert_eq!(
                    filtered(others, &|_| true),
                    of(&|pair| is_left(pair) && !is_sure(pair))
                );
            };
            let is_sure = |pair: Pair| !pair.a.is_multiple_of(3);
            candidates.settle(is_sure);
            check(&candidates, &|_| true, &is_sure);
            candidates.unsettle(&objects, |pair| pair.b.is_multiple_of(5));
            let is_sure = |pair: Pair| is_sure(pair) && !pair.b.is_multiple_of(5);
            check(&candidates, &|_| true, &is_sure);
            let is_dropped = |object: u32| object.is_multiple_of(7);
            candidates.drop_of_all(is_dropped);
            check(&candidates, &|pair| !is_dropped(pair.a) && !is_dropped(pair.b), &is_sure);
            candidates.link(40);
            candidates.validate();
            assert_eq!(candidates.sure_and_others().0, []);
        }
    }

    #[test]
    #[should_panic(expected = "not in both lists")]
    fn validate_catches_a_pair_that_an_object_lost() {
        let mut candidates = linked(&[(0, 1), (1, 2)]);
        candidates.heads[0] = NONE;
        candidates.validate();
    }
}
