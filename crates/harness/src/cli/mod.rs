//! The command line: the options of each command.

mod bodies;
mod commands;
mod playing;
mod selection;
mod study;
mod values;

pub(crate) use bodies::BodiesOptions;
pub(crate) use commands::{
    CompareOptions, ListOptions, PlotOptions, RecordOptions, ReportOptions, RunOptions,
    VerifyOptions,
};
pub(crate) use playing::{Playing, ResultOptions};
pub(crate) use study::{AtlasOptions, CapacityOptions, SpeedOptions, StudyOptions, ThesisOptions};

use clap::{Parser, Subcommand};

/// Measures broad-phase collision detection.
#[derive(Debug, Parser)]
#[command(name = "harness", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 ok, 1 failure while running, 2 usage, 3 bad input file, \
                        4 algorithms disagree, 5 regression against a baseline, 130 stopped.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the algorithms, and the methods for bodies: id, what it does, where it is described
    List(ListOptions),
    /// Measure algorithms, and write frames.csv, summary.csv and machine.json
    Run(RunOptions),
    /// Measure volumes, narrow phases, contact sets and times of impact of bodies, and write stages.csv and machine.json
    Bodies(BodiesOptions),
    /// Check every algorithm against brute force in every frame
    Verify(VerifyOptions),
    /// Write the boxes of a scene, or generated ones, as a trace
    Record(RecordOptions),
    /// Compare two algorithms, or two files of results: the ratio of their times and its interval
    Compare(CompareOptions),
    /// Draw figures from CSV files alone
    Plot(PlotOptions),
    /// Write the results in a folder as one page that needs nothing else: report.html
    Report(ReportOptions),
    /// Measure the experiments of the thesis, draw its figures, and check its claims
    Thesis(ThesisOptions),
    /// Measure the fastest algorithms and those of other libraries, and write a page of it:
    /// speed.md. Needs the feature `peers`
    Speed(SpeedOptions),
    /// Measure `auto` and what it chooses from on a random family of inputs, and write a page of it:
    /// atlas.md
    Atlas(AtlasOptions),
    /// Count the pairs that an engine with a fixed buffer would lose, frame by frame, and write a page of it: capacity.md
    Capacity(CapacityOptions),
}
