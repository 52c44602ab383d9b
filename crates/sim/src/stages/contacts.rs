//! Contact sets of the pairs that touch.

use super::pair_memory::PairMemory;
use super::{BodyList, bodies_of};
use crate::pieces::pieces;
use broadphase::Pair;
use glam::DVec3;
use narrowphase::contact::{ContactMemory, ContactPoint, Contacts};
use narrowphase::{Reference, contact_fault, oracle};
use rayon::prelude::*;
use std::ops::AddAssign;

/// Touching pairs from which several threads find their contact sets, each of which takes ten tests.
pub(super) const PARALLEL_CONTACTS: usize = 64;

/// Pairs of a frame whose contact sets are checked, which takes a tenth of a millisecond and more for each.
const MAX_CHECKED: usize = 8;

/// Finds the axis of least penetration of touching pairs and clips their features, with what it keeps of each pair.
#[derive(Default)]
pub struct ContactStage {
    /// One for each piece of work.
    pub(super) finders: Vec<Finder>,
    memories: PairMemory<ContactMemory>,
}

#[derive(Default)]
pub(super) struct Finder {
    reference: Reference,
    contacts: Contacts,
    sets: u64,
    pub(super) points: Vec<PairPoint>,
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

/// Pairs that the [oracle] was asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Pairs that are right.
    pub pairs: u64,
    /// Pairs whose bodies have too many edges to be checked: more than [`MAX_EDGE_PAIRS`](oracle::MAX_EDGE_PAIRS).
    pub left_out: u64,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.left_out += other.left_out;
    }
}

/// Contact sets that are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactFault {
    /// The bodies.
    pub pair: Pair,
    /// What is wrong.
    pub text: String,
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

    /// Checks the contact sets of the last [`find`](Self::find), which was given these pairs: of 8 pairs at most, spread
    /// over the list, each by [`fault`](Self::fault). It ends where `goes_on`, which is asked before each pair, is false.
    ///
    /// Call it outside of a timed region.
    ///
    /// # Errors
    ///
    /// The first pair whose sets are wrong.
    pub fn check(
        &self,
        bodies: &impl BodyList,
        touching: &[Pair],
        goes_on: impl Fn() -> bool,
    ) -> Result<Checked, ContactFault> {
        let pairs = touching.iter().map(|&pair| (pair, ()));
        check_some(bodies, pairs, touching.len(), goes_on, |pair, ()| {
            Self::fault(bodies, pair).or_else(|| self.difference(bodies, pair))
        })
    }

    /// What is wrong with the contact sets of a pair, by the oracle; `None` if nothing is. They are found again, and
    /// depend on the two bodies alone.
    ///
    /// It allocates, and takes a tenth of a millisecond and more: call it outside of a timed region.
    pub fn fault(bodies: &impl BodyList, pair: Pair) -> Option<String> {
        let [a, b] = bodies_of(bodies, pair);
        let mut finder = Finder::default();
        let parts = finder.reference.near(&a, &b, 0.0);
        finder.contacts.find(&a, &b, parts);
        contact_fault(&finder.contacts, &a, &b)
    }

    /// Whether the points of the last [`find`](Self::find) are others than those of the pair alone.
    fn difference(&self, bodies: &impl BodyList, pair: Pair) -> Option<String> {
        let mut alone = Self::default();
        alone.find(bodies, &[pair]);
        let is_same = |one: &PairPoint, other: &PairPoint| {
            let point = ContactPoint { is_kept: one.point.is_kept, ..other.point };
            one.normal == other.normal && one.point == point
        };
        let own: Vec<&PairPoint> = self.points().filter(|found| found.pair == pair).collect();
        let expected: Vec<&PairPoint> = alone.points().collect();
        let is_right = own.len() == expected.len()
            && own.iter().zip(&expected).all(|(one, other)| is_same(one, other));
        (!is_right)
            .then(|| "its contact points differ from those of the two bodies alone".to_owned())
    }
}

/// Asks for the fault of 8 pairs at most, spread over `count`, each with what is known of it. It ends where `goes_on`, which
/// is asked before each pair, is false. The error is the first pair that has a fault.
pub(super) fn check_some<T>(
    bodies: &impl BodyList,
    pairs: impl Iterator<Item = (Pair, T)>,
    count: usize,
    goes_on: impl Fn() -> bool,
    mut fault: impl FnMut(Pair, T) -> Option<String>,
) -> Result<Checked, ContactFault> {
    let mut checked = Checked::default();
    for (pair, known) in pairs.step_by(count.div_ceil(MAX_CHECKED).max(1)) {
        if !goes_on() {
            break;
        }
        let [a, b] = bodies_of(bodies, pair);
        if !oracle::is_affordable(&a, &b) {
            checked.left_out += 1;
            continue;
        }
        if let Some(text) = fault(pair, known) {
            return Err(ContactFault { pair, text });
        }
        checked.pairs += 1;
    }
    Ok(checked)
}
