//! The convex core of a part, with all that tests ask of it.

use std::collections::BTreeMap;

use glam::DVec3;

/// At most this many vertices, so that an index fits into a byte.
pub const MOST_VERTICES: usize = 128;

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

/// A point, a segment, a flat polygon or a convex polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    vertices: Vec<DVec3>,
    faces: Vec<Face>,
    edges: Vec<[u8; 2]>,
    normals: Vec<DVec3>,
    directions: Vec<DVec3>,
}

/// Why vertices and faces are not a convex core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// More than 128 vertices, or none.
    #[error("{0} vertices, expected 1 to 128")]
    VertexCount(usize),
    /// Not a closed surface of plane faces, or not convex.
    #[error("the faces do not enclose a convex body")]
    NotConvex,
}

impl Core {
    /// A single point.
    #[must_use]
    pub fn point(at: DVec3) -> Self {
        Self::assemble(vec![at], Vec::new(), Vec::new())
    }

    /// A segment between two different points.
    #[must_use]
    pub fn segment(from: DVec3, to: DVec3) -> Self {
        Self::assemble(vec![from, to], Vec::new(), vec![[0, 1]])
    }

    /// Vertices and closed loops of their indices, counterclockwise from outside: a polyhedron, or the two
    /// sides of a flat polygon.
    ///
    /// # Errors
    ///
    /// When there are too many vertices, or a vertex is beyond a face by more than rounding.
    pub fn polyhedron(vertices: Vec<DVec3>, loops: &[Vec<u8>]) -> Result<Self, CoreError> {
        if vertices.is_empty() || vertices.len() > MOST_VERTICES {
            return Err(CoreError::VertexCount(vertices.len()));
        }
        let size = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let mut faces = Vec::with_capacity(loops.len());
        // How often each edge is walked: once in each direction on a closed surface.
        let mut walked = BTreeMap::<[u8; 2], [u8; 2]>::new();
        for face in loops {
            if face.len() < 3 || face.iter().any(|&v| usize::from(v) >= vertices.len()) {
                return Err(CoreError::NotConvex);
            }
            // Newell's sum: exact for a plane polygon, and an average for one that is rounded.
            let mut normal = DVec3::ZERO;
            for (i, &from) in face.iter().enumerate() {
                let to = face[(i + 1) % face.len()];
                normal += vertices[usize::from(from)].cross(vertices[usize::from(to)]);
                let times = walked.entry([from.min(to), from.max(to)]).or_default();
                times[usize::from(from > to)] += 1;
            }
            let normal = normal.try_normalize().ok_or(CoreError::NotConvex)?;
            let offset = vertices.iter().map(|v| normal.dot(*v)).fold(f64::MIN, f64::max);
            let lowest =
                face.iter().map(|&v| normal.dot(vertices[usize::from(v)])).fold(f64::MAX, f64::min);
            if offset - lowest > 1e-9 * size {
                return Err(CoreError::NotConvex);
            }
            faces.push(Face { vertices: face.clone(), normal, offset });
        }
        if walked.values().any(|times| *times != [1, 1]) {
            return Err(CoreError::NotConvex);
        }
        let edges = walked.into_keys().collect();
        Ok(Self::assemble(vertices, faces, edges))
    }

    fn assemble(vertices: Vec<DVec3>, faces: Vec<Face>, edges: Vec<[u8; 2]>) -> Self {
        let mut normals = Vec::new();
        for face in &faces {
            push_if_not_parallel(&mut normals, face.normal);
        }
        let mut directions = Vec::new();
        for &[from, to] in &edges {
            let along = vertices[usize::from(to)] - vertices[usize::from(from)];
            push_if_not_parallel(&mut directions, along.normalize());
        }
        Self { vertices, faces, edges, normals, directions }
    }

    /// Corners, at least one.
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces, none for a point or a segment, two for a flat polygon.
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Pairs of indices of vertices, the smaller first, sorted.
    #[must_use]
    pub fn edges(&self) -> &[[u8; 2]] {
        &self.edges
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
        let mut best = (0, f64::MIN);
        for (i, vertex) in self.vertices.iter().enumerate() {
            let along = vertex.dot(direction);
            if along > best.1 {
                best = (i, along);
            }
        }
        best.0
    }
}

/// Only directions that are parallel to rounding are one: leaving out an axis of a separating-axis test
/// that differs by more would lose gaps.
fn push_if_not_parallel(list: &mut Vec<DVec3>, unit: DVec3) {
    if !list.iter().any(|other| other.cross(unit).length_squared() < 1e-24) {
        list.push(unit);
    }
}
