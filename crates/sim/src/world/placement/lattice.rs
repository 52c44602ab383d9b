//! Sites of a lattice in a box, a sphere's diameter apart.

use broadphase::Aabb;
use glam::{DVec3, UVec3, Vec3};

/// A little more than touching, so that rounding does not let neighbours overlap.
const SPACING: f32 = 1.0001;

/// Most sites of a cubic lattice, so that every point of either lattice has an index of 32 bits: the other one has up to
/// twice as many points along each axis.
const MAX_SITES: usize = 1 << 28;

/// Sites of a lattice, by their indices: coordinates would take three times the memory.
#[derive(Debug)]
pub(super) struct Sites {
    lattice: Lattice,
    /// The sites that are left.
    pub(super) left: Vec<u32>,
}

impl Sites {
    /// Sites for centres of spheres inside `inside`, of a cubic or a face-centred lattice, whichever has more. A
    /// narrow box may hold more of the cubic one, though that is less dense.
    ///
    /// A lattice with far more sites than `wanted` gets a larger pitch: a tiny sphere in a vast box would have
    /// billions.
    pub(super) fn new(inside: &Aabb, radius: f32, wanted: usize) -> Self {
        let most = wanted.max(1).saturating_mul(8).min(MAX_SITES) as f64;
        let mut pitch = 2.0 * radius * SPACING;
        while per_axis(inside, pitch).element_product() > most {
            pitch *= 1.1;
        }
        let cubic = Lattice::new(inside, pitch, false);
        let face_centred = Lattice::new(inside, pitch * std::f32::consts::FRAC_1_SQRT_2, true);
        let lattice = if cubic.len() > face_centred.len() { cubic } else { face_centred };
        let mut left = Vec::with_capacity(lattice.len());
        left.extend(lattice.indices());
        Self { lattice, left }
    }

    /// Takes the last site that is left.
    pub(super) fn pop(&mut self) -> Option<Vec3> {
        Some(self.lattice.site(self.left.pop()?))
    }
}

/// Sites of a cubic lattice along each axis.
fn per_axis(inside: &Aabb, pitch: f32) -> DVec3 {
    (inside.size().as_dvec3() / f64::from(pitch)).floor() + 1.0
}

#[derive(Debug)]
struct Lattice {
    origin: Vec3,
    pitch: f32,
    /// Points along each axis, whether or not they are sites.
    size: UVec3,
    /// Only points with an even sum of coordinates are sites.
    is_face_centred: bool,
}

impl Lattice {
    fn new(inside: &Aabb, pitch: f32, is_face_centred: bool) -> Self {
        let size = per_axis(inside, pitch).as_uvec3();
        Self { origin: inside.min, pitch, size, is_face_centred }
    }

    /// The number of its sites.
    fn len(&self) -> usize {
        let points = self.size.as_usizevec3().element_product();
        if self.is_face_centred { points.div_ceil(2) } else { points }
    }

    /// The indices of its sites, rising along x, then y, then z.
    fn indices(&self) -> impl Iterator<Item = u32> {
        let points = self.size.as_usizevec3().element_product() as u32;
        let is_site = |index: &u32| {
            !self.is_face_centred || self.coordinates(*index).element_sum().is_multiple_of(2)
        };
        (0..points).filter(is_site)
    }

    fn coordinates(&self, index: u32) -> UVec3 {
        let (row, x) = (index / self.size.x, index % self.size.x);
        UVec3::new(x, row % self.size.y, row / self.size.y)
    }

    fn site(&self, index: u32) -> Vec3 {
        self.origin + self.coordinates(index).as_vec3() * self.pitch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sites(inside: &Aabb, radius: f32, wanted: usize) -> Vec<Vec3> {
        let Sites { lattice, left } = Sites::new(inside, radius, wanted);
        assert_eq!(left.len(), lattice.len());
        left.into_iter().map(|index| lattice.site(index)).collect()
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
