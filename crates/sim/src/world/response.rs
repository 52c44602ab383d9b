//! Velocities after collisions of spheres.

use broadphase::{Layer, Pair};
use glam::{DVec3, Vec3};

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
/// Pairs that `layers` do not allow are ignored, and a static sphere keeps its velocity as if its mass were
/// infinite. `ahead` is the parabola's velocity minus the stored one of a sphere at a place: see
/// [`bounce`](super::bounce). Moving spheres share it.
pub(super) fn respond(
    pairs: &[Pair],
    positions: &[Vec3],
    velocities: &mut [Vec3],
    radii: &[f32],
    layers: &[Layer],
    ahead: impl Fn(Vec3) -> DVec3,
) -> Response {
    let mut response = Response::default();
    let layer = |object| layer_of(layers, object);
    for &Pair { a, b } in pairs {
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
    response
}

fn rounded(velocity: Vec3, change: DVec3) -> Vec3 {
    (velocity.as_dvec3() + change).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_force(_: Vec3) -> DVec3 {
        DVec3::ZERO
    }

    fn collide(
        positions: [Vec3; 2],
        velocities: [Vec3; 2],
        radii: [f32; 2],
    ) -> ([Vec3; 2], Response) {
        let mut after = velocities;
        let response = respond(&[Pair::new(0, 1)], &positions, &mut after, &radii, &[], no_force);
        (after, response)
    }

    #[test]
    fn equal_spheres_swap_their_velocities_along_the_line() {
        let (after, response) = collide(
            [Vec3::ZERO, Vec3::X],
            [Vec3::new(1.0, 0.25, 0.0), Vec3::new(-2.0, 0.0, 0.5)],
            [0.5, 0.5],
        );
        assert_eq!(after, [Vec3::new(-2.0, 0.25, 0.0), Vec3::new(1.0, 0.0, 0.5)]);
        assert_eq!(response, Response { hits: 1, resolved: 1 });
    }

    #[test]
    fn parting_spheres_are_hits_but_not_resolved() {
        let velocities = [Vec3::NEG_X, Vec3::X];
        let (after, response) = collide([Vec3::ZERO, Vec3::X * 0.3], velocities, [0.5, 0.5]);
        assert_eq!(after, velocities);
        assert_eq!(response, Response { hits: 1, resolved: 0 });
    }

    #[test]
    fn boxes_that_overlap_at_a_corner_are_no_hit() {
        let velocities = [Vec3::ONE, Vec3::NEG_ONE];
        let (after, response) = collide([Vec3::ZERO, Vec3::splat(0.9)], velocities, [0.5, 0.5]);
        assert_eq!((after, response.hits), (velocities, 0));
    }

    #[test]
    fn unequal_masses_keep_momentum_and_energy_to_float_precision() {
        let radii = [0.5, 0.3];
        let before = [Vec3::new(0.7, -0.2, 0.1), Vec3::new(-0.4, 0.3, 0.9)];
        let (after, response) = collide([Vec3::ZERO, Vec3::new(0.4, 0.3, 0.2)], before, radii);
        assert_eq!(response.resolved, 1);
        assert_ne!(after, before);
        let momentum =
            |v: [Vec3; 2]| -> DVec3 { (0..2).map(|i| v[i].as_dvec3() * mass(radii[i])).sum() };
        let energy = |v: [Vec3; 2]| -> f64 {
            (0..2).map(|i| v[i].as_dvec3().length_squared() * mass(radii[i])).sum()
        };
        let lost = (momentum(after) - momentum(before)).length() / momentum(before).length();
        assert!(lost < 2e-7, "relative change of momentum: {lost:e}");
        let drift = (energy(after) / energy(before) - 1.0).abs();
        assert!(drift < 2e-7, "relative change of energy: {drift:e}");
    }

    #[test]
    fn concentric_spheres_part() {
        let (after, response) = collide([Vec3::ONE; 2], [Vec3::X, Vec3::ZERO], [0.5, 0.5]);
        assert_eq!((after, response.resolved), ([Vec3::ZERO, Vec3::X], 1));
        let (after, response) = collide([Vec3::ONE; 2], [Vec3::X; 2], [0.5, 0.5]);
        assert_eq!((after, response.hits, response.resolved), ([Vec3::X; 2], 1, 0));
    }

    #[test]
    fn a_sphere_bounces_off_a_static_one_as_off_a_wall() {
        let before = [Vec3::new(1.0, 0.5, 0.0), Vec3::ZERO];
        let bounced = Vec3::new(-1.0, 0.5, 0.0);
        // Whatever the mass of the static one, and whichever of the two it is.
        let radii = [0.5, 0.01];
        for (moving, standing) in [(0, 1), (1, 0)] {
            let (mut layers, mut velocities, mut sizes) = ([Layer::ALL; 2], before, radii);
            layers[standing] = Layer::STATIC;
            let mut positions = [Vec3::ZERO, Vec3::X * 0.5];
            if moving == 1 {
                positions.reverse();
                velocities.reverse();
                sizes.reverse();
            }
            let pairs = [Pair::new(0, 1)];
            let response = respond(&pairs, &positions, &mut velocities, &sizes, &layers, no_force);
            assert_eq!((velocities[moving], velocities[standing]), (bounced, Vec3::ZERO));
            assert_eq!(response, Response { hits: 1, resolved: 1 });
        }
    }

    #[test]
    fn pair_that_the_layers_do_not_allow_is_no_hit() {
        let loner = Layer { mask: 0, ..Layer::ALL };
        for layers in [&[loner][..], &[Layer::ALL, loner], &[Layer::STATIC; 2]] {
            let before = [Vec3::X, Vec3::NEG_X];
            let mut after = before;
            let positions = [Vec3::ZERO, Vec3::X * 0.5];
            let response =
                respond(&[Pair::new(0, 1)], &positions, &mut after, &[0.5; 2], layers, no_force);
            assert_eq!((after, response), (before, Response::default()), "{layers:?}");
        }
    }
}
