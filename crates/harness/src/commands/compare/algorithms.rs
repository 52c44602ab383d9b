//! Two algorithms, measured in this process.

use super::Compared;
use crate::Process;
use crate::cli::CompareOptions;
use crate::commands::inputs::{cases, check_length, check_memory, without_repeats};
use crate::failure::Failure;
use crate::progress::Progress;
use broadphase::registry::Algorithm;
use measure::{
    Case, Cell, DEFAULT_ORDER_SEED, FrameTime, Instruments, Machine, MonotonicClock, Outcome, Plan,
    Warning, Watch, measure_case_watched, median, paired_ratio,
};

/// Fewest rounds that give an interval of 95 %.
const MIN_ROUNDS: u32 = 6;

/// Measures A and B in rounds, each in a new random order. What makes the ratios doubtful goes
/// to the warnings of `machine`.
pub(super) fn compare(
    [a, b]: [&Algorithm; 2],
    options: &CompareOptions,
    process: &Process,
    machine: &mut Machine,
) -> Result<Vec<Compared>, Failure> {
    if options.fail_above.is_some() && options.repeat < MIN_ROUNDS {
        return Err(Failure::Usage(format!(
            "--fail-above takes at least --repeat {MIN_ROUNDS}: fewer rounds do not separate a \
             regression from noise"
        )));
    }
    let cases = cases(&options.playing, options.effort.warmup, true, options.quiet)?;
    check_length(&cases, options.repeat)?;
    check_memory(&cases)?;
    let threads = without_repeats(&options.playing.threads);
    let algorithms = [a, b];
    let plan = Plan {
        order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.effort.budget,
        ..Plan::new(&algorithms, &threads, options.repeat)
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let few = Warning::of_threads(threads.iter().map(|&n| n.into()), processors);
    few.iter().for_each(|few| machine.warn(few));
    let clock = MonotonicClock::new();
    let instruments = Instruments::new(&clock, None);
    let mut progress = Progress::new(&cases, plan.cells().count(), options.repeat, options.quiet);
    let mut rows = Vec::new();
    let mut calibration_ns = Vec::new();
    for case in &cases {
        progress.case_begins(case);
        let watch = Watch { observer: &mut progress, stop: process.stop, finished: Vec::new() };
        let measured = measure_case_watched(case, &plan, instruments, watch)?;
        progress.case_done(case);
        calibration_ns.extend(measured.calibration_ns);
        if !measured.warnings.is_empty() {
            machine.warn(&Warning::of_case(case, &measured.warnings));
        }
        // Of each number of threads, A and B.
        rows.extend(measured.cells.chunks_exact(2).map(|pair| compared(case, &pair[0], &pair[1])));
    }
    progress.finish();
    Warning::of_drift(&calibration_ns).iter().for_each(|drift| machine.warn(drift));
    Ok(rows)
}

fn compared(case: &Case, a: &Cell, b: &Cell) -> Compared {
    let median_of = |cell: &Cell| {
        let kept = cell.samples.iter().filter(|s| s.phase == measure::Phase::Measure);
        let mut ns: Vec<u64> = kept.map(|s| s.detection_ns()).collect();
        median(&mut ns).filter(|_| cell.outcome == Outcome::Ok)
    };
    let times = |cell: &Cell| -> Vec<FrameTime> {
        cell.samples.iter().filter_map(FrameTime::of_row).collect()
    };
    let faulty = [a, b].into_iter().find(|cell| cell.outcome != Outcome::Ok);
    let paired = if faulty.is_none() { paired_ratio(times(a), times(b)) } else { None };
    Compared {
        input: case.input.clone(),
        n: case.n as u64,
        seed: case.seed,
        threads: a.threads,
        a: a.algorithm.to_owned(),
        b: b.algorithm.to_owned(),
        a_median_ns: median_of(a).map(|ns| ns as f64),
        b_median_ns: median_of(b).map(|ns| ns as f64),
        ratio: paired.map(|p| p.ratio),
        confidence: paired.map(|p| p.confidence),
        enough: paired.is_some_and(|p| p.suffices()),
        reason: faulty.map(|cell| format!("{}: {}", cell.algorithm, cell.outcome)),
        exit: a.outcome.exit().max(b.outcome.exit()),
        lost: a.outcome == Outcome::Ok && b.outcome != Outcome::Ok,
    }
}
