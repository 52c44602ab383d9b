//! A bar with the time left, where standard error is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use measure::numbers::thousands;
use measure::{Case, Observer};
use std::time::{Duration, Instant};

/// Drawings a second at most. Between frames only, never while the stopwatch runs.
const RATE_HZ: u8 = 4;

/// Placing objects is announced after this time.
const SILENCE: Duration = Duration::from_secs(1);

/// The progress of a measurement: objects times frames, which the time of an algorithm grows with at the least. It is
/// removed when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Repetitions of a case, those of all its cells.
    repetitions: u64,
    /// Where the cases that are done end on the bar.
    done_at: u64,
    /// What is measured, and the work of a frame of it.
    label: String,
    weight: u64,
    /// Since when objects are placed, and whether that is shown.
    placing: Option<(Instant, bool)>,
}

impl Progress {
    /// A bar for all cases, each of which has `cells` cells; none without a terminal.
    pub(crate) fn new(cases: &[Case], cells: usize, repeats: u32, quiet: bool) -> Self {
        let repetitions = cells as u64 * u64::from(repeats);
        let length = cases.iter().map(work).sum::<u64>() * repetitions;
        Self { repetitions, ..Self::of_frames("", length, quiet) }
    }

    /// A bar of `frames` frames that take about the same time each.
    pub(crate) fn of_frames(label: &str, frames: u64, quiet: bool) -> Self {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(RATE_HZ),
        };
        let bar = ProgressBar::with_draw_target(Some(frames), target)
            .with_finish(ProgressFinish::AndClear);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:32} {percent:>3} %  {eta} left  {msg}")
        {
            bar.set_style(style);
        }
        bar.set_message(label.to_owned());
        let label = label.to_owned();
        Self { bar, repetitions: 0, done_at: 0, label, weight: 1, placing: None }
    }

    /// The next repetitions are of this case.
    pub(crate) fn case_begins(&mut self, case: &Case) {
        (self.label, self.weight) = (format!("{}, n = {}", case.input, case.n), case.n as u64);
    }

    /// Repetitions of a case were done by an earlier process: they took no time.
    pub(crate) fn done_before(&mut self, case: &Case, repetitions: usize) {
        self.skip_to(self.bar.position() + work(case) * repetitions as u64);
    }

    /// All of a case is done that will be. What was not measured took no time.
    pub(crate) fn case_done(&mut self, case: &Case) {
        self.done_at += work(case) * self.repetitions;
        self.skip_to(self.done_at);
    }

    fn skip_to(&self, position: u64) {
        if position > self.bar.position() {
            self.bar.set_position(position);
            self.bar.reset_eta();
        }
    }

    /// Writes a line to standard error, above the bar.
    pub(crate) fn note(&self, line: &str) {
        self.bar.suspend(|| crate::console::note(line));
    }
}

impl Observer for Progress {
    fn repetition_begins(&mut self, algorithm: &str, _threads: u32) {
        self.bar.set_message(format!("{algorithm} on {}", self.label));
    }

    fn objects_placed(&mut self, placed: usize, objects: usize) {
        let (since, is_shown) = self.placing.get_or_insert_with(|| (Instant::now(), false));
        // Reading the clock is cheap, laying out a line of text is not.
        if since.elapsed() > SILENCE {
            (*since, *is_shown) = (Instant::now(), true);
            let [placed, objects] = [placed, objects].map(|n| thousands(n as f64));
            self.bar.set_message(format!("placing objects: {placed} of {objects}"));
        }
    }

    fn frame_done(&mut self, _frame: u32) {
        if self.placing.take().is_some_and(|(_, is_shown)| is_shown) {
            self.bar.set_message(self.label.clone());
        }
        self.bar.inc(self.weight);
    }
}

/// The work of a repetition of a case.
fn work(case: &Case) -> u64 {
    case.n as u64 * u64::from(case.total_frames())
}
