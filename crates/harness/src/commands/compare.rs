//! `harness compare`: two algorithms, or two files of results.

mod algorithms;
mod files;

use crate::cli::CompareOptions;
use crate::failure::Failure;
use crate::{Process, console, registry};
use broadphase::benchmark::limit_simd;
use broadphase::registry::{Algorithm, ParameterError};
use measure::{Exit, Machine, Ratio, RunId, Status};
use serde::{Serialize, Serializer};
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
        console::print(&table(&rows))?;
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

/// B compared with A on one input.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Compared {
    pub(super) input: String,
    pub(super) n: u64,
    pub(super) seed: Option<u64>,
    pub(super) threads: u32,
    /// Id of the baseline's algorithm.
    pub(super) a: String,
    /// Id of the other.
    pub(super) b: String,
    /// Median nanoseconds of a frame, or of a test.
    #[serde(serialize_with = "whole_if_possible")]
    pub(super) a_median_ns: Option<f64>,
    #[serde(serialize_with = "whole_if_possible")]
    pub(super) b_median_ns: Option<f64>,
    /// B's time over A's; `None` with a `reason`.
    pub(super) ratio: Option<Ratio>,
    /// Probability with which the interval holds the true ratio; `None` where it comes from the 95 %
    /// intervals of two files.
    pub(super) confidence: Option<f64>,
    /// Whether it comes from enough rounds or repetitions to separate a difference from noise.
    pub(super) enough: bool,
    /// Why there is no ratio.
    pub(super) reason: Option<String>,
    /// How this alone would end the program, regressions aside.
    #[serde(skip)]
    pub(super) exit: Exit,
    /// Whether A has a figure and B none, though nothing is wrong with its results.
    #[serde(skip)]
    pub(super) lost: bool,
}

/// Whole nanoseconds are written as such: only tests take fractions of one.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn whole_if_possible<S: Serializer>(ns: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match *ns {
        Some(ns) if ns.fract() == 0.0 && ns < 1e15 => serializer.serialize_some(&(ns as u64)),
        ns => ns.serialize(serializer),
    }
}

impl Compared {
    /// Whether B takes more than `limit` times as long, beyond noise, or has lost its figure.
    pub(super) fn is_regression(&self, limit: f64) -> bool {
        let slower = |r: Ratio| r.ratio > limit && !r.holds_one();
        self.lost || (self.enough && self.ratio.is_some_and(slower))
    }

    /// Whether there is a ratio of too few rounds or repetitions to judge.
    pub(super) fn is_undecided(&self) -> bool {
        self.ratio.is_some() && !self.enough
    }

    /// Rows of two files, without their labels and times: the ratio, unless there is a fault, which ends the program with its
    /// code.
    pub(super) fn of_files(
        fault: Option<(String, Exit)>,
        ratio: impl FnOnce() -> Option<Ratio>,
        [a, b]: [Status; 2],
    ) -> Self {
        let ratio = if fault.is_none() { ratio() } else { None };
        let (reason, exit) = fault.unzip();
        let lost = a == Status::Ok && b != Status::Ok;
        Self { ratio, reason, exit: exit.unwrap_or_default(), lost, ..Self::default() }
    }

    /// A row of A compared with itself, where B has no such row.
    pub(super) fn without_partner(self) -> Self {
        let lost = self.reason.is_none();
        let reason = Some("B has no such cell".to_owned());
        Self { b_median_ns: None, ratio: None, reason, exit: Exit::Ok, lost, ..self }
    }

    /// All in a line.
    pub(super) fn line(&self) -> String {
        let Self { input, n, threads, a, b, .. } = self;
        let place = format!("{input}, n = {n}, {threads} thread(s)");
        let who = if a == b { a.clone() } else { format!("{b} against {a}") };
        match (&self.ratio, &self.reason) {
            (Some(Ratio { ratio, low, high }), _) => {
                format!("{who} on {place}: {ratio:.3} ({low:.3} .. {high:.3})")
            }
            (None, reason) => {
                format!("{who} on {place}: {}", reason.as_deref().unwrap_or("no figures"))
            }
        }
    }

    fn verdict(&self) -> String {
        match (self.ratio, &self.reason) {
            _ if self.is_undecided() => "too few rounds for a verdict".to_owned(),
            (Some(r), _) if r.holds_one() => "no difference shown".to_owned(),
            (Some(r), _) if r.ratio < 1.0 => format!("B is {:.2} times as fast", 1.0 / r.ratio),
            (Some(r), _) => format!("A is {:.2} times as fast", r.ratio),
            (None, reason) => reason.clone().unwrap_or_default(),
        }
    }
}

/// A table to read.
fn table(rows: &[Compared]) -> String {
    let header = "input|n|threads|A|A ms|B|B ms|B / A|interval|verdict";
    let milliseconds = |ns: Option<f64>| match ns {
        None => "-".to_owned(),
        // A test of two bodies takes less than the fourth digit.
        Some(ns) if ns < 1000.0 => format!("{:.8}", ns / 1e6),
        Some(ns) if ns < 10_000.0 => format!("{:.6}", ns / 1e6),
        Some(ns) => format!("{:.4}", ns / 1e6),
    };
    let row = |row: &Compared| {
        let confidence = match row.confidence {
            Some(confidence) => format!(" ({:.0} %)", 100.0 * confidence),
            None => String::new(),
        };
        let of_ratio = |text: &dyn Fn(Ratio) -> String| row.ratio.map_or("-".to_owned(), text);
        [
            row.input.clone(),
            row.n.to_string(),
            row.threads.to_string(),
            row.a.clone(),
            milliseconds(row.a_median_ns),
            row.b.clone(),
            milliseconds(row.b_median_ns),
            of_ratio(&|r| format!("{:.3}", r.ratio)),
            of_ratio(&|r| format!("{:.3} .. {:.3}{confidence}", r.low, r.high)),
            row.verdict(),
        ]
    };
    format!("{}\n", console::table(header, &[1, 2, 4, 6, 7, 8], rows.iter().map(row)))
}
