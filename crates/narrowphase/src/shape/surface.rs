//! The closed surface of a polyhedron: faces and edges, checked.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Face;

/// Tolerance of planes, in units of the core's size. Coordinates rounded to `f64` stay below by a
/// factor of a million.
pub(super) const PLANE_TOLERANCE: f64 = 1e-9;

/// The greatest distance of a vertex from the mean of all.
pub(super) fn size_of(vertices: &[DVec3]) -> f64 {
    let mean = vertices.iter().sum::<DVec3>() / vertices.len().max(1) as f64;
    vertices.iter().map(|vertex| vertex.distance(mean)).fold(0.0, f64::max)
}

/// Faces and edges of a core.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surface {
    pub(super) faces: Vec<Face>,
    /// The smaller index first, sorted.
    pub(super) edges: Vec<[u8; 2]>,
    /// Faces of each edge: the one that walks it from its first to its second vertex, then the other.
    pub(super) edge_faces: Vec<[u8; 2]>,
}

impl Surface {
    /// The surface whose faces are `loops` of different indices, counterclockwise from outside. `None` unless it is closed
    /// and convex, its faces are plane, and it encloses a volume.
    pub(super) fn new(vertices: &[DVec3], loops: &[Vec<u8>]) -> Option<Self> {
        // The faces that walk each edge forward and back.
        let mut walked = BTreeMap::<[u8; 2], [Option<u8>; 2]>::new();
        for (at, corners) in loops.iter().enumerate() {
            for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let edge = [from.min(to), from.max(to)];
                let side = &mut walked.entry(edge).or_default()[usize::from(from > to)];
                if side.replace(u8::try_from(at).ok()?).is_some() {
                    return None;
                }
            }
        }
        let is_closed = vertices.len() + loops.len() == walked.len() + 2;
        if !is_closed || !vertices.iter().all(|vertex| vertex.is_finite()) {
            return None;
        }
        let tolerance = PLANE_TOLERANCE * size_of(vertices);
        let faces = loops.iter().map(|corners| face(vertices, corners, tolerance));
        let faces = faces.collect::<Option<_>>()?;
        let sides = walked.values().map(|&[along, back]| Some([along?, back?]));
        let edge_faces = sides.collect::<Option<_>>()?;
        Some(Self { faces, edges: walked.into_keys().collect(), edge_faces })
    }
}

/// The face through `corners`. `None` unless they are convex and in a plane, to a tolerance, and all vertices are behind it,
/// one of them by more.
fn face(vertices: &[DVec3], corners: &[u8], tolerance: f64) -> Option<Face> {
    let count = corners.len();
    let at = |i: usize| vertices[usize::from(corners[i % count])];
    // A fan of triangles: exact for a plane polygon, and an average for one that is rounded. Relative to
    // the first corner, so that the distance from the origin costs no digits.
    let base = at(0);
    let sum: DVec3 = (1..count).map(|i| (at(i) - base).cross(at(i + 1) - base)).sum();
    let normal = sum.try_normalize()?;
    let heights = vertices.iter().map(|v| normal.dot(*v));
    let [lowest, offset] = heights.fold([f64::MAX, f64::MIN], |[l, h], x| [l.min(x), h.max(x)]);
    // As the highest vertex is the offset, the corners are in a plane, too.
    let is_supporting = (0..count).all(|i| offset - normal.dot(at(i)) <= tolerance);
    let turns_left = |i: usize| (at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1)).dot(normal) > 0.0;
    let is_face = is_supporting && offset - lowest > tolerance && (0..count).all(turns_left);
    is_face.then(|| Face { vertices: corners.to_vec(), normal, offset })
}
