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
use crate::failure::{self, Failure};
use crate::machine_sheet::MachineSheet;
use crate::page_files::{PageFile, cannot, refuse_existing, remove_old, write_chart};
use evidence::Evidence;
use experiments::Experiment;
use figures::{Content, Figure};
use measure::{Instruments, Machine, MonotonicClock, RunId, Status, SummaryRow};
use plan::Plan;
use std::fs;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs the experiments, unless only their page is wanted anew, and writes the page.
pub(crate) fn thesis(options: &ThesisOptions, process: &Process) -> Result<(), Failure> {
    let run_id = RunId::now();
    let mut machine = Machine::detect(&run_id, process.command_line.clone());
    let folder = options.out.clone().unwrap_or_else(|| {
        let sheet = MachineSheet::of(&machine);
        Path::new("results").join(sheet.slug())
    });
    let faults = if options.redraw {
        Vec::new()
    } else {
        refuse_existing(&folder.join("thesis.md"), options.force || options.resume)?;
        let plan = Plan::new(options);
        measure(&plan, &folder, options, &mut machine, process).inspect_err(|failure| {
            if matches!(failure, Failure::Stopped) && !options.quiet {
                console::note("what is done is kept: the same command with --resume completes it");
            }
        })?
    };
    write_page(&folder, options)?;
    if faults.is_empty() {
        Ok(())
    } else {
        faults.iter().for_each(|fault| console::error(fault));
        Err(Failure::Reported { code: failure::DISAGREEMENT })
    }
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
    if !options.quiet {
        machine.warnings.iter().for_each(|w| console::note(&format!("warning: {w}")));
    }
    let data = data_folder(folder);
    // Both are noticed before an hour's work: a folder that cannot be written, and old results.
    fs::create_dir_all(&data).map_err(|e| cannot("make the folder", &data, &e))?;
    let replace = options.force || options.resume;
    if !options.resume {
        clear(&data, options.force)?;
    }
    drop(PageFile::create(&folder.join("thesis.md"), replace)?);
    // The time of one process is not that of all who worked on it.
    let wall_seconds = data.join("wall-seconds.txt");

    let clock = MonotonicClock::new();
    let instruments =
        Instruments { heap: process.heap, ..Instruments::new(&clock, process.allocations) };
    let start = Instant::now();
    let progress = |what: &str| {
        let seconds = start.elapsed().as_secs_f64();
        if !options.quiet && std::io::stderr().is_terminal() {
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
                resume: options.resume,
                stop: process.stop,
            };
            drawn::measure(plan, &bench, &progress, &mut faults)?;
            pictures::draw(&gpu, &data, &progress)?;
        }
        Err(error) => machine.warnings.push(format!("nothing was drawn: {error}")),
    }
    #[cfg(not(feature = "draw"))]
    machine.warnings.push(
        "nothing was drawn: the program was built without drawing; build it with --features draw"
            .to_owned(),
    );
    let bench = undrawn::Bench {
        machine,
        instruments,
        folder: &data,
        resume: options.resume,
        stop: process.stop,
    };
    undrawn::measure(plan, &bench, &progress, &mut faults)?;
    progress("measured");
    if options.resume {
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
    let reason = row.reason.as_deref().unwrap_or("no reason given");
    (row.status == Status::Error)
        .then(|| format!("{} on {}, n = {}: {reason}", row.algorithm, row.input, row.n))
}

/// Draws and judges what lies in the folder.
fn write_page(folder: &Path, options: &ThesisOptions) -> Result<(), Failure> {
    let data = data_folder(folder);
    let page = PageFile::create(
        &folder.join("thesis.md"),
        options.force || options.redraw || options.resume,
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
    if options.quiet {
        return Ok(());
    }
    console::print(&format!(
        "{}\n{}\n",
        page::verdict_lines(&claims),
        folder.join("thesis.md").display()
    ))
}

/// Takes away what an earlier run of this command left, so that nothing old is taken for new.
fn clear(data: &Path, allowed: bool) -> Result<(), Failure> {
    let rows = Experiment::ALL.iter().flat_map(|experiment| {
        ["frames.csv", "summary.csv", "machine.json", "unfinished.jsonl"]
            .map(|name| data.join(experiment.folder()).join(name))
    });
    let figures = figures::ALL.iter().flat_map(|figure| match figure.content {
        Content::Chart(_) => vec![data.join(figure.file("svg")), data.join(figure.file("png"))],
        Content::Pictures(names) => names.iter().map(|name| data.join(name)).collect(),
    });
    remove_old(rows.chain(figures).collect(), allowed)
}

/// Where rows and figures lie, beside the page.
fn data_folder(folder: &Path) -> PathBuf {
    folder.join("thesis")
}
