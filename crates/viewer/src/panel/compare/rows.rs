//! The algorithms with their figures, of the last steps or of a whole input.

use super::palette;
use crate::format::{compact, counted, megabytes, milliseconds, milliseconds_from, ratio};
use crate::measuring::Ranking;
use crate::session::FrameFigures;
use crate::simulation::Snapshot;
use broadphase::inspect::Work;
use broadphase::registry::Algorithm;
use egui::Color32;
use measure::{PhaseTimes, SearchPhase, Status};

/// A figure of each algorithm, in a column of the table.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) in_words: fn(f64) -> String,
}

/// Places of columns. Those of higher places get room after others.
pub(super) const MEDIAN: usize = 0;
const RATIO: usize = 1;
pub(super) const PERCENTILE: usize = 2;
pub(super) const TESTS: usize = 3;
const MEMORY: usize = 4;
pub(super) const MEAN: usize = 5;
pub(super) const SLOWEST: usize = 6;

pub(super) static COLUMNS: [Column; 7] = [
    Column {
        name: "median",
        meaning: "Milliseconds of update and pairs: half of the steps take longer. The pale part of its bars is the update",
        in_words: milliseconds,
    },
    Column {
        name: "ratio",
        meaning: "The median divided by that of the driving algorithm, in a ranking by the lowest one",
        in_words: ratio,
    },
    Column {
        name: "p95",
        meaning: "95th percentile: milliseconds that one step in twenty exceeds",
        in_words: milliseconds,
    },
    Column {
        name: "tests",
        meaning: "Pairs tested: in this step, or on average over the whole input",
        in_words: compact,
    },
    Column {
        name: "memory",
        meaning: "Heap memory: after this step, or at most after a step of the whole input",
        in_words: megabytes,
    },
    Column {
        name: "mean",
        meaning: "Mean milliseconds: rare slow steps count by their whole time",
        in_words: milliseconds,
    },
    Column { name: "slowest", meaning: "Milliseconds of the slowest step", in_words: milliseconds },
];

/// An algorithm in the comparison.
pub(super) struct Row<'a> {
    pub(super) algorithm: &'static Algorithm,
    pub(super) color: Color32,
    /// The length of the dashes of its line.
    pub(super) dash: Option<f32>,
    /// Whether its pairs move the world.
    pub(super) drives: bool,
    pub(super) is_compared: bool,
    /// Its last steps, oldest first.
    pub(super) times: &'a [FrameFigures],
    /// The number of steps that its figures are of.
    pub(super) steps: usize,
    /// Its figures in all columns; `None` where they are not known. Times are nanoseconds of update and pairs together.
    pub(super) figures: [Option<f64>; COLUMNS.len()],
    /// Shorter times are not shown.
    shortest_ns: u64,
    /// The median of each phase.
    pub(super) phases: Option<PhaseTimes>,
    /// Its own kinds of work in the present step.
    work: &'a [Work],
    /// Why it has no figures, or what restricts them.
    pub(super) remark: Option<String>,
}

impl Row<'_> {
    pub(super) fn takes_part(&self) -> bool {
        self.drives || self.is_compared
    }

    /// Whether it has times that are too short for the clock.
    pub(super) fn is_too_short(&self) -> bool {
        !self.times.is_empty() && self.figures[MEDIAN].is_none()
    }

    /// Phases, work and remark, in lines.
    pub(super) fn in_words(&self) -> String {
        let phase = |(phase, ns): (SearchPhase, u64)| {
            let time = milliseconds_from(self.shortest_ns, ns as f64);
            format!("{} {time} ms", phase.name())
        };
        let phases = self.phases.map(|phases| {
            let phases = phases.iter().map(phase).collect::<Vec<_>>().join(", ");
            format!("Median over {}: {phases}", counted(self.steps, "step"))
        });
        let line = |Work { name, count, meaning, .. }: &Work| {
            format!("{} {name}. {meaning}", compact(*count as f64))
        };
        let work = self.work.iter().map(line);
        phases.into_iter().chain(work).chain(self.remark.clone()).collect::<Vec<_>>().join("\n")
    }

    /// Median, mean, 95th percentile by nearest rank, and the slowest time.
    fn set_times(&mut self, [median, mean, percentile, slowest]: [Option<u64>; 4]) {
        for (place, ns) in
            [(MEDIAN, median), (MEAN, mean), (PERCENTILE, percentile), (SLOWEST, slowest)]
        {
            self.figures[place] = ns.map(|ns| ns as f64);
        }
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
        let place = places(of).unwrap_or(snapshot.offered.len());
        let phases = summary.update_median_ns.zip(summary.pairs_median_ns);
        let reason = summary.reason_text();
        let mut row = Row {
            times: &[],
            steps: ranking.case.frames as usize,
            figures: Default::default(),
            phases: phases.map(|(update, pairs)| PhaseTimes::new([update, pairs])),
            work: &[],
            remark: match summary.status {
                Status::Ok => None,
                Status::Skipped => Some(format!("skipped: {reason}")),
                Status::Error => Some(format!("error: {reason}")),
            },
            ..row(snapshot, of, place, dark)
        };
        row.set_times([summary.median_ns, summary.mean_ns, summary.p95_ns, measured.worst_ns]);
        row.figures[TESTS] = summary.tests;
        row.figures[MEMORY] = summary.heap_bytes.map(|bytes| bytes as f64);
        row
    });
    let mut rows: Vec<Row<'a>> = measured.collect();
    let lowest = rows.iter().filter_map(|row| row.figures[MEDIAN]).reduce(f64::min);
    ratios(&mut rows, lowest);
    rows
}

/// Takes all times over the same steps, since the boxes differ from step to step. The newest times of all algorithms are of
/// the same step. Medians below the shortest time that is shown are left out.
fn compare(rows: &mut [Row<'_>]) {
    let steps = rows.iter().map(|row| row.times.len()).filter(|steps| *steps > 0).min();
    for row in &mut *rows {
        let newest = row.times.len().saturating_sub(steps.unwrap_or(0));
        let times = &row.times[newest..];
        let median = |of: &dyn Fn(&FrameFigures) -> u64| {
            measure::median(&mut times.iter().map(of).collect::<Vec<_>>())
        };
        let mut totals: Vec<u64> = times.iter().map(|time| time.search.total_ns()).collect();
        let Some(median_ns) = measure::median(&mut totals) else { continue };
        if median_ns < row.shortest_ns {
            row.remark = Some(format!("shorter than {} ms", row.shortest_ns as f64 / 1e6));
            continue;
        }
        let mean_ns = totals.iter().sum::<u64>() / totals.len() as u64;
        let p95_ns = measure::percentile(&mut totals, 95);
        let slowest_ns = totals.iter().copied().max();
        let phases =
            SearchPhase::ALL.map(|phase| median(&|time| time.search[phase]).unwrap_or_default());
        (row.phases, row.steps) = (Some(PhaseTimes::new(phases)), times.len());
        row.set_times([Some(median_ns), Some(mean_ns), p95_ns, slowest_ns]);
    }
    let driving = rows.iter().find(|row| row.drives).and_then(|row| row.figures[MEDIAN]);
    ratios(rows, driving);
}

/// Divides all medians by this one, if there is one.
fn ratios(rows: &mut [Row<'_>], by: Option<f64>) {
    for row in rows {
        let ratio = row.figures[MEDIAN].zip(by);
        row.figures[RATIO] = ratio.map(|(own, by)| own / by.max(1.0));
    }
}

fn row<'a>(
    snapshot: &'a Snapshot,
    algorithm: &'static Algorithm,
    place: usize,
    dark: bool,
) -> Row<'a> {
    let mut row = Row {
        algorithm,
        color: palette::color(place, dark),
        dash: palette::dash(place),
        drives: algorithm == snapshot.algorithm,
        is_compared: false,
        times: &[],
        steps: 0,
        figures: Default::default(),
        shortest_ns: snapshot.engine.shortest_ns,
        phases: None,
        work: &[],
        remark: None,
    };
    let mut this_step = None;
    if row.drives {
        let search = &snapshot.search;
        row.times = &snapshot.history.frames;
        let found = search.found.filter(|_| search.searched);
        this_step = found.map(|of| (search.counters.tests, of.heap_bytes, of.since, &search.work));
    } else if let Some(other) = snapshot.compared.iter().find(|of| of.algorithm == algorithm) {
        (row.is_compared, row.times) = (true, &other.times[..]);
        let figures = (other.tests, other.heap_bytes, other.since, &other.work);
        this_step = other.is_of_this_step.then_some(figures);
    }
    if let Some((tests, bytes, since, work)) = this_step {
        row.figures[TESTS] = Some(tests as f64);
        row.figures[MEMORY] = bytes.map(|bytes| bytes as f64);
        row.work = work;
        row.remark = since.map(|step| format!("It did not search before step {step}"));
    }
    row
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Rows with these times in ns, compared. The first one drives.
    pub(in crate::panel::compare) fn compared<const N: usize>(
        all: [(&str, &[u64]); N],
    ) -> [Row<'static>; N] {
        let time = |ns: &u64| {
            let search = PhaseTimes::new([1, ns - 1]);
            FrameFigures { search, ..Default::default() }
        };
        let mut rows = all.map(|(id, totals)| Row {
            algorithm: broadphase::registry::find(id).unwrap(),
            color: Color32::WHITE,
            dash: None,
            drives: id == all[0].0,
            is_compared: id != all[0].0,
            times: totals.iter().map(time).collect::<Vec<_>>().leak(),
            steps: 0,
            figures: Default::default(),
            shortest_ns: 0,
            phases: None,
            work: &[],
            remark: None,
        });
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
        let all = compared(all).map(|row| (row.steps, row.figures));
        let figures = |place: usize| all.map(|(_, figures)| figures[place]);
        assert_eq!(all.map(|(steps, _)| steps), [2; 3]);
        assert_eq!(figures(MEDIAN), [Some(50.0), Some(25.0), Some(100.0)]);
        assert_eq!(figures(RATIO), [Some(1.0), Some(0.5), Some(2.0)]);
        let [mean, percentile, slowest] =
            [MEAN, PERCENTILE, SLOWEST].map(|place| figures(place)[0]);
        assert_eq!([mean, percentile, slowest], [Some(50.0), Some(60.0), Some(60.0)]);
        // No ratio before the driving algorithm has a time.
        let [driving, other] = compared([("bsp", &[]), ("auto", &[20, 30])]);
        assert_eq!((driving.figures[MEDIAN], other.figures[RATIO]), (None, None));
        assert_eq!(other.figures[MEDIAN], Some(25.0));
    }

    #[test]
    fn median_too_short_for_the_clock_has_no_figure_and_no_ratio() {
        let mut rows = compared([("bsp", &[1_999_999]), ("auto", &[2_000_000])]);
        rows.iter_mut().for_each(|row| {
            (row.figures, row.shortest_ns) = (Default::default(), 2_000_000);
        });
        compare(&mut rows);
        assert!(rows[0].is_too_short() && !rows[1].is_too_short());
        assert_eq!(rows[1].in_words(), "Median over 1 step: update <2 ms, pairs <2 ms");
        let [bsp, auto] = rows.map(|row| (row.figures, row.remark));
        assert_eq!(bsp, ([None; COLUMNS.len()], Some("shorter than 2 ms".to_owned())));
        assert_eq!((auto.0[MEDIAN], auto.0[RATIO]), (Some(2e6), None));
    }
}
