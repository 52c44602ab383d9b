//! `harness record`: writes a trace.

use super::inputs::{check_moving, check_seed};
use crate::Process;
use crate::cli::RecordOptions;
use crate::console;
use crate::failure::Failure;
use crate::page_files::refuse_existing;
use broadphase::registry::{Algorithm, Settings};
use measure::{Case, CaseOptions, Input, Warning, available_memory, find_sorted};
use sim::{TraceError, TraceWriter};
use std::slice;
use std::sync::atomic::AtomicBool;

/// Plays an input and writes the boxes that a measurement of it would see.
pub(crate) fn record(options: &RecordOptions, process: &Process) -> Result<(), Failure> {
    if !options.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("bpt")) {
        let out = options.out.display();
        return Err(Failure::Usage(format!(
            "--out {out}: a trace's name ends in .bpt, else it would be read as a scene"
        )));
    }
    let input = match (&options.input, options.boxes) {
        (Some(path), _) => Input::open(path)?,
        (None, Some(spec)) => {
            check_moving(&[spec], options.moving)?;
            Input::boxes(spec.with_moving(options.moving))
        }
        (None, None) => return Err(Failure::Usage("name a scene, or --boxes NAME:N".to_owned())),
    };
    if input.is_trace() {
        return Err(Failure::Usage(format!("{} is a trace already", input.name)));
    }
    check_seed(slice::from_ref(&input), options.seed)?;
    refuse_existing(&options.out, options.force)?;
    let case_options = CaseOptions {
        objects: options.objects.into_iter().collect(),
        seed: options.seed,
        warmup: Some(0),
        frames: Some(options.frames),
    };
    let algorithm = options
        .algorithm()
        .ok_or_else(|| Failure::Usage("there is no such algorithm".to_owned()))?;
    for case in input.cases(&case_options)? {
        case.check_memory(available_memory())?;
        write(&case, algorithm, options, process.stop)?;
        if !options.quiet {
            console::print(&format!(
                "{}: {} frames of {} boxes\n",
                options.out.display(),
                case.frames,
                case.n
            ))?;
        }
    }
    Ok(())
}

/// Where it is stopped, no file is left.
fn write(
    case: &Case,
    algorithm: &Algorithm,
    options: &RecordOptions,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let settings = Settings::new(case.n).world(case.space()).memory_limit(available_memory());
    let mut instance = algorithm.create(&settings).map_err(|e| Failure::Running(e.to_string()))?;
    let objects = u32::try_from(case.n)
        .map_err(|_| Failure::Running(format!("{} objects are too many for a trace", case.n)))?;
    let mut playback = case.start()?;
    if !options.quiet && !playback.layers().is_empty() {
        let warning = Warning::LayersLost { input: case.input.clone() };
        console::warn(&warning);
    }
    let mut writer =
        TraceWriter::create(&options.out, objects, playback.frame().time_step).map_err(written)?;
    let mut pairs = Vec::new();
    for _ in 0..case.total_frames() {
        playback.step(|frame| {
            let frame = frame.stopped_by(stop);
            writer.write_frame(frame.boxes).map_err(written)?;
            if case.has_response() {
                find_sorted(&mut *instance, &frame, &mut pairs);
            }
            // Pairs may be missing.
            if frame.is_stopped() { Err(Failure::Stopped) } else { Ok(&pairs) }
        })?;
    }
    writer.finish().map_err(written)
}

/// A trace that cannot be written is no bad input.
fn written(error: TraceError) -> Failure {
    Failure::Running(error.to_string())
}
