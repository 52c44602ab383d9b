//! Sites of a lattice in a box, a sphere's diameter apart.

use broadphase::Aabb;
use glam::{IVec3, Vec3};

/// A little more than touching, so that rounding does not let neighbours overlap.
const SPACING: f32 = 1.0001;

/// Sites for centres of spheres of a radius inside `inside`: of a cubic and a face-centred lattice
/// the one with more. A narrow box may hold more of the cubic one, though it is the looser.
///
/// A lattice with far more sites than `wanted` is thinned by giving each more room.
pub(super) fn sites(inside: &Aabb, radius: f32, wanted: usize) -> Vec<Vec3> {
    let room = ((inside.size() + 2.0 * radius) / (2.0 * radius)).element_product() as f64;
    // Half of the sites are enough of a choice; a tiny sphere in a vast box would have billions.
    let spread = (room / (4.0 * wanted.max(1) as f64)).cbrt().max(1.0) as f32;
    let pitch = 2.0 * radius * SPACING * spread;
    let cubic = lattice(inside, pitch, |_| true);
    let face_centred =
        lattice(inside, pitch * std::f32::consts::FRAC_1_SQRT_2, |i| i.element_sum() % 2 == 0);
    if cubic.len() > face_centred.len() { cubic } else { face_centred }
}

fn lattice(inside: &Aabb, pitch: f32, keep: impl Fn(IVec3) -> bool) -> Vec<Vec3> {
    let last = (inside.size() / pitch).floor().as_ivec3();
    let mut sites = Vec::new();
    for z in 0..=last.z {
        for y in 0..=last.y {
            for x in 0..=last.x {
                let index = IVec3::new(x, y, z);
                if keep(index) {
                    sites.push(inside.min + index.as_vec3() * pitch);
                }
            }
        }
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_a_diameter_apart_and_dense() {
        let inside = Aabb::new(Vec3::ZERO, Vec3::splat(1.0));
        let found = sites(&inside, 0.05, 2000);
        // 1331 on the cubic lattice.
        assert!(found.len() > 1600, "{} sites", found.len());
        for (j, b) in found.iter().enumerate() {
            assert!(found[..j].iter().all(|a| a.distance(*b) >= 0.1), "too near to {b}");
        }
    }

    #[test]
    fn a_vast_box_gives_a_bounded_number_of_sites() {
        let inside = Aabb::new(Vec3::ZERO, Vec3::splat(1e4));
        let found = sites(&inside, 1e-3, 500);
        assert!((500..20_000).contains(&found.len()), "{} sites", found.len());
    }
}
