//! The convex core of a part, with all that tests ask of it.

use glam::DVec3;

use super::surface::Surface;
use crate::body::Pose;
use crate::pair::highest;

/// The most vertices of a core. So an index of a vertex, an edge's face or a face fits into a byte.
pub const MAX_VERTICES: usize = 128;

/// A plane polygon of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Indices of vertices, counterclockwise from outside.
    pub vertices: Vec<u8>,
    /// Unit vector to the outside.
    pub normal: DVec3,
    /// `normal.dot(p) <= offset` for all points of the core.
    pub offset: f64,
}

/// A point, a segment or a convex polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    vertices: Vec<DVec3>,
    surface: Surface,
    /// The vertices that an edge joins to each vertex.
    neighbours: Vec<Vec<u8>>,
    normals: Vec<DVec3>,
    directions: Vec<DVec3>,
}

impl Core {
    /// A single point.
    pub(crate) fn point(at: DVec3) -> Self {
        Self::assemble(vec![at], Surface::default())
    }

    /// A segment between two different points.
    pub(crate) fn segment(from: DVec3, to: DVec3) -> Self {
        Self::assemble(vec![from, to], Surface { edges: vec![[0, 1]], ..Surface::default() })
    }

    /// A polyhedron of at most [`MAX_VERTICES`] vertices and closed loops of their indices, counterclockwise from outside.
    /// `None` unless the faces are a closed surface (V - E + F = 2), plane and convex to 1e-9 of the size, and enclose a
    /// volume.
    pub(crate) fn polyhedron(vertices: Vec<DVec3>, loops: &[Vec<u8>]) -> Option<Self> {
        Surface::new(&vertices, loops).map(|surface| Self::assemble(vertices, surface))
    }

    fn assemble(vertices: Vec<DVec3>, surface: Surface) -> Self {
        let normals = without_parallel(surface.faces.iter().map(|face| face.normal));
        let at = |i: u8| vertices[usize::from(i)];
        let along = |&[from, to]: &[u8; 2]| (at(to) - at(from)).normalize();
        let directions = without_parallel(surface.edges.iter().map(along));
        let mut neighbours = vec![Vec::new(); vertices.len()];
        for &[from, to] in &surface.edges {
            neighbours[usize::from(from)].push(to);
            neighbours[usize::from(to)].push(from);
        }
        Self { vertices, surface, neighbours, normals, directions }
    }

    /// This core after a rotation and a translation.
    pub(super) fn moved(&self, pose: &Pose) -> Self {
        let mut moved = self.clone();
        for vertex in &mut moved.vertices {
            *vertex = pose.point(*vertex);
        }
        for face in &mut moved.surface.faces {
            face.normal = (pose.rotation * face.normal).normalize();
            let heights = moved.vertices.iter().map(|v| face.normal.dot(*v));
            face.offset = heights.fold(f64::MIN, f64::max);
        }
        for direction in moved.normals.iter_mut().chain(&mut moved.directions) {
            *direction = (pose.rotation * *direction).normalize();
        }
        moved
    }

    /// Corners, at least one.
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces, none for a point or a segment.
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.surface.faces
    }

    /// Pairs of indices of vertices, the smaller first, sorted.
    #[must_use]
    pub fn edges(&self) -> &[[u8; 2]] {
        &self.surface.edges
    }

    /// The edges; a point counts as an edge of length 0.
    pub(crate) fn edges_or_point(&self) -> &[[u8; 2]] {
        if self.edges().is_empty() { &[[0, 0]] } else { self.edges() }
    }

    /// The two faces of each edge, as indices, parallel to [`edges`](Self::edges): first the face
    /// whose loop has the edge in its own direction, which is to the left of it seen from outside.
    /// Empty for a segment.
    #[must_use]
    pub fn edge_faces(&self) -> &[[u8; 2]] {
        &self.surface.edge_faces
    }

    /// Unit normals of the faces without parallel ones: 3 for a cuboid.
    #[must_use]
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Unit directions of the edges without parallel ones: 3 for a cuboid.
    #[must_use]
    pub fn directions(&self) -> &[DVec3] {
        &self.directions
    }

    /// The index of the vertex that is furthest along `direction`; the first of several.
    #[must_use]
    pub fn support(&self, direction: DVec3) -> usize {
        highest(&self.vertices, direction).0
    }

    /// The index of a vertex that is furthest along `direction`, by hill climbing over neighbours
    /// from `start`. A linear function on a convex polyhedron has no local maximum but the global
    /// one.
    ///
    /// # Panics
    ///
    /// If there is no vertex `start`.
    #[must_use]
    pub fn support_from(&self, start: usize, direction: DVec3) -> usize {
        let mut best = (start, self.vertices[start].dot(direction));
        loop {
            let from = best.0;
            for &vertex in &self.neighbours[from] {
                let along = self.vertices[usize::from(vertex)].dot(direction);
                if along > best.1 {
                    best = (usize::from(vertex), along);
                }
            }
            if best.0 == from {
                return from;
            }
        }
    }
}

/// Only directions that are parallel to rounding are one: leaving out an axis of a separating-axis
/// test that differs by more would lose gaps.
fn without_parallel(directions: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
    let mut kept: Vec<DVec3> = Vec::new();
    for unit in directions {
        if !kept.iter().any(|other| other.cross(unit).length_squared() < 1e-24) {
            kept.push(unit);
        }
    }
    kept
}
