//! The one list of algorithms; command line, panel, tests and documentation iterate over it.

use crate::{Aabb, BroadPhase, Overlay, algorithms};
use bytesize::ByteSize;

/// What an algorithm is told before its first frame.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How many objects to expect. Only a hint for the structure, but the number by which memory is
    /// judged.
    pub objects: usize,
    /// The space that fixed trees divide. One that is not finite, such as [`Aabb::EMPTY`], is taken
    /// for unknown: then it is the bounds of the first frame that has an object.
    pub world: Aabb,
    /// Bytes that the algorithm may take.
    pub memory_limit: u64,
}

impl Settings {
    /// For `objects` objects in an unknown space, without a limit of memory.
    pub fn new(objects: usize) -> Self {
        Self { objects, world: Aabb::EMPTY, memory_limit: u64::MAX }
    }
}

/// A row of the registry: one algorithm, or one variant of it.
///
/// A variant has a row of its own, so that it is tested, measured and compared like any other: its id
/// is the id of its family, a `+`, and what is different (`bvh-top-down+sah`).
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name on command lines and in tables.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// What of itself it can show.
    pub overlays: &'static [Overlay],
    /// Bytes that `n` objects need at the least, pair lists aside: about four fifths of the peak measured
    /// for small boxes in a cube (the test `memory`).
    pub memory: fn(n: u64) -> u64,
    /// Makes one.
    pub build: fn(&Settings) -> Box<dyn BroadPhase>,
}

impl Algorithm {
    /// The id without the variant: `bvh-top-down` of `bvh-top-down+sah`.
    pub fn family(&self) -> &'static str {
        self.id.split_once('+').map_or(self.id, |(family, _)| family)
    }

    /// What is different from the family's first row: `sah` of `bvh-top-down+sah`.
    pub fn variant(&self) -> Option<&'static str> {
        self.id.split_once('+').map(|(_, variant)| variant)
    }

    /// Whether it shows a kind of thing.
    pub fn shows(&self, overlay: Overlay) -> bool {
        self.overlays.contains(&overlay)
    }

    /// Makes an instance, or refuses before anything is allocated.
    ///
    /// # Errors
    ///
    /// [`CreateError::Memory`] where `settings.objects` objects need more than
    /// `settings.memory_limit`.
    pub fn create(&self, settings: &Settings) -> Result<Box<dyn BroadPhase>, CreateError> {
        let needed = (self.memory)(settings.objects as u64);
        if needed > settings.memory_limit {
            return Err(CreateError::Memory {
                algorithm: self.id,
                objects: settings.objects,
                needed,
                limit: settings.memory_limit,
            });
        }
        let world = if settings.world.is_finite() { settings.world } else { Aabb::EMPTY };
        Ok((self.build)(&Settings { world, ..*settings }))
    }
}

/// Why an algorithm was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateError {
    /// It would need more memory than it may have.
    #[error(
        "{algorithm} needs {} for {objects} objects, but only {} can be had; \
         take fewer objects or another algorithm",
        ByteSize(*needed).display().si(), ByteSize(*limit).display().si()
    )]
    Memory {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// Objects it was asked to hold.
        objects: usize,
        /// Bytes they need.
        needed: u64,
        /// Bytes there are.
        limit: u64,
    },
}

/// Every algorithm, the reference first, then the other three of the thesis, then the families; each
/// followed by its variants.
pub static ALGORITHMS: &[Algorithm] = &[
    algorithms::brute_force::ROW,
    algorithms::brute_force::ROW_SCALAR,
    algorithms::bsp::ROW,
    algorithms::bsp::ROW_SCALAR,
    algorithms::kd_tree::ROW,
    algorithms::kd_tree::ROW_SCALAR,
    algorithms::sap_matrix::ROW,
    algorithms::sap_matrix::ROW_SCALAR,
    algorithms::areas::ROW,
    algorithms::areas::ROW_4X4,
    algorithms::sap_1_axis::ROW,
    algorithms::sap_incremental::ROW,
    algorithms::grid::uniform::ROW,
    algorithms::grid::hashed::ROW,
    algorithms::grid::hierarchical::ROW,
    algorithms::octree_loose::ROW,
    algorithms::octree_loose::ROW_OBJECT,
    algorithms::bsp_semi_adjusting::ROW,
    algorithms::kd_sap::ROW,
    algorithms::bvh::TOP_DOWN,
    algorithms::bvh::TOP_DOWN_SAH,
    algorithms::bvh::TOP_DOWN_OBJECT,
    algorithms::bvh::BOTTOM_UP,
    algorithms::bvh::LINEAR,
    algorithms::bvh::LINEAR_OBJECT,
    algorithms::bvh::INCREMENTAL,
    algorithms::bvh::INCREMENTAL_OBJECT,
    algorithms::box_pruning::ROW,
    algorithms::sweep_grid::ROW,
    algorithms::rest_grid::ROW,
    algorithms::neighbour_list::ROW,
    algorithms::auto::ROW,
];

/// The first row of each family: all but the variants.
pub fn families() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|row| row.variant().is_none())
}

/// The algorithm with this id.
pub fn find(id: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|a| a.id == id)
}
