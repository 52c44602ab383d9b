//! The times of the frames of a cell, and the figures of them.

use super::cells::{Cell, PHASES};
use measure::{DEFAULT_ORDER_SEED, median, median_interval};
use std::collections::BTreeMap;

/// The times of the measured frames of a cell.
#[derive(Default)]
pub(super) struct FrameTimes {
    /// Of each repetition.
    detection_ns: BTreeMap<u32, Vec<u64>>,
    whole_ns: Vec<u64>,
    /// Of each phase that a frame has.
    sums: [Option<u64>; PHASES.len()],
}

impl FrameTimes {
    pub(super) fn count(&self) -> usize {
        self.whole_ns.len()
    }

    /// Adds a frame of a repetition: its times of the phases.
    pub(super) fn add(&mut self, repeat: u32, times: [Option<u64>; PHASES.len()]) {
        let sum = |times: &[Option<u64>]| times.iter().flatten().fold(0, |a, b| add(a, *b));
        self.detection_ns.entry(repeat).or_default().push(sum(&times[..2]));
        self.whole_ns.push(sum(&times));
        for (sum, ns) in self.sums.iter_mut().zip(times) {
            *sum = ns.map(|ns| add(sum.unwrap_or(0), ns)).or(*sum);
        }
    }

    /// Means; and the medians, unless the summary gave them.
    pub(super) fn complete(self, cell: &mut Cell, summarised: bool) {
        let count = self.count() as f64;
        cell.phases = self.sums.map(|sum| Some(sum? as f64 / count));
        cell.mean_ns = cell.phases[0].zip(cell.phases[1]).map(|(update, pairs)| update + pairs);
        if !summarised {
            let repetitions: Vec<Vec<u64>> = self.detection_ns.into_values().collect();
            let interval = median_interval(&repetitions, DEFAULT_ORDER_SEED);
            cell.interval_ns = interval.map(|[low, _, high]| [low as f64, high as f64]);
            cell.median_ns = interval.map(|[_, median, _]| median as f64);
            let whole = median(&mut { self.whole_ns }).filter(|&ns| ns > 0);
            cell.fps = whole.map(|ns| 1e9 / ns as f64);
        }
    }
}

/// A sum that stops at the largest number: rows of a file may hold any.
fn add(a: u64, b: u64) -> u64 {
    a.saturating_add(b)
}
