//! Where bodies touch at their first contacts: the exact contact sets, and 001's approximate regions, measured against them.

use super::audit::TIME_BAND;
use super::contacts::PARALLEL_CONTACTS;
use super::{ContactCount, ImpactAudit, MovingBodies, PARALLEL_FROM, moving_pair, rounding_at};
use crate::pieces::pieces;
use broadphase::Pair;
use glam::DVec3;
use narrowphase::Body;
use narrowphase::impact::{
    ApproximateContact, Impact, ImpactContacts, KnownImpact, Motion, approximate_contact,
};
use narrowphase::{rounding_of, size_of_pair};
use rayon::prelude::*;

/// Contact sets and approximate regions at the first contacts that the reference knows. Bodies that overlap at the start
/// have none, and grazing ones, of which either answer is right, are left out. It keeps its memory from step to step.
#[derive(Default)]
pub struct FirstContacts {
    /// One for each piece of work.
    finders: Vec<Finder>,
}

#[derive(Default)]
struct Finder {
    contacts: ImpactContacts,
    regions: Vec<ApproximateContact>,
}

/// What is wrong about where two bodies touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactFault {
    /// The bodies.
    pub pair: Pair,
    /// The fault.
    pub text: String,
}

/// Approximate regions compared with the exact contact points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionErrors {
    /// Regions that were compared.
    pub regions: u64,
    /// Sum of the distances of a region's middle from the mean of the contact points, in sizes of the pair at the contact.
    pub sum: f64,
    /// The largest of them.
    pub largest: f64,
}

impl RegionErrors {
    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            regions: self.regions + other.regions,
            sum: self.sum + other.sum,
            largest: self.largest.max(other.largest),
        }
    }
}

impl FirstContacts {
    /// Finds the exact contact sets at the first contacts of sorted pairs, which `audit` examined.
    ///
    /// # Errors
    ///
    /// The first pair that touches but has no contact set.
    pub fn exact(
        &mut self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        audit: &ImpactAudit,
    ) -> Result<ContactCount, ContactFault> {
        let pieces = self.pieces(pairs, audit, PARALLEL_CONTACTS);
        let counts = pieces.map(|(finder, (pairs, known))| {
            finder.contacts.is_flat = bodies.is_flat();
            let [mut sets, mut points] = [0; 2];
            for (pair, impact) in contacts_of(pairs, known).take_while(|_| !bodies.is_stopped()) {
                let [a, b] = moving_pair(bodies, pair);
                let (a, b) = ((&a.0, &a.1), (&b.0, &b.1));
                let found = finder.contacts.find(a, b, impact);
                if found.sets().is_empty() {
                    return Err(ContactFault { pair, text: WITHOUT_SET.to_owned() });
                }
                sets += found.sets().len() as u64;
                points += found.points().len() as u64;
            }
            Ok([sets, points])
        });
        let sum = |[a, b]: [u64; 2], [c, d]: [u64; 2]| [a + c, b + d];
        let [sets, points] = counts.reduce(|| Ok([0; 2]), |one, other| Ok(sum(one?, other?)))?;
        Ok(ContactCount { sets, points, kept: 0 })
    }

    /// The pairs that `audit` examined, with what it knows, in pieces with a finder each.
    fn pieces<'a>(
        &'a mut self,
        pairs: &'a [Pair],
        audit: &'a ImpactAudit,
        parallel_from: usize,
    ) -> impl ParallelIterator<Item = (&'a mut Finder, (&'a [Pair], &'a [KnownImpact]))> {
        let pieces = pieces(audit.first_contacts(), parallel_from);
        self.finders.resize_with(self.finders.len().max(pieces), Finder::default);
        self.finders.iter_mut().for_each(|finder| finder.regions.clear());
        let length = pairs.len().div_ceil(pieces).max(1);
        let parts = pairs.par_chunks(length).zip(audit.verdicts().par_chunks(length));
        self.finders.par_iter_mut().zip(parts)
    }

    /// Finds the approximate regions at the first contacts of sorted pairs, which `audit` examined. Returns their number.
    pub fn approximate(
        &mut self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        audit: &ImpactAudit,
    ) -> u64 {
        let pieces = self.pieces(pairs, audit, PARALLEL_FROM);
        let counts = pieces.map(|(finder, (pairs, known))| {
            let contacts = contacts_of(pairs, known).take_while(|_| !bodies.is_stopped());
            finder.regions.extend(contacts.filter_map(|(pair, impact)| {
                let [a, b] = moving_pair(bodies, pair);
                approximate_contact((&a.0, &a.1), (&b.0, &b.1), impact)
            }));
            finder.regions.len() as u64
        });
        counts.sum()
    }

    /// Compares the regions of the last [`approximate`](Self::approximate), which was given the same, with the exact contact
    /// points, as long as `goes_on`, which is asked before each pair. Call it outside of a timed region.
    ///
    /// # Errors
    ///
    /// The first pair that touches but has no contact set, or whose region leaves out a contact point.
    pub fn compare(
        &self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        audit: &ImpactAudit,
        goes_on: impl Fn() -> bool,
    ) -> Result<RegionErrors, ContactFault> {
        let regions = self.finders.iter().flat_map(|finder| &finder.regions);
        let (mut finder, mut errors) = (ImpactContacts::default(), RegionErrors::default());
        for ((pair, impact), region) in contacts_of(pairs, audit.verdicts()).zip(regions) {
            if !goes_on() {
                break;
            }
            let [a, b] = moving_pair(bodies, pair);
            let exact = finder.find((&a.0, &a.1), (&b.0, &b.1), impact);
            let points = exact.points().iter().map(|point| point.position);
            let number = points.clone().count();
            if number == 0 {
                return Err(ContactFault { pair, text: WITHOUT_SET.to_owned() });
            }
            let [one, other] = bodies_at([&a, &b], impact);
            let size = size_of_pair(&one, &other);
            let slack =
                TIME_BAND * size_of_pair(&a.0, &b.0) + rounding_at([&a, &b], time_of(impact));
            let is_outside = |point: &DVec3| {
                let reach = region.half_size + (slack + rounding_of(*point));
                (point - region.point).abs().cmpgt(reach).any()
            };
            if let Some(point) = points.clone().find(is_outside) {
                let text = format!("its region leaves out the contact point {point}");
                return Err(ContactFault { pair, text });
            }
            let mean = points.sum::<DVec3>() / number as f64;
            let error = mean.distance(region.point) / size;
            errors.regions += 1;
            errors.sum += error;
            errors.largest = errors.largest.max(error);
        }
        Ok(errors)
    }
}

/// Two bodies at the poses of their first contact.
fn bodies_at<'a>(pair: [&(Body<'a>, Motion); 2], impact: Impact) -> [Body<'a>; 2] {
    pair.map(|(body, motion)| motion.body_after(body, time_of(impact)))
}

fn time_of(impact: Impact) -> f64 {
    if let Impact::At { first, .. } = impact { first } else { 0.0 }
}

const WITHOUT_SET: &str = "it has no contact set at the first contact";

/// Pairs that first touch after the start of the step, each with its first contact.
fn contacts_of(pairs: &[Pair], known: &[KnownImpact]) -> impl Iterator<Item = (Pair, Impact)> {
    let contacts = pairs.iter().zip(known).filter(|(_, known)| is_first_contact(known));
    contacts.map(|(pair, known)| (*pair, known.impact))
}

/// A grazing pair may be apart at the time that the reference gives.
fn is_first_contact(known: &KnownImpact) -> bool {
    matches!(known.impact, Impact::At { .. }) && !known.is_grazing
}

impl ImpactAudit {
    /// Number of pairs that first touch after the start of the step, apart from grazing ones.
    pub fn first_contacts(&self) -> usize {
        self.verdicts().iter().filter(|known| is_first_contact(known)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Balls;
    use super::*;

    #[test]
    fn first_contact_without_a_set_is_a_fault_unless_it_grazes() {
        let (pairs, mut audit) = ([Pair { a: 0, b: 1 }], ImpactAudit::default());
        // They graze at the second height. Smaller balls are still apart at the time of the first contact.
        for (height, radius, regions) in
            [(0.0, 1.0, Some(1)), (0.0, 0.5, None), (2.0 - 1e-10, 0.5, Some(0))]
        {
            audit.examine(&Balls::new(1.0, height), &pairs, 2.0);
            assert!(
                matches!(audit.verdicts()[0].impact, Impact::At { .. }),
                "{:?}",
                audit.verdicts()
            );
            let (balls, mut contacts) = (Balls::new(radius, height), FirstContacts::default());
            let sets = contacts.exact(&balls, &pairs, &audit).map(|count| count.sets).ok();
            assert_eq!(sets, regions, "{height} {radius}");
            assert_eq!(contacts.approximate(&balls, &pairs, &audit), audit.first_contacts() as u64);
            let compared = contacts.compare(&balls, &pairs, &audit, || true);
            assert_eq!(compared.map(|errors| errors.regions).ok(), regions, "{height} {radius}");
        }
    }

    #[test]
    fn region_that_leaves_out_a_contact_point_is_a_fault() {
        // Far on their way, the balls touch as at rest, but for rounding.
        for way in [DVec3::ZERO, DVec3::new(2e10 / 3.0, -1e10 / 7.0, 0.0)] {
            let balls = |radius, height| Balls::new(radius, height).carried(way);
            let (pairs, mut audit) = ([Pair { a: 0, b: 1 }], ImpactAudit::default());
            let (right, mut contacts) = (balls(1.0, 0.0), FirstContacts::default());
            audit.examine(&right, &pairs, 2.0);
            contacts.approximate(&right, &pairs, &audit);
            let compared = contacts.compare(&right, &pairs, &audit, || true);
            assert_eq!(compared.map(|errors| errors.regions), Ok(1));
            contacts.approximate(&balls(1.0, 5.0), &pairs, &audit);
            let fault = contacts.compare(&right, &pairs, &audit, || true).unwrap_err();
            assert!(fault.text.starts_with("its region leaves out the contact point"), "{fault:?}");
        }
    }
}
