//! Where the columns are.

use crate::Aabb;
use crate::sweep::{Away, axes_from};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, i32x4};

/// Equal columns side by side, all along one axis. The outermost ones reach to infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Columns {
    /// The axis along which they lie, and along which each is swept.
    pub(super) axis: usize,
    /// Lowest corner of the first one, on the two axes across.
    pub(super) origin: [f32; 2],
    /// Columns in a unit of length.
    pub(super) per_unit: [f32; 2],
    /// Their number on each of the two axes.
    pub(super) counts: [i32; 2],
}

/// The columns that a box touches, from the lowest to the highest, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) low: [i32; 2],
    pub(super) high: [i32; 2],
}

impl Span {
    /// Their number.
    #[inline(always)]
    pub(super) fn columns(&self) -> u64 {
        let [u, v] = [0, 1].map(|axis| (self.high[axis] - self.low[axis] + 1) as u64);
        u * v
    }

    /// The axes on which the box begins before one of them.
    #[inline(always)]
    pub(super) fn away(&self, column: [i32; 2]) -> Away {
        let bit = |axis: usize| u32::from(column[axis] != self.low[axis]) * Away::BEFORE[axis].0;
        Away(bit(0) | bit(1))
    }
}

impl Columns {
    /// A single column along an axis.
    pub(super) fn single(axis: usize) -> Self {
        Self { axis, origin: [0.0; 2], per_unit: [1.0; 2], counts: [1; 2] }
    }

    /// Columns over a rectangle, at most `most` on each axis, of at least the given side.
    pub(super) fn over(axis: usize, low: [f32; 2], high: [f32; 2], side: f32, most: f32) -> Self {
        let mut columns = Self { origin: low, ..Self::single(axis) };
        for i in [0, 1] {
            // Halved before the difference, which could overflow.
            let extent = high[i] * 0.5 - low[i] * 0.5;
            let count = (extent / side * 2.0).round().clamp(1.0, most);
            let per_unit = count / extent * 0.5;
            // An axis without extent, or with one too large for a float, is not divided. Products with a
            // subnormal float take a hundred times as long (same-x 20,000: 1.03 to 0.36 ms).
            if count > 1.0 && per_unit.is_normal() {
                (columns.counts[i], columns.per_unit[i]) = (count as i32, per_unit);
            }
        }
        columns
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// Number of a column.
    #[inline(always)]
    pub(super) fn index(&self, [u, v]: [i32; 2]) -> usize {
        (v * self.counts[0] + u) as usize
    }

    /// The part of a column in the world.
    pub(super) fn bounds(&self, index: usize, world: &Aabb) -> Aabb {
        let [_, u, v] = axes_from(self.axis);
        let place = [index as i32 % self.counts[0], index as i32 / self.counts[0]];
        let mut bounds = *world;
        for (i, axis) in [u, v].into_iter().enumerate() {
            let begin = |place: i32| self.origin[i] + place as f32 / self.per_unit[i];
            if place[i] > 0 {
                bounds.min[axis] = begin(place[i]);
            }
            if place[i] + 1 < self.counts[i] {
                bounds.max[axis] = begin(place[i] + 1);
            }
        }
        bounds
    }

    /// The same in vectors.
    #[inline(always)]
    pub(super) fn finder<S: Simd>(&self, simd: S) -> Finder<S> {
        let twice = |[u, v]: [f32; 2]| f32x4::from_slice(simd, &[u, v, u, v]);
        Finder {
            simd,
            origin: twice(self.origin),
            per_unit: twice(self.per_unit),
            last: twice(self.counts.map(|count| (count - 1) as f32)),
        }
    }
}

/// Finds the columns of boxes.
#[derive(Clone, Copy)]
pub(super) struct Finder<S: Simd> {
    simd: S,
    origin: f32x4<S>,
    per_unit: f32x4<S>,
    last: f32x4<S>,
}

impl<S: Simd> Finder<S> {
    /// The columns that a box touches, given by its two lower and its two upper bounds across.
    ///
    /// Every step, rounding included, keeps the order of coordinates: of two boxes that share a
    /// point, the spans share a column. No step makes a NaN, for columns in a unit are neither 0 nor
    /// infinite.
    #[inline(always)]
    pub(super) fn span(&self, bounds: [f32; 4]) -> Span {
        let place = (f32x4::from_slice(self.simd, &bounds) - self.origin) * self.per_unit;
        let zero = f32x4::splat(self.simd, 0.0);
        let place: i32x4<S> = place.max(zero).min(self.last).to_int();
        let [a, b, c, d] = place.into();
        Span { low: [a, b], high: [c, d] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level;
    use fearless_simd::dispatch;
    use glam::Vec3;

    fn span(columns: &Columns, bounds: [f32; 4]) -> Span {
        dispatch!(level(), simd => columns.finder(simd).span(bounds))
    }

    #[test]
    fn outer_columns_reach_to_infinity() {
        let columns = Columns::over(1, [-1.0, 0.0], [1.0, 8.0], 1.0, 4.0);
        assert_eq!((columns.counts, columns.per_unit), ([2, 4], [1.0, 0.5]));
        let inner = span(&columns, [-0.5, 2.0, -0.1, 3.9]);
        assert_eq!(inner, Span { low: [0, 1], high: [0, 1] });
        let all = span(&columns, [f32::MIN, f32::MIN, f32::MAX, f32::MAX]);
        assert_eq!(all, Span { low: [0, 0], high: [1, 3] });
        assert_eq!(all.columns(), 8);
        let world = Aabb::new(Vec3::splat(-10.0), Vec3::splat(10.0));
        let bounds = Aabb::new(Vec3::new(2.0, -10.0, 0.0), Vec3::new(4.0, 10.0, 10.0));
        assert_eq!(columns.bounds(columns.index([1, 1]), &world), bounds, "z and x lie across");
    }

    #[test]
    fn indivisible_rectangle_is_one_column() {
        for (low, high) in [
            ([3.0; 2], [3.0; 2]),
            ([0.0; 2], [f32::MIN_POSITIVE / 4.0; 2]),
            ([f32::MIN; 2], [f32::MAX; 2]),
        ] {
            let columns = Columns::over(0, low, high, high[0] * 0.25 - low[0] * 0.25, 64.0);
            let span = span(&columns, [f32::MIN, 0.0, f32::MAX, 0.0]);
            assert!(columns.per_unit.iter().all(|per_unit| per_unit.is_normal()), "{columns:?}");
            assert!(span.high.iter().zip(columns.counts).all(|(at, count)| *at < count));
        }
        assert_eq!(Columns::over(0, [3.0; 2], [3.0; 2], 0.1, 64.0).len(), 1);
    }
}
