//! Vertices, edges and faces that meet.

use glam::DVec3;

use crate::shape::Core;

/// A feature of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Index of a vertex.
    Vertex(u8),
    /// Indices of its vertices, the smaller first.
    Edge([u8; 2]),
    /// Index of a face.
    Face(u8),
}

/// Which features of two parts meet, whichever part has which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContactKind {
    /// A point.
    VertexVertex,
    /// A point.
    VertexEdge,
    /// A point.
    VertexFace,
    /// A point, or a segment of parallel edges.
    EdgeEdge,
    /// A segment.
    EdgeFace,
    /// A polygon.
    FaceFace,
}

impl ContactKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::VertexVertex,
        Self::VertexEdge,
        Self::VertexFace,
        Self::EdgeEdge,
        Self::EdgeFace,
        Self::FaceFace,
    ];

    /// Its name in tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::VertexVertex => "vertex-vertex",
            Self::VertexEdge => "vertex-edge",
            Self::VertexFace => "vertex-face",
            Self::EdgeEdge => "edge-edge",
            Self::EdgeFace => "edge-face",
            Self::FaceFace => "face-face",
        }
    }

    pub(super) fn of(one: Feature, other: Feature) -> Self {
        use Feature::{Edge, Face, Vertex};
        match (one, other) {
            (Vertex(_), Vertex(_)) => Self::VertexVertex,
            (Vertex(_), Edge(_)) | (Edge(_), Vertex(_)) => Self::VertexEdge,
            (Vertex(_), Face(_)) | (Face(_), Vertex(_)) => Self::VertexFace,
            (Edge(_), Edge(_)) => Self::EdgeEdge,
            (Edge(_), Face(_)) | (Face(_), Edge(_)) => Self::EdgeFace,
            (Face(_), Face(_)) => Self::FaceFace,
        }
    }
}

impl Feature {
    /// The feature that is furthest along `axis`: all of it is at most `slack` behind the furthest
    /// vertex.
    pub(super) fn furthest(core: &Core, axis: DVec3, slack: f64) -> Self {
        let along = |i: u8| core.vertices()[usize::from(i)].dot(axis);
        let furthest = core.support(axis);
        let level = core.vertices()[furthest].dot(axis) - slack;
        let mut best = (0, f64::MIN);
        for (i, face) in core.faces().iter().enumerate() {
            let facing = face.normal.dot(axis);
            if facing > best.1 {
                best = (i, facing);
            }
        }
        let (face, facing) = best;
        let vertices = core.faces().get(face).map_or(&[][..], |face| &face.vertices);
        if facing > 0.0 && vertices.iter().all(|&i| along(i) >= level) {
            return Self::Face(face as u8);
        }
        // Most edges are left at their first end.
        let mut highest = (Self::Vertex(furthest as u8), level);
        for &[from, to] in core.edges() {
            let first = along(from);
            if first < highest.1 {
                continue;
            }
            let lower = first.min(along(to));
            if lower >= highest.1 {
                highest = (Self::Edge([from, to]), lower);
            }
        }
        highest.0
    }

    /// Indices of its vertices, in their order: one, two, or those of the face counterclockwise
    /// from outside.
    pub(super) fn vertices<'a>(&'a self, core: &'a Core) -> &'a [u8] {
        match self {
            Self::Vertex(i) => std::slice::from_ref(i),
            Self::Edge(ends) => ends,
            Self::Face(face) => &core.faces()[usize::from(*face)].vertices,
        }
    }
}
