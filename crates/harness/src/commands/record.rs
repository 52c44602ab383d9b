//! `harness record`: writes a trace.

use super::inputs::{check_moving, check_seed, open};
use crate::Process;
use crate::cli::{MAX_FRAMES, algorithm, share};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{refuse_existing, refuse_input, require_ending};
use crate::progress::Progress;
use broadphase::registry::Algorithm;
use clap::{Args, value_parser};
use measure::{
    BoxesSpec, CaseOptions, DEFAULT_FRAMES, Input, available_memory, parse_seed, record_case,
};
use sim::scene::Continuous;
use std::path::PathBuf;
use std::slice;

#[derive(Debug, Args)]
pub(crate) struct RecordOptions {
    /// A scene file
    #[arg(required_unless_present = "boxes", conflicts_with = "boxes")]
    pub(crate) input: Option<PathBuf>,

    /// Generated boxes instead of a scene, or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N")]
    pub(crate) boxes: Option<BoxesSpec>,

    /// Share of the generated boxes that moves, 0 to 1 [default: 1, of statics 0.1]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "boxes")]
    pub(crate) moving: Option<f32>,

    /// The trace to write (.bpt)
    #[arg(long, value_name = "F.bpt")]
    pub(crate) out: PathBuf,

    /// The algorithm that finds the pairs of a scene, which its motion depends on
    #[arg(long, value_name = "ID", default_value = "kd-tree", conflicts_with = "boxes")]
    #[arg(value_parser = algorithm)]
    pub(crate) algorithm: &'static Algorithm,

    /// Number of objects, instead of the scene's own
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "boxes")]
    pub(crate) objects: Option<u32>,

    /// Frames to write
    #[arg(long, value_name = "F", default_value_t = DEFAULT_FRAMES)]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: u32,

    /// Play the scene with #!continuous all, and write swept boxes: each contains its object during the whole step
    #[arg(long, conflicts_with = "boxes")]
    pub(crate) swept: bool,

    /// Seed, instead of the input's own
    #[arg(long, value_name = "SEED", value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,

    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Plays an input and writes the boxes that a measurement of it would see.
pub(crate) fn record(options: &RecordOptions, process: &Process) -> Result<(), Failure> {
    // Else it would be read as a scene.
    require_ending(&options.out, "bpt")?;
    let input = match (&options.input, options.boxes) {
        (Some(path), _) => open(slice::from_ref(path), options.quiet)?.remove(0),
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
        drop(bar);
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
