//! Contact sets of the pairs that touch.

use super::pair_memory::PairMemory;
use super::{BodyList, bodies_of};
use crate::pieces::pieces;
use broadphase::Pair;
use narrowphase::contact::{ContactMemory, Contacts};
use narrowphase::{Reference, contact_fault};
use rayon::prelude::*;

/// Touching pairs from which several threads find their contact sets, each of which takes ten tests.
const PARALLEL_CONTACTS: usize = 64;

/// Finds the axis of least penetration of touching pairs and clips their features, with what it keeps of each pair.
#[derive(Default)]
pub struct ContactStage {
    /// One for each piece of work.
    finders: Vec<Finder>,
    memories: PairMemory<ContactMemory>,
}

#[derive(Default)]
struct Finder {
    reference: Reference,
    contacts: Contacts,
    count: ContactCount,
}

/// Contacts of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactCount {
    /// Pairs of parts that touch.
    pub sets: u64,
    /// Points of their contact sets.
    pub points: u64,
    /// Points between features that met in the last frame too.
    pub kept: u64,
}

impl ContactStage {
    /// Finds the contact sets of sorted pairs. Pairs that do not touch have none.
    pub fn find(&mut self, bodies: &impl BodyList, touching: &[Pair]) -> ContactCount {
        let Self { finders, memories } = self;
        let pieces = pieces(touching.len(), PARALLEL_CONTACTS);
        finders.resize_with(finders.len().max(pieces), Finder::default);
        let length = touching.len().div_ceil(pieces).max(1);
        let memories = memories.follow(touching, ContactMemory::clear).par_chunks_mut(length);
        finders.iter_mut().for_each(|finder| finder.count = ContactCount::default());
        let parts = touching.par_chunks(length).zip(memories).zip(&mut *finders);
        parts.for_each(|((pairs, memories), finder)| {
            for (pair, memory) in pairs.iter().zip(memories) {
                let [a, b] = bodies_of(bodies, *pair);
                let parts = finder.reference.near(&a, &b, 0.0);
                finder.contacts.find(&a, &b, parts);
                memory.mark(&mut finder.contacts);
                let points = finder.contacts.points();
                finder.count.sets += finder.contacts.sets().len() as u64;
                finder.count.points += points.len() as u64;
                finder.count.kept += points.iter().filter(|point| point.is_kept).count() as u64;
            }
        });
        finders.iter().fold(ContactCount::default(), |sum, Finder { count, .. }| ContactCount {
            sets: sum.sets + count.sets,
            points: sum.points + count.points,
            kept: sum.kept + count.kept,
        })
    }

    /// What is wrong with the contact sets of a pair, by the oracle; `None` if nothing is. They depend on the two
    /// bodies alone.
    ///
    /// It allocates, and takes a tenth of a millisecond and more: call it outside of a timed region.
    pub fn fault(bodies: &impl BodyList, pair: Pair) -> Option<String> {
        let [a, b] = bodies_of(bodies, pair);
        let mut finder = Finder::default();
        let parts = finder.reference.near(&a, &b, 0.0);
        finder.contacts.find(&a, &b, parts);
        contact_fault(&finder.contacts, &a, &b)
    }
}
