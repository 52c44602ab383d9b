//! A bar with the time left, where standard error is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::numbers::thousands;
use measure::{Case, Clock, FinishedRepetition, MonotonicClock, Observer};

/// Nanoseconds between two drawings. Between frames only, never while the stopwatch runs.
const PAUSE_NS: u64 = 250_000_000;

/// Placing objects is announced after these nanoseconds.
const SILENCE_NS: u64 = 1_000_000_000;

/// Template of a bar.
const TEMPLATE: &str = "{bar:32} {percent:>3} %  {eta} left  {msg}";

/// The progress of a run of several cases: objects times frames, which the time of an algorithm grows with at the least.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Repetitions of a cell, and cells of a case.
    repeats: u32,
    cells: u64,
    /// The places on the bar where the present case and the running repetition began.
    case_at: u64,
    begun_at: u64,
    repetition_ns: u64,
    drawings: Drawings,
}

impl Progress {
    /// A bar for all cases, each of which has `cells` cells; none without a terminal.
    pub(crate) fn new(cases: &[Case], cells: usize, repeats: u32, quiet: bool) -> Self {
        let cells = cells as u64;
        let length = cases.iter().map(work).sum::<u64>() * cells * u64::from(repeats);
        let bar = bar(length, TEMPLATE, quiet);
        let drawings = Drawings::new(Box::new(MonotonicClock::new()));
        Self { bar, repeats, cells, case_at: 0, begun_at: 0, repetition_ns: 0, drawings }
    }

    /// A repetition of a case begins.
    pub(crate) fn repetition_begins(&mut self, case: &Case, algorithm: &str) {
        self.repetition_ns = self.drawings.clock.now_ns();
        self.bar.set_message(format!("{algorithm} on {}, n = {}", case.input, case.n));
        self.bar.set_position(self.begun_at);
    }

    /// Shows how many of its objects have a place.
    pub(crate) fn objects_placed(&mut self, placed: usize, objects: usize) {
        self.drawings.show_placing(&self.bar, self.repetition_ns, placed, objects);
    }

    /// A frame of it is done.
    pub(crate) fn frame_done(&mut self, case: &Case, frame: u32) {
        // Reading the clock is cheap, laying out a line of text is not.
        if self.drawings.is_due(&self.bar) {
            self.bar.set_position(self.begun_at + case.n as u64 * u64::from(frame + 1));
        }
    }

    /// It is done, by this process or one before. The last of its cell ends all that were to follow.
    pub(crate) fn repetition_done(&mut self, case: &Case, finished: &FinishedRepetition) {
        let done = match finished.outcome {
            None => 1,
            Some(_) => self.repeats.saturating_sub(finished.repeat),
        };
        self.begun_at += u64::from(done) * work(case);
    }

    /// Repetitions were done by an earlier process: they took no time.
    pub(crate) fn done_before(&mut self, case: &Case, finished: &[FinishedRepetition]) {
        if !finished.is_empty() {
            finished.iter().for_each(|repetition| self.repetition_done(case, repetition));
            self.bar.set_position(self.begun_at);
            self.bar.reset_eta();
        }
    }

    /// All of the present case is done that will be.
    pub(crate) fn case_done(&mut self, case: &Case) {
        let was_done = self.begun_at == self.case_at;
        self.case_at += work(case) * self.cells * u64::from(self.repeats);
        self.begun_at = self.case_at;
        self.bar.set_position(self.begun_at);
        if was_done {
            // By an earlier process: it took no time.
            self.bar.reset_eta();
        }
    }

    /// Writes a line to standard error, above the bar.
    pub(crate) fn note(&self, line: &str) {
        self.bar.suspend(|| crate::console::note(line));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The work of a repetition of a case.
fn work(case: &Case) -> u64 {
    case.n as u64 * u64::from(case.total_frames())
}

/// A bar over frames that take about the same time each.
pub(crate) struct FrameBar {
    bar: ProgressBar,
    label: String,
    /// When the placing that goes on began, if one does.
    placing_ns: Option<u64>,
    drawings: Drawings,
}

impl FrameBar {
    /// A bar of `frames` frames; none without a terminal.
    pub(crate) fn new(label: &str, frames: u64, quiet: bool) -> Self {
        let bar = bar(frames, TEMPLATE, quiet);
        bar.set_message(label.to_owned());
        let drawings = Drawings::new(Box::new(MonotonicClock::new()));
        Self { bar, label: label.to_owned(), placing_ns: None, drawings }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for FrameBar {
    fn objects_placed(&mut self, placed: usize, objects: usize) {
        let begun_ns = *self.placing_ns.get_or_insert_with(|| self.drawings.clock.now_ns());
        self.drawings.show_placing(&self.bar, begun_ns, placed, objects);
    }

    fn frame_done(&mut self, _frame: u32) {
        if self.placing_ns.take().is_some() {
            self.bar.set_message(self.label.clone());
        }
        // It notes stops of the process.
        self.drawings.is_due(&self.bar);
        self.bar.inc(1);
    }
}

/// When a bar was drawn.
struct Drawings {
    clock: Box<dyn Clock + Send>,
    drawn_ns: u64,
    /// Stops of the process that the time left does not have.
    stopped_ns: u64,
}

impl Drawings {
    fn new(clock: Box<dyn Clock + Send>) -> Self {
        Self { drawn_ns: clock.now_ns(), stopped_ns: clock.stopped_ns(), clock }
    }

    /// Whether the bar is to be drawn again. After a stop of the process, its time left is estimated afresh.
    fn is_due(&mut self, bar: &ProgressBar) -> bool {
        let now_ns = self.clock.now_ns();
        if now_ns - self.drawn_ns <= PAUSE_NS {
            return false;
        }
        self.drawn_ns = now_ns;
        let stopped_ns = self.clock.stopped_ns();
        if std::mem::replace(&mut self.stopped_ns, stopped_ns) != stopped_ns {
            bar.reset_eta();
        }
        true
    }

    /// Shows how many objects have a place, if placing began long enough ago, and the last drawing as well.
    fn show_placing(&mut self, bar: &ProgressBar, begun_ns: u64, placed: usize, objects: usize) {
        if self.clock.now_ns() - begun_ns > SILENCE_NS && self.is_due(bar) {
            let [placed, objects] = [placed, objects].map(|n| thousands(n as f64));
            bar.set_message(format!("placing objects: {placed} of {objects}"));
        }
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
