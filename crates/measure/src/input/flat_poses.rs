//! Random poses of two bodies in the x-z plane.

use glam::{DQuat, DVec3};
use narrowphase::{Body, Bounds, BoxKind, Pose, Shape};
use std::f64::consts::TAU;

/// All poses in the plane at which the tight boxes overlap are equally likely: both bodies are rotated about y only.
/// `uniform` gives random numbers from 0 to 1, exclusive.
pub(super) fn flat_poses(shapes: [&Shape; 2], uniform: &mut impl FnMut() -> f64) -> [Pose; 2] {
    let plane = DVec3::new(1.0, 0.0, 1.0);
    let most = 2.0 * shapes.map(Shape::bounding_radius).iter().sum::<f64>();
    loop {
        let turned = [turned(uniform), turned(uniform)];
        let bounds = |at: usize| Body::new(shapes[at], turned[at]).bounds(BoxKind::Tight);
        let [one, other]: [Bounds; 2] = [bounds(0), bounds(1)];
        let (low, high) = ((one.min - other.max) * plane, (one.max - other.min) * plane);
        let share = DVec3::new(uniform(), 0.0, uniform());
        let size = high - low;
        // Orientations are accepted as often as there are positions for them.
        if uniform() <= size.x * size.z / (most * most) {
            return [turned[0], Pose { position: low + size * share, ..turned[1] }];
        }
    }
}

/// At the origin; all rotations about y are equally likely.
fn turned(uniform: &mut impl FnMut() -> f64) -> Pose {
    let (sine, cosine) = libm::sincos(0.5 * TAU * uniform());
    Pose { position: DVec3::ZERO, rotation: DQuat::from_xyzw(0.0, sine, 0.0, cosine) }
}
