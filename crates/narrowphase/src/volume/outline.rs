//! Outlines of bounding volumes, and volumes of polyhedra.

use glam::DVec3;

/// The surface of a placed volume.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A sphere.
    Sphere {
        /// Its centre.
        center: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// Plane polygons, counterclockwise from outside. Empty where there is nothing to draw.
    Faces(Vec<Vec<DVec3>>),
}

/// The faces of the intersection of half-spaces `normal.dot(p) <= offset`, which is bounded and has
/// a volume. Normals are unit vectors. A half-space that cuts nothing off has no face.
pub(super) fn intersection(half_spaces: &[(DVec3, f64)]) -> Vec<Vec<DVec3>> {
    let size = half_spaces.iter().map(|(_, offset)| offset.abs()).fold(0.0, f64::max);
    let face = |(at, &(normal, offset)): (usize, &(DVec3, f64))| {
        // A square that is larger than any face: the corners of a cube are nearer than 2 size.
        let (u, v) = normal.any_orthonormal_pair();
        let corners =
            [u + v, v - u, -u - v, u - v].map(|side| normal * offset + side * (4.0 * size));
        let others = half_spaces.iter().enumerate().filter(|(other, _)| *other != at);
        others.fold(corners.to_vec(), |polygon, (_, &plane)| clip(&polygon, plane))
    };
    let faces = half_spaces.iter().enumerate().map(face);
    faces.filter(|face| face.len() >= 3).collect()
}

/// The part of a convex polygon in a half-space.
fn clip(polygon: &[DVec3], (normal, offset): (DVec3, f64)) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
    for (&from, &to) in edges {
        let [before, after] = [from, to].map(|point| normal.dot(point) - offset);
        if before <= 0.0 {
            kept.push(from);
        }
        if (before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0) {
            kept.push(from.lerp(to, before / (before - after)));
        }
    }
    kept
}

/// The volume inside closed faces, by the divergence theorem.
pub(super) fn volume_of(faces: &[Vec<DVec3>]) -> f64 {
    let triangles =
        faces.iter().flat_map(|face| face.windows(2).skip(1).map(|w| [face[0], w[0], w[1]]));
    triangles.map(|[a, b, c]| a.dot(b.cross(c))).sum::<f64>() / 6.0
}
