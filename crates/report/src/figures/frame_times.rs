//! The times of the frames of a cell, and the figures of them.

use super::cells::{Cell, Phases};
use measure::{DEFAULT_ORDER_SEED, median, median_interval};
use std::collections::BTreeMap;

/// The times of the measured frames of a cell.
#[derive(Default)]
pub(super) struct FrameTimes {
    /// Of each repetition.
    detection_ns: BTreeMap<u32, Vec<u64>>,
    whole_ns: Vec<u64>,
    sums: [u64; 4],
    has_response: bool,
    has_render: bool,
}

impl FrameTimes {
    pub(super) fn count(&self) -> usize {
        self.detection_ns.values().map(Vec::len).sum()
    }

    /// Adds a frame of a repetition: its times of update, pairs, response and drawing.
    pub(super) fn add(&mut self, repeat: u32, times: [Option<u64>; 4]) {
        let [update, pairs, response, render] = times.map(Option::unwrap_or_default);
        self.detection_ns.entry(repeat).or_default().push(update.saturating_add(pairs));
        let times_ns = [update, pairs, response, render];
        self.whole_ns.push(times_ns.iter().fold(0, |sum, &ns| u64::saturating_add(sum, ns)));
        for (sum, ns) in self.sums.iter_mut().zip(times_ns) {
            *sum = sum.saturating_add(ns);
        }
        self.has_response |= times[2].is_some();
        self.has_render |= times[3].is_some();
    }

    /// Means; and the medians, unless the summary gave them.
    pub(super) fn complete(&mut self, cell: &mut Cell, summarised: bool) {
        let count = self.count() as f64;
        let [update, pairs, response, render] = self.sums.map(|sum| sum as f64 / count);
        cell.phases = Phases {
            update: Some(update),
            pairs: Some(pairs),
            response: self.has_response.then_some(response),
            render: self.has_render.then_some(render),
        };
        cell.mean_ns = Some(update + pairs);
        if !summarised {
            let repetitions: Vec<Vec<u64>> =
                std::mem::take(&mut self.detection_ns).into_values().collect();
            let interval = median_interval(&repetitions, DEFAULT_ORDER_SEED);
            cell.interval_ns = interval.map(|i| [i.low as f64, i.high as f64]);
            cell.median_ns = median(&mut repetitions.concat()).map(|ns| ns as f64);
            let whole = median(&mut self.whole_ns).filter(|&ns| ns > 0);
            cell.fps = whole.map(|ns| 1e9 / ns as f64);
        }
    }
}
