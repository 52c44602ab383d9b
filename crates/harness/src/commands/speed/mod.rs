//! `harness speed`: our fastest algorithms beside the broad phases of others, input by input.
//!
//! Each part of the measurement goes into a folder with its own `frames.csv` and `summary.csv`, on the
//! disk at once, so that `--resume` completes what was killed. Of those come the rows of `speed.csv`,
//! and of these alone the page and the chart: `--redraw` makes them again.

mod changes;
mod chart;
mod findings;
mod goals;
mod inputs;
mod limit;
mod measuring;
mod page;
mod parts;
mod piles;
mod rows;
#[cfg(test)]
mod tests;

use crate::Process;
use crate::cli::{SpeedOptions, StudyOptions};
use crate::console;
use crate::failure::Failure;
use crate::machine_sheet::MachineSheet;
use crate::page_files::{PageFile, write_chart};
use crate::registry::PEERS;
use crate::study;
use broadphase::Algorithm;
use measure::{Machine, RunId};
use parts::{Effort, Part};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Measures, unless only the page is to be made again, and writes the page.
pub(crate) fn speed(options: &SpeedOptions, process: &Process) -> Result<(), Failure> {
    speed_beside(PEERS, &Effort::new(options), options, process)
}

/// Why nothing can be measured.
fn no_peers() -> Failure {
    Failure::Running(
        "this build has no other libraries to compare with; build it with them: \
         cargo run --release -p harness --features peers -- speed"
            .to_owned(),
    )
}

fn speed_beside(
    peers: &[Algorithm],
    effort: &Effort,
    options: &SpeedOptions,
    process: &Process,
) -> Result<(), Failure> {
    let machine = Machine::detect(&RunId::now(), process.command_line.clone());
    let folder = study::folder_of(&options.study, &machine);
    if options.redraw {
        return write_page(&folder, options);
    }
    if peers.is_empty() {
        return Err(no_peers());
    }
    study::conduct(
        &options.study,
        || measuring::measure(peers, effort, &folder, options, machine, process),
        || write_page(&folder, options),
    )
}

/// The files beside the page.
struct Paths {
    page: PathBuf,
    rows: PathBuf,
    chart: PathBuf,
    /// The folder of the parts.
    data: PathBuf,
}

impl Paths {
    fn new(folder: &Path) -> Self {
        let [page, rows, chart, data] =
            ["speed.md", "speed.csv", "speed.svg", "speed"].map(|name| folder.join(name));
        Self { page, rows, chart, data }
    }
}

/// Draws and judges the rows.
fn write_page(folder: &Path, options: &SpeedOptions) -> Result<(), Failure> {
    let paths = Paths::new(folder);
    let rows = study::rows::read(&paths.rows)?;
    let StudyOptions { force, resume, quiet, .. } = options.study;
    let page = PageFile::create(&paths.page, force || options.redraw || resume)?;
    let (machine, doubts) = machine(&paths.data)?;
    let verdicts = page::Verdicts::new(&rows, &machine);
    let chart = chart::chart(&verdicts.findings);
    if let Some(chart) = &chart {
        write_chart(&paths.chart, chart)?;
    }
    page.write(page::page(&rows, &verdicts, &machine, &doubts, chart.is_some()).as_bytes())?;
    if !quiet {
        let summary = page::summary(&rows, &verdicts).join("\n");
        console::print(&format!("{summary}\n{}\n", paths.page.display()))?;
    }
    Ok(())
}

/// The machine, by the first part that was measured, and what makes figures of any part doubtful: the
/// same doubt about several inputs once.
fn machine(data: &Path) -> Result<(MachineSheet, Vec<String>), Failure> {
    let sheets = Part::ALL.map(|part| data.join(part.folder()).join("machine.json"));
    let sheets: Vec<MachineSheet> = sheets
        .iter()
        .filter(|path| path.exists())
        .map(|path| MachineSheet::read(path))
        .collect::<Result<_, _>>()?;
    let mut doubts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for warning in sheets.iter().flat_map(|sheet| &sheet.warnings) {
        // Of a case or a part: "gas, n = 100000: reason", "two threads: reason".
        let is_place = |place: &str| {
            place.contains(", n = ") || Part::ALL.iter().any(|part| part.title() == place)
        };
        match warning.split_once(": ").filter(|(place, _)| is_place(place)) {
            Some((case, reason)) => {
                let cases = doubts.entry(reason.to_owned()).or_default();
                if cases.iter().all(|other| other != case) {
                    cases.push(case.to_owned());
                }
            }
            None => {
                doubts.entry(warning.clone()).or_default();
            }
        }
    }
    let line = |(reason, cases): (String, Vec<String>)| match cases.is_empty() {
        true => reason,
        false => format!("{}: {reason}", cases.join("; ")),
    };
    let mut machine = sheets.into_iter().next().unwrap_or_default();
    machine.warnings.clear();
    Ok((machine, doubts.into_iter().map(line).collect()))
}
