//! Algorithms by id: for programs that let their user choose one, and that list or compare them.
//!
//! ```
//! use broadphase::registry::{self, Settings};
//!
//! let entry = registry::find("sweep-grid").unwrap();
//! let mut broad_phase = entry.create(&Settings::new(10_000))?;
//! # broad_phase.update(&broadphase::Frame::new(&[]));
//! # Ok::<(), registry::CreateError>(())
//! ```
//!
//! This is the one list of algorithms: command lines, panels, tests and documentation iterate over it.

mod algorithm;
mod kind;
mod settings;

use crate::algorithms;
pub use algorithm::{Algorithm, CreateError};
pub use kind::Kind;
pub use settings::Settings;

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
            let texts = [entry.name, entry.summary, entry.cost, entry.watch_for, entry.source];
            let described = texts.iter().all(|text| !text.is_empty());
            assert!(described && entry.name != id && (entry.memory)(1000) > 0, "{id}");
        }
    }
}
