//! The extension module of the Python package `broadphase`. Doc comments of classes and functions are read in Python.
//!
//! A call converts its arguments, releases the interpreter, searches, and makes an array of the list that was found.

mod algorithms;
mod argument;
mod batch;
mod broad_phase;
mod environment;
mod interrupt;
mod join;
mod kept;
mod query_tree;
mod result;
mod threads;
mod worlds;

/// The names that the package re-exports.
#[pyo3::pymodule]
mod _broadphase {
    #[pymodule_export]
    use crate::algorithms::{PyAlgorithm, algorithms};
    #[pymodule_export]
    use crate::argument::{check_boxes, round_outwards};
    #[pymodule_export]
    use crate::broad_phase::PyBroadPhase;
    #[pymodule_export]
    use crate::join::PyJoin;
    #[pymodule_export]
    use crate::query_tree::PyQueryTree;
    #[pymodule_export]
    use crate::worlds::PyWorlds;
}
