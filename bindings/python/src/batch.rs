//! Batches of queries: the answers to each of many probes, and their arrays.

use crate::kept::{collect, room};
use crate::result::{self, Arrays};
use broadphase::query::{Hit, Lists, Probe, Query, QueryTree};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::ops::ControlFlow;

/// Objects, and where the list of each probe starts.
pub(crate) type Ids<'py> = Arrays<'py, PyArray1<u32>, PyArray1<i64>>;

/// The first object of each probe, and its measure.
pub(crate) type Firsts<'py> = Arrays<'py, PyArray1<i64>, PyArray1<f64>>;

/// Objects, measures, and where the list of each probe starts.
pub(crate) type Measured<'py> =
    (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

/// Appends the ids of all objects that a probe meets.
pub(crate) fn all_ids(tree: &QueryTree, probe: &dyn Probe, ids: &mut Vec<u32>) {
    tree.each(probe, &mut |hit| {
        ids.push(hit.object);
        ControlFlow::Continue(())
    });
}

/// Appends the first hit of a probe.
pub(crate) fn first_hit(tree: &QueryTree, probe: &dyn Probe, hits: &mut Vec<Hit>) {
    hits.extend(tree.first(probe));
}

/// Ids and measures in rows of `columns`: -1 and infinity where there is no hit.
pub(crate) fn table(lists: &Lists<Hit>, columns: usize) -> PyResult<(Vec<i64>, Vec<f64>)> {
    let len = (lists.starts.len() - 1).saturating_mul(columns);
    let (mut ids, mut measures) = (room(len)?, room(len)?);
    for [start, end] in lists.starts.array_windows() {
        let hits = &lists.items[*start..*end];
        ids.extend(hits.iter().map(|hit| i64::from(hit.object)));
        measures.extend(hits.iter().map(|hit| hit.measure));
        let row_end = ids.len() + columns - hits.len();
        ids.resize(row_end, -1);
        measures.resize(row_end, f64::INFINITY);
    }
    Ok((ids, measures))
}

/// The arrays of lists of ids.
pub(crate) fn ids(py: Python<'_>, lists: Lists<u32>) -> Ids<'_> {
    (lists.items.into_pyarray(py), result::starts(py, lists.starts))
}

/// The arrays of lists of hits.
pub(crate) fn measured(py: Python<'_>, lists: Lists<Hit>) -> PyResult<Measured<'_>> {
    let hits = &lists.items;
    let ids = py.detach(|| collect(hits.iter().map(|hit| hit.object)))?;
    let measures = py.detach(|| collect(hits.iter().map(|hit| hit.measure)))?;
    Ok((ids.into_pyarray(py), measures.into_pyarray(py), result::starts(py, lists.starts)))
}

/// The arrays of the first hit of each probe.
pub(crate) fn firsts(py: Python<'_>, lists: Lists<Hit>) -> PyResult<Firsts<'_>> {
    let (ids, measures) = py.detach(|| table(&lists, 1))?;
    Ok((ids.into_pyarray(py), measures.into_pyarray(py)))
}
