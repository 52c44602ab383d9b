//! Candidates whose boxes touch while both move along lines.

use super::{BodyList, FramePairs};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair, SweptError, swept_pairs};
use glam::{DVec3, Vec3};
use narrowphase::BoxKind;
use narrowphase::impact::Impact;

/// The relative sweep of candidates: swept boxes without the false alarms of boxes that are in one place at different times.
/// A body that rotates has the box of its bounding sphere. It keeps its memory from step to step.
#[derive(Default)]
pub struct RelativeSweep {
    /// Of all bodies: the boxes as the step begins, and their displacements.
    moving: (Vec<Aabb>, Vec<Vec3>),
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
    /// If a body goes beyond the largest `f32`.
    pub fn find(
        &mut self,
        &FramePairs { bodies, pairs, .. }: &FramePairs<'_, impl BodyList>,
        limit: f64,
    ) -> Result<&[Impact], SweptError> {
        let Self { moving, touching, impacts } = self;
        moving.0.clear();
        moving.1.clear();
        moving.extend((0..bodies.count()).map(|object| moving_box(bodies, object, limit)));
        touching.clear();
        swept_pairs(&moving.0, &moving.1, &mut Candidates(pairs), touching)?;
        let mut touching = touching.iter().peekable();
        impacts.clear();
        impacts.extend(pairs.iter().map(|pair| match touching.next_if_eq(&pair) {
            Some(_) => Impact::At { first: limit, last: limit, axis: DVec3::X },
            None => Impact::Never,
        }));
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

/// A broad phase that knows the pairs.
struct Candidates<'a>(&'a [Pair]);

impl BroadPhase for Candidates<'_> {
    fn update(&mut self, _: &Frame<'_>) {}

    fn find_pairs(&mut self, _: &Frame<'_>, pairs: &mut Vec<Pair>) {
        pairs.extend_from_slice(self.0);
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn heap_bytes(&self) -> usize {
        0
    }

    fn validate(&self, _: &Frame<'_>) {}
}
