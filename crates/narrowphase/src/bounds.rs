//! Axis-aligned boxes.

use glam::{DVec3, Vec3};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest corner.
    pub min: DVec3,
    /// The highest corner.
    pub max: DVec3,
}

impl Bounds {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// Its centre.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// Half of its lengths.
    #[must_use]
    pub fn half_size(&self) -> DVec3 {
        (self.max - self.min) / 2.0
    }

    /// Whether the boxes have a common point.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// This box, larger by `margin` on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Lowest and highest corner in `f32`, rounded outward: the result contains the box.
    #[must_use]
    pub fn outward(&self) -> [Vec3; 2] {
        let down = |x: f64| {
            let near = x as f32;
            if f64::from(near) > x { near.next_down() } else { near }
        };
        [self.min.to_array().map(down).into(), (-self.max).to_array().map(|x| -down(x)).into()]
    }
}
