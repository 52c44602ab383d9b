//! The unit icosahedron and its first subdivision.

use std::collections::HashMap;

use glam::Vec3;

/// A closed mesh of triangles around the origin. Every vertex has unit length and is its own
/// normal.
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// 20 triangles on 12 vertices.
pub(crate) fn icosahedron() -> Mesh {
    // Three golden rectangles, one in each coordinate plane.
    let phi = (1.0 + 5.0_f32.sqrt()) / 2.0;
    let mut vertices = Vec::with_capacity(12);
    for (short, long) in [(1.0, phi), (-1.0, phi), (1.0, -phi), (-1.0, -phi)] {
        vertices.push(Vec3::new(0.0, short, long).normalize());
        vertices.push(Vec3::new(short, long, 0.0).normalize());
        vertices.push(Vec3::new(long, 0.0, short).normalize());
    }
    // The faces are the triples of mutual neighbours, which are at distance 1.05.
    let neighbours = |a: usize, b: usize| vertices[a].distance(vertices[b]) < 1.2;
    let mut triangles = Vec::with_capacity(20);
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if neighbours(a, b) && neighbours(b, c) && neighbours(c, a) {
                    let outward = vertices[a].cross(vertices[b]).dot(vertices[c]) > 0.0;
                    let face = if outward { [a, b, c] } else { [a, c, b] };
                    triangles.push(face.map(|vertex| vertex as u32));
                }
            }
        }
    }
    Mesh { vertices, triangles }
}

/// Splits every triangle into four at the midpoints of its edges, projected onto the sphere.
pub(crate) fn subdivide(mesh: &Mesh) -> Mesh {
    let mut vertices = mesh.vertices.clone();
    let mut middles = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            let point = (vertices[a as usize] + vertices[b as usize]).normalize();
            vertices.push(point);
            (vertices.len() - 1) as u32
        })
    };
    let mut triangles = Vec::with_capacity(4 * mesh.triangles.len());
    for &[a, b, c] in &mesh.triangles {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    Mesh { vertices, triangles }
}
