//! Candidates whose boxes touch while both move along lines.

use super::{BodyList, FramePairs};
use broadphase::{Aabb, Pair, SweptError, swept_pairs_by_definition};
use glam::{DVec3, Vec3};
use narrowphase::BoxKind;
use narrowphase::impact::Impact;

/// The relative sweep of candidates: swept boxes without the false alarms of boxes that are in one place at different times.
/// A body that rotates has the box of its bounding sphere. It keeps its memory from step to step.
#[derive(Default)]
pub struct RelativeSweep {
    /// Boxes of all bodies as the step begins, and their displacements.
    moving: Vec<(Aabb, Vec3)>,
    touching: Vec<Pair>,
    impacts: Vec<Impact>,
}

impl RelativeSweep {
    /// Its name in tables.
    pub const ID: &'static str = "relative-sweep";

    /// Finds the pairs whose boxes touch within `limit` seconds. No contact of the bodies is missed. Times
    /// are unknown: each is the end of the step.
    ///
    /// # Errors
    ///
    /// If a number of a body is not finite.
    pub fn find(
        &mut self,
        &FramePairs { bodies, pairs, .. }: &FramePairs<'_, impl BodyList>,
        limit: f64,
    ) -> Result<&[Impact], SweptError> {
        let Self { moving, touching, impacts } = self;
        moving.clear();
        moving.extend((0..bodies.count()).map(|object| moving_box(bodies, object, limit)));
        impacts.clear();
        for pair in pairs {
            let [(a, way_a), (b, way_b)] = [pair.a, pair.b].map(|object| moving[object as usize]);
            touching.clear();
            swept_pairs_by_definition(&[a, b], &[way_a, way_b], touching)?;
            let touch = Impact::At { first: limit, last: limit, axis: DVec3::X };
            impacts.push(if touching.is_empty() { Impact::Never } else { touch });
        }
        Ok(impacts)
    }
}

/// The box of a body as the step begins, and its displacement. The box grows by the rounding error of the displacement.
fn moving_box(bodies: &impl BodyList, object: usize, limit: f64) -> (Aabb, Vec3) {
    let (body, motion) = bodies.moving(object);
    let kind = if motion.spin == DVec3::ZERO { BoxKind::Tight } else { BoxKind::Sphere };
    let way = motion.velocity * limit;
    let rounded = way.as_vec3();
    let error = (way - rounded.as_dvec3()).abs().max_element();
    let bounds = body.bounds(kind).grown(error);
    (Aabb::from_f64(bounds.min, bounds.max), rounded)
}
