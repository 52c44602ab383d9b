//! Neighbour lists: candidate pairs of fat AABBs, cached until too many objects escaped.
//!
//! Every box is enlarged by a margin, and where its object flies on, swept along its motion. While the
//! objects stay in their fat AABBs, a frame is an exact test of each candidate pair; no structure is
//! searched. The margin follows from the observed motion. Where all objects move fast, few of them are
//! cached, and the others are searched for in every frame.
//!
//! The cache is that of `caching`.

use crate::caching::{Always, Caching};
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay};
use crate::managed::Managed;

/// Its entry in the registry.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "Neighbour list",
    summary: "pairs of overlapping fat AABBs are remembered and tested; new ones are searched only for objects that escape theirs",
    source: "Verlet 1967; the choice of margins by playing policies is our own",
    cost: "n + cached pairs + escaped",
    watch_for: "escapes: faster objects escape sooner, or need larger margins and more cached pairs",
    overlays: &[Caption::FAT_BOXES, Caption::of(Overlay::CachedPairs)],
    memory: |n| n * 115,
    vectorised: true,
    keeps_state: true,
    ..Algorithm::new("neighbour-list", Kind::Other, |_| Box::<NeighbourList>::default())
};

/// Time O(n + c + m + t / 16) for c candidate pairs, m escaped objects, and t pairs of an escaped object that
/// overlap on the sweep axis in a shared column. Memory about 150 bytes an object, and 8 a candidate pair.
pub type NeighbourList = Managed<Caching<Always>>;
