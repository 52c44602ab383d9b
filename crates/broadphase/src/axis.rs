//! The coordinate axes.

/// One of the three coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The x axis: its planes are y-z planes.
    X,
    /// The y axis: its planes are x-z planes.
    Y,
    /// The z axis: its planes are x-y planes.
    Z,
}

impl Axis {
    /// All axes, in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// Index of the axis, and of its component of a vector: 0, 1 or 2.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Its letter: `x`, `y` or `z`.
    pub fn name(self) -> &'static str {
        ["x", "y", "z"][self.index()]
    }

    /// The axis after this one, cyclically.
    #[inline]
    pub fn next(self) -> Self {
        match self {
            Axis::X => Axis::Y,
            Axis::Y => Axis::Z,
            Axis::Z => Axis::X,
        }
    }
}
