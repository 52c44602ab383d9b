//! What is played, what a measurement of it may take, and where its rows go.

use super::values::{MAX_FRAMES, MAX_THREADS, seconds, share, simd_limit};
use crate::registry::narrow_phases;
use broadphase::benchmark::SimdLimit;
use clap::{Args, value_parser};
use measure::{BoxesSpec, DEFAULT_FRAMES, DEFAULT_WARMUP, parse_seed};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::registry::find;
use narrowphase::volume::{VOLUMES, VolumeKind};
use std::path::PathBuf;
use std::time::Duration;

/// What is played.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Scene files, and traces (.bpt)
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Generated boxes: gas, cluster, brownian, jitter, plane, line, same-x, stadium, terdiman or
    /// statics; or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N,..", value_delimiter = ',')]
    pub(crate) boxes: Vec<BoxesSpec>,

    /// Share of the generated boxes that moves, 0 to 1 [default: 1, of statics 0.1]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "boxes")]
    pub(crate) moving: Option<f32>,

    /// Numbers of objects of the scenes, each a case of its own; without it a scene's own number
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub(crate) objects: Vec<u32>,

    #[arg(help = format!("Frames that count; without it {DEFAULT_FRAMES}, of a trace all"))]
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: Option<u32>,

    /// Seed of scenes and generated boxes, instead of their own, and of the order of measuring
    #[arg(long, value_name = "SEED", value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,

    /// Numbers of threads that the algorithms may use
    #[arg(long, value_name = "T,..", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_THREADS))]
    pub(crate) threads: Vec<u32>,

    /// Instruction set that vector kernels may use at most
    #[arg(long, value_name = "SET", value_parser = simd_limit(), default_value = "best")]
    pub(crate) simd: SimdLimit,
}

/// What a measurement may take.
#[derive(Debug, Args)]
pub(crate) struct Effort {
    #[arg(help = format!(
        "Frames before those that count; without it {DEFAULT_WARMUP}, of a trace a tenth if that is \
         less"
    ))]
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(0..=MAX_FRAMES))]
    pub(crate) warmup: Option<u32>,

    /// Time that an algorithm may take for one case; it is skipped where it would take more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,
}

/// The folder of a run or a study, and the treatment of earlier results there.
#[derive(Clone, Debug, Args)]
pub(crate) struct StudyOptions {
    /// Folder for the results; without it results/run-YYYYMMDD-HHMMSS (UTC), of a command that writes a page
    /// results/MACHINE, named after processor and cores
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Complete the run in the folder, which was killed or stopped, or begin it; the other options must be the same
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Replace existing results, also those of another command, except recorded piles
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The same, and what is printed.
#[derive(Debug, Args)]
pub(crate) struct ResultOptions {
    #[command(flatten)]
    pub(crate) study: StudyOptions,

    /// Print the rows as JSON instead of the table
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `run` times on the pairs of bodies.
#[derive(Debug, Args)]
pub(crate) struct StageOptions {
    /// Scenes with bodies: the bounding volume that is timed on the pairs (`harness list` has all)
    #[arg(long, value_name = "ID", default_value = "obb", value_parser = parse_volume)]
    pub(crate) volume: &'static VolumeKind,

    /// Scenes with bodies: the narrow phase that is timed on what passes the volume (`harness list` has all)
    #[arg(long, value_name = "ID", default_value = "gjk+cached", value_parser = parse_narrow)]
    pub(crate) narrow: &'static NarrowPhaseKind,
}

/// The bounding volume with this id.
pub(crate) fn parse_volume(id: &str) -> Result<&'static VolumeKind, String> {
    find(VOLUMES, id).ok_or_else(|| one_of(VOLUMES.iter().map(|kind| kind.id)))
}

/// The narrow phase with this id.
pub(crate) fn parse_narrow(id: &str) -> Result<&'static NarrowPhaseKind, String> {
    // Known where it is built in.
    let hint = if id == "parry" { "; parry needs a build with the feature `peers`" } else { "" };
    let known = narrow_phases().iter().map(|kind| kind.id);
    find(narrow_phases(), id).ok_or_else(|| one_of(known) + hint)
}

pub(crate) fn one_of<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    format!("expected one of {}", ids.collect::<Vec<_>>().join(", "))
}
