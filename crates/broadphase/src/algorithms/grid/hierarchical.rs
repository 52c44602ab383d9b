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

use super::cell_sides::CellSides;
use super::levels::LevelGrid;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Way};
use crate::managed::Managed;

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
    vectorised: true,
    ..Algorithm::new("grid-hierarchical", Kind::Grid, |_| {
        Managed::boxed(LevelGrid::new(CellSides::ByClass))
    })
};
