//! One repetition of a program: one run of it on one trace.

use super::repetition::Repetition;
use crate::input::Case;
use crate::play::{Halt, Observer, RunError};
use crate::program::{FrameLine, Process, Program, ProgramEnd};
use crate::rows::{Collision, Outcome, Phase, PhaseTimes, Sample};

/// Runs the program on a case that is a trace with exactly its frames, and appends the frames that it reports to
/// `samples`.
///
/// A program reports one time for update and search; it is kept as that of the search.
///
/// # Errors
///
/// If the repetition ends before its last frame, or the program fails.
pub(super) fn measure_program(
    repetition: &Repetition<'_>,
    program: &Program,
    samples: &mut Vec<Sample>,
    observer: &mut dyn Observer,
) -> Result<(), Halt<Outcome>> {
    let repeat = repetition.repeat;
    run(repetition, program, samples, observer).map_err(|end| match end {
        ProgramEnd::Failed(reason) => Halt::Ended(Outcome::failed(&reason, repeat)),
        ProgramEnd::OutOfTime => Halt::Ended(Outcome::out_of_time(samples.len() as u32, repeat)),
        ProgramEnd::Stopped => RunError::Stopped.into(),
    })
}

fn run(
    repetition: &Repetition<'_>,
    program: &Program,
    samples: &mut Vec<Sample>,
    observer: &mut dyn Observer,
) -> Result<(), ProgramEnd> {
    let &Repetition { case, repeat, budget_ns, instruments, stop, .. } = repetition;
    let (clock, failed) = (instruments.clock, ProgramEnd::Failed);
    let trace = case.trace().ok_or_else(|| failed("the input is no trace".to_owned()))?;
    // A program goes on while this process is stopped.
    let wall_ns = || clock.now_ns() + clock.stopped_ns();
    let start_ns = wall_ns();
    let deadline_ns = budget_ns.map(|ns| clock.now_ns().saturating_add(ns));
    let mut process =
        Process::start(program.path(), trace, clock, deadline_ns, stop).map_err(failed)?;
    let expected = case.total_frames();
    let mut frame = 0;
    while let Some(line) = process.next_line()? {
        if frame == expected {
            return Err(failed(format!("it prints more lines than the {expected} frames")));
        }
        let line = FrameLine::read(&line);
        let line = line.map_err(|reason| failed(format!("line {}: {reason}", frame + 1)))?;
        samples.push(sample(&line, repeat, frame, case));
        observer.frame_done(frame);
        frame += 1;
    }
    let status = process.wait().map_err(|end| match end {
        ProgramEnd::Failed(why) => failed(format!("after {frame} of {expected} frames, {why}")),
        end => end,
    })?;
    let took_ns = wall_ns() - start_ns;
    if !status.success() {
        let complaint = process.complaint().map(|line| format!(": {line}")).unwrap_or_default();
        return Err(failed(format!("after {frame} of {expected} frames, {status}{complaint}")));
    }
    if process.leaves_processes() {
        return Err(failed("it ended, but processes that it has started went on".to_owned()));
    }
    if frame < expected {
        return Err(failed(format!("it prints {frame} lines for {expected} frames")));
    }
    check_times(samples, took_ns)
}

/// Refuses times of frames that cannot be right: a wrong unit, or not the program's own time.
fn check_times(samples: &[Sample], took_ns: u64) -> Result<(), ProgramEnd> {
    let reported: u128 = samples.iter().map(|sample| u128::from(sample.detection_ns())).sum();
    if reported <= u128::from(took_ns) {
        return Ok(());
    }
    Err(ProgramEnd::Failed(format!(
        "its frames add up to {:.3} s, yet it ran for {:.3} s: the times are nanoseconds",
        reported as f64 / 1e9,
        took_ns as f64 / 1e9
    )))
}

fn sample(line: &FrameLine, repeat: u32, frame: u32, case: &Case) -> Sample {
    Sample {
        repeat,
        frame,
        phase: if frame < case.warmup { Phase::Warmup } else { Phase::Measure },
        collision: Collision { times: PhaseTimes::new([0, line.ns]), ..Collision::default() },
        pairs: line.pairs,
        checksum: line.checksum.0,
        ..Sample::default()
    }
}
