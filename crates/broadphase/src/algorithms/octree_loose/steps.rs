//! Coordinates in whole steps, and the cells of the octree in them.

use crate::Aabb;
use crate::outliers::Bulk;
use glam::Vec3;

/// Levels below the root. The root is two to this power steps long.
pub(super) const DEEPEST: u32 = 21;

/// Coordinates are clamped to this many steps. It leaves room for sums.
const FARTHEST: f32 = (1 << 24) as f32;

/// A cell: its depth, and its coordinates among the cells of that depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OctreeCell {
    pub(super) depth: u32,
    pub(super) at: [i32; 3],
}

impl OctreeCell {
    pub(super) const ROOT: OctreeCell = OctreeCell { depth: 0, at: [0; 3] };

    /// Length of a side, in steps.
    pub(super) fn side(self) -> i32 {
        1 << (DEEPEST - self.depth)
    }

    /// The steps of the cell.
    pub(super) fn tight(self) -> StepBox {
        let low = self.at.map(|at| at * self.side());
        StepBox { low, high: low.map(|low| low + self.side() - 1) }
    }

    /// The steps of the node: the cell, enlarged by half a side on all sides.
    pub(super) fn loose(self) -> StepBox {
        let StepBox { low, high } = self.tight();
        let margin = self.side() / 2;
        StepBox { low: low.map(|low| low - margin), high: high.map(|high| high + margin) }
    }

    /// One of the eight parts.
    pub(super) fn child(self, octant: usize) -> Self {
        let at = |axis: usize| 2 * self.at[axis] + (octant >> axis & 1) as i32;
        Self { depth: self.depth + 1, at: [at(0), at(1), at(2)] }
    }
}

/// A box in steps, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepBox {
    pub(super) low: [i32; 3],
    pub(super) high: [i32; 3],
}

impl StepBox {
    #[inline]
    pub(super) fn overlaps(&self, other: &StepBox) -> bool {
        let along = |axis: usize| {
            (self.low[axis] <= other.high[axis]) & (other.low[axis] <= self.high[axis])
        };
        along(0) & along(1) & along(2)
    }

    pub(super) fn contains(&self, other: &StepBox) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.low[axis] && other.high[axis] <= self.high[axis])
    }
}

/// The deepest place of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Depth of the smallest cells that are no shorter than the object.
    pub(super) depth: u32,
    /// Its centre, in steps.
    pub(super) center: [u32; 3],
}

impl Place {
    /// The octant of a cell of the given depth that holds the centre.
    #[inline]
    pub(super) fn octant(&self, depth: u32) -> usize {
        let bit = |axis: usize| (self.center[axis] >> (DEEPEST - 1 - depth) & 1) as usize;
        bit(0) | bit(1) << 1 | bit(2) << 2
    }
}

/// The root's cube, cut into steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    origin: Vec3,
    /// Steps to the unit of length.
    density: f32,
}

impl Steps {
    /// A root around most objects.
    pub(super) fn new(bulk: &Bulk) -> Self {
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
        // Neither zero nor infinite: the product with a difference could be NaN.
        let density = (f64::from(1 << DEEPEST) / side).clamp(1.2e-38, 1e38);
        Self { origin: Vec3::from(origin), density: density as f32 }
    }

    /// A box in steps. They never decrease where a coordinate grows.
    #[inline]
    pub(super) fn steps(&self, b: &Aabb) -> StepBox {
        let whole = |point: Vec3| {
            ((point - self.origin) * self.density).to_array().map(|steps| {
                let steps = steps.clamp(-FARTHEST, FARTHEST);
                // The next integer below.
                let toward_zero = steps as i32;
                toward_zero - i32::from(toward_zero as f32 > steps)
            })
        };
        StepBox { low: whole(b.min), high: whole(b.max) }
    }

    /// The deepest place of an object; `None` if it is longer than the root or its centre is outside.
    #[inline]
    pub(super) fn place(&self, b: &Aabb) -> Option<Place> {
        let StepBox { low, high } = self.steps(b);
        let longest = (0..3).map(|axis| high[axis] - low[axis]).max().unwrap_or(0) as u32;
        let root = 1 << DEEPEST;
        let center: [i32; 3] = std::array::from_fn(|axis| (low[axis] + high[axis] + 1) >> 1);
        let is_inside = center.iter().all(|center| (0..root).contains(center));
        // A box of 2^k steps more than its first, k > 0, reaches at most half of them to each side of its
        // centre. That is the margin of a cell of 2^k steps. A cell of one step has no margin.
        let exponent = match longest {
            0 => 0,
            _ => (u32::BITS - (longest - 1).leading_zeros()).max(1),
        };
        (is_inside && exponent <= DEEPEST).then(|| Place {
            depth: DEEPEST - exponent,
            center: center.map(|center| center as u32),
        })
    }

    /// The space of a box in steps.
    pub(super) fn space(&self, steps: StepBox) -> Aabb {
        let corner = |at: [i32; 3]| {
            self.origin + Vec3::from(at.map(|coordinate| coordinate as f32)) / self.density
        };
        Aabb::new(corner(steps.low), corner(steps.high.map(|high| high + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell_of(place: Place) -> OctreeCell {
        let at = place.center.map(|center| (center >> (DEEPEST - place.depth)) as i32);
        OctreeCell { depth: place.depth, at }
    }

    #[test]
    fn loose_bounds_of_cell_and_ancestors_contain_the_object() {
        let root = Aabb::new(Vec3::ZERO, Vec3::splat((1 << DEEPEST) as f32));
        let steps = Steps { origin: root.min, density: 1.0 };
        for longest in (0..40).chain([255, 256, 257, 99_999, (1 << DEEPEST) - 1]) {
            for from in (0..40).chain([12_345, 1 << 20, (1 << 20) - 1, (1 << DEEPEST) - 40]) {
                let from = from - longest / 2;
                let b = Aabb::new(Vec3::splat(from as f32), Vec3::splat((from + longest) as f32));
                let Some(place) = steps.place(&b) else {
                    assert!(from < 0 && from + longest < 0, "{from} + {longest} has no place");
                    continue;
                };
                let (own, mut cell) = (cell_of(place), OctreeCell::ROOT);
                for depth in 0..=place.depth {
                    let is_in = cell.loose().contains(&steps.steps(&b));
                    assert!(is_in, "{from} + {longest} in {cell:?}");
                    if depth < place.depth {
                        cell = cell.child(place.octant(depth));
                    }
                }
                assert_eq!(cell, own);
            }
        }
    }

    #[test]
    fn outermost_centres_are_in_the_root_at_any_precision() {
        for far in [0.0, 1.0, 1e3, 1e7, 1e30] {
            let at = |i: usize| Vec3::new(i as f32 * 1e-3, far, (i % 3) as f32 - far);
            let boxes: Vec<_> =
                (0..200).map(|i| Aabb::around_sphere(at(i), 1e-4 * (1 + i % 7) as f32)).collect();
            let steps = Steps::new(&Bulk::of(&boxes, 16.0, &mut Vec::new()).unwrap());
            let placed = boxes.iter().filter(|b| steps.place(b).is_some()).count();
            assert_eq!(placed, 200, "at {far}");
        }
    }

    #[test]
    fn object_outside_or_longer_than_the_root_has_no_place() {
        let steps = Steps { origin: Vec3::ZERO, density: 1.0 };
        let long = (1 << DEEPEST) as f32;
        let at = |center: f32, half: f32| Aabb::around_sphere(Vec3::splat(center), half);
        assert!(steps.place(&at(long / 2.0, long / 2.0)).is_some());
        assert!(steps.place(&at(long / 2.0, long)).is_none());
        assert!(steps.place(&at(-2.0, 0.5)).is_none());
        assert!(steps.place(&at(long + 1.0, 0.5)).is_none());
        assert!(steps.place(&at(1e30, 1e29)).is_none());
    }
}
