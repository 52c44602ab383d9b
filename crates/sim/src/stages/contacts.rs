//! Contact sets of the pairs that touch.

use super::pair_memory::PairMemory;
use super::{BodyList, bodies_of};
use crate::pieces::pieces;
use broadphase::Pair;
use glam::DVec3;
use narrowphase::Reference;
use narrowphase::contact::{ContactMemory, ContactPoint, Contacts};
use rayon::prelude::*;

/// Touching pairs from which several threads find their contact sets, each of which takes ten tests.
pub(super) const PARALLEL_CONTACTS: usize = 64;

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
    sets: u64,
    points: Vec<PairPoint>,
}

/// A point where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPoint {
    /// The bodies.
    pub pair: Pair,
    /// Unit vector of the world from the first to the second body: the axis of least penetration.
    pub normal: DVec3,
    /// The point, and whether it is kept from the last frame.
    pub point: ContactPoint,
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
        for finder in finders.iter_mut() {
            finder.sets = 0;
            finder.contacts.is_flat = bodies.is_flat();
            finder.points.clear();
        }
        let parts = touching.par_chunks(length).zip(memories).zip(&mut *finders);
        parts.for_each(|((pairs, memories), finder)| {
            for (pair, memory) in pairs.iter().zip(memories) {
                if bodies.is_stopped() {
                    break;
                }
                let [a, b] = bodies_of(bodies, *pair);
                let parts = finder.reference.near(&a, &b, 0.0);
                finder.contacts.find(&a, &b, parts);
                memory.mark(&mut finder.contacts);
                finder.sets += finder.contacts.sets().len() as u64;
                for set in finder.contacts.sets() {
                    let points = finder.contacts.points_of(set).iter();
                    let of_pair = |point| PairPoint { pair: *pair, normal: set.normal, point };
                    finder.points.extend(points.copied().map(of_pair));
                }
            }
        });
        self.count()
    }

    /// The points of the last [`find`](Self::find), in the order of its pairs.
    pub fn points(&self) -> impl Iterator<Item = &PairPoint> {
        self.finders.iter().flat_map(|finder| &finder.points)
    }

    fn count(&self) -> ContactCount {
        ContactCount {
            sets: self.finders.iter().map(|finder| finder.sets).sum(),
            points: self.finders.iter().map(|finder| finder.points.len() as u64).sum(),
            kept: self.points().filter(|found| found.point.is_kept).count() as u64,
        }
    }
}
