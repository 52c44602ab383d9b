//! `harness thesis`: the experiments of the thesis on the machine at hand, figure by figure, and what
//! has become of its claims.
//!
//! First the experiments are measured, each into a folder with its own `frames.csv` and
//! `summary.csv`; then those files alone are read, drawn and judged. So every figure and verdict can
//! be had again from what lies there, by `--redraw` or `harness plot`. What is measured is on the disk
//! at once, so that `--resume` completes what was killed.

mod claims;
#[cfg(feature = "draw")]
mod drawn;
mod evidence;
mod experiments;
mod figures;
mod names;
mod page;
#[cfg(feature = "draw")]
mod pictures;
mod plan;
mod undrawn;

use crate::Process;
use crate::cli::ThesisOptions;
use crate::console;
use crate::failure::Failure;
use crate::machine_sheet::MachineSheet;
use crate::page_files::{PageFile, cannot, write_chart};
use crate::study;
use evidence::Evidence;
use experiments::Experiment;
use figures::{Content, Figure};
use measure::{Exit, Instruments, Machine, MonotonicClock, RunId, Status, SummaryRow, Warning};
use plan::Plan;
use std::fs;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs the experiments, unless only their page is to be made again, and writes the page.
pub(crate) fn thesis(options: &ThesisOptions, process: &Process) -> Result<(), Failure> {
    let mut machine = Machine::detect(&RunId::now(), process.command_line.clone());
    let folder = study::folder_of(&options.study, &machine);
    if options.redraw {
        return write_page(&folder, options);
    }
    let plan = Plan::new(options);
    let mut faults = Vec::new();
    let result = study::conduct(
        &options.study,
        || {
            faults = measure(&plan, &folder, options, &mut machine, process)?;
            Ok(if faults.is_empty() { Exit::Ok } else { Exit::Disagreement })
        },
        || write_page(&folder, options),
    );
    faults.iter().for_each(|fault| console::error(fault));
    result
}

/// Measures everything, and leaves the rows in a folder for each experiment. Gives the faults of
/// algorithms, a line each.
fn measure(
    plan: &Plan,
    folder: &Path,
    options: &ThesisOptions,
    machine: &mut Machine,
    process: &Process,
) -> Result<Vec<String>, Failure> {
    if !options.study.quiet {
        machine.warnings.iter().for_each(|w| console::note(&format!("warning: {w}")));
    }
    let data = data_folder(folder);
    study::prepare(&folder.join("thesis.md"), false, &data, old_results(&data), &options.study)?;
    // The time of one process is not that of all who worked on it.
    let wall_seconds = data.join("wall-seconds.txt");

    let clock = MonotonicClock::new();
    let instruments =
        Instruments { heap: process.heap, ..Instruments::new(&clock, process.allocations) };
    let start = Instant::now();
    let progress = |what: &str| {
        let seconds = start.elapsed().as_secs_f64();
        if !options.study.quiet && std::io::stderr().is_terminal() {
            console::note(&format!("{seconds:6.1} s  {what}"));
        }
    };
    let mut faults = Vec::new();
    #[cfg(feature = "draw")]
    match viewer::gpu::Gpu::headless() {
        Ok(gpu) => {
            machine.gpu = Some(gpu.adapter_summary().to_string());
            let bench = drawn::Bench {
                gpu: &gpu,
                machine,
                instruments,
                folder: &data,
                resume: options.study.resume,
                stop: process.stop,
            };
            drawn::measure(plan, &bench, &progress, &mut faults)?;
            pictures::draw(&gpu, &data, &progress)?;
        }
        Err(error) => machine.warnings.push(Warning::NotDrawn(error.to_string())),
    }
    #[cfg(not(feature = "draw"))]
    machine.warnings.push(Warning::NotDrawn(
        "the program was built without drawing; build it with --features draw".to_owned(),
    ));
    let bench = undrawn::Bench {
        machine,
        instruments,
        folder: &data,
        resume: options.study.resume,
        stop: process.stop,
    };
    undrawn::measure(plan, &bench, &progress, &mut faults)?;
    progress("measured");
    if options.study.resume {
        match fs::remove_file(&wall_seconds) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(cannot("replace", &wall_seconds, &e));
            }
            _ => {}
        }
    } else {
        fs::write(&wall_seconds, format!("{:.0}\n", start.elapsed().as_secs_f64()))
            .map_err(|e| cannot("write", &wall_seconds, &e))?;
    }
    Ok(faults)
}

/// What is told of a row that is no result because an algorithm failed.
fn fault_of(row: &SummaryRow) -> Option<String> {
    let reason = row.reason_text();
    (row.status == Status::Error)
        .then(|| format!("{} on {}, n = {}: {reason}", row.algorithm, row.input, row.n))
}

/// Draws and judges what lies in the folder.
fn write_page(folder: &Path, options: &ThesisOptions) -> Result<(), Failure> {
    let data = data_folder(folder);
    let page = PageFile::create(
        &folder.join("thesis.md"),
        options.study.force || options.redraw || options.study.resume,
    )?;
    let evidence = Evidence::read(&data)?;
    let machine = MachineSheet::read(&data.join(Experiment::Random.folder()).join("machine.json"))?;
    let mut shown: Vec<(&Figure, Result<(), String>)> = Vec::new();
    for figure in figures::ALL {
        let result = match figure.content {
            Content::Chart(chart) => match chart(&evidence) {
                Some(chart) => write_chart(&data.join(figure.file("svg")), &chart).map(Ok)?,
                None => Err(evidence.missing(figure.from)),
            },
            Content::Pictures(names) => {
                let there = names.iter().all(|name| data.join(name).is_file());
                if there { Ok(()) } else { Err(evidence.missing(figure.from)) }
            }
        };
        shown.push((figure, result));
    }
    let claims = claims::judge(&evidence, machine.gpu.as_deref());
    let seconds = fs::read_to_string(data.join("wall-seconds.txt")).ok();
    let text = page::page(&page::Parts {
        machine: &machine,
        evidence: &evidence,
        claims: &claims,
        figures: &shown,
        wall_seconds: seconds.as_deref().map(str::trim),
    });
    page.write(text.as_bytes())?;
    if options.study.quiet {
        return Ok(());
    }
    console::print(&format!(
        "{}\n{}\n",
        page::verdict_lines(&claims),
        folder.join("thesis.md").display()
    ))
}

/// The files that an earlier run of this command may have left.
fn old_results(data: &Path) -> Vec<PathBuf> {
    let rows = Experiment::ALL
        .iter()
        .flat_map(|experiment| study::run_files(&data.join(experiment.folder())));
    let figures = figures::ALL.iter().flat_map(|figure| match figure.content {
        Content::Chart(_) => vec![data.join(figure.file("svg")), data.join(figure.file("png"))],
        Content::Pictures(names) => names.iter().map(|name| data.join(name)).collect(),
    });
    rows.chain(figures).collect()
}

/// Where rows and figures lie, beside the page.
fn data_folder(folder: &Path) -> PathBuf {
    folder.join("thesis")
}
