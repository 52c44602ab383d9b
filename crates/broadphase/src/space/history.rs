//! The pairs of the last two steps, and their differences.

use super::slots::FREE;
use crate::memory::memory;
use crate::pair_events::compare;
use crate::pair_sort::PairSort;
use crate::{Limits, Pair};
use std::mem::swap;

/// The pairs of the last two steps, and what changed between them.
///
/// Only a pair with a changed object can begin or end. An algorithm that caches pairs reports most of them in their
/// earlier order, so that a comparison skips runs of equal pairs. The rest is sorted and compared as by
/// [`PairEvents`](crate::PairEvents).
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The pairs of the last step.
    pub(super) pairs: Vec<Pair>,
    before: Vec<Pair>,
    /// Slots that have changed since the last step, and those that did before it.
    changing: SlotSet,
    changed: SlotSet,
    /// Whether the events of the last step were found.
    is_compared: bool,
    /// Pairs of changed objects in both steps.
    rest_before: Vec<Pair>,
    rest: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    sort: PairSort,
}

memory!(History: changing, changed, pairs, before, rest_before, rest, began, ended, sort);

impl History {
    /// Records that an object has changed.
    pub(super) fn mark(&mut self, slot: u32) {
        self.changing.insert(slot);
    }

    /// Replaces slots by their new ones, which are in the same order.
    pub(super) fn close_up(&mut self, places: &[u32]) {
        let place = |slot: u32| places[slot as usize];
        for pair in &mut self.pairs {
            *pair = Pair { a: place(pair.a), b: place(pair.b) };
        }
        swap(&mut self.changing, &mut self.changed);
        self.changing.0.clear();
        let changed =
            (0..).zip(places).filter(|(old, new)| **new != FREE && self.changed.has(*old));
        changed.for_each(|(_, new)| self.changing.insert(*new));
    }

    /// The empty list for the pairs of the next step.
    pub(super) fn next(&mut self) -> &mut Vec<Pair> {
        self.before.clear();
        &mut self.before
    }

    /// Takes over the pairs in the list of the next step.
    pub(super) fn advance(&mut self) {
        swap(&mut self.changing, &mut self.changed);
        self.changing.0.clear();
        swap(&mut self.pairs, &mut self.before);
        self.is_compared = false;
    }

    /// The pairs that began in the last step and those that ended, sorted.
    pub(super) fn events(&mut self) -> [&[Pair]; 2] {
        if !self.is_compared {
            self.list_rest();
            self.sort.sort_untended(&mut self.rest_before, Limits::NONE);
            self.sort.sort_untended(&mut self.rest, Limits::NONE);
            compare(&self.rest_before, &self.rest, &mut self.began, &mut self.ended);
            self.is_compared = true;
        }
        [&self.began, &self.ended]
    }

    /// Lists the pairs with a changed object, but for those at the same place of both lists.
    fn list_rest(&mut self) {
        self.rest_before.clear();
        self.rest.clear();
        let (mut before, mut pairs) = (&self.before[..], &self.pairs[..]);
        let is_changed = |pair: &Pair| self.changed.has(pair.a) || self.changed.has(pair.b);
        loop {
            let equal = before.iter().zip(pairs).take_while(|(old, new)| old == new).count();
            (before, pairs) = (&before[equal..], &pairs[equal..]);
            match (before, pairs) {
                ([old, older @ ..], _) if is_changed(old) => {
                    self.rest_before.push(*old);
                    before = older;
                }
                (_, [new, newer @ ..]) if is_changed(new) => {
                    self.rest.push(*new);
                    pairs = newer;
                }
                ([], []) => return,
                // Pairs that stay, in another order.
                _ => (before, pairs) = (rest_of(before), rest_of(pairs)),
            }
        }
    }
}

/// All but the first pair.
fn rest_of(pairs: &[Pair]) -> &[Pair] {
    pairs.get(1..).unwrap_or_default()
}

/// A set of slots, as bits.
#[derive(Clone, Debug, Default)]
struct SlotSet(Vec<u64>);

memory!(SlotSet: 0);

impl SlotSet {
    fn insert(&mut self, slot: u32) {
        let word = slot as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot % 64);
    }

    fn has(&self, slot: u32) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 != 0)
    }
}
