//! Forecast of the time left in a run.

use measure::{Case, FinishedRepetition};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// The repetitions left, and the times of those that are done.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    cases: Vec<CaseKey>,
    algorithms: Vec<String>,
    /// Equally many cells of each case, in the order of the cases.
    cells: Vec<Cell>,
    present: Option<usize>,
    label: String,
}

#[derive(Debug)]
struct Cell {
    /// Index of its case.
    case: usize,
    /// Index of its algorithm. One that is compared with itself is listed twice: here, its first place.
    algorithm: usize,
    threads: u32,
    /// Objects times frames: what an algorithm's time grows with, at the least.
    weight: f64,
    repeats_left: u32,
    /// Of the repetitions that are done.
    spent: Duration,
    repeats_done: u32,
}

/// What identifies a case.
#[derive(Clone, Debug, PartialEq)]
struct CaseKey {
    input: String,
    n: usize,
    seed: Option<u64>,
}

impl CaseKey {
    fn of(case: &Case) -> Self {
        Self { input: case.input.clone(), n: case.n, seed: case.seed }
    }
}

impl Forecast {
    pub(super) fn new(cases: &[Case], algorithms: &[&str], threads: &[u32], repeats: u32) -> Self {
        let first = |id: &&str| algorithms.iter().position(|other| other == id).unwrap_or_default();
        let mut cells = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            for &threads in threads {
                cells.extend(algorithms.iter().map(first).map(|algorithm| Cell {
                    case: number,
                    algorithm,
                    threads,
                    weight: case.n as f64 * f64::from(case.total_frames()),
                    repeats_left: repeats,
                    spent: Duration::ZERO,
                    repeats_done: 0,
                }));
            }
        }
        let algorithms = algorithms.iter().map(|&id| id.to_owned()).collect();
        let cases = cases.iter().map(CaseKey::of).collect();
        Self { cases, algorithms, cells, present: None, label: String::new() }
    }

    pub(super) fn begin(&mut self, case: &Case, algorithm: &str, threads: u32) {
        let of_case = self.cells_of(case);
        let begins = of_case.start;
        let is_it = |cell: &Cell| {
            self.algorithms[cell.algorithm] == algorithm
                && cell.threads == threads
                && cell.repeats_left > 0
        };
        self.present = self.cells[of_case].iter().position(is_it).map(|at| begins + at);
        self.label = format!("{algorithm} on {}, n = {}", case.input, case.n);
    }

    pub(super) fn end(&mut self, finished: &FinishedRepetition) {
        if let Some(cell) = self.present.take().and_then(|at| self.cells.get_mut(at)) {
            cell.spent += Duration::from_nanos(finished.spent_ns);
            cell.repeats_done += 1;
            let goes_on = finished.outcome.is_none();
            cell.repeats_left = if goes_on { cell.repeats_left.saturating_sub(1) } else { 0 };
        }
    }

    pub(super) fn forget(&mut self, case: &Case) {
        let of_case = self.cells_of(case);
        self.cells[of_case].iter_mut().for_each(|cell| cell.repeats_left = 0);
    }

    /// Places of the cells of a case; none of one that is not forecast.
    fn cells_of(&self, case: &Case) -> Range<usize> {
        let key = CaseKey::of(case);
        let each = self.cells.len() / self.cases.len().max(1);
        let number = self.cases.iter().position(|other| *other == key);
        number.map_or(0..0, |number| number * each..(number + 1) * each)
    }

    /// What is measured now.
    pub(super) fn present(&self) -> &str {
        &self.label
    }

    /// The time left, `share` of the present repetition done in `running`; `None` before there is
    /// anything to go by.
    pub(super) fn left(&self, share: f64, running: Duration) -> Option<Duration> {
        let done = || self.cells.iter().filter(|cell| cell.repeats_done > 0);
        // Sorted lists: an atlas has thousands of cells.
        let mut known: BTreeMap<(usize, u32), Vec<&Cell>> = BTreeMap::new();
        done().for_each(|cell| known.entry(cell.kind()).or_default().push(cell));
        known.values_mut().for_each(|of_kind| {
            of_kind.sort_by(|a, b| a.weight.total_cmp(&b.weight).then(a.case.cmp(&b.case)));
        });
        let slowest = done().map(Cell::rate).max_by(f64::total_cmp);

        let mut left = 0.0;
        for (index, cell) in self.cells.iter().enumerate() {
            if cell.repeats_left == 0 {
                continue;
            }
            let is_present = self.present == Some(index);
            let by_itself = (is_present && share > 0.0).then(|| running.as_secs_f64() / share);
            let like = known.get(&cell.kind()).and_then(|of_kind| cell.nearest(of_kind));
            let by_like = like.map(|like| like.rate() * cell.weight);
            let by_slowest = || slowest.map(|rate| rate * cell.weight);
            let one = by_like.or(by_itself).or_else(by_slowest)?;
            let repeats = f64::from(cell.repeats_left) - if is_present { share } else { 0.0 };
            left += one * repeats;
        }
        Duration::try_from_secs_f64(left.max(0.0)).ok()
    }
}

impl Cell {
    /// Cells of one kind take times that grow with their weights.
    fn kind(&self) -> (usize, u32) {
        (self.algorithm, self.threads)
    }

    /// Seconds per object and frame.
    fn rate(&self) -> f64 {
        self.spent.as_secs_f64() / f64::from(self.repeats_done.max(1)) / self.weight.max(1.0)
    }

    /// The one of the same case, or else of the nearest weight. `sorted` by weight, then by case.
    fn nearest<'a>(&self, sorted: &[&'a Self]) -> Option<&'a Self> {
        let place = |cell: &Self| (cell.weight, cell.case);
        let at = sorted.partition_point(|other| place(other) < place(self));
        let distance = |other: &Self| match other.case == self.case {
            true => -1.0,
            false => (other.weight / self.weight).ln().abs(),
        };
        let neighbours = &sorted[at.saturating_sub(1)..sorted.len().min(at + 1)];
        neighbours.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Scene;

    fn case(objects: u32) -> Case {
        Case::of_scene("s", Scene { objects, ..Scene::default() }, 0, 10)
    }

    fn finished(algorithm: &str, seconds: u64) -> FinishedRepetition {
        FinishedRepetition {
            algorithm: algorithm.to_owned(),
            threads: 1,
            repeat: 0,
            spent_ns: seconds * 1_000_000_000,
            outcome: None,
            samples: Vec::new(),
        }
    }

    fn left(forecast: &Forecast) -> Option<u64> {
        forecast.left(0.0, Duration::ZERO).map(|left| left.as_secs_f64().round() as u64)
    }

    #[test]
    fn the_rest_takes_as_long_as_its_like_took() {
        let cases = [case(100), case(200)];
        let mut forecast = Forecast::new(&cases, &["a", "b"], &[1], 3);
        assert_eq!(left(&forecast), None);
        forecast.begin(&cases[0], "a", 1);
        // A half in one second: 2 s each, and twice as long with twice the objects; b as a.
        let by_share = forecast.left(0.5, Duration::from_secs(1));
        assert_eq!(by_share, None, "nothing is known of b");
        forecast.end(&finished("a", 2));
        assert_eq!(left(&forecast), Some(2 * 2 + 3 * 2 + 3 * 4 + 3 * 4));
        forecast.begin(&cases[0], "b", 1);
        forecast.end(&finished("b", 10));
        assert_eq!(left(&forecast), Some(2 * 2 + 2 * 10 + 3 * 4 + 3 * 20));
        forecast.begin(&cases[0], "b", 1);
        let running = forecast.left(0.5, Duration::from_secs(5)).unwrap().as_secs();
        assert_eq!(running, 2 * 2 + 15 + 3 * 4 + 3 * 20);
    }

    #[test]
    fn algorithm_listed_twice_takes_its_time_twice() {
        let cases = [case(100)];
        let mut forecast = Forecast::new(&cases, &["a", "a"], &[1], 2);
        for left_after in [3 * 2, 2 * 2, 2, 0] {
            forecast.begin(&cases[0], "a", 1);
            forecast.end(&finished("a", 2));
            assert_eq!(left(&forecast), Some(left_after));
        }
    }

    #[test]
    fn ended_or_finished_cells_take_no_more_time() {
        let cases = [case(100), case(200)];
        let mut forecast = Forecast::new(&cases, &["a"], &[1], 3);
        forecast.begin(&cases[0], "a", 1);
        let outcome = Some(measure::Outcome::Skipped("no time".to_owned()));
        forecast.end(&FinishedRepetition { outcome, ..finished("a", 2) });
        assert_eq!(left(&forecast), Some(3 * 4));
        forecast.forget(&cases[1]);
        assert_eq!(left(&forecast), Some(0));
    }

    #[test]
    fn cases_of_equal_weight_keep_their_own_times() {
        let named = |input: &str| {
            let mut case = case(100);
            case.input = input.to_owned();
            case
        };
        let cases = [named("fast"), named("slow"), named("between"), case(1000)];
        let mut forecast = Forecast::new(&cases, &["a", "b"], &[1], 2);
        for (case, seconds) in cases.iter().zip([2, 10]) {
            forecast.begin(case, "a", 1);
            forecast.end(&finished("a", seconds));
            forecast.begin(case, "b", 1);
            forecast.end(&finished("b", seconds));
        }
        for unknown in &cases[2..] {
            forecast.forget(unknown);
        }
        assert_eq!(left(&forecast), Some(2 * (2 + 10)));
    }
}
