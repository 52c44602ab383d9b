//! One repetition of a program: one run of it on one trace.

use super::Program;
use super::line::FrameLine;
use super::process::{Next, Process};
use crate::input::Case;
use crate::play::End;
use crate::rows::{Collision, Phase, PhaseTimes, Sample};
use broadphase::Counters;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What is to be measured in one repetition.
pub(crate) struct ProgramRepetition<'a> {
    pub(crate) program: &'a Program,
    /// A trace with exactly the frames of the case.
    pub(crate) trace: &'a Path,
    pub(crate) case: &'a Case,
    pub(crate) repeat: u32,
    pub(crate) budget_ns: Option<u64>,
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
    let &ProgramRepetition { program, trace, case, repeat, budget_ns, stop } = repetition;
    let start = Instant::now();
    let deadline = budget_ns.and_then(|ns| start.checked_add(Duration::from_nanos(ns)));
    let mut process = match Process::start(program.path(), trace, deadline, stop) {
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
    let took = start.elapsed();
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
    implausible_times(samples, took).map_or(End::Complete, End::Failed)
}

/// Why the times of the frames cannot be right: a wrong unit, or not the program's own time.
fn implausible_times(samples: &[Sample], took: Duration) -> Option<String> {
    let reported: u128 = samples.iter().map(|sample| u128::from(sample.detection_ns())).sum();
    (reported > took.as_nanos()).then(|| {
        format!(
            "its frames add up to {:.3} s, yet it ran for {:.3} s: the times are nanoseconds",
            reported as f64 / 1e9,
            took.as_secs_f64()
        )
    })
}

fn sample(line: &FrameLine, repeat: u32, frame: u32, case: &Case) -> Sample {
    Sample {
        repeat,
        frame,
        phase: if frame < case.warmup { Phase::Warmup } else { Phase::Measure },
        motion_ns: None,
        collision: Collision { times: PhaseTimes::new([0, line.ns]), ..Collision::default() },
        response_ns: None,
        render_ns: None,
        counters: Counters::default(),
        pairs: line.pairs,
        hits: None,
        heap_bytes: None,
        checksum: line.checksum.0,
        events: None,
        stages: None,
    }
}
