//! Forecast of the time left in a run.

use measure::{Case, FinishedRepetition};
use std::time::Duration;

/// The repetitions left, and the times of those that are done.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    todo: Vec<Todo>,
    present: Option<usize>,
    label: String,
}

/// A cell.
#[derive(Debug)]
struct Todo {
    case: CaseKey,
    algorithm: String,
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
        let mut todo = Vec::new();
        for case in cases {
            for &threads in threads {
                todo.extend(algorithms.iter().map(|&algorithm| Todo {
                    case: CaseKey::of(case),
                    algorithm: algorithm.to_owned(),
                    threads,
                    weight: case.n as f64 * f64::from(case.total_frames()),
                    repeats_left: repeats,
                    spent: Duration::ZERO,
                    repeats_done: 0,
                }));
            }
        }
        Self { todo, present: None, label: String::new() }
    }

    pub(super) fn begin(&mut self, case: &Case, algorithm: &str, threads: u32) {
        let key = CaseKey::of(case);
        // An algorithm that is compared with itself is listed twice.
        let is_it = |todo: &Todo| {
            todo.case == key
                && todo.algorithm == algorithm
                && todo.threads == threads
                && todo.repeats_left > 0
        };
        self.present = self.todo.iter().position(is_it);
        self.label = format!("{algorithm} on {}, n = {}", case.input, case.n);
    }

    pub(super) fn end(&mut self, finished: &FinishedRepetition) {
        if let Some(todo) = self.present.take().and_then(|at| self.todo.get_mut(at)) {
            todo.spent += Duration::from_nanos(finished.spent_ns);
            todo.repeats_done += 1;
            let goes_on = finished.outcome.is_none();
            todo.repeats_left = if goes_on { todo.repeats_left.saturating_sub(1) } else { 0 };
        }
    }

    pub(super) fn forget(&mut self, case: &Case) {
        let key = CaseKey::of(case);
        self.todo.iter_mut().filter(|t| t.case == key).for_each(|t| t.repeats_left = 0);
    }

    /// What is measured now.
    pub(super) fn present(&self) -> &str {
        &self.label
    }

    /// The time left, `share` of the present repetition done in `running`; `None` before there is
    /// anything to go by.
    pub(super) fn left(&self, share: f64, running: Duration) -> Option<Duration> {
        let mut left = 0.0;
        for (index, todo) in self.todo.iter().enumerate() {
            let is_present = self.present == Some(index);
            let by_itself = (is_present && share > 0.0).then(|| running.as_secs_f64() / share);
            if todo.repeats_left > 0 {
                let one = self.seconds(todo).or(by_itself).or_else(|| self.any_rate(todo))?;
                left += one * f64::from(todo.repeats_left);
                if is_present {
                    left -= one * share;
                }
            }
        }
        Duration::try_from_secs_f64(left.max(0.0)).ok()
    }

    /// Seconds of a repetition: its own so far, or else those of the same algorithm on the nearest
    /// case, by weight.
    fn seconds(&self, todo: &Todo) -> Option<f64> {
        let same = |other: &&Todo| {
            other.repeats_done > 0
                && other.algorithm == todo.algorithm
                && other.threads == todo.threads
        };
        let distance = |other: &Todo| {
            let same_case = other.case == todo.case;
            if same_case { -1.0 } else { (other.weight / todo.weight).ln().abs() }
        };
        let known = self.todo.iter().filter(same);
        let nearest = known.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(nearest.rate() * todo.weight)
    }

    /// Seconds of a repetition by the slowest that is known.
    fn any_rate(&self, todo: &Todo) -> Option<f64> {
        let known = self.todo.iter().filter(|other| other.repeats_done > 0);
        known.map(|other| other.rate() * todo.weight).max_by(f64::total_cmp)
    }
}

impl Todo {
    /// Seconds per object and frame.
    fn rate(&self) -> f64 {
        self.spent.as_secs_f64() / f64::from(self.repeats_done.max(1)) / self.weight.max(1.0)
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
}
