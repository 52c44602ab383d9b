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
mod parameter;
mod settings;

use crate::algorithms;
pub use algorithm::{Algorithm, CreateError};
pub use kind::Kind;
pub use parameter::{Parameter, ParameterError};
pub use settings::Settings;
use std::sync::{Mutex, PoisonError};

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

/// The algorithm with this id, which may set [parameters](Parameter): `ID@PARAMETER=VALUE`, several as
/// `ID@A=1@B=2`.
///
/// The entry's id is written in one way: parameters in their order, numbers in their shortest form, defaults left
/// out. An entry that sets parameters is created at its first use, and kept until the program ends. Its
/// display name has the values.
///
/// # Errors
///
/// If there is no such algorithm or parameter, or a value is outside its range.
///
/// ```
/// # use broadphase::registry;
/// let fine = registry::resolve("grid-uniform@cell-side=1.0")?;
/// assert_eq!((fine.id, fine.family), ("grid-uniform@cell-side=1", "grid-uniform"));
/// # Ok::<(), registry::ParameterError>(())
/// ```
pub fn resolve(id: &str) -> Result<&'static Algorithm, ParameterError> {
    static CONFIGURED: Mutex<Vec<&'static Algorithm>> = Mutex::new(Vec::new());
    let (base, assignments) = id.split_once('@').map_or((id, None), |(id, rest)| (id, Some(rest)));
    let entry = find(base).ok_or_else(|| ParameterError::Algorithm(base.to_owned()))?;
    let Some(assignments) = assignments else { return Ok(entry) };
    let changed = entry.with_all(assignments)?;
    let id = changed.id_with_values();
    if id == entry.id {
        return Ok(entry);
    }
    let mut known = CONFIGURED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.iter().find(|known| known.id == id) {
        return Ok(known);
    }
    let values = id[base.len() + 1..].replace('@', ", ").replace('=', " ");
    let name = format!("{} ({values})", entry.name);
    let entry: &'static Algorithm = Box::leak(Box::new(changed.id(id.leak()).name(name.leak())));
    known.push(entry);
    Ok(entry)
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
