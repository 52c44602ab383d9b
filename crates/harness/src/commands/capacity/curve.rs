//! The share of lost pairs over the capacity, of one buffer on one input.

use super::rows::{Buffer, Capacity, CapacityRow};
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
