//! The commands, a file or folder each, with their options.

pub(crate) mod atlas;
mod bodies;
mod capacity;
mod compare;
mod experiments;
mod inputs;
mod list;
mod plot;
mod record;
mod report;
mod run;
pub(crate) mod series;
pub(crate) mod speed;
#[cfg(test)]
pub(crate) mod tests;
mod thesis;
mod verify;

use crate::Process;
use crate::failure::Failure;
use clap::Subcommand;
use inputs::{check_length, check_memory, without_repeats};
use measure::work_on_all_processors as on_all;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the algorithms, and the methods for bodies: id, what it does, where it is described
    List(list::ListOptions),
    /// Measure algorithms, and write frames.csv, summary.csv and machine.json
    Run(run::RunOptions),
    /// Measure volumes, narrow phases, contact sets and times of impact of bodies, and write stages.csv and machine.json
    Bodies(bodies::BodiesOptions),
    /// Check every algorithm against brute force in every frame
    Verify(verify::VerifyOptions),
    /// Write the boxes of a scene, or generated ones, as a trace
    Record(record::RecordOptions),
    /// Compare two algorithms, or two files of results: the ratio of their times and its interval
    Compare(compare::CompareOptions),
    /// Draw figures from CSV files alone
    Plot(plot::PlotOptions),
    /// Write the results in a folder as one page that needs nothing else: report.html
    Report(report::ReportOptions),
    /// Measure the experiments of the thesis, draw its figures, and check its claims
    Thesis(thesis::ThesisOptions),
    /// Measure the fastest algorithms and those of other libraries, and write a page of it:
    /// speed.md. Needs the feature `peers`
    Speed(speed::SpeedOptions),
    /// Measure `auto` and what it chooses from on a random family of inputs, and write a page of it:
    /// atlas.md
    Atlas(atlas::AtlasOptions),
    /// Count the pairs that an engine with a fixed buffer would lose, frame by frame, and write a page of it: capacity.md
    Capacity(capacity::CapacityOptions),
}

impl Command {
    /// Runs it.
    pub(crate) fn run(&self, process: &Process) -> Result<(), Failure> {
        match self {
            Self::List(options) => list::list(options),
            Self::Plot(options) => plot::plot(options),
            Self::Report(options) => report::report(options),
            Self::Thesis(options) => on_all(|| thesis::thesis(options, process)),
            Self::Speed(options) => on_all(|| speed::speed(options, process)),
            Self::Atlas(options) => on_all(|| atlas::atlas(options, process)),
            Self::Capacity(options) => on_all(|| capacity::capacity(options, process)),
            Self::Run(options) => run::run(options, process),
            Self::Bodies(options) => bodies::bodies(options, process),
            Self::Verify(options) => verify::verify(options, process),
            Self::Record(options) => on_all(|| record::record(options, process)),
            Self::Compare(options) => compare::compare(options, process),
        }
    }
}
