//! The list of algorithms, and the choice of one.

use broadphase::registry::{ALGORITHMS, Algorithm};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Describes an algorithm.
#[pyclass(name = "Algorithm", module = "broadphase", frozen, get_all)]
pub(crate) struct PyAlgorithm {
    /// The argument of `BroadPhase`.
    id: &'static str,
    /// Its display name.
    name: &'static str,
    /// Its idea, in one line.
    summary: &'static str,
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
        PyAlgorithm { id, name, summary }
    };
    ALGORITHMS.iter().map(describe).collect()
}

/// The algorithm with this id and these parameters, whose names may have `_` in place of `-`.
pub(crate) fn find(
    py: Python<'_>,
    id: &str,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Algorithm> {
    let Some(mut entry) = ALGORITHMS.find(id).copied() else {
        return Err(unknown(py, id)?);
    };
    for (name, value) in parameters.into_iter().flatten() {
        let (name, value) = (name.extract::<String>()?.replace('_', "-"), value.extract()?);
        entry = entry.with(&name, value).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    Ok(entry)
}

/// An error that suggests the ids that are spelled alike.
fn unknown(py: Python<'_>, id: &str) -> PyResult<PyErr> {
    let ids: Vec<_> = ALGORITHMS.iter().map(|entry| entry.id).collect();
    let alike = py.import("difflib")?.call_method1("get_close_matches", (id, ids))?;
    let hint = match alike.extract::<Vec<String>>()?.as_slice() {
        [] => String::from("broadphase.algorithms() lists them"),
        alike => format!("did you mean {}?", alike.join(" or ")),
    };
    Ok(PyValueError::new_err(format!("no algorithm `{id}`: {hint}")))
}
