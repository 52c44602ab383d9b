//! The driving algorithm and all that can be compared with it, with their figures.

use super::palette;
use crate::panel::format::{counted, milliseconds};
use crate::session::{ComparedFigures, SearchFigures, SearchTime};
use crate::simulation::{SearchState, Snapshot};
use broadphase::inspect::Work;
use broadphase::registry::Algorithm;
use egui::Color32;
use egui_plot::LineStyle;
use measure::{PhaseTimes, SearchPhase};
use std::borrow::Cow;

/// An algorithm in the comparison.
pub(super) struct Entry<'a> {
    pub(super) algorithm: &'static Algorithm,
    pub(super) color: Color32,
    pub(super) style: LineStyle,
    /// Whether its pairs move the world.
    pub(super) drives: bool,
    pub(super) is_compared: bool,
    /// Its last steps, oldest first.
    pub(super) times: Cow<'a, [SearchTime]>,
    pub(super) summary: Option<Summary>,
    /// The work in the present step; `None` where it did not search it.
    pub(super) counted: Option<Counted<'a>>,
}

/// What an algorithm did in the present step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted<'a> {
    /// Pairs tested.
    pub(super) tests: u64,
    /// Its own kinds of work besides.
    pub(super) work: &'a [Work],
    /// Bytes of heap memory; `None` where they are not known.
    pub(super) bytes: Option<u64>,
    /// The step in which its structure was new, if it has not searched all.
    pub(super) since: Option<u64>,
}

impl Counted<'_> {
    /// The kind of work that it did most of, besides tests.
    pub(super) fn most_work(&self) -> Option<&Work> {
        self.work.iter().max_by_key(|work| work.count)
    }
}

/// Nanoseconds over the last steps that all algorithms with figures have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    /// The median of each phase.
    pub(super) phases: PhaseTimes,
    /// The median of all phases together; not quite the sum of their medians.
    pub(super) total_ns: u64,
    /// The mean of them, the 95th percentile by nearest rank, and the slowest step.
    pub(super) mean_ns: u64,
    pub(super) p95_ns: u64,
    pub(super) worst_ns: u64,
    /// Its median divided by that of the driving algorithm; `None` until that one has taken a step.
    pub(super) ratio: Option<f64>,
    /// Number of those steps.
    pub(super) steps: usize,
    /// Whether no algorithm that takes part has a lower median; never before all have taken a step.
    pub(super) is_fastest: bool,
}

impl Summary {
    /// All figures: `3.000 ms over 7 steps (update 1.000 ms, pairs 2.000 ms), mean 3.100 ms, ..`.
    pub(super) fn words(&self) -> String {
        let ms = |ns: u64| milliseconds(ns as f64);
        let phase = |(phase, ns): (SearchPhase, u64)| format!("{} {} ms", phase.name(), ms(ns));
        let phases = self.phases.iter().map(phase).collect::<Vec<_>>().join(", ");
        let [_, others @ ..] = self.totals();
        let others = others.map(|(name, ns)| format!("{name} {} ms", ms(ns))).join(", ");
        let steps = counted(self.steps, "step");
        format!("median {} ms over {steps} ({phases}), {others}", ms(self.total_ns))
    }

    /// All figures of the phases together, each with its name.
    pub(super) fn totals(&self) -> [(&'static str, u64); 4] {
        [
            ("median", self.total_ns),
            ("mean", self.mean_ns),
            ("95th percentile", self.p95_ns),
            ("slowest step", self.worst_ns),
        ]
    }
}

impl Entry<'_> {
    pub(super) fn takes_part(&self) -> bool {
        self.drives || self.is_compared
    }
}

/// All algorithms of the registry in its order, then unregistered ones that take part.
pub(super) fn entries(snapshot: &Snapshot, dark: bool) -> Vec<Entry<'_>> {
    let unlisted = |algorithm: &&Algorithm| !snapshot.offered.contains(algorithm);
    let taking_part = [snapshot.algorithm].into_iter();
    let taking_part = taking_part.chain(snapshot.compared.iter().map(|other| other.algorithm));
    let mut entries: Vec<Entry<'_>> = snapshot
        .offered
        .iter()
        .chain(taking_part.filter(unlisted))
        .enumerate()
        .map(|(place, algorithm)| entry(snapshot, algorithm, place, dark))
        .collect();
    compare(&mut entries);
    entries
}

/// Takes all medians over the same steps, since the boxes differ from step to step. The newest
/// times of all algorithms are of the same step.
fn compare(entries: &mut [Entry<'_>]) {
    let steps = entries.iter().map(|entry| entry.times.len()).filter(|steps| *steps > 0).min();
    let Some(steps) = steps else { return };
    for entry in &mut *entries {
        entry.summary = summary(&entry.times, steps);
    }
    let totals = || entries.iter().filter_map(|entry| entry.summary.map(|m| m.total_ns));
    let least = totals().min();
    let taking_part = entries.iter().filter(|entry| entry.takes_part()).count();
    let all_compared = taking_part > 1 && totals().count() == taking_part;
    let driving = entries.iter().find(|entry| entry.drives).and_then(|entry| entry.summary);
    for summary in entries.iter_mut().filter_map(|entry| entry.summary.as_mut()) {
        summary.is_fastest = all_compared && Some(summary.total_ns) == least;
        summary.ratio =
            driving.map(|driving| summary.total_ns as f64 / driving.total_ns.max(1) as f64);
    }
}

fn entry<'a>(
    snapshot: &'a Snapshot,
    algorithm: &'static Algorithm,
    place: usize,
    dark: bool,
) -> Entry<'a> {
    let drives = algorithm == snapshot.algorithm;
    let other = snapshot.compared.iter().find(|other| other.algorithm == algorithm);
    let (times, counted) = match other {
        _ if drives => {
            let frames = snapshot.history.frames.iter();
            let times = frames.map(|frame| SearchTime { step: frame.step, phases: frame.search });
            let SearchState { counters, work, found, .. } = &snapshot.search;
            let SearchFigures { heap_bytes, since, .. } = found.unwrap_or_default();
            let counted = Counted { tests: counters.tests, work, bytes: heap_bytes, since };
            (times.collect(), snapshot.search.searched.then_some(counted))
        }
        Some(other) => {
            let ComparedFigures { times, tests, work, heap_bytes, since, .. } = other;
            let counted = Counted { tests: *tests, work, bytes: *heap_bytes, since: *since };
            (Cow::from(times), other.is_of_this_step.then_some(counted))
        }
        None => (Cow::default(), None),
    };
    Entry {
        algorithm,
        color: palette::color(place, dark),
        style: palette::style(place),
        drives,
        is_compared: other.is_some(),
        times,
        summary: None,
        counted,
    }
}

/// A summary of the newest steps; `None` without times.
fn summary(times: &[SearchTime], steps: usize) -> Option<Summary> {
    let times = &times[times.len().saturating_sub(steps)..];
    let mut totals: Vec<u64> = times.iter().map(|time| time.phases.total_ns()).collect();
    let worst_ns = totals.iter().copied().max()?;
    Some(Summary {
        phases: PhaseTimes::new(
            SearchPhase::ALL
                .map(|phase| median(times, |time| time.phases[phase]).unwrap_or_default()),
        ),
        total_ns: measure::median(&mut totals)?,
        mean_ns: totals.iter().sum::<u64>() / totals.len() as u64,
        p95_ns: measure::percentile(&mut totals, 95)?,
        worst_ns,
        ratio: None,
        steps,
        is_fastest: false,
    })
}

fn median(times: &[SearchTime], of: impl Fn(&SearchTime) -> u64) -> Option<u64> {
    measure::median(&mut times.iter().map(of).collect::<Vec<_>>())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A compared algorithm with these times in ns.
    pub(in crate::panel::compare) fn timed(
        totals_ns: impl IntoIterator<Item = u64>,
    ) -> Entry<'static> {
        let time = |ns: u64| SearchTime { step: 0, phases: PhaseTimes::new([1, ns - 1]) };
        Entry {
            algorithm: broadphase::registry::ALGORITHMS.reference(),
            color: Color32::WHITE,
            style: LineStyle::Solid,
            drives: false,
            is_compared: true,
            times: totals_ns.into_iter().map(time).collect(),
            summary: None,
            counted: None,
        }
    }

    /// Fills in the medians.
    pub(in crate::panel::compare) fn compare_for_tests(entries: &mut [Entry<'_>]) {
        compare(entries);
    }

    /// The medians of these totals; the first is that of the driving algorithm.
    fn compared<const N: usize>(totals: [&[u64]; N]) -> [Option<Summary>; N] {
        let mut entries = totals.map(|totals| timed(totals.iter().copied()));
        (entries[0].drives, entries[0].is_compared) = (true, false);
        compare(&mut entries);
        entries.map(|entry| entry.summary)
    }

    #[test]
    fn medians_are_taken_over_the_common_steps() {
        // The first two were slow before the last one was added.
        let all = compared([&[900, 900, 900, 40, 60], &[700, 700, 20, 30], &[100, 100]]);
        let all = all.map(|summary| summary.unwrap());
        assert_eq!(all.map(|m| (m.steps, m.total_ns)), [(2, 50), (2, 25), (2, 100)]);
        assert_eq!(all.map(|m| m.ratio), [Some(1.0), Some(0.5), Some(2.0)]);
        assert_eq!(all.map(|m| m.is_fastest), [false, true, false]);
    }

    #[test]
    fn none_is_fastest_before_all_were_compared() {
        let [driving, other, fresh] = compared([&[900, 40, 60], &[20, 30], &[]]);
        assert_eq!(fresh, None);
        let [driving, other] = [driving, other].map(|summary| summary.unwrap());
        assert_eq!((driving.steps, other.ratio), (2, Some(0.5)));
        assert!(!driving.is_fastest && !other.is_fastest);
        assert!(!compared([&[900]])[0].unwrap().is_fastest, "it is alone");
    }

    #[test]
    fn no_ratio_before_the_driving_algorithm_has_a_time() {
        let [driving, other] = compared([&[], &[20, 30]]);
        assert_eq!((driving, other.unwrap().ratio), (None, None));
    }
}
