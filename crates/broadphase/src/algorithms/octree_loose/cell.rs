//! Cells of the octree, and the deepest that may hold an object. All are blocks of *steps*, the cells of its deepest level.

use crate::Aabb;
use crate::outliers::Bulk;
use crate::regions::{CellRange, Lattice};
use glam::Vec3;

/// Levels below the root. The root is two to this power steps long.
pub(super) const DEEPEST: u32 = 21;

/// The steps of a root around most objects.
pub(super) fn steps_around(bulk: &Bulk) -> Lattice {
    let Aabb { min, max } = bulk.centers;
    // Far from zero, floats are coarse: a centre may be off by this grain.
    let coarse = min.abs().max(max.abs()).to_array();
    let grain = coarse.map(|value| f64::from(value.next_up()) - f64::from(value));
    let along = bulk.span().into_iter().zip(grain).map(|(span, grain)| span + 4.0 * grain);
    // Somewhat longer, so that no centre falls on an end.
    let side = along.fold(0.0, f64::max) * 1.01;
    let origin = min.to_array().map(|min| {
        let below = (f64::from(min) - side / 512.0) as f32;
        below.next_down().max(f32::MIN)
    });
    Lattice::new(Vec3::from(origin), [side / f64::from(1 << DEEPEST); 3])
}

/// A cell: its depth, and its coordinates among the cells of that depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OctreeCell {
    pub(super) depth: u32,
    pub(super) at: [i32; 3],
}

impl OctreeCell {
    /// The steps of the cell.
    pub(super) fn tight(self) -> CellRange {
        let side = 1 << (DEEPEST - self.depth);
        let low = self.at.map(|at| at * side);
        CellRange { low, high: low.map(|low| low + side - 1) }
    }

    /// The steps of the node: the cell, enlarged by half a side on all sides.
    pub(super) fn loose(self) -> CellRange {
        let CellRange { low, high } = self.tight();
        let margin = (1 << (DEEPEST - self.depth)) / 2;
        CellRange { low: low.map(|low| low - margin), high: high.map(|high| high + margin) }
    }
}

/// The deepest place of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Depth of the smallest cells that are no shorter than the object.
    pub(super) depth: u32,
    /// Its centre, in steps.
    center: [i32; 3],
}

impl Place {
    /// The place of an object that touches these steps; `None` if it is longer than the root or its centre is outside.
    #[inline]
    pub(super) fn of(CellRange { low, high }: CellRange) -> Option<Self> {
        let longest = (0..3).map(|axis| high[axis].abs_diff(low[axis])).max().unwrap_or(0);
        // Half of each before the sum, which could overflow; rounded up.
        let center = std::array::from_fn(|axis| {
            (low[axis] >> 1) + (high[axis] >> 1) + ((low[axis] | high[axis]) & 1)
        });
        let is_inside = center.iter().all(|center| (0..1 << DEEPEST).contains(center));
        // A box of 2^k steps more than its first, k > 0, reaches at most half of them to each side of its
        // centre. That is the margin of a cell of 2^k steps. A cell of one step has no margin.
        let exponent = match longest {
            0 => 0,
            _ => (u32::BITS - (longest - 1).leading_zeros()).max(1),
        };
        (is_inside && exponent <= DEEPEST).then(|| Self { depth: DEEPEST - exponent, center })
    }

    /// The octant of a cell of the given depth that holds the centre.
    #[inline]
    pub(super) fn octant(&self, depth: u32) -> usize {
        let bit = |axis: usize| (self.center[axis] >> (DEEPEST - 1 - depth) & 1) as usize;
        bit(0) | bit(1) << 1 | bit(2) << 2
    }

    /// The cell of the given depth that holds the centre.
    #[inline]
    pub(super) fn cell(&self, depth: u32) -> OctreeCell {
        OctreeCell { depth, at: self.center.map(|center| center >> (DEEPEST - depth)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loose_bounds_of_cell_and_ancestors_contain_the_object() {
        let steps = Lattice::new(Vec3::ZERO, [1.0; 3]);
        for longest in (0..40).chain([255, 256, 257, 99_999, (1 << DEEPEST) - 1]) {
            for from in (0..40).chain([12_345, 1 << 20, (1 << 20) - 1, (1 << DEEPEST) - 40]) {
                let from = from - longest / 2;
                let b = Aabb::new(Vec3::splat(from as f32), Vec3::splat((from + longest) as f32));
                let range = steps.range(&b);
                let Some(place) = Place::of(range) else {
                    assert!(from < 0 && from + longest < 0, "{from} + {longest} has no place");
                    continue;
                };
                for depth in 0..=place.depth {
                    let CellRange { low, high } = place.cell(depth).loose();
                    let is_within = low[0] <= range.low[0] && range.high[0] <= high[0];
                    assert!(is_within, "{from} + {longest} at depth {depth}");
                }
            }
        }
    }

    #[test]
    fn outermost_centres_are_in_the_root_at_any_precision() {
        for far in [0.0, 1.0, 1e3, 1e7, 1e30] {
            let at = |i: usize| Vec3::new(i as f32 * 1e-3, far, (i % 3) as f32 - far);
            let boxes: Vec<_> =
                (0..200).map(|i| Aabb::around_sphere(at(i), 1e-4 * (1 + i % 7) as f32)).collect();
            let steps = steps_around(&Bulk::of(&boxes, 16.0, &mut Vec::new()).unwrap());
            assert!(boxes.iter().all(|b| Place::of(steps.range(b)).is_some()), "at {far}");
        }
    }

    #[test]
    fn object_outside_or_longer_than_the_root_has_no_place() {
        let long = (1 << DEEPEST) as f32;
        let has_place = |center: f32, half: f32| {
            let b = Aabb::around_sphere(Vec3::splat(center), half);
            Place::of(Lattice::new(Vec3::ZERO, [1.0; 3]).range(&b)).is_some()
        };
        assert!(has_place(long / 2.0, long / 2.0));
        let others = [(long / 2.0, long), (-2.0, 0.5), (long + 1.0, 0.5), (1e30, 1e29)];
        assert!(others.iter().all(|(center, half)| !has_place(*center, *half)));
    }
}
