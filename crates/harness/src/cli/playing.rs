//! What is played, and what a measurement of it may take.

use super::values::{MAX_FRAMES, MAX_THREADS, seconds, share, simd_limit};
use broadphase::benchmark::SimdLimit;
use clap::{Args, value_parser};
use measure::{BoxesSpec, DEFAULT_FRAMES, DEFAULT_WARMUP, parse_seed};
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
