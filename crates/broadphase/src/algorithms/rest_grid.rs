//! A grid of sweeps that caches the objects that rest.
//!
//! In many scenes most objects rest: walls, ground, settled piles. Their boxes stay in sorted columns, and
//! their pairs are copied from frame to frame. Only the objects that move are listed, sorted and compared.
//! So a frame costs a check of each object and the search for those that move; how far they move does not
//! matter. Where most objects move, all boxes are searched.
//!
//! The cache is that of `caching`, without margins.

use crate::caching::{Caching, RestingOnly};
use crate::columns::Grid;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay, cached};
use crate::managed::Managed;

/// Its entry in the registry.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "Rest grid",
    summary: "partners are searched for moving boxes only, in their columns; pairs of two resting boxes are copied from the last step",
    source: "our own; the columns are those of sweep-grid",
    cost: "n + (movers + their tests) / 16",
    watch_for: "moving objects: partners of each are searched in every step, however little it moves",
    overlays: &[
        Caption {
            meaning: "The objects of a column are sorted along one axis. A moving one is tested against those whose bars \
                          overlap its own. The numbers are objects.",
            ..Caption::COLUMNS
        },
        // It has no margins.
        Caption {
            title: "Fat AABBs: resting and moving",
            meaning: "Two objects that rest keep their pair. Partners of one that moves are searched in its column.",
            roles: &cached("moving: partners searched in each step"),
            change: "began to move, or came to rest",
            ..Caption::FAT_BOXES
        },
        Caption::of(Overlay::CachedPairs),
        Caption::of(Overlay::Blocks),
    ],
    memory: |n| n * 104,
    vectorised: true,
    keeps_state: true,
    parameters: &[Grid::COLUMNS],
    ..Algorithm::new("rest-grid", Kind::Grid, |settings| {
        Managed::boxed(Caching::<RestingOnly>::of(settings.count(&Grid::COLUMNS)))
    })
};

/// Time O(n + m + t / 16) for m moving objects and t pairs of a moving object that overlap on the sweep axis
/// in a shared column. Memory 110 bytes an object, 140 for 10,000 objects, and 8 a pair.
pub type RestGrid = Managed<Caching<RestingOnly>>;
