//! The distance that counts as touching, and the point of a contact that an impulse acts on.

use super::solid::{BodyState, Solid};
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::{Body, PartVerdict};

/// Bodies are stopped in front of what they meet, at most this far, in units of their radius.
const MARGIN: f64 = 1e-9;

/// Resolution of gaps, in units of both radii and the distance. The reference resolves a tenth of it.
pub(super) const RESOLUTION: f64 = 1e-10;

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

/// Where an impulse acts among the points of a contact: in their centre if it approaches; otherwise where they approach fastest,
/// if one does. `speed` is that at which the bodies part at a point, negative where they approach.
pub(super) fn approaching_point(
    points: impl Iterator<Item = DVec3> + Clone,
    speed: impl Fn(DVec3) -> f64,
) -> Option<DVec3> {
    let center = points.clone().sum::<DVec3>() / points.clone().count() as f64;
    if speed(center) < 0.0 {
        return Some(center);
    }
    let fastest = points.min_by(|one, other| speed(*one).total_cmp(&speed(*other)));
    fastest.filter(|point| speed(*point) < 0.0)
}

/// The points of two parts that touch. A gap within the margin counts as none.
pub(super) fn touching_points<'c>(
    contacts: &'c mut Contacts,
    [a, b]: [&Body<'_>; 2],
    verdict: &PartVerdict,
) -> impl Iterator<Item = DVec3> + Clone + use<'c> {
    contacts.find(a, b, &[PartVerdict { gap: verdict.gap.min(0.0), ..*verdict }]);
    contacts.points().iter().map(|point| point.position)
}
