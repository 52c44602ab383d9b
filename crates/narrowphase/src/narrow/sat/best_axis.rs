//! The best axis of a search, and axes perpendicular to two edges.

use glam::DVec3;

/// The best axis so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestAxis {
    /// The gap of the cores along `axis`.
    pub(crate) gap: f64,
    /// A unit vector from the first to the second core.
    pub(crate) axis: DVec3,
    /// Axes that were projected on.
    pub(crate) tested: u64,
}

impl BestAxis {
    /// No axis yet: only gaps above `gap` count.
    pub(super) fn above(gap: f64) -> Self {
        Self { gap, axis: DVec3::X, tested: 0 }
    }

    pub(super) fn consider(&mut self, gap: f64, axis: DVec3) {
        self.tested += 1;
        self.raise(gap, axis);
    }

    pub(super) fn raise(&mut self, gap: f64, axis: DVec3) {
        if gap > self.gap {
            self.gap = gap;
            self.axis = axis;
        }
    }
}

/// The unit vector perpendicular to two vectors, `None` if they are parallel.
///
/// It is precise also where they are nearly parallel: the difference of nearly equal unit vectors
/// is exact.
pub(crate) fn perpendicular_to_both(along: DVec3, across: DVec3) -> Option<DVec3> {
    let product = along.cross(across);
    let squared = product.length_squared();
    if squared > NEARLY_PARALLEL * along.length_squared() * across.length_squared() {
        return Some(product / squared.sqrt());
    }
    let (along, across) = (along.normalize(), across.normalize());
    let side = across * along.dot(across).signum() - along;
    along.cross(side).try_normalize()
}

/// Squared sine of an angle below which a product of edges loses more than three digits.
pub(crate) const NEARLY_PARALLEL: f64 = 1e-6;
