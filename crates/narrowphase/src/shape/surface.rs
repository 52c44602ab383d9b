//! The closed surface of a polyhedron: faces and edges, checked.

use std::collections::BTreeMap;

use glam::DVec3;

use super::convex_core::MAX_VERTICES;
use super::{CoreError, Face};

/// Tolerance of planes, in units of the core's size. Coordinates rounded to `f64` stay below by a
/// factor of a million.
pub(super) const PLANE_TOLERANCE: f64 = 1e-9;

/// The greatest distance of a vertex from the mean of all.
pub(super) fn size_of(vertices: &[DVec3]) -> f64 {
    let mean = vertices.iter().sum::<DVec3>() / vertices.len().max(1) as f64;
    vertices.iter().map(|vertex| vertex.distance(mean)).fold(0.0, f64::max)
}

/// Faces and edges of a core.
#[derive(Default)]
pub(super) struct Surface {
    pub(super) faces: Vec<Face>,
    /// The smaller index first, sorted.
    pub(super) edges: Vec<[u8; 2]>,
    /// Of each edge: the face that walks it from its first to its second vertex, and the other one.
    pub(super) edge_faces: Vec<[u8; 2]>,
}

impl Surface {
    /// The surface whose faces are `loops` of indices, counterclockwise from outside.
    pub(super) fn new(vertices: &[DVec3], loops: &[Vec<u8>]) -> Result<Self, CoreError> {
        if vertices.is_empty() || vertices.len() > MAX_VERTICES {
            return Err(CoreError::VertexCount(vertices.len()));
        }
        if let Some(at) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(CoreError::NotFinite(at));
        }
        check_loops(vertices.len(), loops)?;
        let (edges, edge_faces) = join(loops)?;
        check_topology(vertices.len(), edges.len(), loops)?;
        let size = size_of(vertices);
        let tolerance = PLANE_TOLERANCE * size;
        let mut faces = Vec::with_capacity(loops.len());
        for (at, corners) in loops.iter().enumerate() {
            let face = plane(vertices, corners).ok_or(CoreError::NotPlane(at))?;
            check_plane(vertices, &face, at, tolerance, loops.len() > 2)?;
            faces.push(face);
        }
        Ok(Self { faces, edges, edge_faces })
    }
}

fn check_loops(vertices: usize, loops: &[Vec<u8>]) -> Result<(), CoreError> {
    for (at, corners) in loops.iter().enumerate() {
        let mut seen = 0_u128;
        let is_new = |&corner: &u8| {
            let bit = 1_u128.checked_shl(corner.into()).unwrap_or(0);
            let new = usize::from(corner) < vertices && seen & bit == 0;
            seen |= bit;
            new
        };
        if corners.len() < 3 || !corners.iter().all(is_new) {
            return Err(CoreError::Loop(at));
        }
    }
    Ok(())
}

type Edges = (Vec<[u8; 2]>, Vec<[u8; 2]>);

/// Finds the edges, and the two faces of each.
fn join(loops: &[Vec<u8>]) -> Result<Edges, CoreError> {
    let mut walked = BTreeMap::<[u8; 2], [Option<u8>; 2]>::new();
    for (at, corners) in loops.iter().enumerate() {
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            let edge = [from.min(to), from.max(to)];
            let side = &mut walked.entry(edge).or_default()[usize::from(from > to)];
            // More faces than a byte counts cannot be joined to a closed surface of 128 vertices.
            let face = u8::try_from(at).map_err(|_| CoreError::Edge(edge[0], edge[1]))?;
            if side.replace(face).is_some() {
                return Err(CoreError::Edge(edge[0], edge[1]));
            }
        }
    }
    let mut edge_faces = Vec::with_capacity(walked.len());
    for (&[from, to], sides) in &walked {
        let [Some(along), Some(back)] = *sides else { return Err(CoreError::Edge(from, to)) };
        edge_faces.push([along, back]);
    }
    Ok((walked.into_keys().collect(), edge_faces))
}

fn check_topology(vertices: usize, edges: usize, loops: &[Vec<u8>]) -> Result<(), CoreError> {
    let mut faces_of = vec![0; vertices];
    for &corner in loops.iter().flatten() {
        faces_of[usize::from(corner)] += 1;
    }
    // Two faces are the sides of a flat polygon.
    let least = if loops.len() == 2 { 2 } else { 3 };
    if let Some(at) = faces_of.iter().position(|&faces| faces < least) {
        return Err(CoreError::NotACorner(at));
    }
    let faces = loops.len();
    if vertices + faces != edges + 2 {
        return Err(CoreError::Euler { vertices, edges, faces });
    }
    Ok(())
}

/// The face through `corners`. `None` without an area.
fn plane(vertices: &[DVec3], corners: &[u8]) -> Option<Face> {
    let at = |i: usize| vertices[usize::from(corners[i % corners.len()])];
    // A fan of triangles: exact for a plane polygon, and an average for one that is rounded. Relative to
    // the first corner, so that the distance from the origin costs no digits.
    let base = at(0);
    let sum: DVec3 = (1..corners.len()).map(|i| (at(i) - base).cross(at(i + 1) - base)).sum();
    let normal = sum.try_normalize()?;
    let offset = vertices.iter().map(|v| normal.dot(*v)).fold(f64::MIN, f64::max);
    Some(Face { vertices: corners.to_vec(), normal, offset })
}

/// All vertices are below the plane, those of the face in it. `has_volume`: the lowest is not in
/// it.
fn check_plane(
    vertices: &[DVec3],
    face: &Face,
    at: usize,
    tolerance: f64,
    has_volume: bool,
) -> Result<(), CoreError> {
    let corner = |i: usize| vertices[usize::from(face.vertices[i % face.vertices.len()])];
    let count = face.vertices.len();
    let heights = (0..count).map(|i| face.normal.dot(corner(i)));
    let [low, high] = heights.fold([f64::MAX, f64::MIN], |[l, h], x| [l.min(x), h.max(x)]);
    if high - low > tolerance {
        return Err(CoreError::NotPlane(at));
    }
    if face.offset - low > tolerance {
        return Err(CoreError::NotConvex(at));
    }
    let turns_left = |i: usize| {
        let turn = (corner(i + 1) - corner(i)).cross(corner(i + 2) - corner(i + 1));
        turn.dot(face.normal) > 0.0
    };
    if !(0..count).all(turns_left) {
        return Err(CoreError::NotConvex(at));
    }
    let lowest = vertices.iter().map(|v| face.normal.dot(*v)).fold(f64::MAX, f64::min);
    if has_volume && face.offset - lowest <= tolerance {
        return Err(CoreError::Flat(at));
    }
    Ok(())
}
