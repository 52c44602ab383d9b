//! `harness record`: writes a trace.

use super::inputs::{check_moving, check_seed};
use crate::Process;
use crate::cli::RecordOptions;
use crate::console;
use crate::failure::Failure;
use crate::page_files::{refuse_existing, refuse_input};
use crate::progress::Progress;
use measure::{CaseOptions, Input, available_memory, record_case};
use sim::scene::Continuous;
use std::slice;

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
    refuse_input(&options.out, options.input.as_slice())?;
    refuse_existing(&options.out, options.force)?;
    let case_options = CaseOptions {
        objects: options.objects.into_iter().collect(),
        seed: options.seed,
        warmup: Some(0),
        frames: Some(options.frames),
    };
    for case in input.cases(&case_options)? {
        let case = if options.swept { case.with_continuous(Continuous::All) } else { case };
        case.check_memory(available_memory())?;
        if !options.quiet && case.has_layers() {
            console::note(&format!(
                "warning: {}: a trace holds boxes alone, the layers are not recorded",
                case.input
            ));
        }
        let frames = u64::from(case.total_frames());
        let mut bar = Progress::of_frames(&case.input, frames, options.quiet);
        let (out, replaces) = (&options.out, options.force);
        record_case(&case, options.algorithm, out, replaces, &mut bar, process.stop)?;
        bar.finish();
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
