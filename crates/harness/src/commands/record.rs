//! `harness record`: writes a trace.

use super::inputs::{cases_of, inputs};
use crate::Process;
use crate::cli::{Playing, algorithm};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{refuse_existing, refuse_input, require_ending};
use crate::progress::Progress;
use broadphase::registry::Algorithm;
use clap::Args;
use measure::{DEFAULT_FRAMES, available_memory, record_case};
use sim::scene::Continuous;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_arg("inputs", |arg| arg.help("A scene file")))]
#[command(mut_arg("boxes", |arg| arg.value_name("NAME:N")))]
#[command(mut_arg("objects", |arg| arg.help("Number of objects, instead of the scene's own").value_name("N")))]
#[command(mut_arg("frames", |arg| arg.help(format!("Frames to write [default: {DEFAULT_FRAMES}]"))))]
#[command(mut_arg("seed", |arg| arg.help("Seed, instead of the input's own")))]
pub(crate) struct RecordOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// The trace to write (.bpt)
    #[arg(long, value_name = "F.bpt")]
    pub(crate) out: PathBuf,

    /// The algorithm that finds the pairs of a scene, which its motion depends on
    #[arg(long, value_name = "ID", default_value = "kd-tree", conflicts_with = "boxes")]
    #[arg(value_parser = algorithm)]
    pub(crate) algorithm: &'static Algorithm,

    /// Play the scene with #!continuous all, and write swept boxes: each contains its object during the whole step
    #[arg(long, conflicts_with = "boxes")]
    pub(crate) swept: bool,

    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Plays an input and writes the boxes that a measurement of it would see.
pub(crate) fn record(options: &RecordOptions, process: &Process) -> Result<(), Failure> {
    let RecordOptions { playing, out, algorithm, force, quiet, .. } = options;
    // Else it would be read as a scene.
    require_ending(out, "bpt")?;
    let inputs = inputs(playing, false, *quiet)?;
    if let Some(trace) = inputs.iter().find(|input| input.is_trace()) {
        return Err(Failure::Usage(format!("{} is a trace already", trace.name)));
    }
    refuse_input(out, &playing.inputs)?;
    refuse_existing(out, *force)?;
    let frames = playing.frames.unwrap_or(DEFAULT_FRAMES);
    let mut cases = cases_of(&inputs, &playing.options(Some(0), Some(frames)))?;
    let Some(case) = cases.pop().filter(|_| cases.is_empty()) else {
        let reason = "a trace has one input: name one scene or kind of boxes, and one number";
        return Err(Failure::Usage(reason.to_owned()));
    };
    let case = if options.swept { case.with_continuous(Continuous::All) } else { case };
    case.check_memory(available_memory())?;
    if !quiet && case.has_layers() {
        console::note(&format!(
            "warning: {}: a trace holds boxes alone, the layers are not recorded",
            case.input
        ));
    }
    let mut bar = Progress::of_frames(&case.input, frames.into(), *quiet);
    record_case(&case, algorithm, out, *force, &mut bar, process.stop)?;
    drop(bar);
    if *quiet {
        return Ok(());
    }
    console::print(&format!("{}: {frames} frames of {} boxes\n", out.display(), case.n))
}
