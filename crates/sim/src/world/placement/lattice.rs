//! Sites of a lattice in a box, a sphere's diameter apart.

use broadphase::Aabb;
use glam::{DVec3, IVec3, Vec3};

/// A little more than touching, so that rounding does not let neighbours overlap.
const SPACING: f32 = 1.0001;

/// Sites for centres of spheres inside `inside`, of a cubic or a face-centred lattice, whichever has more. A
/// narrow box may hold more of the cubic one, though that is less dense.
///
/// A lattice with far more sites than `wanted` gets a larger pitch: a tiny sphere in a vast box would have
/// billions.
pub(super) fn sites(inside: &Aabb, radius: f32, wanted: usize) -> Vec<Vec3> {
    let most = (8 * wanted.max(1)) as f64;
    let mut pitch = 2.0 * radius * SPACING;
    while per_axis(inside, pitch).element_product() > most {
        pitch *= 1.1;
    }
    let cubic = lattice(inside, pitch, |_| true);
    let face_centred =
        lattice(inside, pitch * std::f32::consts::FRAC_1_SQRT_2, |i| i.element_sum() % 2 == 0);
    if cubic.len() > face_centred.len() { cubic } else { face_centred }
}

/// Sites of a cubic lattice along each axis.
fn per_axis(inside: &Aabb, pitch: f32) -> DVec3 {
    (inside.size().as_dvec3() / f64::from(pitch)).floor() + 1.0
}

fn lattice(inside: &Aabb, pitch: f32, keep: impl Fn(IVec3) -> bool) -> Vec<Vec3> {
    let count = per_axis(inside, pitch).as_ivec3();
    let mut sites = Vec::new();
    for z in 0..count.z {
        for y in 0..count.y {
            for x in 0..count.x {
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
        for size in [Vec3::splat(1e4), Vec3::new(1e4, 1e4, 0.0), Vec3::new(0.0, 0.0, 1e4)] {
            let found = sites(&Aabb::new(Vec3::ZERO, size), 1e-3, 500);
            assert!((500..20_000).contains(&found.len()), "{size}: {} sites", found.len());
        }
        let tiny = sites(&Aabb::new(Vec3::NEG_ONE, Vec3::ONE), 1e-12, 1);
        assert!(!tiny.is_empty() && tiny.iter().all(|site| site.is_finite()));
    }
}
