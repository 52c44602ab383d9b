//! The job without a window: its progress, its report and its exit code.

use super::failure::Failure;
use crate::console;
use crate::headless::{self, Job, JobError, PictureError, Report};
use measure::{AllocationCount, Clock, Exit, RunError, Warning};
use std::io::{self, IsTerminal};

/// Runs the job and prints its report. A missing picture is an error only if it is `required`.
pub(super) fn run(
    job: &Job,
    required: bool,
    clock: &'static dyn Clock,
    allocations: AllocationCount,
) -> Result<Exit, Failure> {
    if io::stderr().is_terminal() {
        let algorithms = match &job.algorithms[..] {
            [only] => only.id.to_owned(),
            several => format!("{} algorithms", several.len()),
        };
        let (frames, objects) = (job.case.frames, job.case.n);
        console::note(format_args!(
            "{algorithms} through {frames} frames of {objects} objects ..."
        ));
    }
    let report = headless::run(job, clock, Some(allocations)).map_err(|error| match error {
        JobError::Run(RunError::Input(error)) => Failure::Input(error.to_string()),
        error => Failure::running(error),
    })?;
    if !report.warnings.is_empty() {
        console::note(format_args!("warning: {}", Warning::joined(&report.warnings)));
    }
    let mut output = format!("{}frames: {}\n", report.table, report.csv.display());
    match &report.picture {
        Some(Ok((path, adapter))) => {
            output += &format!("picture: {}, drawn by {adapter}\n", path.display());
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
    use crate::session::{Stage, StageFault, Wrong};
    use broadphase::Pair;
    use measure::{Outcome, Panicked};
    use narrowphase::{Answer, Judgement, Verdict};
    use sim::stages::WrongAnswer;
    use std::path::PathBuf;

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
        let panicked = Panicked { frame: 3, repeat: 0, message: "why".to_owned() };
        let panicked = ("a".to_owned(), Outcome::Panicked(panicked));
        let disagrees = ("b".to_owned(), Outcome::Disagrees("how".to_owned()));
        assert_eq!(exit(&report(vec![], true), false), Exit::Ok);
        assert_eq!(exit(&report(vec![], true), true), Exit::Running);
        let answer = Answer::Failed;
        let found = Wrong::Answer(WrongAnswer {
            pair: Pair { a: 0, b: 1 },
            answer,
            judgement: Judgement::Failed,
            verdict: Verdict { answer, gap: 1.0, is_in_band: false },
        });
        let fault = StageFault { step: 3, stage: Stage::Narrow, name: "c", id: "c", found };
        let wrong = with_picture(Some(Err(PictureError::Wrong(Box::new(fault)))), vec![]);
        assert_eq!(exit(&wrong, false), Exit::Disagreement, "though the picture is not required");
        assert_eq!(exit(&report(vec![panicked.clone()], false), false), Exit::Running);
        assert_eq!(exit(&report(vec![disagrees, panicked], true), true), Exit::Disagreement);
    }
}
