//! The points where bodies touch, and which of them are kept from the step before.

use crate::session::Session;
use glam::Vec3;

/// A point where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownContact {
    /// In the middle between both surfaces.
    pub point: Vec3,
    /// Unit vector from the first to the second body.
    pub normal: Vec3,
    /// Whether the same features of the two bodies met in the step before; `None` where that step was not tested.
    pub is_kept: Option<bool>,
    /// Bounding radius of the smaller body.
    pub radius: f32,
}

/// The points that the stages found among the pairs of the present step; none until these are known.
pub(super) fn fill(shown: &mut Vec<ShownContact>, session: &Session) {
    shown.clear();
    let Some(bodies) = session.world().and_then(sim::World::bodies) else { return };
    if !session.is_searched() {
        return;
    }
    let radius = |object: u32| bodies.body(object as usize).bounding_radius();
    let at = (session.motion().epoch(), session.steps());
    let points = session.stages().contact_points(at);
    shown.extend(points.map(|(found, is_kept)| ShownContact {
        point: found.point.position.as_vec3(),
        normal: found.normal.as_vec3(),
        is_kept,
        radius: radius(found.pair.a).min(radius(found.pair.b)) as f32,
    }));
}
