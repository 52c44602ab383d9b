//! Sites of a lattice in a box, a sphere's diameter apart.

use broadphase::Aabb;
use glam::{UVec3, Vec3};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A little more than touching, so that rounding does not let neighbours overlap.
const SPACING: f32 = 1.0001;

/// Most sites of a cubic lattice, so that every point of either lattice has an index of 32 bits: the other one has up to
/// twice as many points along each axis.
const MAX_SITES: usize = 1 << 28;

/// Sites of a lattice, by the indices of its points: coordinates would take three times the memory.
pub(super) struct Sites {
    origin: Vec3,
    pitch: f32,
    /// Points along each axis, whether or not they are sites.
    size: UVec3,
    /// The sites that are left.
    left: Vec<u32>,
}

impl Sites {
    /// Sites in random order for centres of spheres inside `inside`, of a cubic or a face-centred lattice, whichever has more.
    /// A narrow box may hold more of the cubic one, though that is less dense.
    ///
    /// A lattice with far more sites than `wanted` gets a larger pitch: a tiny sphere in a vast box would have
    /// billions.
    pub(super) fn new(inside: &Aabb, radius: f32, wanted: usize, rng: &mut ChaCha8Rng) -> Self {
        // Points of a lattice along each axis.
        let size = |pitch: f32| (inside.size().as_dvec3() / f64::from(pitch)).floor() + 1.0;
        let most = wanted.max(1).saturating_mul(8).min(MAX_SITES) as f64;
        let mut pitch = 2.0 * radius * SPACING;
        while size(pitch).element_product() > most {
            pitch *= 1.1;
        }
        let pitches = [pitch, pitch * std::f32::consts::FRAC_1_SQRT_2];
        let [cubic, points] = pitches.map(|pitch| size(pitch).as_usizevec3().element_product());
        // Only points with an even sum of coordinates are sites of the face-centred one.
        let face_centred = points.div_ceil(2);
        let (pitch, step) = if cubic > face_centred { (pitches[0], 1) } else { (pitches[1], 2) };
        let size = size(pitch).as_uvec3();
        let left = Vec::with_capacity(cubic.max(face_centred));
        let mut sites = Self { origin: inside.min, pitch, size, left };
        for index in 0..size.element_product() {
            if sites.coordinates(index).element_sum().is_multiple_of(step) {
                sites.left.push(index);
            }
        }
        sites.left.shuffle(rng);
        sites
    }

    /// Takes the last site that is left.
    pub(super) fn pop(&mut self) -> Option<Vec3> {
        let index = self.left.pop()?;
        Some(self.origin + self.coordinates(index).as_vec3() * self.pitch)
    }

    /// The coordinates of a point, whose indices rise along x, then y, then z.
    fn coordinates(&self, index: u32) -> UVec3 {
        let (row, x) = (index / self.size.x, index % self.size.x);
        UVec3::new(x, row % self.size.y, row / self.size.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn sites(inside: &Aabb, radius: f32, wanted: usize) -> Vec<Vec3> {
        let mut sites = Sites::new(inside, radius, wanted, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(sites.left.len(), sites.left.capacity());
        std::iter::from_fn(|| sites.pop()).collect()
    }

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
