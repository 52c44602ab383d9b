//! Batches of queries: one question, asked with each of many probes, on threads.

use crate::result;
use broadphase::query::{Hit, Probe, lists_of_each};
use broadphase::{Layer, Query, QueryTree};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::ops::ControlFlow;

/// A tree, and the layers of its objects: none if all are `Layer::ALL`.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) tree: QueryTree,
    pub(crate) layers: Vec<Layer>,
}

/// A list for each probe, one after another: list i is `items[starts[i]..starts[i + 1]]`.
pub(crate) struct Lists<T> {
    items: Vec<T>,
    starts: Vec<usize>,
}

impl Objects {
    /// The items that `answer` appends for each probe, of the objects that meet a layer; of all without one.
    pub(crate) fn ask<P: Probe + Sync, T: Send>(
        &self,
        probes: &[P],
        layer: Option<Layer>,
        answer: impl Fn(&QueryTree, &dyn Probe, &mut Vec<T>) + Sync,
    ) -> Lists<T> {
        let (mut items, mut starts) = (Vec::new(), Vec::new());
        let answer = |probe: &P, items: &mut _| match layer {
            None => answer(&self.tree, probe, items),
            Some(layer) => answer(&self.tree, &probe.only_meeting(&self.layers, layer), items),
        };
        lists_of_each(probes, answer, &mut starts, &mut items);
        Lists { items, starts }
    }
}

/// Appends the ids of all objects that a probe meets.
pub(crate) fn all_ids(tree: &QueryTree, probe: &dyn Probe, ids: &mut Vec<u32>) {
    tree.each(&[], probe, &mut |hit| {
        ids.push(hit.object);
        ControlFlow::Continue(())
    });
}

/// Appends all hits of a probe.
pub(crate) fn all(tree: &QueryTree, probe: &dyn Probe, hits: &mut Vec<Hit>) {
    tree.all(&[], probe, hits);
}

/// Appends an item if a probe meets any object.
pub(crate) fn any(tree: &QueryTree, probe: &dyn Probe, met: &mut Vec<()>) {
    met.extend(tree.any(&[], probe).then_some(()));
}

/// Appends the hits of least measure, in ascending order.
pub(crate) fn nearest(
    count: usize,
) -> impl Fn(&QueryTree, &dyn Probe, &mut Vec<Hit>) + Send + Sync {
    move |tree, probe, hits| {
        if count == 1 {
            return hits.extend(tree.first(&[], probe));
        }
        let mut few = Vec::new();
        tree.nearest_few(&[], probe, count, &mut few);
        hits.append(&mut few);
    }
}

impl Lists<u32> {
    pub(crate) fn into_arrays(
        self,
        py: Python<'_>,
    ) -> (Bound<'_, PyArray1<u32>>, Bound<'_, PyArray1<i64>>) {
        (self.items.into_pyarray(py), result::starts(py, self.starts.into_iter()))
    }
}

impl Lists<()> {
    /// Whether each list has an item.
    pub(crate) fn into_flags(self, py: Python<'_>) -> Bound<'_, PyArray1<bool>> {
        let flags: Vec<_> = self.starts.array_windows().map(|[start, end]| start < end).collect();
        flags.into_pyarray(py)
    }
}

/// Objects, measures, and where the list of each probe starts.
pub(crate) type Measured<'py> =
    (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

impl Lists<Hit> {
    pub(crate) fn into_arrays(self, py: Python<'_>) -> Measured<'_> {
        let objects: Vec<_> = self.items.iter().map(|hit| hit.object).collect();
        let measures: Vec<_> = self.items.iter().map(|hit| hit.measure).collect();
        let starts = result::starts(py, self.starts.into_iter());
        (objects.into_pyarray(py), measures.into_pyarray(py), starts)
    }

    /// Writes each list into a row of a table.
    pub(crate) fn fill(self, table: &mut Table) {
        for (row, list) in self.starts.array_windows().enumerate() {
            let [start, end] = *list;
            for (at, hit) in (row * table.columns..).zip(&self.items[start..end]) {
                (table.objects[at], table.measures[at]) = (i64::from(hit.object), hit.measure);
            }
        }
    }
}

/// Ids and measures in rows of some columns: -1 and infinity where there is none.
pub(crate) struct Table {
    pub(crate) objects: Vec<i64>,
    pub(crate) measures: Vec<f64>,
    columns: usize,
}

impl Table {
    /// A table without hits, or why it does not fit into memory.
    pub(crate) fn new(rows: usize, columns: usize) -> Result<Self, String> {
        let len = rows.saturating_mul(columns);
        Ok(Self { objects: filled(-1, len)?, measures: filled(f64::INFINITY, len)?, columns })
    }
}

fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, String> {
    let mut list = Vec::new();
    let room = list.try_reserve_exact(len);
    room.map_err(|error| format!("the result does not fit into memory: {error}"))?;
    list.resize(len, value);
    Ok(list)
}
