//! The kinds of generated boxes.

/// A kind of generated boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratedKind {
    /// Equal cubes that fly through the cube in straight lines; walls reflect.
    Gas,
    /// Gaussian clusters that drift, of boxes with log-normal sizes: 95 % within a ratio of 10 to 1.
    Cluster,
    /// Equal cubes, of which a tenth gets a new velocity in each frame.
    Brownian,
    /// Equal cubes, each at a random offset from its place in every frame, at most 2 % of its side along each
    /// axis.
    Jitter,
    /// Flat squares, all in the plane z = 0.
    Plane,
    /// Segments on the x axis.
    Line,
    /// Equal cubes that all have the same x.
    SameX,
    /// One huge resting box around all others, up to ten large resting ones, and tiny moving ones.
    Stadium,
    /// The public golden case: 11,811 pairs of 10,000 boxes, 1,144,045 of 100,000. Nothing moves, and the
    /// seed is fixed.
    Terdiman,
    /// Equal cubes that overlap about ten others each. A tenth of them flies through the cube; the
    /// others are static, and no two of those make a pair.
    Statics,
}

impl GeneratedKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Gas,
        Self::Cluster,
        Self::Brownian,
        Self::Jitter,
        Self::Plane,
        Self::Line,
        Self::SameX,
        Self::Stadium,
        Self::Terdiman,
        Self::Statics,
    ];

    /// Its name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gas => "gas",
            Self::Cluster => "cluster",
            Self::Brownian => "brownian",
            Self::Jitter => "jitter",
            Self::Plane => "plane",
            Self::Line => "line",
            Self::SameX => "same-x",
            Self::Stadium => "stadium",
            Self::Terdiman => "terdiman",
            Self::Statics => "statics",
        }
    }

    /// The share of the objects that moves by default.
    pub fn usual_moving(self) -> f32 {
        if self == Self::Statics { 0.1 } else { 1.0 }
    }
}
