//! Collisions of bodies with each other: where they touch, and the impulses there.

use super::super::response::{Response, line_of_impact};
use super::Bodies;
use super::impulse::{collide, damp};
use super::rules::Rules;
use super::solid::is_ball;
use crate::pieces::pieces;
use broadphase::{Layer, Pair};
use glam::DVec3;
use narrowphase::Reference;
use narrowphase::contact::Contacts;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs from which several threads search: some tenth of a millisecond of work.
const PARALLEL_FROM: usize = 128;

/// Two bodies that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// The objects.
    pub pair: Pair,
    /// Centre of the contact set, in the world: of compounds, that of the pair of parts that overlap most.
    pub point: DVec3,
    /// Unit vector of the world from the first object to the second, along the axis of least penetration.
    pub normal: DVec3,
    /// Depth of the penetration, at least 0. It is 0 where a body bounced off a static one within the step.
    pub depth: f64,
    /// Number of points of all contact sets: compounds have one for each pair of parts that touch.
    pub points: u32,
}

/// The contacts among the pairs of a frame. Memory is reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactSearch {
    /// One for each piece of work, in the order of the pairs.
    finders: Vec<Finder>,
}

/// The contacts among some of the pairs.
#[derive(Clone, Debug, Default)]
struct Finder {
    reference: Reference,
    contacts: Contacts,
    found: Vec<Found>,
    points: Vec<DVec3>,
}

/// A contact, and where the points of its deepest set are.
#[derive(Clone, Debug)]
struct Found {
    contact: BodyContact,
    points: Range<usize>,
}

impl Bodies {
    /// Fills `contacts` with the touching ones among `pairs`, in their order. Pairs that the layers do not
    /// allow are left out.
    ///
    /// This is the reference: it depends on the pairs alone, and neither on volumes nor on a narrow phase.
    pub fn find_contacts(&self, pairs: &[Pair], layers: &[Layer], contacts: &mut Vec<BodyContact>) {
        let mut search = ContactSearch::default();
        search.find(self, pairs, layers, &AtomicBool::new(false));
        contacts.clear();
        contacts.extend(search.found().map(|(contact, _)| *contact));
    }

    /// Answers the contacts that were found at the end of the step, in the order of the pairs: frictionless, one impulse for
    /// each that approaches. Those that were answered within the step are listed among them. `None` once `stop` is set.
    pub(super) fn resolve(
        &mut self,
        search: &ContactSearch,
        met: &[BodyContact],
        layers: &[Layer],
        half_step: f64,
        stop: &AtomicBool,
    ) -> Option<Response> {
        let Self { solids, states, contacts, continuous, record, .. } = self;
        let rules = Rules { continuous: *continuous, solids, layers };
        let mut resolved = met.len() as u64;
        let has = |list: &[BodyContact], pair: Pair| {
            list.binary_search_by_key(&pair, |contact| contact.pair).is_ok()
        };
        contacts.clear();
        for (contact, points) in search.found() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            contacts.push(*contact);
            let [a, b] = [contact.pair.a, contact.pair.b].map(|object| object as usize);
            if has(met, contact.pair) || rules.is_within(a, b) {
                continue;
            }
            let Ok([one, other]) = states.get_disjoint_mut([a, b]) else { continue };
            let ahead = [a, b].map(|object| {
                let path = record.paths.get(object);
                path.map_or(DVec3::ZERO, |path| path.acceleration)
                    * solids[object].linear
                    * half_step
            });
            let solids = [&solids[a], &solids[b]];
            let gain = collide(solids, [one, other], points, contact.normal, ahead);
            resolved += u64::from(gain.is_some());
            // A body that rests on what cannot be pushed gains nothing.
            let gain = gain.unwrap_or_default();
            if solids[0].inverse_mass == 0.0 {
                damp(solids[1], other, ahead[1], gain);
            } else if solids[1].inverse_mass == 0.0 {
                damp(solids[0], one, ahead[0], gain);
            }
        }
        let found = contacts.len();
        for bounced in met {
            if !has(&contacts[..found], bounced.pair) {
                contacts.push(*bounced);
            }
        }
        contacts.sort_unstable_by_key(|contact| contact.pair);
        Some(Response { hits: contacts.len() as u64, resolved })
    }
}

impl ContactSearch {
    /// Finds the contacts among sorted pairs, until `stop` is set.
    pub(super) fn find(
        &mut self,
        bodies: &Bodies,
        pairs: &[Pair],
        layers: &[Layer],
        stop: &AtomicBool,
    ) {
        for finder in &mut self.finders {
            finder.found.clear();
            finder.points.clear();
        }
        for_each_piece(pairs, &mut self.finders, |pairs, finder| {
            finder.find_all(bodies, pairs, layers, stop);
        });
    }

    /// Each contact, and the points of its deepest set.
    fn found(&self) -> impl Iterator<Item = (&BodyContact, &[DVec3])> {
        self.finders.iter().flat_map(|Finder { found, points, .. }| {
            found.iter().map(|found| (&found.contact, &points[found.points.clone()]))
        })
    }
}

/// Divides pairs among threads, each piece with an entry of `scratch`, in their order.
pub(super) fn for_each_piece<S: Default + Send>(
    pairs: &[Pair],
    scratch: &mut Vec<S>,
    work: impl Fn(&[Pair], &mut S) + Sync,
) {
    let pieces = pieces(pairs.len(), PARALLEL_FROM);
    scratch.resize_with(scratch.len().max(pieces), S::default);
    if pieces == 1 {
        return work(pairs, &mut scratch[0]);
    }
    let parts = pairs.par_chunks(pairs.len().div_ceil(pieces)).zip(scratch);
    parts.for_each(|(pairs, scratch)| work(pairs, scratch));
}

impl Finder {
    fn find_all(&mut self, bodies: &Bodies, pairs: &[Pair], layers: &[Layer], stop: &AtomicBool) {
        for pair in pairs {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let [a, b] = [pair.a, pair.b].map(|object| object as usize);
            if bodies.rules(layers).may_meet(a, b) {
                let start = self.points.len();
                if let Some(contact) = self.find(bodies, *pair) {
                    let points = start..self.points.len();
                    self.found.push(Found { contact, points });
                }
            }
        }
    }

    /// The contact of two bodies. Appends the points of its deepest set.
    fn find(&mut self, bodies: &Bodies, pair: Pair) -> Option<BodyContact> {
        let [a, b] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
        let line = b.pose.position - a.pose.position;
        let (distance, reach) = (line.length(), a.bounding_radius() + b.bounding_radius());
        if distance > reach || distance.is_nan() {
            return None;
        }
        if is_ball(a.shape) && is_ball(b.shape) {
            let [one, other] =
                [pair.a, pair.b].map(|object| bodies.states[object as usize].velocity);
            // Without a line, any direction is as good: they do not approach.
            let normal = line_of_impact(line, one - other).unwrap_or(DVec3::X);
            let point = a.pose.position + normal * (a.bounding_radius() + 0.5 * (distance - reach));
            self.points.push(point);
            return Some(BodyContact { pair, point, normal, depth: reach - distance, points: 1 });
        }
        let Self { reference, contacts, points, .. } = self;
        contacts.find(&a, &b, reference.near(&a, &b, 0.0));
        let sets = contacts.sets().iter();
        let deepest = sets.min_by(|one, other| other.depth.total_cmp(&one.depth))?;
        let start = points.len();
        points.extend(contacts.points_of(deepest).iter().map(|point| point.position));
        let own = &points[start..];
        let point = own.iter().sum::<DVec3>() / own.len() as f64;
        let (normal, depth, points) = (deepest.normal, deepest.depth, contacts.points().len());
        Some(BodyContact { pair, point, normal, depth, points: points as u32 })
    }
}
