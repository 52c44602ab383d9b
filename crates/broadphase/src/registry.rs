//! The one list of algorithms. Command line, panel, tests and documentation iterate over it.

use crate::{Aabb, BroadPhase, Kind, Overlay, algorithms};
use bytesize::ByteSize;

/// The settings that an algorithm is created with.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Expected number of objects: a hint for the structure, and the number that the memory check uses.
    pub objects: usize,
    /// The space that fixed trees divide. If it is not finite, such as [`Aabb::EMPTY`], it is unknown:
    /// the bounds of the first frame that has an object replace it.
    pub world: Aabb,
    /// Upper bound of the algorithm's memory, in bytes.
    pub memory_limit: u64,
}

impl Settings {
    /// Settings for `objects` objects in an unknown space, without a memory limit.
    pub fn new(objects: usize) -> Self {
        Self { objects, world: Aabb::EMPTY, memory_limit: u64::MAX }
    }
}

/// An entry of the registry: one algorithm, or one variant of it.
///
/// A variant has an entry of its own, so that it is tested, measured and compared like any other. Its id
/// is the id of its family, a `+`, and the variant (`bvh-top-down+sah`).
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name on command lines and in tables.
    pub id: &'static str,
    /// Id of the first entry of its family: `bvh-top-down` of `bvh-top-down+sah`.
    pub family: &'static str,
    /// The difference from the first entry of the family: `sah` of `bvh-top-down+sah`.
    pub variant: Option<&'static str>,
    /// Its display name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// How it keeps the number of tests low.
    pub kind: Kind,
    /// Whether it is an adapter to another library, measured for comparison.
    pub peer: bool,
    /// Whether it compares boxes by vector instructions, which [`limit_simd`](crate::limit_simd) limits.
    pub vectorised: bool,
    /// Whether the work of a frame depends on the boxes of earlier ones: it keeps pairs, or an arrangement
    /// chosen by them, for the next frame.
    pub keeps_state: bool,
    /// The parts of its structure that it can show.
    pub overlays: &'static [Overlay],
    /// Lower bound of the bytes for `n` objects, pair lists aside. Measured: four fifths of the peak for
    /// small boxes in a cube (the test `memory`).
    pub memory: fn(n: u64) -> u64,
    /// Creates an instance.
    pub build: fn(&Settings) -> Box<dyn BroadPhase>,
}

impl Algorithm {
    /// The base of an entry, to be completed by a struct update: the first of its family, without a
    /// description, flags false, `overlays` empty, `memory` zero.
    pub const fn new(
        id: &'static str,
        kind: Kind,
        build: fn(&Settings) -> Box<dyn BroadPhase>,
    ) -> Self {
        Self {
            id,
            family: id,
            variant: None,
            name: id,
            summary: "",
            source: "",
            kind,
            peer: false,
            vectorised: false,
            keeps_state: false,
            overlays: &[],
            memory: |_| 0,
            build,
        }
    }

    /// Whether it can show an overlay.
    pub fn shows(&self, overlay: Overlay) -> bool {
        self.overlays.contains(&overlay)
    }

    /// Creates an instance. A refusal comes before any allocation.
    ///
    /// # Errors
    ///
    /// [`CreateError::Memory`] if `settings.objects` objects need more than `settings.memory_limit`.
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

/// Why an algorithm was not created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateError {
    /// It needs more memory than its limit.
    #[error(
        "{algorithm} needs {} for {objects} objects, but only {} can be had; \
         take fewer objects or another algorithm",
        ByteSize(*needed).display().si(), ByteSize(*limit).display().si()
    )]
    Memory {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// Expected number of objects.
        objects: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
}

/// Every algorithm: the reference, the other three of the thesis, then the other families. Variants
/// follow their family.
pub static ALGORITHMS: &[Algorithm] = &[
    algorithms::brute_force::ENTRY,
    algorithms::brute_force::ENTRY_SCALAR,
    algorithms::bsp::ENTRY,
    algorithms::bsp::ENTRY_SCALAR,
    algorithms::kd_tree::ENTRY,
    algorithms::kd_tree::ENTRY_SCALAR,
    algorithms::sap_matrix::ENTRY,
    algorithms::sap_matrix::ENTRY_SCALAR,
    algorithms::areas::ENTRY,
    algorithms::areas::ENTRY_4X4,
    algorithms::sap_1_axis::ENTRY,
    algorithms::sap_incremental::ENTRY,
    algorithms::grid::uniform::ENTRY,
    algorithms::grid::hashed::ENTRY,
    algorithms::grid::hierarchical::ENTRY,
    algorithms::octree_loose::ENTRY,
    algorithms::octree_loose::ENTRY_OBJECT,
    algorithms::bsp_semi_adjusting::ENTRY,
    algorithms::kd_sap::ENTRY,
    algorithms::bvh::TOP_DOWN,
    algorithms::bvh::TOP_DOWN_SAH,
    algorithms::bvh::TOP_DOWN_OBJECT,
    algorithms::bvh::BOTTOM_UP,
    algorithms::bvh::LINEAR,
    algorithms::bvh::LINEAR_OBJECT,
    algorithms::bvh::INCREMENTAL,
    algorithms::bvh::INCREMENTAL_OBJECT,
    algorithms::box_pruning::ENTRY,
    algorithms::sweep_grid::ENTRY,
    algorithms::rest_grid::ENTRY,
    algorithms::neighbour_list::ENTRY,
    algorithms::auto::ENTRY,
];

/// The first entry of each family.
pub fn families() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|entry| entry.variant.is_none())
}

/// The algorithm with this id.
pub fn find(id: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|entry| entry.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_agree_with_the_id() {
        for entry in ALGORITHMS {
            let id = entry.id;
            let (family, variant) =
                id.split_once('+').map_or((id, None), |(family, variant)| (family, Some(variant)));
            assert_eq!((entry.family, entry.variant), (family, variant), "{id}");
            let first = find(family).unwrap();
            assert_eq!(entry.kind, first.kind, "{id}");
            assert_eq!(entry.vectorised, first.vectorised && variant != Some("scalar"), "{id}");
            assert!(!entry.peer, "{id} is an algorithm of this crate");
            let described = [entry.name, entry.summary, entry.source].iter().all(|s| !s.is_empty());
            assert!(described && entry.name != id && (entry.memory)(1000) > 0, "{id}");
        }
    }
}
