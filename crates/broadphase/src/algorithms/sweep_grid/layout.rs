//! Where the cells lie: chosen from a sample of the boxes, kept while it fits.

use super::cells::{Away, Block, LANES};
use crate::{Aabb, Axis};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x16, i32x4, i32x16};
use glam::Vec3;

/// Objects at home in a cell, on average. Measured: from 16 to 48 the time hardly differs.
const PER_CELL: f32 = 24.0;

/// Boxes looked at to choose a layout.
const SAMPLE: usize = 1024;

/// Most cells along an axis.
const MOST_CELLS: f32 = 512.0;

/// Most cells that an object is listed in; larger ones visit their cells instead.
const MOST_LISTINGS: i32 = 27;

/// A grid of equal cells. The outermost ones reach to infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    /// Lowest corner of the first cell.
    pub(super) origin: Vec3,
    /// Cells along each axis.
    pub(super) counts: [i32; 3],
    /// Sides of a cell; infinite along an axis with a single cell.
    pub(super) side: Vec3,
    /// Cells per unit.
    per_unit: Vec3,
    /// The axis along which crowded cells are swept: the one on which a cell is longest, measured in
    /// boxes.
    pub(super) sweep_axis: Axis,
}

/// The cells that a box touches: those between two corners, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellRange {
    pub(super) low: [i32; 3],
    pub(super) high: [i32; 3],
}

impl CellRange {
    /// Whether an object is too large to be listed in all of its cells.
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        let spans: [i32; 3] = std::array::from_fn(|axis| self.high[axis] - self.low[axis] + 1);
        // Spans are at most 512: the product fits.
        spans[0] * spans[1] * spans[2] > MOST_LISTINGS
    }
}

impl Layout {
    /// Cells for boxes like these; `None` where none is present. `sizes` is scratch.
    pub(super) fn choose(boxes: &[Aabb], sizes: &mut [Vec<f32>; 3]) -> Option<Self> {
        let sample =
            || boxes.iter().step_by((boxes.len() / SAMPLE).max(1)).filter(|b| !b.is_empty());
        let (mut bounds, mut mean, mut seen) = (Aabb::EMPTY, Vec3::ZERO, 0.0f32);
        sizes.iter_mut().for_each(Vec::clear);
        for b in sample() {
            // Halved before the difference, which could overflow.
            let size = b.max * 0.5 - b.min * 0.5;
            seen += 1.0;
            mean += (b.center() - mean) / seen;
            bounds = bounds.union(&Aabb::new(b.center(), b.center()));
            for axis in 0..3 {
                sizes[axis].push(size[axis] * 2.0);
            }
        }
        if seen == 0.0 {
            return if sample().next().is_none() && boxes.iter().all(Aabb::is_empty) {
                None
            } else {
                // The sample met absent ones only.
                Some(Self::new(Aabb::new(Vec3::ZERO, Vec3::ZERO), [1; 3], Vec3::ONE))
            };
        }
        // A few that flew far away must not make all cells large: three mean distances are enough.
        let spread =
            sample().map(|b| (b.center() - mean).abs() / seen).fold(Vec3::ZERO, |a, b| a + b);
        let bounds =
            Aabb::new(bounds.min.max(mean - spread * 3.0), bounds.max.min(mean + spread * 3.0));
        // Nine of ten boxes are at most as large as a cell.
        let usual: Vec3 = std::array::from_fn(|axis| {
            let at = sizes[axis].len() * 9 / 10;
            *sizes[axis].select_nth_unstable_by(at, f32::total_cmp).1
        })
        .into();
        let extent = bounds.max - bounds.min;
        Some(Self::new(bounds, counts_for(extent, usual, boxes.len()), usual))
    }

    fn new(bounds: Aabb, counts: [i32; 3], usual: Vec3) -> Self {
        let extent = bounds.max - bounds.min;
        let number = Vec3::from(counts.map(|count| count as f32));
        let single = number.cmple(Vec3::ONE) | extent.cmple(Vec3::ZERO);
        // The smallest positive number leaves everything in the first cell, and infinity times it is
        // not NaN.
        let per_unit = Vec3::select(single, Vec3::splat(f32::MIN_POSITIVE), number / extent);
        let side = Vec3::select(single, Vec3::INFINITY, extent / number);
        let lengths = extent / number / usual.max(Vec3::splat(f32::MIN_POSITIVE));
        let sweep_axis = Axis::ALL
            .into_iter()
            .max_by(|a, b| lengths[a.index()].total_cmp(&lengths[b.index()]))
            .unwrap_or(Axis::X);
        let counts = std::array::from_fn(|axis| if single.test(axis) { 1 } else { counts[axis] });
        Self { origin: bounds.min, counts, side, per_unit, sweep_axis }
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.counts.iter().map(|count| *count as usize).product()
    }

    /// Number of a cell; cells along x follow each other.
    #[inline(always)]
    pub(super) fn index(&self, cell: [i32; 3]) -> usize {
        ((cell[2] * self.counts[1] + cell[1]) * self.counts[0] + cell[0]) as usize
    }

    /// The place of a cell along each axis.
    pub(super) fn cell(&self, index: usize) -> [i32; 3] {
        let [nx, ny, _] = self.counts.map(|count| count as usize);
        [index % nx, index / nx % ny, index / nx / ny].map(|place| place as i32)
    }

    /// On which axes a box over these cells begins before the cell of this index; `None` where it
    /// does not reach that.
    pub(super) fn away(&self, index: usize, cells: &CellRange) -> Option<Away> {
        let cell = self.cell(index);
        let holds = |axis: usize| (cells.low[axis]..=cells.high[axis]).contains(&cell[axis]);
        (0..3).all(holds).then(|| Away::of(cell, cells))
    }

    /// The finite part of a cell, for those who look.
    pub(super) fn bounds(&self, index: usize, world: &Aabb) -> Aabb {
        let cell = self.cell(index);
        let mut bounds = *world;
        for (axis, place) in cell.into_iter().enumerate() {
            let begin = |place: i32| self.origin[axis] + place as f32 * self.side[axis];
            if place > 0 {
                bounds.min[axis] = begin(place);
            }
            if place + 1 < self.counts[axis] {
                bounds.max[axis] = begin(place + 1);
            }
        }
        bounds
    }

    /// How far another layout is from this one: whether its cells are much larger or smaller, or
    /// elsewhere.
    pub(super) fn differs_from(&self, other: &Self) -> bool {
        (0..3).any(|axis| {
            let (own, others) = (self.counts[axis], other.counts[axis]);
            let length = self.side[axis] * own as f32;
            let apart = (self.origin[axis] - other.origin[axis]).abs();
            own.max(others) * 4 > own.min(others) * 5 + 4 || (own > 1 && apart * 4.0 > length)
        }) || self.sweep_axis != other.sweep_axis
    }

    /// A form of the numbers for vectors.
    #[inline(always)]
    pub(super) fn finder<S: Simd>(&self, simd: S) -> CellFinder<S> {
        let last = Vec3::from(self.counts.map(|count| (count - 1) as f32));
        let low = |v: Vec3| f32x4::from_slice(simd, &[v.x, v.y, v.z, 0.0]);
        let high = |v: Vec3| f32x4::from_slice(simd, &[0.0, v.x, v.y, v.z]);
        CellFinder {
            simd,
            counts: self.counts,
            low: [low(self.origin), low(self.per_unit), low(last)],
            high: [high(self.origin), high(self.per_unit), high(last)],
        }
    }
}

/// How many cells there are along each axis: about as many in all as the objects ask for, as long as
/// each is as large as the usual box.
fn counts_for(extent: Vec3, usual: Vec3, objects: usize) -> [i32; 3] {
    let wanted = (objects as f32 / PER_CELL).max(1.0);
    // What is thinner than its boxes needs no division.
    let mut is_divided = [0, 1, 2].map(|axis| extent[axis] > usual[axis]);
    loop {
        let divided = || (0..3).filter(|axis| is_divided[*axis]);
        let axes = divided().count();
        if axes == 0 {
            return [1; 3];
        }
        let volume: f32 = divided().map(|axis| extent[axis].log2()).sum();
        let side = ((volume - wanted.log2()) / axes as f32).exp2();
        // An axis that is shorter than a cell is none to share the number of cells with.
        if let Some(short) = divided().find(|axis| extent[*axis] < side) {
            is_divided[short] = false;
            continue;
        }
        return [0, 1, 2].map(|axis| match is_divided[axis] {
            true => (extent[axis] / side.max(usual[axis])).clamp(1.0, MOST_CELLS) as i32,
            false => 1,
        });
    }
}

/// The cells that sixteen boxes touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    /// Number of the cell of each lowest corner.
    pub(super) home: [i32; LANES],
    low: [[i32; LANES]; 3],
    high: [[i32; LANES]; 3],
    /// Which boxes are not empty.
    pub(super) present: u32,
    /// Which touch a single cell.
    pub(super) single: u32,
    /// Which touch too many.
    pub(super) large: u32,
}

impl Ranges {
    #[inline(always)]
    pub(super) fn of(&self, lane: usize) -> CellRange {
        CellRange { low: self.low.map(|axis| axis[lane]), high: self.high.map(|axis| axis[lane]) }
    }
}

/// Finds the cells of boxes.
#[derive(Clone, Copy)]
pub(super) struct CellFinder<S: Simd> {
    simd: S,
    counts: [i32; 3],
    low: [f32x4<S>; 3],
    high: [f32x4<S>; 3],
}

impl<S: Simd> CellFinder<S> {
    /// The cells that a present box touches.
    ///
    /// Every step, rounding included, keeps the order of coordinates: of two boxes that share a
    /// point, the ranges share a cell.
    #[inline(always)]
    pub(super) fn range(&self, b: &Aabb) -> CellRange {
        let flat: &[f32; 6] = bytemuck::cast_ref(b);
        let find = |corner: &[f32], [origin, per_unit, last]: [f32x4<S>; 3]| {
            let zero = f32x4::splat(self.simd, 0.0);
            let cell = (f32x4::from_slice(self.simd, corner) - origin) * per_unit;
            let cell: i32x4<S> = cell.max(zero).min(last).to_int();
            <[i32; 4]>::from(cell)
        };
        // One vector begins with the lowest corner, the other ends with the highest.
        let [lx, ly, lz, _] = find(&flat[..4], self.low);
        let [_, hx, hy, hz] = find(&flat[2..], self.high);
        CellRange { low: [lx, ly, lz], high: [hx, hy, hz] }
    }

    /// The cells that sixteen boxes touch; the same ones as [`range`](Self::range) finds.
    #[inline(always)]
    pub(super) fn ranges(&self, group: &Block) -> Ranges {
        let simd = self.simd;
        let zero = f32x16::splat(simd, 0.0);
        let axis = |axis: usize| {
            let splat = |of: &f32x4<S>| f32x16::splat(simd, <[f32; 4]>::from(*of)[axis]);
            let [origin, per_unit, last] = [0, 1, 2].map(|part: usize| splat(&self.low[part]));
            let find = |bounds: &[f32; LANES]| -> i32x16<S> {
                let cell = (f32x16::from_slice(simd, bounds) - origin) * per_unit;
                cell.max(zero).min(last).to_int()
            };
            (find(&group.min[axis]), find(&group.max[axis]))
        };
        let [x, y, z] = [axis(0), axis(1), axis(2)];
        let is_present = |axis: usize| {
            let low = f32x16::from_slice(simd, &group.min[axis]);
            low.simd_le(f32x16::from_slice(simd, &group.max[axis]))
        };
        let present = is_present(0) & is_present(1) & is_present(2);
        let single = x.0.simd_eq(x.1) & y.0.simd_eq(y.1) & z.0.simd_eq(z.1);
        let one = i32x16::splat(simd, 1);
        let spans = (x.1 - x.0 + one) * (y.1 - y.0 + one) * (z.1 - z.0 + one);
        let large = spans.simd_gt(i32x16::splat(simd, MOST_LISTINGS));
        let [nx, ny, _] = self.counts.map(|count| i32x16::splat(simd, count));
        Ranges {
            home: ((z.0 * ny + y.0) * nx + x.0).into(),
            low: [x.0.into(), y.0.into(), z.0.into()],
            high: [x.1.into(), y.1.into(), z.1.into()],
            present: present.to_bitmask() as u32,
            single: single.to_bitmask() as u32,
            large: large.to_bitmask() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_more_cells_than_the_objects_ask_for_whatever_the_shape() {
        let thin = 1e-9;
        for extent in [
            Vec3::ONE,
            Vec3::new(1e3, 1e3, thin),
            Vec3::new(1e3, thin, thin),
            Vec3::new(thin, 1e6, 1.0),
            Vec3::splat(f32::MAX),
        ] {
            for objects in [1, 100, 10_000, 1_000_000] {
                let counts = counts_for(extent, Vec3::splat(1e-12), objects);
                let cells: f32 = counts.iter().map(|count| *count as f32).product();
                let wanted = (objects as f32 / PER_CELL).max(1.0);
                assert!(cells <= 1.01 * wanted, "{extent}, {objects} objects: {counts:?}");
                assert!(
                    cells >= wanted.min(500.0) / 8.0,
                    "{extent}, {objects} objects: {counts:?}"
                );
            }
        }
    }
}
