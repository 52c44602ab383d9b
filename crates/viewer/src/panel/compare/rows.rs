//! The algorithms with their figures, of the last steps or of a whole input.

use super::palette;
use crate::format::{compact, counted, megabytes, milliseconds, ratio};
use crate::measuring::Ranking;
use crate::panel::plot::LineStyle;
use crate::session::{SearchFigures, SearchTime};
use crate::simulation::{SearchState, Snapshot};
use broadphase::inspect::Work;
use broadphase::registry::Algorithm;
use egui::Color32;
use measure::{PhaseTimes, SearchPhase, Status};
use std::borrow::Cow;

/// An algorithm in the comparison.
pub(super) struct Row<'a> {
    pub(super) algorithm: &'static Algorithm,
    pub(super) color: Color32,
    pub(super) style: LineStyle,
    /// Whether its pairs move the world.
    pub(super) drives: bool,
    pub(super) is_compared: bool,
    /// Its last steps, oldest first.
    pub(super) times: Cow<'a, [SearchTime]>,
    pub(super) figures: Figures,
    /// Its own kinds of work in the present step.
    pub(super) work: &'a [Work],
    /// Why it has no figures, or what restricts them.
    pub(super) remark: Option<String>,
}

/// Figures of an algorithm; `None` where they are not known. Times are nanoseconds of update and pairs together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// The median of each phase.
    pub(super) phases: Option<PhaseTimes>,
    /// Median, mean, 95th percentile by nearest rank, and the slowest.
    pub(super) times: Option<[u64; 4]>,
    /// The median divided by that of the driving algorithm.
    pub(super) ratio: Option<f64>,
    /// The number of steps that the times are of.
    pub(super) steps: usize,
    /// Pairs tested in the present step, or on average.
    tests: Option<f64>,
    /// Bytes of heap memory.
    bytes: Option<u64>,
}

/// A column of the table, in the order in which columns get room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Column {
    /// The order of the list of algorithms: by kind, variants below their family.
    #[default]
    Algorithm,
    Median,
    Ratio,
    Tests,
    Memory,
    Percentile,
    Mean,
    Slowest,
    Work,
}

impl Column {
    pub(super) const FIGURES: [Self; 8] = [
        Self::Median,
        Self::Ratio,
        Self::Tests,
        Self::Memory,
        Self::Percentile,
        Self::Mean,
        Self::Slowest,
        Self::Work,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Algorithm => "algorithm",
            Self::Median => "median",
            Self::Ratio => "ratio",
            Self::Tests => "tests",
            Self::Memory => "memory",
            Self::Percentile => "p95",
            Self::Mean => "mean",
            Self::Slowest => "slowest",
            Self::Work => "work",
        }
    }

    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Algorithm => "The order of the list of algorithms",
            Self::Median => "Milliseconds of update and pairs: half of the steps take longer",
            Self::Ratio => "The median divided by that of the driving algorithm",
            Self::Tests => "Pairs tested: in this step, or on average over the whole input",
            Self::Memory => {
                "Heap memory: after this step, or at most after a step of the whole input"
            }
            Self::Percentile => "Milliseconds that one step in twenty exceeds",
            Self::Mean => "Mean milliseconds: rare slow steps count by their whole time",
            Self::Slowest => "Milliseconds of the slowest step",
            Self::Work => "The kind of work, besides tests, that there is most of in this step",
        }
    }

    /// The figure of a row.
    pub(super) fn of(self, row: &Row<'_>) -> Option<f64> {
        let Figures { times, ratio, tests, bytes, .. } = row.figures;
        let time = |place: usize| times.map(|times| times[place] as f64);
        match self {
            Self::Algorithm => None,
            Self::Median => time(0),
            Self::Mean => time(1),
            Self::Percentile => time(2),
            Self::Slowest => time(3),
            Self::Ratio => ratio,
            Self::Tests => tests,
            Self::Memory => bytes.map(|bytes| bytes as f64),
            Self::Work => row.work.iter().map(|work| work.count).max().map(|count| count as f64),
        }
    }

    pub(super) fn text(self, figure: f64) -> String {
        match self {
            Self::Ratio => ratio(figure),
            Self::Memory => megabytes(figure),
            Self::Tests | Self::Work => compact(figure),
            _ => milliseconds(figure),
        }
    }
}

impl Row<'_> {
    pub(super) fn takes_part(&self) -> bool {
        self.drives || self.is_compared
    }

    /// All times, each with its name: `median 3.000 ms over 7 steps (update 1.000 ms, pairs 2.000 ms), mean 3.100 ms, ..`.
    pub(super) fn times_in_words(&self) -> Option<String> {
        let Figures { phases, times, steps, .. } = self.figures;
        let ms = |ns: u64| milliseconds(ns as f64);
        let [median, mean, p95, slowest] = times?.map(ms);
        let phase = |(phase, ns): (SearchPhase, u64)| format!("{} {} ms", phase.name(), ms(ns));
        let phases = phases?.iter().map(phase).collect::<Vec<_>>().join(", ");
        let steps = counted(steps, "step");
        Some(format!(
            "median {median} ms over {steps} ({phases}), mean {mean} ms, 95th percentile {p95} ms, slowest step {slowest} ms"
        ))
    }

    /// All work of the present step, in lines.
    pub(super) fn work_in_words(&self) -> String {
        let line = |Work { name, count, meaning, .. }: &Work| {
            format!("{} {name}. {meaning}", compact(*count as f64))
        };
        self.work.iter().map(line).chain(self.remark.clone()).collect::<Vec<_>>().join("\n")
    }
}

/// All algorithms of the registry in its order, then unregistered ones that take part, with the figures of the last steps.
pub(super) fn live(snapshot: &Snapshot, dark: bool) -> Vec<Row<'_>> {
    let unlisted = |algorithm: &&Algorithm| !snapshot.offered.contains(algorithm);
    let taking_part = [snapshot.algorithm].into_iter();
    let taking_part = taking_part.chain(snapshot.compared.iter().map(|other| other.algorithm));
    let all = snapshot.offered.iter().chain(taking_part.filter(unlisted)).enumerate();
    let mut rows: Vec<_> = all.map(|(place, of)| row(snapshot, of, place, dark)).collect();
    compare(&mut rows);
    rows
}

/// The measured algorithms, with the figures of the whole input.
pub(super) fn ranked<'a>(snapshot: &'a Snapshot, ranking: &Ranking, dark: bool) -> Vec<Row<'a>> {
    let places = |of: &Algorithm| snapshot.offered.iter().position(|entry| entry == of);
    let measured = ranking.algorithms.iter().map(|measured| {
        let (of, summary) = (measured.algorithm, &measured.row);
        let phases = summary.update_median_ns.zip(summary.pairs_median_ns);
        let times = summary.median_ns.zip(summary.mean_ns);
        let times = times.zip(summary.p95_ns.zip(measured.worst_ns));
        let reason = summary.reason_text();
        Row {
            times: Cow::default(),
            figures: Figures {
                phases: phases.map(|(update, pairs)| PhaseTimes::new([update, pairs])),
                times: times.map(|((median, mean), (p95, worst))| [median, mean, p95, worst]),
                ratio: None,
                steps: ranking.case.frames as usize,
                tests: summary.tests,
                bytes: summary.heap_bytes,
            },
            work: &[],
            remark: match summary.status {
                Status::Ok => None,
                Status::Skipped => Some(format!("skipped: {reason}")),
                Status::Error => Some(format!("error: {reason}")),
            },
            ..row(snapshot, of, places(of).unwrap_or(snapshot.offered.len()), dark)
        }
    });
    let mut rows: Vec<Row<'a>> = measured.collect();
    ratios(&mut rows);
    rows
}

/// Takes all times over the same steps, since the boxes differ from step to step. The newest times of all algorithms are of
/// the same step.
fn compare(rows: &mut [Row<'_>]) {
    let steps = rows.iter().map(|row| row.times.len()).filter(|steps| *steps > 0).min();
    for row in &mut *rows {
        let newest = row.times.len().saturating_sub(steps.unwrap_or(0));
        let times = &row.times[newest..];
        let median = |of: &dyn Fn(&SearchTime) -> u64| {
            measure::median(&mut times.iter().map(of).collect::<Vec<_>>())
        };
        let mut totals: Vec<u64> = times.iter().map(|time| time.phases.total_ns()).collect();
        let Some(median_ns) = measure::median(&mut totals) else { continue };
        let mean_ns = totals.iter().sum::<u64>() / totals.len() as u64;
        let p95_ns = measure::percentile(&mut totals, 95).unwrap_or_default();
        let worst_ns = totals.iter().copied().max().unwrap_or_default();
        let phases =
            SearchPhase::ALL.map(|phase| median(&|time| time.phases[phase]).unwrap_or_default());
        row.figures.phases = Some(PhaseTimes::new(phases));
        row.figures.times = Some([median_ns, mean_ns, p95_ns, worst_ns]);
        row.figures.steps = times.len();
    }
    ratios(rows);
}

/// Divides all medians by that of the driving algorithm, if it has one.
fn ratios(rows: &mut [Row<'_>]) {
    let driving = rows.iter().find(|row| row.drives).and_then(|row| Column::Median.of(row));
    for row in rows {
        let ratio = Column::Median.of(row).zip(driving);
        row.figures.ratio = ratio.map(|(own, driving)| own / driving.max(1.0));
    }
}

fn row<'a>(
    snapshot: &'a Snapshot,
    algorithm: &'static Algorithm,
    place: usize,
    dark: bool,
) -> Row<'a> {
    let drives = algorithm == snapshot.algorithm;
    let other = snapshot.compared.iter().find(|other| other.algorithm == algorithm);
    let (mut figures, mut since) = (Figures::default(), None);
    let (times, work): (_, &[Work]) = match other {
        _ if drives => {
            let frames = snapshot.history.frames.iter();
            let times = frames.map(|frame| SearchTime { step: frame.step, phases: frame.search });
            let SearchState { counters, work, found, searched, .. } = &snapshot.search;
            if *searched {
                let found: SearchFigures = found.unwrap_or_default();
                (figures.tests, figures.bytes) = (Some(counters.tests as f64), found.heap_bytes);
                since = found.since;
            }
            (times.collect(), if *searched { work } else { &[] })
        }
        Some(other) if other.is_of_this_step => {
            (figures.tests, figures.bytes) = (Some(other.tests as f64), other.heap_bytes);
            since = other.since;
            (Cow::from(&other.times), &other.work)
        }
        Some(other) => (Cow::from(&other.times), &[]),
        None => (Cow::default(), &[]),
    };
    Row {
        algorithm,
        color: palette::color(place, dark),
        style: palette::style(place),
        drives,
        is_compared: other.is_some(),
        times,
        figures,
        work,
        remark: since
            .map(|since| format!("Its structure was new in step {}", compact(since as f64))),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A compared algorithm with these times in ns.
    pub(in crate::panel::compare) fn timed(
        id: &str,
        totals_ns: impl IntoIterator<Item = u64>,
    ) -> Row<'static> {
        let time = |ns: u64| SearchTime { step: 0, phases: PhaseTimes::new([1, ns - 1]) };
        Row {
            algorithm: broadphase::registry::find(id).unwrap(),
            color: Color32::WHITE,
            style: LineStyle::Solid,
            drives: false,
            is_compared: true,
            times: totals_ns.into_iter().map(time).collect(),
            figures: Figures::default(),
            work: &[],
            remark: None,
        }
    }

    /// Rows with these times, compared. The first one drives.
    pub(in crate::panel::compare) fn compared<const N: usize>(
        all: [(&str, &[u64]); N],
    ) -> [Row<'static>; N] {
        let mut rows = all.map(|(id, totals)| timed(id, totals.iter().copied()));
        (rows[0].drives, rows[0].is_compared) = (true, false);
        compare(&mut rows);
        rows
    }

    #[test]
    fn figures_are_taken_over_the_common_steps() {
        // The first two were slow before the last one was added.
        let all = [
            ("bsp", &[900, 900, 900, 40, 60][..]),
            ("auto", &[700, 700, 20, 30]),
            ("kd-tree", &[100, 100]),
        ];
        let all = compared(all).map(|row| row.figures);
        assert_eq!(all.map(|of| (of.steps, of.times.unwrap()[0])), [(2, 50), (2, 25), (2, 100)]);
        assert_eq!(all.map(|of| of.ratio), [Some(1.0), Some(0.5), Some(2.0)]);
        assert_eq!(all[0].times, Some([50, 50, 60, 60]));
    }

    #[test]
    fn no_ratio_before_the_driving_algorithm_has_a_time() {
        let [driving, other] = compared([("bsp", &[]), ("auto", &[20, 30])]);
        assert_eq!((driving.figures, other.figures.ratio), (Figures::default(), None));
        assert!(other.figures.times.is_some());
    }
}
