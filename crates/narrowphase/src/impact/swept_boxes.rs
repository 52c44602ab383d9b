//! Boxes around whole displacements.

use super::moving_pair::MovingPair;
use super::{Impact, Motion};
use crate::body::Body;
use crate::bounds::{Bounds, BoxKind};
use glam::DVec3;

/// `swept-boxes`: bodies collide if the boxes around their displacements overlap.
///
/// Not exact: bodies that are in one place at different times collide, as do bodies that pass each other diagonally. It
/// knows no time, and gives the end of the step. A body that rotates has the box of its bounding sphere.
///
/// Sources: 001, the second attempt; 000 §4.2, figures 4.2 and 4.3.
pub(super) fn swept_boxes((): &mut (), moving: &MovingPair, steps: &mut u64) -> Impact {
    *steps += 1;
    let MovingPair { a, b, motions, limit, .. } = *moving;
    let (one, other) = (swept(&a, &motions[0], limit), swept(&b, &motions[1], limit));
    let overlap = one.max.min(other.max) - one.min.max(other.min);
    if overlap.min_element() < 0.0 {
        return Impact::Never;
    }
    // The axis of the least overlap, as far as boxes have one.
    let axis = DVec3::AXES[overlap.min_position()];
    let between = (other.min + other.max) - (one.min + one.max);
    let axis = if axis.dot(between) < 0.0 { -axis } else { axis };
    Impact::At { first: limit, last: limit, axis }
}

/// The box around a body in all its poses of a step.
fn swept(body: &Body, motion: &Motion, limit: f64) -> Bounds {
    let is_still = motion.spin == DVec3::ZERO;
    let start = body.bounds(if is_still { BoxKind::Tight } else { BoxKind::Sphere });
    let by = motion.velocity * limit;
    Bounds { min: start.min + by.min(DVec3::ZERO), max: start.max + by.max(DVec3::ZERO) }
}
