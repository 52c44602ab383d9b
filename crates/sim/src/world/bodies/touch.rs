//! The distance that counts as touching, and the point of a contact that an impulse acts on.

use super::solid::{BodyState, Solid};
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::{Body, PartVerdict};

/// Bodies are stopped in front of what they meet, at most this far, in units of their radius.
const MARGIN: f64 = 1e-9;

/// Roundings of a position that a distance is computed from.
const ROUNDINGS: f64 = 32.0;

/// Points that are at most this far above the lowest one touch with it, in units of the body's radius: a cube that falls flat
/// touches with four corners. Above the rounding of positions in a scene file, 1e-7, and far below what can be seen.
pub(super) const LEVEL: f64 = 1e-6;

/// Most rounding of a scene's places that is taken for equal heights, in units of the body's radius. Far from the origin a
/// greater edge may be meant.
const MAX_ROUNDING: f64 = 0.01;

/// Share of the margin that a body may approach by in a sub-step without a contact: a tenth of what the search for a first
/// contact takes for rounding.
const QUIET: f64 = 1e-5;

/// The largest gap that counts as touching.
pub(super) fn margin(solid: &Solid, state: &BodyState) -> f64 {
    let size = state.position.abs().max_element() + solid.radius;
    MARGIN * solid.radius + ROUNDINGS * f64::EPSILON * size
}

/// The largest difference of heights along a normal at which points touch together, and at which an edge holds no body: what
/// rounding of the places in a scene makes of equal heights.
pub(super) fn level(solid: &Solid, state: &BodyState, normal: DVec3) -> f64 {
    level_at(solid, state, state.position.abs().dot(normal.abs()))
}

/// An upper bound of [`level`] along any normal.
pub(super) fn max_level(solid: &Solid, state: &BodyState) -> f64 {
    level_at(solid, state, state.position.length())
}

fn level_at(solid: &Solid, state: &BodyState, height: f64) -> f64 {
    let rounding = f64::from(f32::EPSILON) * (height + solid.radius);
    LEVEL * solid.radius + margin(solid, state) + rounding.min(MAX_ROUNDING * solid.radius)
}

/// The greatest speed of an approach, to be left within `time` seconds, that is none but for rounding.
pub(super) fn quiet(solid: &Solid, state: &BodyState, time: f64) -> f64 {
    QUIET * margin(solid, state) / time + 4.0 * f64::EPSILON * solid.speed_bound(state)
}

/// The points of a contact, of which one is chosen.
pub(super) struct Points<S> {
    /// The speed at which the bodies part at a point, negative where they approach.
    speed: S,
    sum: DVec3,
    count: f64,
    /// The point that approaches fastest, and its speed.
    fastest: Option<(DVec3, f64)>,
}

impl<S: Fn(DVec3) -> f64> Points<S> {
    pub(super) fn new(speed: S) -> Self {
        Self { speed, sum: DVec3::ZERO, count: 0.0, fastest: None }
    }

    pub(super) fn add(&mut self, point: DVec3) {
        self.sum += point;
        self.count += 1.0;
        let speed = (self.speed)(point);
        if self.fastest.is_none_or(|(_, least)| speed < least) {
            self.fastest = Some((point, speed));
        }
    }

    /// Adds the points of two parts that touch.
    pub(super) fn add_all(
        &mut self,
        contacts: &mut Contacts,
        [a, b]: [&Body<'_>; 2],
        verdict: &PartVerdict,
    ) {
        // A gap within the margin counts as none.
        let touching = PartVerdict { gap: verdict.gap.min(0.0), ..*verdict };
        contacts.find(a, b, &[touching]);
        contacts.points().iter().for_each(|point| self.add(point.position));
    }

    /// The centre of the points if it approaches; otherwise the point that approaches fastest, if one does.
    pub(super) fn chosen(&self) -> Option<DVec3> {
        let (fastest, speed) = self.fastest?;
        let center = self.sum / self.count;
        if (self.speed)(center) < 0.0 {
            return Some(center);
        }
        (speed < 0.0).then_some(fastest)
    }
}
