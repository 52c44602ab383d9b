//! Where bodies touch at their first contacts: the exact contact sets, and 001's approximate regions, measured against them.

use super::impacts::moving_pair;
use super::{ContactCount, ContactFault, ImpactAudit, MovingBodies};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::Body;
use narrowphase::impact::{
    ApproximateContact, Impact, ImpactContacts, KnownImpact, Motion, approximate_contact,
};
use narrowphase::oracle::{BAND, size_of_pair};

/// Contact sets and approximate regions at the first contacts that the reference knows. Bodies that overlap at the start
/// have none, and grazing ones, of which either answer is right, are left out. It keeps its memory from step to step.
#[derive(Default)]
pub struct FirstContacts {
    finder: ImpactContacts,
    regions: Vec<ApproximateContact>,
}

/// Approximate regions compared with the exact contact points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionErrors {
    /// Regions that were compared.
    pub regions: u64,
    /// Regions that leave out a contact point.
    pub left_out: u64,
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
            left_out: self.left_out + other.left_out,
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
        let mut count = ContactCount::default();
        for (pair, impact) in contacts_of(pairs, audit) {
            let [a, b] = moving_pair(bodies, pair);
            let (a, b) = ((&a.0, &a.1), (&b.0, &b.1));
            let found = match bodies.is_flat() {
                true => self.finder.find_flat(a, b, impact),
                false => self.finder.find(a, b, impact),
            };
            if found.sets().is_empty() {
                return Err(ContactFault { pair, text: WITHOUT_SET.to_owned() });
            }
            count.sets += found.sets().len() as u64;
            count.points += found.points().len() as u64;
        }
        Ok(count)
    }

    /// Finds the approximate regions at the first contacts of sorted pairs, which `audit` examined. Returns their number.
    pub fn approximate(
        &mut self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        audit: &ImpactAudit,
    ) -> u64 {
        self.regions.clear();
        self.regions.extend(contacts_of(pairs, audit).filter_map(|(pair, impact)| {
            let [a, b] = moving_pair(bodies, pair);
            approximate_contact((&a.0, &a.1), (&b.0, &b.1), impact)
        }));
        self.regions.len() as u64
    }

    /// Compares the regions of the last [`approximate`](Self::approximate), which was given the same, with the exact contact
    /// points, as long as `goes_on`, which is asked before each pair. Call it outside of a timed region.
    ///
    /// # Errors
    ///
    /// The first pair that touches but has no contact set.
    pub fn compare(
        &mut self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        audit: &ImpactAudit,
        goes_on: impl Fn() -> bool,
    ) -> Result<RegionErrors, ContactFault> {
        let Self { finder, regions } = self;
        let mut errors = RegionErrors::default();
        for ((pair, impact), region) in contacts_of(pairs, audit).zip(regions) {
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
            let size = size_at(&a, &b, impact);
            let reach = region.half_size + 2.0 * BAND * size;
            let mut all = points.clone();
            let has_all = all.all(|point| (point - region.point).abs().cmple(reach).all());
            let mean = points.sum::<DVec3>() / number as f64;
            let error = mean.distance(region.point) / size;
            errors.regions += 1;
            errors.left_out += u64::from(!has_all);
            errors.sum += error;
            errors.largest = errors.largest.max(error);
        }
        Ok(errors)
    }
}

/// The size of two bodies at the poses of their first contact.
fn size_at(a: &(Body<'_>, Motion), b: &(Body<'_>, Motion), impact: Impact) -> f64 {
    let Impact::At { first, .. } = impact else { return size_of_pair(&a.0, &b.0) };
    size_of_pair(&a.1.body_after(&a.0, first), &b.1.body_after(&b.0, first))
}

const WITHOUT_SET: &str = "it has no contact set at the first contact";

/// Pairs that first touch after the start of the step, each with its first contact.
fn contacts_of(pairs: &[Pair], audit: &ImpactAudit) -> impl Iterator<Item = (Pair, Impact)> {
    let contacts = pairs.iter().zip(audit.known()).filter(|(_, known)| is_first_contact(known));
    contacts.map(|(pair, known)| (*pair, known.impact))
}

/// A grazing pair may be apart at the time that the reference gives.
fn is_first_contact(known: &KnownImpact) -> bool {
    matches!(known.impact, Impact::At { .. }) && !known.is_grazing
}

impl ImpactAudit {
    /// Number of pairs that first touch after the start of the step, apart from grazing ones.
    pub fn first_contacts(&self) -> usize {
        self.known().iter().filter(|known| is_first_contact(known)).count()
    }
}
