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
    let (base, assignments) = split_id(id);
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

/// The parts of an id: that of the entry in [`ALGORITHMS`], and the values that it sets, as
/// [`with_all`](Algorithm::with_all) reads them.
///
/// ```
/// # use broadphase::registry::split_id;
/// assert_eq!(split_id("bsp"), ("bsp", None));
/// assert_eq!(split_id("kd-tree@depth=3@period=0.5"), ("kd-tree", Some("depth=3@period=0.5")));
/// ```
pub fn split_id(id: &str) -> (&str, Option<&str>) {
    id.split_once('@').map_or((id, None), |(entry, values)| (entry, Some(values)))
}

/// The algorithm with each of some values of a parameter: `ID.PARAMETER=V[,V..]`. One with the default value is the
/// entry itself.
///
/// # Errors
///
/// As [`resolve`]; or if the text is something else.
///
/// ```
/// # use broadphase::registry;
/// let two = registry::resolve_values("bsp.depth=3,5")?;
/// assert_eq!([two[0].id, two[1].id], ["bsp@depth=3", "bsp@depth=5"]);
/// # Ok::<(), registry::ParameterError>(())
/// ```
pub fn resolve_values(text: &str) -> Result<Vec<&'static Algorithm>, ParameterError> {
    let form = || ParameterError::Values(text.to_owned());
    let (name, values) = text.split_once('=').filter(|_| !text.contains('@')).ok_or_else(form)?;
    // Neither ids nor parameters contain a dot.
    let (id, parameter) = name.split_once('.').ok_or_else(form)?;
    values.split(',').map(|value| resolve(&format!("{id}@{parameter}={value}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_of_a_parameter_is_an_algorithm() {
        let ids = |text: &str| -> Result<Vec<&str>, String> {
            let entries = resolve_values(text).map_err(|error| error.to_string())?;
            Ok(entries.iter().map(|entry| entry.id).collect())
        };
        // The default is the entry itself.
        let two = ["grid-uniform", "grid-uniform@cell-side=3"];
        assert_eq!(ids("grid-uniform.cell-side=1.5,3").unwrap(), two);
        assert_eq!(ids("bsp+scalar.depth=3").unwrap(), ["bsp+scalar@depth=3"]);
        for (text, problem) in [
            ("bsp", "expected ID.PARAMETER=V[,V..], found `bsp`"),
            ("bsp=3", "expected ID.PARAMETER=V[,V..]"),
            ("bsp.depth=", "must be a whole number from 0 to 12, not ``"),
            ("bsp.depth=3,,4", "not ``"),
            ("bsp.depth=3,99", "not `99`"),
            (
                "bsp.dept=3",
                "bsp has no parameter `dept`: it has depth (a whole number from 0 to 12)",
            ),
            ("fog.depth=3", "no algorithm fog"),
            ("bsp@depth=4.depth=3", "expected ID.PARAMETER=V"),
            ("kd-tree.depth=3@period=.5", "expected ID.PARAMETER=V"),
        ] {
            let refusal = ids(text).unwrap_err();
            assert!(refusal.contains(problem), "{text}: {refusal}");
        }
    }

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
