//! Velocities after collisions of spheres.

use super::placement::Objects;
use broadphase::{Layer, Pair};
use glam::{DVec3, Vec3};
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs that are answered between two checks of a stop flag: at most some milliseconds.
const PAIRS_PER_CHECK: usize = 1 << 16;

/// Counts of a response to a frame's pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// Pairs whose spheres touch: the real collisions.
    pub hits: u64,
    /// Hits of spheres that approached, and so got new velocities.
    pub resolved: u64,
}

/// Mass of a sphere: all are of one density, and one of radius 1 has mass 1.
pub(super) fn mass(radius: f32) -> f64 {
    let radius = f64::from(radius);
    radius * radius * radius
}

/// The unit vector along which two touching spheres collide: that of the line from the first centre to the second.
/// Concentric spheres have none, and part along their relative velocity; `None` without one.
pub(super) fn line_of_impact(line: DVec3, closing: DVec3) -> Option<DVec3> {
    line.try_normalize().or_else(|| closing.try_normalize())
}

/// The layer of an object. The list is empty where every object moves and meets every other.
pub(super) fn layer_of(layers: &[Layer], object: usize) -> Layer {
    layers.get(object).copied().unwrap_or_default()
}

/// Answers the hits among `pairs` in their order, perfectly elastically: along the line of centres
/// equal masses swap their velocities (thesis, section 5, equations 3 and 4 for unequal ones), and
/// across it nothing changes.
///
/// Only approaching spheres get new velocities. Those that overlap and already part would otherwise
/// be turned back into each other, and stick.
///
/// Pairs that the layers do not allow are ignored, and a static sphere keeps its velocity as if its mass were
/// infinite. `ahead` is the parabola's velocity minus the stored one of a sphere at a place: see
/// [`bounce`](super::bounce). Moving spheres share it. `None` once `stop` is set.
pub(super) fn respond(
    pairs: &[Pair],
    objects: &mut Objects,
    ahead: impl Fn(Vec3) -> DVec3,
    stop: &AtomicBool,
) -> Option<Response> {
    let Objects { positions, velocities, radii, layers, .. } = objects;
    let mut response = Response::default();
    let layer = |object| layer_of(layers, object);
    for (index, &Pair { a, b }) in pairs.iter().enumerate() {
        if index.is_multiple_of(PAIRS_PER_CHECK) && stop.load(Ordering::Relaxed) {
            return None;
        }
        let (a, b) = (a as usize, b as usize);
        if !layer(a).meets(layer(b)) {
            continue;
        }
        let line = positions[b].as_dvec3() - positions[a].as_dvec3();
        let reach = f64::from(radii[a]) + f64::from(radii[b]);
        if line.length_squared() > reach * reach {
            continue;
        }
        response.hits += 1;
        let closing = velocities[a].as_dvec3() - velocities[b].as_dvec3();
        let Some(normal) = line_of_impact(line, closing) else { continue };
        let speed = closing.dot(normal);
        if layer(a).is_static || layer(b).is_static {
            // The moving one bounces off the other as off a wall; at most one is static.
            let (moving, bounce) = if layer(a).is_static { (b, normal) } else { (a, -normal) };
            let speed = speed - ahead(positions[moving]).dot(bounce);
            if speed > 0.0 {
                response.resolved += 1;
                velocities[moving] = rounded(velocities[moving], bounce * (2.0 * speed));
            }
            continue;
        }
        if speed <= 0.0 {
            continue;
        }
        response.resolved += 1;
        let (mass_a, mass_b) = (mass(radii[a]), mass(radii[b]));
        let change = normal * (2.0 * speed / (mass_a + mass_b));
        velocities[a] = rounded(velocities[a], -change * mass_b);
        velocities[b] = rounded(velocities[b], change * mass_a);
    }
    Some(response)
}

fn rounded(velocity: Vec3, change: DVec3) -> Vec3 {
    (velocity.as_dvec3() + change).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two spheres without forces, before and after the response to their pair.
    #[track_caller]
    fn assert_response(
        [positions, before, after]: [[Vec3; 2]; 3],
        radii: [f32; 2],
        layers: &[Layer],
        [hits, resolved]: [u64; 2],
    ) {
        let (positions, velocities) = (positions.to_vec(), before.to_vec());
        let (radii, layers) = (radii.to_vec(), layers.to_vec());
        let mut objects = Objects { positions, velocities, radii, layers, ..Objects::default() };
        let (stop, none) = (AtomicBool::new(false), |_| DVec3::ZERO);
        let response = respond(&[Pair::new(0, 1)], &mut objects, none, &stop);
        assert_eq!(
            (&objects.velocities[..], response),
            (&after[..], Some(Response { hits, resolved }))
        );
    }

    #[test]
    fn approaching_spheres_swap_their_velocities_along_the_line() {
        let before = [Vec3::new(1.0, 0.25, 0.0), Vec3::new(-2.0, 0.0, 0.5)];
        let swapped = [Vec3::new(-2.0, 0.25, 0.0), Vec3::new(1.0, 0.0, 0.5)];
        let touching = [Vec3::ZERO, Vec3::X];
        assert_response([touching, before, swapped], [0.5; 2], &[], [1, 1]);
        let parting = [Vec3::NEG_X, Vec3::X];
        assert_response([touching, parting, parting], [0.5; 2], &[], [1, 0]);
        // Concentric ones along their relative velocity.
        let moving = [Vec3::X, Vec3::ZERO];
        assert_response([[Vec3::ONE; 2], moving, [Vec3::ZERO, Vec3::X]], [0.5; 2], &[], [1, 1]);
        assert_response([[Vec3::ONE; 2], [Vec3::X; 2], [Vec3::X; 2]], [0.5; 2], &[], [1, 0]);
        // Their boxes overlap at a corner.
        let (apart, meeting) = ([Vec3::ZERO, Vec3::splat(0.9)], [Vec3::ONE, Vec3::NEG_ONE]);
        assert_response([apart, meeting, meeting], [0.5; 2], &[], [0, 0]);
    }

    #[test]
    fn unequal_masses_keep_momentum() {
        // A mass of 8 meets one of 1.
        let (positions, before) = ([Vec3::ZERO, Vec3::X], [Vec3::X, Vec3::ZERO]);
        let after = [Vec3::X * (7.0 / 9.0), Vec3::X * (16.0 / 9.0)];
        assert_response([positions, before, after], [1.0, 0.5], &[], [1, 1]);
    }

    #[test]
    fn sphere_bounces_off_a_static_one_of_any_size_as_off_a_wall() {
        let (positions, layers) = ([Vec3::ZERO, Vec3::X * 0.5], [Layer::ALL, Layer::STATIC]);
        let [before, after] = [1.0, -1.0].map(|x| [Vec3::new(x, 0.5, 0.0), Vec3::ZERO]);
        let [radii, mut swapped] = [[0.5, 0.01]; 2];
        assert_response([positions, before, after], radii, &layers, [1, 1]);
        swapped.reverse();
        let reversed = [positions, before, after].map(|[a, b]| [b, a]);
        assert_response(reversed, swapped, &[Layer::STATIC, Layer::ALL], [1, 1]);
    }

    #[test]
    fn pair_that_the_layers_do_not_allow_is_no_hit() {
        let loner = Layer { mask: 0, ..Layer::ALL };
        let (positions, velocities) = ([Vec3::ZERO, Vec3::X * 0.5], [Vec3::X, Vec3::NEG_X]);
        for layers in [&[loner][..], &[Layer::ALL, loner], &[Layer::STATIC; 2]] {
            assert_response([positions, velocities, velocities], [0.5; 2], layers, [0, 0]);
        }
    }
}
