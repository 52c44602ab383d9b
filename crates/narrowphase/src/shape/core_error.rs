//! Why vertices and faces are not a convex core.

/// Why vertices and loops are not a convex core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoreError {
    /// Too many vertices, or none.
    #[error("expected 1 to 128 vertices, found {0}")]
    VertexCount(usize),
    /// A coordinate is infinite or not a number.
    #[error("vertex {0} is not finite")]
    NotFinite(usize),
    /// A face has fewer than 3 vertices, names a vertex that does not exist, or names one twice.
    #[error("face {0} is not a loop of 3 or more different vertices")]
    Loop(usize),
    /// An edge is not walked once in each direction.
    #[error("the edge between vertices {0} and {1} does not join two faces")]
    Edge(u8, u8),
    /// Vertices minus edges plus faces is not 2.
    #[error("{vertices} vertices, {edges} edges and {faces} faces are not one closed surface")]
    Euler {
        /// Number of vertices.
        vertices: usize,
        /// Number of edges.
        edges: usize,
        /// Number of faces.
        faces: usize,
    },
    /// Fewer than three faces meet at a vertex.
    #[error("vertex {0} is not a corner")]
    NotACorner(usize),
    /// The vertices of a face are not in one plane, or have no area.
    #[error("face {0} is not plane")]
    NotPlane(usize),
    /// A vertex is outside of a face, or a face has a reflex corner.
    #[error("the surface is not convex at face {0}")]
    NotConvex(usize),
    /// All vertices are in one plane, although there are more than two faces.
    #[error("the vertices lie in the plane of face {0}")]
    Flat(usize),
}
