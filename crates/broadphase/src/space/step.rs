//! Pairs and events of a step.

use super::history::History;
use super::slots::{ObjectId, Slots};
use crate::Pair;

/// The pairs of a step, and those that began and ended in it.
///
/// Events are found when they are asked for: a program that does not ask pays nothing.
#[derive(Debug)]
pub struct Step<'a> {
    slots: &'a Slots,
    history: &'a mut History,
}

/// Two objects whose boxes overlap, or have overlapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectPair {
    /// The objects; that with the lower slot first.
    pub ids: [ObjectId; 2],
    /// The callers' numbers of the two, in the same order. Also of a removed object, where a pair has ended.
    pub users: [u64; 2],
}

impl<'a> Step<'a> {
    pub(super) fn new(slots: &'a Slots, history: &'a mut History) -> Self {
        Self { slots, history }
    }

    /// All pairs, each once, in no particular order.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = ObjectPair> + '_ {
        resolve(self.slots, &self.history.pairs)
    }

    /// Pairs that were none in the step before, in the order of their slots.
    ///
    /// The first call of this or of [`ended`](Self::ended) compares the pairs of changed objects with those of the step
    /// before: linear in the number of pairs, and a sort of those that have changed objects.
    pub fn began(&mut self) -> impl ExactSizeIterator<Item = ObjectPair> + '_ {
        let [began, _] = self.history.events();
        resolve(self.slots, began)
    }

    /// Pairs of the step before that are none now, in the order of their slots. An object may have been removed since.
    pub fn ended(&mut self) -> impl ExactSizeIterator<Item = ObjectPair> + '_ {
        let [_, ended] = self.history.events();
        resolve(self.slots, ended)
    }
}

/// The objects of pairs of slots.
fn resolve<'a>(
    slots: &'a Slots,
    pairs: &'a [Pair],
) -> impl ExactSizeIterator<Item = ObjectPair> + 'a {
    pairs.iter().map(|pair| {
        let [(a, of_a), (b, of_b)] = [slots.last(pair.a), slots.last(pair.b)];
        ObjectPair { ids: [a, b], users: [of_a, of_b] }
    })
}
