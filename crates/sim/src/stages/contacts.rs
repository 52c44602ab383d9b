//! Where bodies touch: contact sets of the pairs that touch, and at first contacts those and 001's approximate regions, which
//! are measured against them.

use super::audit::TIME_BAND;
use super::stage::Stage;
use super::{Audit, BodyList, Errors, FramePairs, Known, PARALLEL_FROM, rounding_at};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::contact::{ContactMemory, ContactPoint, Contacts};
use narrowphase::impact::{ApproximateContact, Impact, ImpactContacts, approximate_contact};
use narrowphase::{Reference, rounding_of, size_of_pair};
use rayon::prelude::*;

/// Touching pairs from which several threads find their contact sets, each of which takes ten tests.
const PARALLEL_CONTACTS: usize = 64;

/// Finds the axis of least penetration of touching pairs and clips their features, with what it keeps of each pair.
pub struct ContactStage {
    /// It answers with the number of sets.
    stage: Stage<(), Finder, ContactMemory, u64>,
}

#[derive(Default)]
struct Finder {
    reference: Reference,
    contacts: Contacts,
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

impl Default for ContactStage {
    fn default() -> Self {
        Self { stage: Stage::of((), |()| Finder::default(), true, PARALLEL_CONTACTS) }
    }
}

impl ContactStage {
    /// Finds the contact sets of all pairs. Pairs that do not touch have none.
    pub fn find(&mut self, of: &FramePairs<'_, impl BodyList>) -> ContactCount {
        self.stage.workers.iter_mut().for_each(|finder| finder.points.clear());
        self.stage.ask_all(of, |finder, pair, memory| {
            let Finder { reference, contacts, points } = finder;
            let [a, b] = of.pair(pair);
            contacts.is_flat = of.bodies.is_flat();
            contacts.find(&a, &b, reference.near(&a, &b, 0.0));
            memory.mark(contacts);
            for set in contacts.sets() {
                let of_set = contacts.points_of(set).iter();
                points.extend(of_set.map(|&point| PairPoint { pair, normal: set.normal, point }));
            }
            contacts.sets().len() as u64
        });
        ContactCount {
            sets: self.stage.answers().iter().sum(),
            points: self.points().count() as u64,
            kept: self.points().filter(|found| found.point.is_kept).count() as u64,
        }
    }

    /// The points of the last [`find`](Self::find), in the order of its pairs.
    pub fn points(&self) -> impl Iterator<Item = &PairPoint> {
        self.stage.workers.iter().flat_map(|finder| &finder.points)
    }
}

/// A pair that first touches after the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// The bodies.
    pub pair: Pair,
    /// When they touch: [`Impact::At`].
    pub impact: Impact,
}

/// A contact set or region that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactFault {
    /// The bodies.
    pub pair: Pair,
    /// The fault.
    pub text: String,
}

impl Audit {
    /// The pairs that first touch after the start of the step. Grazing pairs, of which either answer is right, are left out:
    /// they may be apart at the time that the reference gives.
    pub fn first_contacts(&self) -> Vec<FirstContact> {
        let later = self
            .each()
            .filter(|(_, known)| matches!(known.impact, Impact::At { .. }) && !known.allows_either);
        later.map(|(pair, Known { impact, .. })| FirstContact { pair, impact }).collect()
    }
}

/// Counts the exact contact sets at first contacts of a frame, until it is ended. No point is kept from another step.
///
/// # Errors
///
/// The first pair that has no contact set.
pub fn exact_contacts(
    of: &FramePairs<'_, impl BodyList>,
    contacts: &[FirstContact],
) -> Result<ContactCount, ContactFault> {
    let each = contacts.par_iter().with_min_len(PARALLEL_CONTACTS / 2);
    let counts = each.map_init(ImpactContacts::default, |finder, contact| {
        if !(of.goes_on)() {
            return Ok([0; 2]);
        }
        finder.contacts.is_flat = of.bodies.is_flat();
        let found = contact_set(finder, of, contact)?;
        Ok([found.sets().len() as u64, found.points().len() as u64])
    });
    let sum = |[a, b]: [u64; 2], [c, d]: [u64; 2]| [a + c, b + d];
    let [sets, points] = counts.reduce(|| Ok([0; 2]), |one, other| Ok(sum(one?, other?)))?;
    Ok(ContactCount { sets, points, kept: 0 })
}

/// Fills `regions` with the approximate regions of first contacts of a frame, in their order: with `None` once it is ended.
pub fn approximate_contacts(
    of: &FramePairs<'_, impl BodyList>,
    contacts: &[FirstContact],
    regions: &mut Vec<Option<ApproximateContact>>,
) {
    let each = contacts.par_iter().with_min_len(PARALLEL_FROM / 2);
    let each = each.map(|&FirstContact { pair, impact }| {
        let [a, b] = (of.goes_on)().then(|| of.moving(pair))?;
        approximate_contact((&a.0, &a.1), (&b.0, &b.1), impact)
    });
    each.collect_into_vec(regions);
}

/// Compares the approximate regions of first contacts with the exact contact points, until it is ended.
///
/// # Errors
///
/// The first pair that has no contact set, or whose region leaves out a contact point.
pub fn region_errors(
    of: &FramePairs<'_, impl BodyList>,
    contacts: &[FirstContact],
    regions: &[Option<ApproximateContact>],
) -> Result<Errors, ContactFault> {
    let (mut finder, mut errors) = (ImpactContacts::default(), Errors::default());
    for (contact, region) in contacts.iter().zip(regions).take_while(|_| (of.goes_on)()) {
        let (&FirstContact { pair, impact }, Some(region)) = (contact, region) else { continue };
        let Impact::At { first, .. } = impact else { continue };
        let points = contact_set(&mut finder, of, contact)?.points();
        let points = points.iter().map(|point| point.position);
        let [a, b] = of.moving(pair);
        let slack = TIME_BAND * size_of_pair(&a.0, &b.0) + rounding_at([&a, &b], first);
        let is_outside = |point: &DVec3| {
            let reach = region.half_size + (slack + rounding_of(*point));
            (point - region.point).abs().cmpgt(reach).any()
        };
        if let Some(point) = points.clone().find(is_outside) {
            let text = format!("its region leaves out the contact point {point}");
            return Err(ContactFault { pair, text });
        }
        let [one, other] = [&a, &b].map(|(body, motion)| motion.body_after(body, first));
        let mean = points.clone().sum::<DVec3>() / points.len() as f64;
        let error = mean.distance(region.point) / size_of_pair(&one, &other);
        errors = errors.plus(&Errors::of(error));
    }
    Ok(errors)
}

/// The exact contact sets of a pair at its first contact.
fn contact_set<'a>(
    finder: &'a mut ImpactContacts,
    of: &FramePairs<'_, impl BodyList>,
    &FirstContact { pair, impact }: &FirstContact,
) -> Result<&'a Contacts, ContactFault> {
    let [a, b] = of.moving(pair);
    let found = finder.find((&a.0, &a.1), (&b.0, &b.1), impact);
    if found.points().is_empty() {
        let text = "it has no contact set at the first contact".to_owned();
        return Err(ContactFault { pair, text });
    }
    Ok(found)
}
