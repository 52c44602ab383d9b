//! A hierarchical grid: a grid for each class of sizes, for objects of very different sizes.
//!
//! An object is listed in one level only: the finest whose cells are more than twice as long as its
//! longest side, so that it touches at most eight of them. Objects of one level are tested cell by
//! cell. For pairs of different levels the smaller object finds the cells that it touches in every coarser
//! level. It is tested against the objects listed there. The larger one never searches for the smaller:
//! it touches many cells of a finer level.
//!
//! All levels share one hash table. Only cells with objects exist, and only levels with objects are
//! searched.
//!
//! Time O(n l + t) expected, for l levels that hold objects and t tests: linear for any mixture of sizes, as long as objects of
//! one size are not crowded. Long and thin objects are in the level of their length, where they may be tested against many
//! objects next to them. Memory O(n).
//!
//! Ericson, "Real-Time Collision Detection" (2005), section 7.2, where an object is in the one cell of its
//! centre and neighbouring cells are searched; Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
//! Systems" (1996), where it is in all cells that it touches, as here.

use super::levels::{CellSides, LevelGrid};
use crate::Aabb;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Way};
use crate::managed::Managed;
use crate::outliers::Bulk;
use crate::regions::PAIR_MEMORY;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Hierarchical grid",
    summary: "each object is in the grid of its size; it is compared there, and with larger objects in the coarser cells that it touches",
    source: "Ericson 2005, Real-Time Collision Detection, section 7.2; Mirtich 1996",
    cost: "n × levels + tests",
    watch_for: "a few large objects: every small one is compared in their coarse cells too",
    overlays: &[Caption {
        meaning: "An object is in the level with the smallest cells that are more than twice as long as it.",
        longest: Some(0.5),
        ..Caption::CELLS
    }],
    way: Some(&Way {
        title: "Its search",
        meaning: "It is compared with the objects in its cells, and with larger ones in the coarser cells that it \
                      touches. Smaller ones find it in the same way.",
        holds: ["cell holds it", "cells hold it"],
        searched: ["coarser cell: searched", "coarser cells: searched"],
        rejected: ["cell empty: nothing to compare", "cells empty: nothing to compare"],
        hollow: None,
    }),
    memory: |n| n * 226,
    pair_memory: PAIR_MEMORY,
    vectorised: true,
    ..Algorithm::new("grid-hierarchical", Kind::Grid, |_| {
        Managed::boxed(LevelGrid::new(CellSides::ByClass))
    })
};

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
            let shorter = side / 4.0;
            assert!(
                shorter <= 2.0 * f64::from(length) || length < 1e-36,
                "{length} in cells of {side}"
            );
        }
        assert_eq!(with_longer_cells(f32::INFINITY), LEVELS - 1);
        // The size of a point whose bounds are zeros of different signs.
        assert_eq!(with_longer_cells(-0.0), with_longer_cells(0.0));
    }
}
