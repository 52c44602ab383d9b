//! Collisions of bodies with each other: where they touch, and what comes of it.

use super::super::response::Response;
use super::Bodies;
use super::impulse::collide;
use broadphase::{Layer, Pair};
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::{Body, Reference};
use rayon::prelude::*;

/// Pairs from which several threads look for contacts.
const PARALLEL_FROM: usize = 128;

/// Two bodies that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// The objects.
    pub pair: Pair,
    /// Centre of the contact set, in the world.
    pub point: DVec3,
    /// Unit vector of the world from the first object to the second, along the axis of least penetration.
    pub normal: DVec3,
    /// Depth of the penetration, at least 0.
    pub depth: f64,
    /// Number of points of the contact set.
    pub points: u32,
}

/// Finds contacts: of compounds, that of the pair of parts that overlap most. It keeps scratch and nothing else.
#[derive(Default)]
struct ContactFinder {
    reference: Reference,
    contacts: Contacts,
}

impl Bodies {
    /// Fills `contacts` with the touching ones among `pairs`, in their order. Pairs that the layers do not
    /// allow are left out.
    ///
    /// This is the reference: it depends on the pairs alone, and neither on volumes nor on a narrow phase.
    pub fn find_contacts(&self, pairs: &[Pair], layers: &[Layer], contacts: &mut Vec<BodyContact>) {
        let find = |finder: &mut ContactFinder, pair: &Pair| {
            let [a, b] = [pair.a, pair.b].map(|object| object as usize);
            let layer = |object: usize| layers.get(object).copied().unwrap_or_default();
            let meets = layer(a).meets(layer(b));
            meets.then(|| finder.find(*pair, &self.body(a), &self.body(b))).flatten()
        };
        contacts.clear();
        if pairs.len() < PARALLEL_FROM {
            let mut finder = ContactFinder::default();
            contacts.extend(pairs.iter().filter_map(|pair| find(&mut finder, pair)));
        } else {
            let pairs = pairs.par_iter().with_min_len(64);
            contacts.par_extend(pairs.map_init(ContactFinder::default, find).flatten_iter());
        }
    }

    /// Answers contacts in their order: elastic and frictionless, one impulse for each that approaches.
    pub(super) fn resolve(&mut self, contacts: &[BodyContact]) -> Response {
        let mut response = Response::default();
        for BodyContact { pair, point, normal, .. } in contacts {
            response.hits += 1;
            let [a, b] = [pair.a, pair.b].map(|object| object as usize);
            let solids = [&self.solids[a], &self.solids[b]];
            let Ok(states) = self.states.get_disjoint_mut([a, b]) else { continue };
            response.resolved += u64::from(collide(solids, states, *point, *normal));
        }
        response
    }
}

impl ContactFinder {
    fn find(&mut self, pair: Pair, a: &Body<'_>, b: &Body<'_>) -> Option<BodyContact> {
        let line = b.pose.position - a.pose.position;
        let (distance, reach) = (line.length(), a.bounding_radius() + b.bounding_radius());
        if distance > reach || distance.is_nan() {
            return None;
        }
        if is_ball(a) && is_ball(b) {
            // Concentric balls have no line of centres.
            let normal = line.try_normalize().unwrap_or(DVec3::X);
            let point = a.pose.position + normal * (a.bounding_radius() + 0.5 * (distance - reach));
            return Some(BodyContact { pair, point, normal, depth: reach - distance, points: 1 });
        }
        self.reference.examine(a, b);
        let parts = self.reference.parts().iter();
        let deepest = *parts.min_by(|one, other| one.gap.total_cmp(&other.gap))?;
        if deepest.gap > 0.0 {
            return None;
        }
        self.contacts.find(a, b, &[deepest]);
        let points = self.contacts.points();
        let sum: DVec3 = points.iter().map(|point| point.position).sum();
        let point = sum / points.len() as f64;
        let (normal, depth, points) = (deepest.axis, -deepest.gap, points.len() as u32);
        Some(BodyContact { pair, point, normal, depth, points })
    }
}

fn is_ball(body: &Body<'_>) -> bool {
    matches!(body.shape.parts(), [part] if part.core().vertices().len() == 1)
}
