//! A bar with the time left, where standard error is a terminal.

mod forecast;

use forecast::Forecast;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::numbers::thousands;
use measure::{Case, FinishedRepetition, Observer};
use std::time::{Duration, Instant};

/// Time between two drawings. Between frames only, never while the stopwatch runs.
const PAUSE: Duration = Duration::from_millis(250);

/// Placing objects is announced after this time.
const SILENCE: Duration = Duration::from_secs(1);

/// The bar's length: parts per thousand.
const LENGTH: u64 = 1000;

/// The progress of a run of several cases.
pub(crate) struct Progress {
    bar: ProgressBar,
    forecast: Forecast,
    begun: Instant,
    /// Frames of the repetition that is measured, and when it began.
    frames: u32,
    repetition: Instant,
    drawn: Instant,
    /// What is left of the whole run, as last shown.
    left: Option<Duration>,
}

impl Progress {
    /// A bar for all cases; none without a terminal.
    pub(crate) fn new(
        cases: &[Case],
        algorithms: &[&str],
        threads: &[u32],
        repeats: u32,
        quiet: bool,
    ) -> Self {
        let bar = bar(LENGTH, "{bar:32} {percent:>3} %  {msg}", quiet);
        let now = Instant::now();
        let forecast = Forecast::new(cases, algorithms, threads, repeats);
        Self { bar, forecast, begun: now, frames: 1, repetition: now, drawn: now, left: None }
    }

    /// A repetition of a case begins.
    pub(crate) fn repetition_begins(&mut self, case: &Case, algorithm: &str, threads: u32) {
        self.frames = case.total_frames();
        self.repetition = Instant::now();
        self.forecast.begin(case, algorithm, threads);
        self.draw(0);
    }

    /// Shows how many of its objects have a place.
    pub(crate) fn objects_placed(&mut self, placed: usize, objects: usize) {
        show_placing(&self.bar, self.repetition, &mut self.drawn, placed, objects);
    }

    /// A frame of it is done.
    pub(crate) fn frame_done(&mut self, frame: u32) {
        // Reading the clock is cheap, laying out a line of text is not.
        if self.drawn.elapsed() > PAUSE {
            self.draw(frame + 1);
        }
    }

    /// It is done.
    pub(crate) fn repetition_done(&mut self, finished: &FinishedRepetition) {
        self.forecast.end(finished);
    }

    /// A repetition was done by a process before this one.
    pub(crate) fn done_before(&mut self, case: &Case, finished: &FinishedRepetition) {
        self.forecast.begin(case, &finished.algorithm, finished.threads);
        self.forecast.end(finished);
    }

    /// The case is complete since an earlier process.
    pub(crate) fn case_done(&mut self, case: &Case) {
        self.forecast.forget(case);
    }

    /// Writes a line to standard error, above the bar.
    pub(crate) fn note(&self, line: &str) {
        self.bar.suspend(|| crate::console::note(line));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn draw(&mut self, frames_done: u32) {
        if self.bar.is_hidden() {
            return;
        }
        // Short repetitions change the label only: a forecast goes through all cells.
        if self.left.is_none() || self.drawn.elapsed() > PAUSE {
            self.drawn = Instant::now();
            let share = f64::from(frames_done) / f64::from(self.frames.max(1));
            self.left = self.forecast.left(share, self.repetition.elapsed());
        }
        let what = self.forecast.present();
        match self.left {
            Some(left) => {
                let spent = self.begun.elapsed();
                let whole = (spent + left).as_secs_f64().max(1e-9);
                self.bar.set_position((LENGTH as f64 * spent.as_secs_f64() / whole) as u64);
                self.bar.set_message(format!("{} left  {what}", rounded(left)));
            }
            None => self.bar.set_message(what.to_owned()),
        }
    }
}

/// A bar over frames that take about the same time each.
pub(crate) struct FrameBar {
    bar: ProgressBar,
    label: String,
    /// When the placing that goes on began, if one does.
    placing: Option<Instant>,
    drawn: Instant,
}

impl FrameBar {
    /// A bar of `frames` frames; none without a terminal.
    pub(crate) fn new(label: &str, frames: u64, quiet: bool) -> Self {
        let bar = bar(frames, "{bar:32} {percent:>3} %  {eta} left  {msg}", quiet);
        bar.set_message(label.to_owned());
        Self { bar, label: label.to_owned(), placing: None, drawn: Instant::now() }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for FrameBar {
    fn objects_placed(&mut self, placed: usize, objects: usize) {
        let begun = *self.placing.get_or_insert_with(Instant::now);
        show_placing(&self.bar, begun, &mut self.drawn, placed, objects);
    }

    fn frame_done(&mut self, _frame: u32) {
        if self.placing.take().is_some() {
            self.bar.set_message(self.label.clone());
        }
        self.bar.inc(1);
    }
}

/// Shows how many objects have a place, if placing began long enough ago, and the last drawing as well.
fn show_placing(
    bar: &ProgressBar,
    begun: Instant,
    drawn: &mut Instant,
    placed: usize,
    objects: usize,
) {
    if begun.elapsed() > SILENCE && drawn.elapsed() > PAUSE {
        *drawn = Instant::now();
        let [placed, objects] = [placed, objects].map(|n| thousands(n as f64));
        bar.set_message(format!("placing objects: {placed} of {objects}"));
    }
}

/// A bar that is hidden where standard error is no terminal.
fn bar(length: u64, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A duration in words.
fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds @ 100..=5999 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn placing_is_announced_after_a_second() {
        let case = Case::of_generated("gas:5000000".parse().unwrap(), 0, 1);
        let mut progress = Progress::new(std::slice::from_ref(&case), &["bsp"], &[1], 1, false);
        progress.repetition_begins(&case, "bsp", 1);
        progress.objects_placed(256, case.n);
        assert!(!progress.bar.message().contains("placing"));
        thread::sleep(SILENCE + PAUSE);
        progress.objects_placed(1_234_000, case.n);
        assert_eq!(progress.bar.message(), "placing objects: 1,234,000 of 5,000,000");

        let mut bar = FrameBar::new("gas", 1, false);
        // Placing is timed from its first objects, not from the bar's creation.
        thread::sleep(SILENCE + PAUSE);
        bar.objects_placed(256, case.n);
        assert_eq!(bar.bar.message(), "gas");
        thread::sleep(SILENCE + PAUSE);
        bar.objects_placed(512, case.n);
        bar.objects_placed(768, case.n);
        assert_eq!(bar.bar.message(), "placing objects: 512 of 5,000,000", "not at every call");
        bar.frame_done(0);
        assert_eq!(bar.bar.message(), "gas");
        bar.objects_placed(256, case.n);
        assert_eq!(bar.bar.message(), "gas", "a later placing has a time of its own");
    }

    #[test]
    fn times_are_rounded_to_two_units() {
        for (seconds, text) in [
            (0, "0 s"),
            (99, "99 s"),
            (100, "1 min 40 s"),
            (5999, "99 min 59 s"),
            (7260, "2 h 1 min"),
        ] {
            assert_eq!(rounded(Duration::from_secs(seconds)), text);
        }
    }
}
