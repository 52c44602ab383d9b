//! A fixed tree of halving planes.
//!
//! The planes are placed once, each through the middle of its cell, independent of the objects. A
//! table gives the depth for the number of objects. Every frame the leaves are emptied and refilled,
//! an object into every leaf that it touches, and pairs are tested leaf by leaf.

use crate::entry::{Algorithm, Kind, Settings};
use crate::inspect::{Caption, Inspect, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::{DEPTH, PlaneTree, depth_for};
use crate::{Aabb, Counters, Frame, Pair};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "BSP tree",
    summary: "fixed planes halve space, then its halves, and so on; each object is compared with those in its leaf",
    source: "Kurtanjek 2008, sections 3.2 and 4.2",
    cost: "n × depth + tests",
    watch_for: "crowded leaves: the planes never follow the objects, and a leaf costs the square of its objects",
    overlays: &[Caption::PLANES, Caption::LEAVES],
    way: Some(&Way::PLANES),
    memory: |n| n * 37,
    vectorised: true,
    parameters: &[DEPTH],
    ..Algorithm::new("bsp", Kind::SpaceTree, |settings| Managed::boxed(Bsp::with(settings)))
};

/// The variant that compares one pair at a time, as the thesis did.
pub const ENTRY_SCALAR: Algorithm = Algorithm {
    vectorised: false,
    name: "BSP tree, one pair at a time",
    summary: "fixed planes halve space up to nine times; objects in the same leaf are compared one at a time",
    ..ENTRY.variant("bsp+scalar", |settings| {
        Managed::boxed(Bsp { tree: PlaneTree::scalar(), ..Bsp::with(settings) })
    })
};

/// A fixed tree of planes. Time O(n d + Σ mᵢ²) for depth d and mᵢ objects in leaf i: quadratic for
/// large n, since the depth is at most nine. Memory O(listings).
#[derive(Clone, Debug)]
pub(crate) struct Bsp {
    /// Finite. The bounds of the first frame that has an object replace an empty one.
    world: Aabb,
    /// A value of [`DEPTH`].
    depth: u32,
    tree: PlaneTree,
}

memory!(Bsp: tree);

impl Bsp {
    fn with(settings: &Settings) -> Self {
        let depth = settings.count(&DEPTH) as u32;
        Self { world: settings.world, depth, tree: PlaneTree::default() }
    }
}

impl Structure for Bsp {
    fn update(&mut self, frame: &Frame<'_>) {
        // The tree is built once, and again only if the number of objects needs another depth.
        let depth = depth_for(frame.boxes.len(), self.depth);
        self.tree.lay_out(&mut self.world, depth, frame.boxes);
        self.tree.refill(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.tree.regions.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.tree.counters()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes);
    }
}

impl Inspect for Bsp {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.tree)
    }
}
