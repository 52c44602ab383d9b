//! The home of each sphere: the source whose walls hold it.

use broadphase::Aabb;
use glam::Vec3;

/// Home of a sphere that no source holds.
pub(super) const FREE: u32 = u32::MAX;

/// Share of its radius by which a sphere may cross a wall and still count as inside, for rounding.
const TOLERANCE: f64 = 1e-4;

/// A sphere and the number of a source that holds or held it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) object: u32,
    pub(super) source: u32,
}

/// Whether a sphere is wholly inside a box. A sphere that touches a wall counts as inside, however
/// its centre was rounded.
pub(super) fn is_inside(center: Vec3, radius: f32, bounds: &Aabb) -> bool {
    let center = center.as_dvec3();
    let rounding = f64::from(f32::EPSILON) * center.abs().max_element();
    let reach = f64::from(radius) * (1.0 - TOLERANCE) - rounding;
    (bounds.min.as_dvec3() + reach).cmple(center).all()
        && center.cmple(bounds.max.as_dvec3() - reach).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sphere_at_a_wall_is_inside_and_one_through_it_is_not() {
        // Far from the origin a centre is rounded by more than a share of the radius.
        for shift in [0.0, 1000.0] {
            let bounds = Aabb::new(Vec3::splat(shift), Vec3::splat(shift + 1.0));
            for radius in [0.3f32, 0.1, 0.012] {
                for at in [shift + radius, shift + 1.0 - radius] {
                    let (low, high) = (at.next_down(), at.next_up());
                    for at in [low, at, high] {
                        assert!(is_inside(Vec3::splat(at), radius, &bounds), "{at}, {radius}");
                    }
                }
                for axis in 0..3 {
                    for at in [shift + 0.9 * radius, shift + 1.0 - 0.9 * radius, shift - 5.0] {
                        let mut center = Vec3::splat(shift + 0.5);
                        center[axis] = at;
                        assert!(!is_inside(center, radius, &bounds), "{center}, {radius}");
                    }
                }
            }
        }
    }
}
