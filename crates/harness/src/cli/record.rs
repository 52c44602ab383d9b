//! `harness record`.

use super::selection::AlgorithmId;
use super::values::{MAX_FRAMES, share};
use broadphase::registry::Algorithm;
use clap::{Args, value_parser};
use measure::{BoxesSpec, DEFAULT_FRAMES, parse_seed};
use std::path::PathBuf;

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
    #[arg(value_parser = AlgorithmId)]
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
