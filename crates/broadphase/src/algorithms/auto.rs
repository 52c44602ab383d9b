//! Chooses in each frame between a cache of pairs and a search of all boxes.
//!
//! Where objects rest, move little, or fly on, the pairs of fat AABBs are cached (`caching`), by the
//! policy with the lowest predicted cost. Where no cache pays, all boxes are searched by a grid of sweeps.
//!
//! Did not pay: `box-pruning` as a third choice, where a sample promised few overlaps on its axis. Without it, 140 inputs take
//! 0.97 to 1.00 of the time (geometric means of four sets), single ones up to 1.26.

use crate::caching::{Caching, WherePays};
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay};
use crate::managed::Managed;

/// Its entry in the registry.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "Automatic",
    summary: "each step uses neighbour list, rest grid or grid of sweeps: the one that is predicted to be fastest",
    source: "our own; its parts are sweep-grid, rest-grid and neighbour-list",
    cost: "that of its choice",
    watch_for: "the step in which the motion changes: it pays for the old choice and the new one",
    overlays: &[
        Caption::COLUMNS,
        Caption::FAT_BOXES,
        Caption::of(Overlay::CachedPairs),
        Caption::of(Overlay::Blocks),
    ],
    chooses: true,
    memory: |n| n * 125,
    vectorised: true,
    keeps_state: true,
    ..Algorithm::new("auto", Kind::Other, |_| Box::<Auto>::default())
};

/// Chooses a method by the motion of the objects: the algorithm to begin with.
///
/// Where objects rest, move little, or fly on, it caches the pairs of fat AABBs. Where all move far, it sweeps all
/// boxes. The choice changes with the motion; it never changes the pairs. Time and memory are those of the chosen
/// method.
pub type Auto = Managed<Caching<WherePays>>;
