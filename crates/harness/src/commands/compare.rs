//! `harness compare`: two algorithms, or two files of results.

mod algorithms;
mod compared;
mod files;

use crate::Process;
use crate::cli::CompareOptions;
use crate::console;
use crate::failure::Failure;
use crate::registry;
use broadphase::benchmark::limit_simd;
use broadphase::registry::{Algorithm, ParameterError};
use compared::Compared;
use measure::{Exit, Machine, RunId};
use serde_json::json;
use std::path::Path;

/// Compares B with A, in all inputs or all cells.
pub(crate) fn compare(options: &CompareOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    let mut machine = Machine::detect(&RunId::now(), process.command_line.clone());
    let rows = match (entry(&options.a)?, entry(&options.b)?) {
        (Some(a), Some(b)) => algorithms::compare([a, b], options, process, &mut machine)?,
        (None, None) if Path::new(&options.a).exists() || Path::new(&options.b).exists() => {
            // Nothing is measured here.
            machine.warnings.clear();
            files::compare(options)?
        }
        (a, _) => {
            let wrong = if a.is_none() { &options.a } else { &options.b };
            let ids: Vec<&str> = registry::offered().iter().map(|row| row.id).collect();
            return Err(Failure::Usage(format!(
                "`{wrong}` is no algorithm: compare two of {}, or two summary.csv or stages.csv",
                ids.join(", ")
            )));
        }
    };
    if options.json {
        let json = json!({
            "command_line": machine.command_line,
            "date": machine.date,
            "cpu": machine.cpu,
            "simd": machine.simd,
            "git": machine.git,
            "warnings": machine.warnings,
            "rows": rows,
        });
        console::print(&format!("{json:#}\n"))?;
    } else if !options.quiet {
        console::print(&compared::table(&rows))?;
    }
    if !options.quiet {
        machine.warnings.iter().for_each(console::warn);
    }
    verdict(&rows, options.fail_above)
}

/// The algorithm of an id, which may set parameters; `None` if it is a file, or nothing.
fn entry(id: &str) -> Result<Option<&'static Algorithm>, Failure> {
    // A path may contain an `@`, or be the id of a removed algorithm.
    let is_path = Path::new(id).exists();
    match registry::offered().resolve(id) {
        Ok(entry) if !(is_path && registry::sets_parameters(id)) => Ok(Some(entry)),
        Err(error) if !(is_path || matches!(error, ParameterError::Algorithm(_))) => {
            Err(Failure::Usage(registry::refusal(error)))
        }
        _ => Ok(None),
    }
}

/// Prints faults and regressions, and makes the exit code of them.
fn verdict(rows: &[Compared], fail_above: Option<f64>) -> Result<(), Failure> {
    let mut exit = Exit::Ok;
    for row in rows {
        if row.exit != Exit::Ok {
            console::error(&row.line());
            exit = exit.max(row.exit);
        }
    }
    // A wrong or missing result outweighs a slow one.
    Failure::unless_ok(exit)?;
    if let Some(limit) = fail_above {
        for row in rows.iter().filter(|row| row.is_regression(limit)) {
            console::error(&format!("regression, more than {limit} times: {}", row.line()));
            exit = Exit::Regression;
        }
        for row in rows.iter().filter(|row| row.is_undecided()) {
            console::error(&format!("too few repetitions to judge {}", row.line()));
            exit = exit.max(Exit::Running);
        }
    }
    if exit == Exit::Ok && rows.iter().all(|row| row.ratio.is_none()) {
        rows.iter().for_each(|row| console::error(&row.line()));
        console::error("nothing could be compared");
        exit = Exit::Running;
    }
    Failure::unless_ok(exit)
}

#[cfg(test)]
mod tests;
