//! The list of algorithms, and the choice of one.

use crate::argument::scalar;
use broadphase::registry::{self, ALGORITHMS, Algorithm, Parameter, ParameterError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// Describes an algorithm.
#[pyclass(name = "Algorithm", module = "broadphase", frozen, get_all)]
pub(crate) struct PyAlgorithm {
    /// The argument of `BroadPhase`.
    id: &'static str,
    /// Its display name.
    name: &'static str,
    /// Its idea, in one line.
    summary: &'static str,
    /// The keywords of `BroadPhase` that it is tuned by, each with its values, default and meaning.
    parameters: BTreeMap<String, String>,
}

#[pymethods]
impl PyAlgorithm {
    fn __repr__(&self) -> String {
        format!("Algorithm({}: {})", self.id, self.summary)
    }
}

/// Lists every algorithm: the reference first; last `auto`, which chooses in each frame.
#[pyfunction]
pub(crate) fn algorithms() -> Vec<PyAlgorithm> {
    let describe = |entry: &'static Algorithm| {
        let Algorithm { id, name, summary, .. } = *entry;
        let text =
            |p: &Parameter| format!("{}, by default {}: {}", p.values(), p.default, p.meaning);
        let parameters = entry.parameters.iter().map(|p| (keyword(p), text(p))).collect();
        PyAlgorithm { id, name, summary, parameters }
    };
    ALGORITHMS.iter().map(describe).collect()
}

/// The name of a parameter as an identifier of Python.
pub(crate) fn keyword(parameter: &Parameter) -> String {
    parameter.name.replace('-', "_")
}

/// The algorithm with this id and these parameters.
pub(crate) fn find(
    py: Python<'_>,
    id: &str,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Algorithm> {
    let Some(mut entry) = ALGORITHMS.find(id).copied() else {
        return Err(unknown(py, id)?);
    };
    for (name, value) in parameters.into_iter().flatten() {
        let name = name.extract::<String>()?;
        let Some(parameter) = entry.parameters.iter().find(|known| keyword(known) == name) else {
            let known: Vec<_> = entry.parameters.iter().map(keyword).collect();
            let known = if known.is_empty() { String::from("none") } else { known.join(", ") };
            let text = format!("{id} has no parameter `{name}`: it has {known}");
            return Err(PyValueError::new_err(text));
        };
        let value = scalar(&value, &name, &parameter.values(), |value| parameter.admits(*value))?;
        let changed = entry.with(parameter.name, value);
        entry = changed.map_err(|bad| PyValueError::new_err(bad.to_string()))?;
    }
    Ok(entry)
}

/// An error that suggests the ids that are spelled alike.
fn unknown(py: Python<'_>, id: &str) -> PyResult<PyErr> {
    if let removed @ ParameterError::Removed { .. } = registry::unknown(id) {
        return Ok(PyValueError::new_err(removed.to_string()));
    }
    let ids: Vec<_> = ALGORITHMS.iter().map(|entry| entry.id).collect();
    let alike = py.import("difflib")?.call_method1("get_close_matches", (id, ids))?;
    let hint = match alike.extract::<Vec<String>>()?.as_slice() {
        [] => String::from("broadphase.algorithms() lists them"),
        alike => format!("did you mean {}?", alike.join(" or ")),
    };
    Ok(PyValueError::new_err(format!("no algorithm `{id}`: {hint}")))
}
