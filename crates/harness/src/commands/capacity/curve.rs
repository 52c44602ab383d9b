//! The share of lost pairs over the capacity, of one buffer on one input, and the chart of it.

use super::rows::{Buffer, Capacity, CapacityRow};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that a capacity loses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Loss {
    /// Share of the pairs of all frames.
    pub(super) of_all: f64,
    /// The largest share of a frame.
    pub(super) worst_frame: f64,
}

/// The losses of a buffer on an input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    pub(super) buffer: Buffer,
    pub(super) input: String,
    pub(super) n: u64,
    pub(super) frames: u64,
    /// Pairs to be written in all frames.
    pub(super) pairs: u64,
    /// A loss for each capacity of the buffer, the smallest capacity first.
    pub(super) losses: Vec<(Capacity, Loss)>,
}

impl Curve {
    /// The curves of all buffers and inputs that have pairs: those of a buffer together, in the order of the rows.
    pub(super) fn all(rows: &[CapacityRow]) -> Vec<Self> {
        let capacities: BTreeSet<Capacity> = rows.iter().map(CapacityRow::capacity).collect();
        let mut curves = Vec::new();
        for buffer in Buffer::ALL {
            for rows in rows.chunk_by(|a, b| (&a.input, a.n, a.seed) == (&b.input, b.n, b.seed)) {
                curves.extend(Self::of(buffer, rows, &capacities));
            }
        }
        curves
    }

    fn of(buffer: Buffer, rows: &[CapacityRow], capacities: &BTreeSet<Capacity>) -> Option<Self> {
        let rows: Vec<&CapacityRow> = rows.iter().filter(|row| row.buffer == buffer).collect();
        let first = *rows.first()?;
        let by_frame: BTreeMap<u32, u64> = rows.iter().map(|row| (row.frame, row.pairs)).collect();
        let pairs: u64 = by_frame.values().sum();
        let loss = |capacity: &Capacity| {
            let rows = rows.iter().filter(|row| row.capacity() == *capacity && row.lost > 0);
            let lost: u64 = rows.clone().map(|row| row.lost).sum();
            let shares = rows.map(|row| row.lost as f64 / row.pairs as f64);
            let of_all = lost as f64 / pairs as f64;
            (*capacity, Loss { of_all, worst_frame: shares.fold(0.0, f64::max) })
        };
        (pairs > 0).then(|| Self {
            buffer,
            input: first.input.clone(),
            n: first.n,
            frames: by_frame.len() as u64,
            pairs,
            losses: capacities.iter().map(loss).collect(),
        })
    }

    /// The loss of a capacity.
    pub(super) fn loss(&self, capacity: Capacity) -> Option<Loss> {
        self.losses.iter().find(|(other, _)| *other == capacity).map(|(_, loss)| *loss)
    }
}

/// Height of a panel, mm.
const PANEL_MM: f64 = 36.0;

/// The chart; `None` without capacities in pairs an object.
pub(super) fn chart(curves: &[Curve]) -> Option<Chart> {
    let losses = curves.iter().flat_map(|curve| &curve.losses);
    let capacities: BTreeSet<Capacity> = losses.map(|(capacity, _)| *capacity).collect();
    if !capacities.iter().all(|capacity| capacity.per_object) {
        return None;
    }
    let values: Vec<f64> = capacities.iter().map(|capacity| capacity.pairs as f64).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let x = Axis::log("capacity, pairs an object").within(first, last.max(2.0 * first));
    let mut chart = Chart::new(x.labelled_at(values), Axis::shares("pairs lost")).wide();
    for buffer in Buffer::ALL {
        let lines = lines(curves, buffer, &capacities);
        let title = buffer.title().to_owned();
        chart = chart.with(Panel { title, marks: Marks::Lines(lines) });
    }
    Some(Chart { panel_mm: PANEL_MM, ..chart })
}

/// The worst and the middle input at each capacity, and a list that grows.
fn lines(curves: &[Curve], buffer: Buffer, capacities: &BTreeSet<Capacity>) -> Vec<Line> {
    let shares = |capacity: Capacity| {
        let of_buffer = curves.iter().filter(|curve| curve.buffer == buffer);
        let losses = of_buffer.filter_map(|curve| curve.loss(capacity));
        let mut shares: Vec<f64> = losses.map(|loss| loss.of_all).collect();
        shares.sort_by(f64::total_cmp);
        shares
    };
    let line = |name: &str, look: usize, of: &dyn Fn(&[f64]) -> Option<f64>| {
        let point = |at: &Capacity| Some(Point::new(at.pairs as f64, of(&shares(*at))?));
        let points = capacities.iter().filter_map(point).collect();
        Line { name: name.to_owned(), style: Style::nth(look), points }
    };
    vec![
        line("worst input", 0, &|shares| shares.last().copied()),
        line("median input", 1, &|shares| shares.get(shares.len() / 2).copied()),
        line("this library", 2, &|_| Some(0.0)),
    ]
}
