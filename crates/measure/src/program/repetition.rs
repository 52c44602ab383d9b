//! One repetition of a program: one run of it on one trace.

use super::Program;
use super::line::FrameLine;
use super::process::{Next, Process};
use crate::input::Case;
use crate::play::End;
use crate::process::Clock;
use crate::rows::{Collision, Phase, PhaseTimes, Sample};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What is to be measured in one repetition.
pub(crate) struct ProgramRepetition<'a> {
    pub(crate) program: &'a Program,
    /// A trace with exactly the frames of the case.
    pub(crate) trace: &'a Path,
    pub(crate) case: &'a Case,
    pub(crate) repeat: u32,
    pub(crate) budget_ns: Option<u64>,
    pub(crate) clock: &'a dyn Clock,
    /// Ends the measurement when it is set.
    pub(crate) stop: &'a AtomicBool,
}

/// Runs the program, and appends the frames that it reports to `samples`. `frame_done` is called after
/// each.
///
/// A program reports one time for update and search; it is kept as that of the search.
pub(crate) fn measure_program(
    repetition: &ProgramRepetition<'_>,
    samples: &mut Vec<Sample>,
    mut frame_done: impl FnMut(u32),
) -> End {
    let &ProgramRepetition { program, trace, case, repeat, budget_ns, clock, stop } = repetition;
    // A program goes on while this process is stopped.
    let wall_ns = || clock.now_ns() + clock.stopped_ns();
    let start_ns = wall_ns();
    let deadline_ns = budget_ns.map(|ns| clock.now_ns().saturating_add(ns));
    let mut process = match Process::start(program.path(), trace, clock, deadline_ns, stop) {
        Ok(process) => process,
        Err(reason) => return End::Failed(reason),
    };
    let expected = case.total_frames();
    let mut frame = 0;
    loop {
        let line = match process.next_line() {
            Next::Ready(Some(line)) => line,
            Next::Ready(None) => break,
            Next::OutOfTime => return End::OutOfTime { frame },
            Next::Stopped => return End::Stopped,
        };
        if frame == expected {
            return End::Failed(format!("it prints more lines than the {expected} frames"));
        }
        match FrameLine::read(&line) {
            Ok(line) => samples.push(sample(&line, repeat, frame, case)),
            Err(reason) => return End::Failed(format!("line {}: {reason}", frame + 1)),
        }
        frame_done(frame);
        frame += 1;
    }
    let status = match process.wait() {
        Next::Ready(Ok(status)) => status,
        Next::Ready(Err(reason)) => {
            return End::Failed(format!("after {frame} of {expected} frames, {reason}"));
        }
        Next::OutOfTime => return End::OutOfTime { frame },
        Next::Stopped => return End::Stopped,
    };
    let took_ns = wall_ns() - start_ns;
    if !status.success() {
        let complaint = process.complaint().map(|line| format!(": {line}")).unwrap_or_default();
        return End::Failed(format!("after {frame} of {expected} frames, {status}{complaint}"));
    }
    if process.leaves_processes() {
        return End::Failed("it ended, but processes that it has started went on".to_owned());
    }
    if frame < expected {
        return End::Failed(format!("it prints {frame} lines for {expected} frames"));
    }
    implausible_times(samples, took_ns).map_or(End::Complete, End::Failed)
}

/// Why the times of the frames cannot be right: a wrong unit, or not the program's own time.
fn implausible_times(samples: &[Sample], took_ns: u64) -> Option<String> {
    let reported: u128 = samples.iter().map(|sample| u128::from(sample.detection_ns())).sum();
    (reported > u128::from(took_ns)).then(|| {
        format!(
            "its frames add up to {:.3} s, yet it ran for {:.3} s: the times are nanoseconds",
            reported as f64 / 1e9,
            took_ns as f64 / 1e9
        )
    })
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
