//! The plane of a node, and the axis of its sweep.

use super::tree::Item;
use crate::{Aabb, Axis};

/// Most objects of a node that are read to choose its plane, as long as the plane is useful to all, and its sweep axis.
pub(super) const SAMPLE: usize = 256;

/// A plane that divides the objects of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) axis: Axis,
    pub(super) position: f32,
}

impl Plane {
    /// The side of the plane on which a box lies. The plane itself belongs to the high side.
    #[inline]
    pub(super) fn side(&self, b: &Aabb) -> Side {
        if b.max[self.axis.index()] < self.position {
            Side::Low
        } else if b.min[self.axis.index()] >= self.position {
            Side::High
        } else {
            Side::Across
        }
    }

    /// The two parts into which it divides a cell.
    pub(super) fn parts(&self, cell: &Aabb) -> [Aabb; 2] {
        let (mut low, mut high, axis) = (*cell, *cell, self.axis.index());
        low.max[axis] = low.max[axis].min(self.position);
        high.min[axis] = high.min[axis].max(self.position);
        [low, high]
    }

    fn is_useful_to<'a>(&self, items: impl Iterator<Item = &'a Item>) -> bool {
        let mut counts = [0; 3];
        items.for_each(|item| counts[self.side(&item.b) as usize] += 1);
        is_useful(counts)
    }
}

/// The place of a box in relation to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Low,
    Across,
    High,
}

/// Whether a plane is useful: it straddles not many more objects than it puts on either side, and divides
/// the others into comparable halves.
pub(super) fn is_useful([low, across, high]: [usize; 3]) -> bool {
    let smaller = low.min(high);
    2 * across <= 3 * smaller && 8 * smaller >= low + across + high
}

/// The mean on the axis of the largest variance, from at most `most` of the items. Where that is no useful plane, the median,
/// which is robust against outliers; then the other axes. `values` is scratch.
pub(super) fn choose(items: &[Item], most: usize, values: &mut Vec<f32>) -> Option<Plane> {
    let items = || sample(items, most);
    let spread = Spread::of(items());
    let mut axes = Axis::ALL;
    axes.sort_by(|a, b| spread.variance(*b).total_cmp(&spread.variance(*a)));
    for axis in axes.into_iter().filter(|axis| spread.variance(*axis) > 0.0) {
        let mean = Plane { axis, position: spread.mean(axis) };
        if mean.is_useful_to(items()) {
            return Some(mean);
        }
        values.clear();
        values.extend(items().map(|item| item.b.center()[axis.index()]));
        let half = values.len() / 2;
        let position = *values.select_nth_unstable_by(half, f32::total_cmp).1;
        let median = Plane { axis, position };
        if median.is_useful_to(items()) {
            return Some(median);
        }
    }
    None
}

/// The axis with the fewest overlaps in a sweep of some items.
pub(super) fn sweep_axis(items: &[Item]) -> Axis {
    Spread::of(sample(items, SAMPLE)).sweep_axis()
}

/// At most `most` of the items, evenly spread.
fn sample(items: &[Item], most: usize) -> impl Iterator<Item = &Item> {
    items.iter().step_by(items.len().div_ceil(most).max(1))
}

/// Sums over the centres and sides of boxes. In `f64`, where the squares of all finite coordinates fit.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    centers: [f64; 3],
    squares: [f64; 3],
    sides: [f64; 3],
}

impl Spread {
    fn of<'a>(items: impl Iterator<Item = &'a Item>) -> Self {
        let mut all = Self::default();
        for Item { b, .. } in items {
            all.count += 1.0;
            for axis in 0..3 {
                let (low, high) = (f64::from(b.min[axis]), f64::from(b.max[axis]));
                let center = (low + high) * 0.5;
                all.centers[axis] += center;
                all.squares[axis] += center * center;
                all.sides[axis] += high - low;
            }
        }
        all
    }

    fn mean(&self, axis: Axis) -> f32 {
        (self.centers[axis.index()] / self.count) as f32
    }

    /// Variance of the centres.
    fn variance(&self, axis: Axis) -> f64 {
        let mean = self.centers[axis.index()] / self.count;
        self.squares[axis.index()] / self.count - mean * mean
    }

    /// The axis with the fewest overlaps: where the centres are spread widest in units of the mean side.
    fn sweep_axis(&self) -> Axis {
        // variance / side², without the division: a side may be zero.
        let is_wider = |a: Axis, b: Axis| {
            let [side_a, side_b] = [a, b].map(|axis| self.sides[axis.index()].powi(2));
            let [a, b] = [a, b].map(|axis| self.variance(axis).max(0.0));
            a * side_b > b * side_a
        };
        let wider = |best, axis| if is_wider(axis, best) { axis } else { best };
        Axis::ALL.into_iter().fold(Axis::X, wider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn box_from_the_plane_on_is_high_and_up_to_it_across() {
        let b = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let side = |position| Plane { axis: Axis::Y, position }.side(&b);
        let sides = [-1.0, 0.0, 0.5, 1.0, 1.5].map(side);
        assert_eq!(sides, [Side::High, Side::High, Side::Across, Side::Across, Side::Low]);
    }

    #[test]
    fn sweep_axis_has_the_widest_spread_for_its_sides() {
        let items = |centers: &mut dyn Iterator<Item = Vec3>, half: Vec3| -> Vec<Item> {
            let bounds = centers.map(|center| Aabb::new(center - half, center + half));
            bounds.map(|b| Item::new(b, 0)).collect()
        };
        // As far apart on x as on y, but flat on y.
        let mut at = (0..50).map(|i| Vec3::new((i % 7) as f32, (i * 3 % 7) as f32, 0.0));
        assert_eq!(sweep_axis(&items(&mut at, Vec3::new(0.5, 0.1, 0.1))), Axis::Y);
        let points = items(&mut [Vec3::ZERO, Vec3::Z].into_iter(), Vec3::ZERO);
        assert_eq!([&[], &points[..]].map(sweep_axis), [Axis::X; 2]);
    }
}
