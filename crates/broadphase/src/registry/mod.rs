//! Algorithms by id: for programs that let their user choose one, and that list or compare them.
//!
//! ```
//! use broadphase::registry::{ALGORITHMS, CreateError, Settings};
//!
//! let entry = ALGORITHMS.find("sweep-grid").unwrap();
//! let mut broad_phase = entry.create(&Settings::new(10_000))?;
//! # broad_phase.update(&broadphase::Frame::new(&[]));
//! # Ok::<(), CreateError>(())
//! ```
//!
//! [`ALGORITHMS`] is the one list of this crate's: command lines, panels, tests and documentation iterate over it. A
//! program that offers more passes a longer [list](Algorithms::with).

mod list;

use crate::algorithms;
pub use crate::entry::{
    Algorithm, Build, CreateError, Kind, Parameter, ParameterError, Settings, split_id,
};
pub use list::Algorithms;

/// Every algorithm: the reference, the other three of the thesis, then the other families. Variants
/// follow their family.
pub static ALGORITHMS: Algorithms = Algorithms::new(&[
    algorithms::brute_force::ENTRY,
    algorithms::brute_force::ENTRY_SCALAR,
    algorithms::bsp::ENTRY,
    algorithms::bsp::ENTRY_SCALAR,
    algorithms::kd_tree::ENTRY,
    algorithms::kd_tree::ENTRY_SCALAR,
    algorithms::sap_matrix::ENTRY,
    algorithms::sap_matrix::ENTRY_SCALAR,
    algorithms::areas::ENTRY,
    algorithms::sap_1_axis::ENTRY,
    algorithms::sap_incremental::ENTRY,
    algorithms::grid::uniform::ENTRY,
    algorithms::grid::hashed::ENTRY,
    algorithms::grid::hierarchical::ENTRY,
    algorithms::octree_loose::ENTRY,
    algorithms::bsp_semi_adjusting::ENTRY,
    algorithms::kd_sap::ENTRY,
    algorithms::bvh::TOP_DOWN,
    algorithms::bvh::TOP_DOWN_SAH,
    algorithms::bvh::BOTTOM_UP,
    algorithms::bvh::LINEAR,
    algorithms::bvh::INCREMENTAL,
    algorithms::box_pruning::ENTRY,
    algorithms::sweep_grid::ENTRY,
    algorithms::rest_grid::ENTRY,
    algorithms::neighbour_list::ENTRY,
    algorithms::auto::ENTRY,
]);

/// The algorithm of [`ALGORITHMS`] with this id, which sets no parameters.
pub fn find(id: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.find(id)
}

/// Ids of earlier versions, and what replaces them. Those with `+object` searched a tree for one object at a time: searching it
/// for nodes is faster, and finds the same pairs.
const REMOVED: [[&str; 2]; 5] = [
    ["areas+4x4", "areas@columns=4@rows=4"],
    ["octree-loose+object", "octree-loose"],
    ["bvh-top-down+object", "bvh-top-down"],
    ["bvh-linear+object", "bvh-linear"],
    ["bvh-incremental+object", "bvh-incremental"],
];

/// The error for an id that [`find`] does not know. It names the replacement of a removed algorithm.
///
/// ```
/// let error = broadphase::registry::unknown("bvh-linear+object").to_string();
/// assert_eq!(error, "bvh-linear+object was removed: use bvh-linear");
/// ```
pub fn unknown(id: &str) -> ParameterError {
    match REMOVED.iter().find(|[removed, _]| *removed == id) {
        Some([id, instead]) => ParameterError::Removed { id, instead },
        None => ParameterError::Algorithm(id.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_id_is_refused_with_its_replacement() {
        for [id, instead] in REMOVED {
            assert!(ALGORITHMS.find(id).is_none() && ALGORITHMS.resolve(instead).is_ok(), "{id}");
            let error = ALGORITHMS.resolve(&format!("{id}@margin=1")).unwrap_err().to_string();
            assert_eq!(error, format!("{id} was removed: use {instead}"));
        }
    }

    #[test]
    fn each_value_of_a_parameter_is_an_algorithm() {
        let ids = |text: &str| -> Result<Vec<&str>, String> {
            let entries = ALGORITHMS.resolve_values(text).map_err(|error| error.to_string())?;
            Ok(entries.iter().map(|entry| entry.id).collect())
        };
        // The default is the entry itself.
        let two = ["grid-uniform", "grid-uniform@cell-side=3"];
        assert_eq!(ids("grid-uniform.cell-side=1.5,3").unwrap(), two);
        assert_eq!(ids("bsp+scalar.depth=3").unwrap(), ["bsp+scalar@depth=3"]);
        for (text, problem) in [
            ("bsp", "expected ID.PARAMETER=V[,V..], found `bsp`"),
            ("bsp=3", "expected ID.PARAMETER=V[,V..]"),
            ("bsp.depth=3,,99", "must be a whole number from 0 to 12, not ``"),
            ("bsp.dept=3", "bsp has no parameter `dept`: it has depth (a whole number from 0 to"),
            ("fog.depth=3", "no algorithm fog"),
            ("bsp@depth=4.depth=3", "expected ID.PARAMETER=V"),
            ("kd-tree.depth=3@period=.5", "expected ID.PARAMETER=V"),
        ] {
            let refusal = ids(text).unwrap_err();
            assert!(refusal.contains(problem), "{text}: {refusal}");
        }
    }

    #[test]
    fn unavailable_algorithm_is_refused_with_its_reason() {
        let absent = Algorithm {
            unavailable: Some("no adapter"),
            ..Algorithm::new("gpu", Kind::Other, |_| unreachable!())
        };
        let offered = ALGORITHMS.with(&[absent]);
        let refusal = offered.find("gpu").unwrap().create(&Settings::new(2)).err().unwrap();
        assert_eq!(refusal.to_string(), "gpu is unavailable: no adapter");
        assert!(ALGORITHMS.find("gpu").is_none(), "the library's own list stays");
    }

    #[test]
    fn lists_with_equal_ids_configure_their_own_entries() {
        let other: &'static [Algorithm] =
            vec![Algorithm { name: "Other", ..*ALGORITHMS.find("bsp").unwrap() }].leak();
        let [own, other] = [ALGORITHMS, Algorithms::new(other)];
        let names = [own, other].map(|list| list.resolve("bsp@depth=3").unwrap().name);
        assert_eq!(names, ["BSP tree (depth 3)", "Other (depth 3)"]);
    }

    #[test]
    fn fields_agree_with_the_id() {
        for entry in ALGORITHMS {
            let id = entry.id;
            let variant = entry.variant.map(|variant| format!("+{variant}")).unwrap_or_default();
            assert_eq!(format!("{}{variant}", entry.family), id);
            let first = ALGORITHMS.find(entry.family).unwrap();
            assert_eq!(entry.kind, first.kind, "{id}");
            assert_eq!(entry.vectorised, first.vectorised && variant != "+scalar", "{id}");
            assert!(!entry.peer, "{id} is an algorithm of this crate");
            let texts = [entry.name, entry.summary, entry.cost, entry.watch_for, entry.source];
            let described = texts.iter().all(|text| !text.is_empty());
            assert!(described && entry.name != id && (entry.memory)(1000) > 0, "{id}");
        }
    }

    #[test]
    fn parameters_are_described_and_fit() {
        for entry in ALGORITHMS {
            assert!(entry.parameters.len() <= crate::entry::MAX_PARAMETERS, "{}", entry.id);
            for (index, parameter) in entry.parameters.iter().enumerate() {
                let name = parameter.name;
                assert!(parameter.admits(parameter.default), "{}: {name}", entry.id);
                assert!(parameter.range.iter().all(|end| parameter.admits(*end)), "{name}");
                assert!(parameter.meaning.len() > 10 && !name.contains(['@', '=', ',', '.']));
                let before = &entry.parameters[..index];
                assert!(before.iter().all(|other| other.name != name), "{}: {name}", entry.id);
                assert_eq!(entry.value(parameter), parameter.default);
            }
        }
        assert!(ALGORITHMS.iter().map(|entry| entry.parameters.len()).sum::<usize>() >= 10);
    }

    #[test]
    fn ids_with_values_are_read_back() {
        for entry in ALGORITHMS {
            assert_eq!(entry.id_with_values(), entry.id);
            let mut all = *entry;
            // In the opposite order: the id has the registry's.
            for parameter in entry.parameters.iter().rev() {
                all = all.with(parameter.name, parameter.range[1]).unwrap();
            }
            let read = ALGORITHMS.resolve(&all.id_with_values()).unwrap();
            assert_eq!(read.id_with_values(), all.id_with_values());
            assert!(entry.parameters.iter().all(|p| read.value(p) == p.range[1]), "{}", entry.id);
        }
        let [a, b] = ["@objects-per-cell=2@cell-side=2.50", "@cell-side=2.5@objects-per-cell=2.0"]
            .map(|values| ALGORITHMS.resolve(&format!("grid-uniform{values}")).unwrap());
        assert!(std::ptr::eq(a, b));
        assert_eq!(a.id, "grid-uniform@cell-side=2.5@objects-per-cell=2");
        assert_eq!(a.name, "Uniform grid (cell-side 2.5, objects-per-cell 2)");
    }

    #[test]
    fn wrong_ids_are_refused_with_what_exists() {
        for (id, problem) in [
            ("quadtree@depth=3", "no algorithm quadtree"),
            ("brute-force@depth=3", "brute-force has no parameter `depth`: it has none"),
            ("grid-hashed@cell=3", "no parameter `cell`: it has cell-side (a number from 0.5"),
            ("bsp@depth=3.5", "must be a whole number from 0 to 12, not `3.5`"),
            ("bsp@depth=17", "not `17`"),
            ("bsp@depth=NaN", "not `NaN`"),
            ("bsp@depth", "expected PARAMETER=VALUE after the @, found `depth`"),
            ("bsp@", "expected PARAMETER=VALUE after the @, found ``"),
            ("bsp@depth=3@depth=4", "bsp: `depth` is set twice"),
        ] {
            let error = ALGORITHMS.resolve(id).unwrap_err().to_string();
            assert!(error.contains(problem), "{id}: {error}");
        }
        let default = ALGORITHMS.resolve("kd-tree@depth=0@period=0.20").unwrap();
        assert!(std::ptr::eq(default, ALGORITHMS.find("kd-tree").unwrap()), "not the entry itself");
        let back = ALGORITHMS.resolve("bsp@depth=3").unwrap().with("depth", 0.0).unwrap();
        assert_eq!(back.id_with_values(), "bsp");
        assert!(ALGORITHMS.find("bsp@depth=3").is_none(), "it is no entry of the registry");
    }
}
