//! The sides of cells in a hash table: equal, or by classes of the objects' sizes.

use crate::Aabb;
use crate::outliers::Bulk;

/// The sides of cells.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellSides {
    /// One grid; the side of its cells, in sides of most objects.
    Equal(f64),
    /// A grid for each class of sizes.
    ByClass,
}

/// Most cells along the place of most objects. It bounds the cells where objects have no size.
const MAX_EQUAL_CELLS_ALONG: f64 = (1 << 20) as f64;

/// Side of equal cells, `cell_side` in sides of most objects.
pub(super) fn equal_side(bulk: &Bulk, cell_side: f64) -> f64 {
    let span = bulk.span().into_iter().fold(0.0, f64::max);
    (cell_side * f64::from(bulk.size.max_element())).max(span / MAX_EQUAL_CELLS_ALONG)
}

/// Exponent of two by which the cells of a level are longer than those of the next finer one. Smaller steps
/// would fit the objects better, but give more levels to search.
const EXPONENT_STEP: i32 = 2;

/// Exponent of two by which cells are at least longer than their objects, so that few objects touch more than
/// two cells on an axis.
const SPARE: i32 = 1;

/// Exponent of two of the finest level's cells.
const FINEST: i32 = -126;

/// Number of levels: enough for all exponents of `f32`.
pub(super) const LEVELS: usize = 127;

/// Most cells along the place of most objects, so that their coordinates stay far from the bounds of a
/// lattice.
const MAX_CELLS_ALONG: f64 = (1 << 28) as f64;

/// Side of the cells of a level.
pub(super) fn side(level: usize) -> f64 {
    2f64.powi(FINEST + level as i32 * EXPONENT_STEP)
}

/// The finest level that a frame uses.
pub(super) fn finest(bulk: &Bulk) -> usize {
    with_longer_cells((bulk.span().into_iter().fold(0.0, f64::max) / MAX_CELLS_ALONG) as f32)
}

/// The level of an object by its longest side: cells more than twice as long, and at most eight times; only at the coarsest
/// level they may be shorter.
#[inline]
pub(super) fn level_of(b: &Aabb) -> usize {
    with_longer_cells(b.size().max_element())
}

/// The finest level with cells more than twice as long as a length.
#[inline]
fn with_longer_cells(length: f32) -> usize {
    // From the exponent field of the float: the length is below two to the power of one more. `abs`, since a
    // zero may have a sign.
    let exponent = (length.abs().to_bits() >> 23) as i32 - 127 + 1 + SPARE;
    ((exponent - FINEST + EXPONENT_STEP - 1) / EXPONENT_STEP).clamp(0, LEVELS as i32 - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_two_to_eight_times_as_long_as_objects() {
        for length in [0.0f32, 1e-45, 1e-38, 1e-6, 0.5, 0.999, 1.0, 3.99, 4.0, 1e6, 1e37] {
            let side = side(with_longer_cells(length));
            assert!(side > 2.0 * f64::from(length), "{length} in cells of {side}");
            let is_shortest = side / 4.0 <= 2.0 * f64::from(length) || length < 1e-36;
            assert!(is_shortest, "{length} in cells of {side}");
        }
        assert_eq!(with_longer_cells(f32::INFINITY), LEVELS - 1);
        // The size of a point whose bounds are zeros of different signs.
        assert_eq!(with_longer_cells(-0.0), with_longer_cells(0.0));
    }
}
