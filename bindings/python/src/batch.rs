//! Batches of queries: one question, asked with each of many probes, on threads.

use crate::kept::{Refusal, collect, room};
use broadphase::query::{Hit, Lists, Probe, Query, QueryTree, lists_of_each};
use broadphase::{Layer, Limits};
use std::ops::ControlFlow;

/// A tree, and the layers of its objects: none if all are `Layer::ALL`.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) tree: QueryTree,
    pub(crate) layers: Vec<Layer>,
    /// The number of boxes.
    pub(crate) count: usize,
}

/// The question of a call: for objects that meet a layer, or for all; and when it ends early.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) layer: Option<Layer>,
    pub(crate) limits: Limits<'a>,
}

impl Objects {
    /// The lists that `answer` fills for each probe.
    pub(crate) fn ask<P: Probe + Sync, T: Send>(
        &self,
        probes: &[P],
        scope: Scope<'_>,
        answer: impl Fn(&QueryTree, &dyn Probe, &mut Vec<T>) + Sync,
    ) -> Lists<T> {
        let answer = |probe: &P, items: &mut _| match scope.layer {
            None => answer(&self.tree, probe, items),
            Some(layer) => answer(&self.tree, &probe.only_meeting(&self.layers, layer), items),
        };
        lists_of_each(probes, scope.limits, answer)
    }

    /// The nearest objects of each probe in a row of some columns, or why the table does not fit into memory.
    pub(crate) fn nearest<P: Probe + Sync>(
        &self,
        probes: &[P],
        scope: Scope<'_>,
        columns: usize,
    ) -> Result<Table, Refusal> {
        let len = probes.len().saturating_mul(columns);
        let mut table = (filled(-1, len)?, filled(f64::INFINITY, len)?);
        let lists = self.ask(probes, scope, |tree, probe, hits| match columns {
            1 => hits.extend(tree.first(probe)),
            _ => tree.nearest_few(probe, columns, hits),
        });
        for (row, list) in lists.starts.array_windows().enumerate() {
            let [start, end] = *list;
            for (at, hit) in (row * columns..).zip(&lists.items[start..end]) {
                (table.0[at], table.1[at]) = (i64::from(hit.object), hit.measure);
            }
        }
        Ok(table)
    }
}

/// Appends the ids of all objects that a probe meets.
pub(crate) fn all_ids(tree: &QueryTree, probe: &dyn Probe, ids: &mut Vec<u32>) {
    tree.each(probe, &mut |hit| {
        ids.push(hit.object);
        ControlFlow::Continue(())
    });
}

/// Appends all hits of a probe.
pub(crate) fn all(tree: &QueryTree, probe: &dyn Probe, hits: &mut Vec<Hit>) {
    tree.all(probe, hits);
}

/// Appends an item if a probe meets any object.
pub(crate) fn any(tree: &QueryTree, probe: &dyn Probe, met: &mut Vec<()>) {
    met.extend(tree.any(probe).then_some(()));
}

/// Whether each list has an item.
pub(crate) fn flags(lists: &Lists<()>) -> Vec<bool> {
    lists.starts.array_windows().map(|[start, end]| start < end).collect()
}

/// Objects and measures apart.
pub(crate) fn split(lists: Lists<Hit>) -> Result<(Lists<u32>, Vec<f64>), Refusal> {
    let measures = collect(lists.items.iter().map(|hit| hit.measure))?;
    let items = collect(lists.items.iter().map(|hit| hit.object))?;
    Ok((Lists { items, starts: lists.starts }, measures))
}

/// Ids and measures in rows: -1 and infinity where there is none.
pub(crate) type Table = (Vec<i64>, Vec<f64>);

fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, Refusal> {
    let mut list = room(len)?;
    list.resize(len, value);
    Ok(list)
}
