//! Results: arrays made of lists, whose memory they take over.

use bytemuck::{Pod, allocation::cast_vec};
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Two arrays of one call.
pub(crate) type Arrays<'py, A, B> = (Bound<'py, A>, Bound<'py, B>);

/// An array with a row for each item, and a column for each number of it.
pub(crate) fn rows<N: Element + Pod, T: Pod>(
    py: Python<'_>,
    mut items: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<N>>> {
    // The array keeps the memory, and a list that has grown may hold much more than it uses.
    items.shrink_to_fit();
    table(py, cast_vec(items), size_of::<T>() / size_of::<N>())
}

/// An array with that many columns, filled row by row.
pub(crate) fn table<N: Element>(
    py: Python<'_>,
    numbers: Vec<N>,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<N>>> {
    let array = Array2::from_shape_vec((numbers.len() / columns, columns), numbers);
    Ok(array.map_err(|error| PyRuntimeError::new_err(error.to_string()))?.into_pyarray(py))
}

/// Positions in another result.
pub(crate) fn starts(py: Python<'_>, starts: Vec<usize>) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_vec(py, starts.into_iter().map(|start| start as i64).collect())
}
