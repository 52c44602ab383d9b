//! The job without a window: its progress, its report and its exit code.

use super::failure::Failure;
use crate::console;
use crate::format::counted;
use crate::headless::{self, Job, JobError, PictureError, Report};
use measure::numbers::thousands;
use measure::{AllocationCount, Clock, Exit, Observer, RunError, Warning};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// Placing objects is announced after this time, as by the harness.
const SILENCE: Duration = Duration::from_secs(1);

/// Runs the job and prints its report. A missing picture is an error only if it is `required`.
pub(super) fn run(
    job: &Job,
    required: bool,
    clock: &'static dyn Clock,
    allocations: AllocationCount,
) -> Result<Exit, Failure> {
    let is_followed = io::stderr().is_terminal();
    let mut placing = Placing { clock, begun_ns: is_followed.then(|| clock.now_ns()) };
    if is_followed {
        let algorithms = match &job.algorithms[..] {
            [only] => only.id.to_owned(),
            several => counted(several.len(), "algorithm"),
        };
        let [frames, objects] = [(job.case.frames as usize, "frame"), (job.case.n, "object")]
            .map(|(n, of)| counted(n, of));
        console::note(format_args!("{algorithms} through {frames} of {objects} ..."));
    }
    let report =
        headless::run(job, clock, Some(allocations), &mut placing).map_err(
            |error| match error {
                JobError::Run(RunError::Input(error)) => Failure::Input(error.to_string()),
                error => Failure::running(error),
            },
        )?;
    if !report.warnings.is_empty() {
        console::note(format_args!("warning: {}", Warning::joined(&report.warnings)));
    }
    let mut output = format!("{}frames: {}\n", report.table, report.csv.display());
    match &report.picture {
        Some(Ok((path, adapter))) => {
            let is_sequence = job.screenshot.as_ref().is_some_and(|shot| shot.steps.is_some());
            let name = if is_sequence { "pictures" } else { "picture" };
            output += &format!("{name}: {}, drawn by {adapter}\n", path.display());
        }
        Some(Err(reason)) if required => {
            console::note(format_args!("error: no picture: {reason}"));
        }
        Some(Err(reason)) => output += &format!("no picture: {reason}\n"),
        None => {}
    }
    console::print(&output)
        .map_err(|e| Failure::Running(format!("cannot write the output: {e}")))?;
    for (algorithm, outcome) in &report.faults {
        console::note(format_args!("error: {algorithm}: {outcome}"));
    }
    Ok(exit(&report, required))
}

/// Announces once that objects are placed, where that takes long.
struct Placing {
    clock: &'static dyn Clock,
    /// When the present repetition began, with the placing; `None` after the announcement.
    begun_ns: Option<u64>,
}

impl Placing {
    /// The line to show now, if it is time to.
    fn line(&mut self, placed: usize, objects: usize) -> Option<String> {
        let now_ns = self.clock.now_ns();
        self.begun_ns.take_if(|begun| u128::from(now_ns - *begun) > SILENCE.as_nanos())?;
        let [placed, objects] = [placed, objects].map(|number| thousands(number as f64));
        Some(format!("placing objects: {placed} of {objects} ..."))
    }
}

impl Observer for Placing {
    fn repetition_begins(&mut self, _: &str, _: u32) {
        if let Some(begun_ns) = &mut self.begun_ns {
            *begun_ns = self.clock.now_ns();
        }
    }

    fn objects_placed(&mut self, placed: usize, objects: usize) {
        if let Some(line) = self.line(placed, objects) {
            console::note(line);
        }
    }
}

/// The exit code of a report.
fn exit(report: &Report, required: bool) -> Exit {
    let picture = match &report.picture {
        Some(Err(PictureError::Wrong(_))) => Exit::Disagreement,
        Some(Err(_)) if required => Exit::Running,
        _ => Exit::Ok,
    };
    report.faults.iter().map(|(_, outcome)| outcome.exit()).fold(picture, Exit::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::Double;
    use crate::session::{Stage, StageFault};
    use broadphase::Pair;
    use measure::Outcome;
    use narrowphase::impact::Impact;
    use sim::stages::WrongAnswer;
    use std::path::PathBuf;
    use std::sync::atomic::Ordering::SeqCst;

    #[test]
    fn placing_is_announced_once_after_a_second() {
        let clock = Double::leaked();
        let pass = || _ = clock.now_ns.fetch_add(SILENCE.as_nanos() as u64, SeqCst);
        let mut placing = Placing { clock, begun_ns: Some(clock.now_ns()) };
        assert_eq!(placing.line(256, 5_000_000), None);
        pass();
        placing.repetition_begins("bsp", 1);
        assert_eq!(placing.line(256, 5_000_000), None, "another repetition has begun");
        pass();
        let line = placing.line(1_234_000, 5_000_000);
        assert_eq!(line.as_deref(), Some("placing objects: 1,234,000 of 5,000,000 ..."));
        pass();
        assert_eq!(placing.line(2_000_000, 5_000_000), None, "once");
        assert_eq!(
            Placing { clock, begun_ns: None }.line(256, 5_000_000),
            None,
            "without a terminal"
        );
    }

    #[test]
    fn exit_code_is_that_of_the_worst_fault() {
        let motion = || PictureError::Motion("step 3".to_owned());
        let with_picture = |picture, faults| Report {
            table: String::new(),
            csv: PathBuf::new(),
            picture,
            warnings: Vec::new(),
            faults,
        };
        let report = |faults, missing: bool| with_picture(missing.then(|| Err(motion())), faults);
        let panicked = "panicked in frame 3 of repetition 0: why".to_owned();
        let panicked = ("a".to_owned(), Outcome::Error(panicked));
        let disagrees = ("b".to_owned(), Outcome::Error("how".to_owned()));
        assert_eq!(exit(&report(vec![], true), false), Exit::Ok);
        assert_eq!(exit(&report(vec![], true), true), Exit::Running);
        let (pair, found, known) = (Pair { a: 0, b: 1 }, Impact::Failed, Impact::Never);
        let wrong = WrongAnswer { pair, found, known, gap: Some(1.0) };
        let fault = StageFault { step: 3, stage: Stage::Narrow, name: "c", id: "c", wrong };
        let wrong = with_picture(Some(Err(PictureError::Wrong(Box::new(fault)))), vec![]);
        assert_eq!(exit(&wrong, false), Exit::Disagreement, "though the picture is not required");
        assert_eq!(exit(&report(vec![panicked.clone()], false), false), Exit::Running);
        assert_eq!(exit(&report(vec![disagrees, panicked], true), true), Exit::Disagreement);
    }
}
