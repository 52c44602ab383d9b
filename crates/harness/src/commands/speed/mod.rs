//! `harness speed`: our fastest algorithms compared with other libraries, input by input.
//!
//! Each part of the measurement goes into a folder with its own `frames.csv` and `summary.csv`. The rows
//! of `speed.csv` are computed from those, and page and chart from `speed.csv` alone.

mod changes;
mod contest;
mod effort;
mod inputs;
mod measuring;
mod page;
mod piles;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use inputs::SpeedPart;
pub(crate) use rows::read;

use crate::Process;
use crate::cli::SpeedOptions;
use crate::failure::Failure;
use crate::registry::PEERS;
use crate::study::{Files, Report, Study};
use broadphase::registry::Algorithm;
use contest::Contest;
use effort::SpeedEffort;
use measure::Machine;
use std::collections::BTreeMap;
use std::path::Path;

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn speed(options: &SpeedOptions, process: &Process) -> Result<(), Failure> {
    speed_with(PEERS, SpeedEffort::new(options)?, process)
}

fn speed_with(
    peers: &[Algorithm],
    effort: SpeedEffort<'_>,
    process: &Process,
) -> Result<(), Failure> {
    if peers.is_empty() && effort.has_peers() && !effort.options.redraw {
        return Err(piles::no_peers());
    }
    let options = effort.options;
    let study = Study { name: "speed", options: &options.study, is_redraw: options.redraw };
    let measure =
        |files: &Files, machine| measuring::measure(peers, &effort, files, machine, process);
    study.run(process, measure, report)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
    let rows = read(&files.rows())?;
    let (machine, doubts) = machine(&files.data())?;
    let peers = Contest::all(&rows, SpeedPart::has_peers);
    let programs = Contest::all(&rows, |part| part == SpeedPart::Programs);
    let goals = contest::goals(&rows, &peers, &programs);
    let chart = contest::chart(&peers);
    let summary = page::summary(&rows, &peers, &programs, &goals, machine.peers.len());
    let mut page = page::begin(&summary, chart.is_some());
    page::against_peers(&mut page, &peers);
    page::against_programs(&mut page, &programs);
    page::threads(&mut page, &rows);
    page::end(&mut page, &rows, &goals, &machine, &doubts);
    let charts = chart.map(|chart| (files.chart(), chart)).into_iter().collect();
    Ok(Some(Report { page, charts, summary }))
}
/// The machine of the first measured part, and the warnings of all parts. A reason that several inputs
/// share is one line.
fn machine(data: &Path) -> Result<(Machine, Vec<String>), Failure> {
    let files = SpeedPart::ALL.map(|part| data.join(part.folder()).join("machine.json"));
    let machines: Vec<Machine> = files
        .iter()
        .filter(|path| path.exists())
        .map(|path| Machine::read(path))
        .collect::<Result<_, _>>()?;
    let mut doubts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for warning in machines.iter().flat_map(|machine| &machine.warnings) {
        // Of a case or a part: "gas, n = 100000: reason", "two threads: reason".
        let is_place = |place: &str| {
            place.contains(", n = ") || SpeedPart::ALL.iter().any(|part| part.title() == place)
        };
        let (place, reason) = match warning.split_once(": ") {
            Some((place, reason)) if is_place(place) => (Some(place), reason),
            _ => (None, warning.as_str()),
        };
        let places = doubts.entry(reason).or_default();
        places.extend(place.filter(|place| !places.contains(place)));
    }
    let line = |(reason, places): (&str, Vec<&str>)| match places.is_empty() {
        true => reason.to_owned(),
        false => format!("{}: {reason}", places.join("; ")),
    };
    let doubts = doubts.into_iter().map(line).collect();
    Ok((machines.into_iter().next().unwrap_or_default(), doubts))
}
