//! Mean, variance and sides of some boxes.

use crate::{Aabb, Axis};
use glam::DVec3;

/// Sums over centres and sides of boxes. In `f64`, where the squares of all finite coordinates fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    count: f64,
    /// The first centre. The others are relative to it: far from zero, squares would round the differences away.
    origin: DVec3,
    offsets: DVec3,
    squares: DVec3,
    sides: DVec3,
}

impl Spread {
    /// The spread of boxes that are not empty; `None` without one.
    pub(crate) fn of<'a>(mut boxes: impl Iterator<Item = &'a Aabb>) -> Option<Self> {
        let ends = |b: &Aabb| (b.min.as_dvec3(), b.max.as_dvec3());
        let (low, high) = ends(boxes.next()?);
        let (origin, mut sides) = ((low + high) * 0.5, high - low);
        let (mut count, mut offsets, mut squares) = (1.0, DVec3::ZERO, DVec3::ZERO);
        for b in boxes {
            let (low, high) = ends(b);
            let offset = (low + high) * 0.5 - origin;
            count += 1.0;
            offsets += offset;
            squares += offset * offset;
            sides += high - low;
        }
        Some(Self { count, origin, offsets, squares, sides })
    }

    /// Mean of the centres on an axis.
    pub(crate) fn mean(&self, axis: Axis) -> f32 {
        (self.origin + self.offsets / self.count)[axis.index()] as f32
    }

    /// Variance of the centres on an axis.
    pub(crate) fn variance(&self, axis: Axis) -> f64 {
        let mean = self.offsets / self.count;
        (self.squares / self.count - mean * mean)[axis.index()].max(0.0)
    }

    /// The axis with the fewest overlaps in a sweep: where the centres are spread widest in units of the mean side.
    pub(crate) fn sweep_axis(&self) -> Axis {
        // variance / side², without the division: a side may be zero.
        let of = |axis: Axis| (self.variance(axis), self.sides[axis.index()].powi(2));
        let is_wider = |(a, side_a), (b, side_b)| a * side_b > b * side_a;
        let wider = |best, axis| if is_wider(of(axis), of(best)) { axis } else { best };
        Axis::ALL.into_iter().fold(Axis::X, wider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn sweep_axis_has_the_widest_spread_for_its_sides() {
        // As far apart on x as on y, but flat on y.
        let half = Vec3::new(0.5, 0.1, 0.1);
        let at = (0..50).map(|i| Vec3::new((i % 7) as f32, (i * 3 % 7) as f32, 0.0));
        let boxes: Vec<_> = at.map(|center| Aabb::new(center - half, center + half)).collect();
        assert_eq!(Spread::of(boxes.iter()).unwrap().sweep_axis(), Axis::Y);
        let points = [Vec3::ZERO, Vec3::Z].map(|at| Aabb::new(at, at));
        assert_eq!(Spread::of(points.iter()).unwrap().sweep_axis(), Axis::X);
        assert!(Spread::of([].iter()).is_none());
    }
}
