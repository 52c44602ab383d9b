//! The algorithms that run or could run beside it, with their figures.

use super::palette;
use crate::session::SearchTime;
use crate::simulation::Snapshot;
use broadphase::{ALGORITHMS, Algorithm};
use egui::Color32;
use egui_plot::LineStyle;

/// An algorithm in the comparison.
pub(super) struct Entry {
    pub(super) row: &'static Algorithm,
    pub(super) color: Color32,
    pub(super) style: LineStyle,
    /// Whether it moves the world.
    pub(super) runs: bool,
    pub(super) is_shadow: bool,
    /// Its last steps, oldest first.
    pub(super) times: Vec<SearchTime>,
    pub(super) medians: Option<Medians>,
    /// Pairs that it tested in the last step, and bytes that it holds, where it takes part.
    pub(super) work: Option<(u64, u64)>,
}

/// Medians over the last steps of an algorithm, in ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Medians {
    pub(super) update_ns: u64,
    pub(super) pairs_ns: u64,
    /// Of both together; not quite the sum of the two medians.
    pub(super) total_ns: u64,
    /// Its total by that of the algorithm that runs, over the steps that both have taken.
    pub(super) ratio: f64,
    /// How many steps those are.
    pub(super) common_steps: usize,
    /// Whether nothing that takes part is faster.
    pub(super) is_fastest: bool,
}

impl Entry {
    pub(super) fn takes_part(&self) -> bool {
        self.runs || self.is_shadow
    }
}

/// All algorithms of the registry in its order, and others that take part.
pub(super) fn entries(snapshot: &Snapshot, dark: bool) -> Vec<Entry> {
    let unlisted = |row: &&Algorithm| !ALGORITHMS.iter().any(|known| std::ptr::eq(known, *row));
    let taking_part = [snapshot.algorithm].into_iter();
    let taking_part = taking_part.chain(snapshot.shadows.iter().map(|shadow| shadow.row));
    let mut entries: Vec<Entry> = ALGORITHMS
        .iter()
        .chain(taking_part.filter(unlisted))
        .enumerate()
        .map(|(place, row)| entry(snapshot, row, place, dark))
        .collect();
    let running = entries.iter().find(|entry| entry.runs).map(|entry| entry.times.clone());
    for entry in &mut entries {
        entry.medians = medians(&entry.times, running.as_deref().unwrap_or_default());
    }
    let totals = entries.iter().filter_map(|entry| entry.medians);
    let least = totals.map(|medians| medians.total_ns).min();
    let compared = entries.iter().filter(|entry| entry.medians.is_some()).count() > 1;
    for medians in entries.iter_mut().filter_map(|entry| entry.medians.as_mut()) {
        medians.is_fastest = compared && Some(medians.total_ns) == least;
    }
    entries
}

fn entry(snapshot: &Snapshot, row: &'static Algorithm, place: usize, dark: bool) -> Entry {
    let runs = std::ptr::eq(row, snapshot.algorithm);
    let shadow = snapshot.shadows.iter().find(|shadow| std::ptr::eq(shadow.row, row));
    let (times, work) = match shadow {
        _ if runs => {
            let frames = snapshot.history.frames();
            let times = frames.map(|frame| SearchTime {
                step: frame.step,
                update_ns: frame.update_ns,
                pairs_ns: frame.pairs_ns,
            });
            (times.collect(), Some((snapshot.counters.tests, snapshot.heap_bytes)))
        }
        Some(shadow) => (shadow.times.clone(), Some((shadow.tests, shadow.heap_bytes))),
        None => (Vec::new(), None),
    };
    Entry {
        row,
        color: palette::color(place, dark),
        style: palette::style(place),
        runs,
        is_shadow: shadow.is_some(),
        times,
        medians: None,
        work,
    }
}

fn medians(times: &[SearchTime], running: &[SearchTime]) -> Option<Medians> {
    let common_steps = times.len().min(running.len());
    let newest = |times: &[SearchTime]| {
        median(&times[times.len() - common_steps..], SearchTime::total_ns).unwrap_or(0)
    };
    Some(Medians {
        update_ns: median(times, |time| time.update_ns)?,
        pairs_ns: median(times, |time| time.pairs_ns)?,
        total_ns: median(times, SearchTime::total_ns)?,
        ratio: newest(times) as f64 / newest(running).max(1) as f64,
        common_steps,
        is_fastest: false,
    })
}

fn median(times: &[SearchTime], of: fn(&SearchTime) -> u64) -> Option<u64> {
    measure::median(&mut times.iter().map(of).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_taken_over_the_steps_that_both_have_taken() {
        let times = |totals: &[u64]| -> Vec<SearchTime> {
            totals.iter().map(|ns| SearchTime { update_ns: 1, pairs_ns: ns - 1 }).collect()
        };
        // It was slow before the other one came.
        let running = times(&[900, 900, 900, 40, 60]);
        let shadow = medians(&times(&[100, 100]), &running).unwrap();
        assert_eq!((shadow.ratio, shadow.common_steps, shadow.total_ns), (2.0, 2, 100));
        assert_eq!(medians(&running, &running).unwrap().ratio, 1.0);
        assert_eq!(medians(&[], &running), None);
    }
}
