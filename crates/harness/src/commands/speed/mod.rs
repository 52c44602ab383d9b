//! `harness speed`: our fastest algorithms compared with other libraries, input by input.
//!
//! Each part of the measurement goes into a folder with its own `frames.csv` and `summary.csv`. The rows
//! of `speed.csv` are computed from those, and page and chart from `speed.csv` alone.

mod contest;
mod inputs;
mod page;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use inputs::SpeedPart;
pub(crate) use rows::read;

use crate::cli::StudyOptions;
use crate::commands::series::Series;
use crate::failure::Failure;
use crate::registry::PEERS;
use crate::study::{Bench, Study, note_table, write_rows};
use crate::{Process, registry};
use broadphase::registry::Algorithm;
use clap::{Args, value_parser};
use inputs::{Piles, SpeedEffort};
use measure::{Plan, Program};
use std::collections::HashSet;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SpeedOptions {
    /// A few minutes instead of about an hour: fewer frames, rounds and objects
    #[arg(long)]
    pub(crate) quick: bool,

    /// Only these inputs: gas, falling-pile and so on, or gas:20000
    #[arg(long, value_name = "INPUT,..", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Only these parts of the measurement
    #[arg(long, value_name = "PART,..", value_delimiter = ',', value_enum)]
    pub(crate) parts: Vec<SpeedPart>,

    /// Compare with these programs too: each reads a trace, and prints a line for each frame
    /// (docs/trace-file.md)
    #[arg(long = "program", value_name = "PATH", num_args = 1..)]
    pub(crate) programs: Vec<PathBuf>,

    /// Measure on these traces too (docs/trace-file.md)
    #[arg(long = "trace", value_name = "F.bpt", num_args = 1..)]
    pub(crate) traces: Vec<PathBuf>,

    /// Frames that count
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) frames: Option<u32>,

    /// Rounds, each with new structures; an interval of 95 % needs six
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Measure nothing: write page and charts from the rows of an earlier run
    #[arg(long, conflicts_with_all = [
        "quick", "only", "parts", "programs", "traces", "frames", "repeat", "force", "resume",
    ])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn speed(options: &SpeedOptions, process: &Process) -> Result<(), Failure> {
    speed_with(PEERS, &SpeedEffort::new(options)?, process)
}

fn speed_with(
    peers: &[Algorithm],
    effort: &SpeedEffort<'_>,
    process: &Process,
) -> Result<(), Failure> {
    let options = effort.options;
    if peers.is_empty() && effort.has_peers() && !options.redraw {
        return Err(Failure::Running(
            "this build has no other libraries to compare with; build it with them: \
             cargo run --release -p harness --features peers -- speed"
                .to_owned(),
        ));
    }
    let study = Study { name: "speed", options: &options.study, is_redraw: options.redraw };
    study.run(process, |bench| measure(peers, effort, bench), page::report)
}

/// Measures all parts, each into its own folder, and writes `speed.csv`.
fn measure(
    peers: &[Algorithm],
    effort: &SpeedEffort<'_>,
    bench: &mut Bench<'_>,
) -> Result<(), Failure> {
    effort.check()?;
    let programs = open_programs(&effort.options.programs)?;
    let data = bench.files.data();
    let _lock = bench.prepare(&data, false)?;
    let versions = registry::peer_versions();
    let engine = versions.iter().find(|version| version.starts_with("rapier3d"));
    let piles = Piles {
        folder: data.join("traces"),
        engine: engine.cloned().unwrap_or_default(),
        quiet: bench.options.quiet,
        stop: bench.setting.stop,
    };
    let parts = effort.cases(&piles)?;
    bench.setting.machine.peers = versions;
    let (count, mut all_rows) = (parts.len(), Vec::new());
    for (number, (part, cases)) in (1..).zip(parts) {
        bench.note(&format!("part {number} of {count}: {}", part.title()));
        let algorithms = part.algorithms(peers);
        let plan = Plan {
            programs: if part == SpeedPart::Programs { &programs } else { &[] },
            budget: Some(effort.budget),
            ..Plan::new(&algorithms, effort.threads(part), effort.repeats(part))
        };
        bench.part(part.folder(), &Series::new(cases, plan), Some(part.title()))?;
        all_rows.extend(rows::of_part(part, &data.join(part.folder()))?);
    }
    let rows = bench.files.file("csv");
    write_rows(&rows, &all_rows)?;
    // Also in those of parts that an earlier run measured: pages read all.
    let manifests = SpeedPart::ALL.map(|part| data.join(part.folder()).join("machine.json"));
    let mut manifests = manifests.iter().filter(|manifest| manifest.exists());
    manifests.try_for_each(|manifest| note_table(manifest, manifest, "../../speed.csv", &rows))
}

/// Opens the programs. Refused where two would have the same name in the rows, or one that of an algorithm.
fn open_programs(paths: &[PathBuf]) -> Result<Vec<Program>, Failure> {
    let mut names = HashSet::new();
    let open = |path: &PathBuf| {
        let program = Program::open(path).map_err(|e| Failure::Usage(format!("--program {e}")))?;
        let name = program.id().to_owned();
        if registry::offered().find(&name).is_some() || !names.insert(name.clone()) {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "--program {path}: another is called `{name}`: name the file otherwise"
            )));
        }
        Ok(program)
    };
    paths.iter().map(open).collect()
}
