//! `harness compare`: two algorithms, measured in this process, or two files of results, measured at other times.

use super::inputs::{cases, check_length, check_memory, without_repeats};
use crate::cli::{Effort, MAX_REPEATS, Playing, Searching, ratio};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{Process, console, registry};
use broadphase::benchmark::limit_simd;
use broadphase::registry::{Algorithm, ParameterError};
use clap::{Args, value_parser};
use measure::{
    Case, Cell, DEFAULT_ORDER_SEED, Exit, FrameTime, Instruments, Machine, Median, Outcome, Plan,
    Ratio, RunId, Shown, ShownRow, ShownTable, Stage, StageRow, StagesFile, Status, SummaryFile,
    SummaryRow, Warning, Watch, measure_case_watched, paired_ratio,
};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct CompareOptions {
    /// The baseline: an algorithm's id, which may set parameters, ID@PARAMETER=V; or a summary.csv, a stages.csv, or the
    /// folder of one
    pub(crate) a: String,

    /// The other side of the comparison: another id, or another file of the same kind
    pub(crate) b: String,

    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) searching: Searching,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// Rounds, in each of which both go once through all frames; an interval of 95 % takes six
    #[arg(long, value_name = "R", default_value = "10")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    /// Exit with 5 where B takes more than this multiple of the time of A, beyond noise
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    pub(crate) fail_above: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Fewest rounds that give an interval of 95 %.
const MIN_ROUNDS: u32 = 6;

/// Compares B with A, in all inputs or all cells.
pub(crate) fn compare(options: &CompareOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.searching.simd);
    let mut machine = Machine::detect(&RunId::now(), process.command_line.clone());
    let rows = match (entry(&options.a)?, entry(&options.b)?) {
        (Some(a), Some(b)) => measure([a, b], options, process, &mut machine)?,
        (None, None) if Path::new(&options.a).exists() || Path::new(&options.b).exists() => {
            // Nothing is measured here.
            machine.warnings.clear();
            files(options)?
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

/// Measures A and B in rounds, each in a new random order. What makes the ratios doubtful goes
/// to the warnings of `machine`.
fn measure(
    [a, b]: [&Algorithm; 2],
    options: &CompareOptions,
    process: &Process,
    machine: &mut Machine,
) -> Result<Vec<Compared>, Failure> {
    if options.fail_above.is_some() && options.repeat < MIN_ROUNDS {
        return Err(Failure::Usage(format!(
            "--fail-above takes at least --repeat {MIN_ROUNDS}: fewer rounds do not separate a \
             regression from noise"
        )));
    }
    let cases = cases(&options.playing, options.effort.warmup, true, options.quiet)?;
    check_length(&cases, options.repeat)?;
    check_memory(&cases)?;
    let threads = without_repeats(&options.searching.threads);
    let algorithms = [a, b];
    let plan = Plan {
        order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.effort.budget,
        ..Plan::new(&algorithms, &threads, options.repeat)
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let few = Warning::of_threads(threads.iter().map(|&n| n.into()), processors);
    few.iter().for_each(|few| machine.warn(few));
    let instruments = Instruments::new(&*process.clock, None);
    let mut progress = Progress::new(&cases, plan.cells().count(), options.repeat, options.quiet);
    let mut rows = Vec::new();
    let mut calibration_ns = Vec::new();
    for case in &cases {
        progress.case_begins(case);
        let watch = Watch { observer: &mut progress, stop: process.stop, finished: Vec::new() };
        let measured = measure_case_watched(case, &plan, instruments, watch)?;
        progress.case_done(case);
        calibration_ns.extend(measured.calibration_ns);
        if !measured.warnings.is_empty() {
            machine.warn(&Warning::of_case(case, &measured.warnings));
        }
        // A and B of each number of threads.
        let pairs = measured.cells.chunks_exact(2);
        rows.extend(pairs.map(|pair| compared_cells(case, &plan, [&pair[0], &pair[1]])));
    }
    Warning::of_drift(&calibration_ns).iter().for_each(|drift| machine.warn(drift));
    Ok(rows)
}

fn compared_cells(case: &Case, plan: &Plan<'_>, [a, b]: [&Cell; 2]) -> Compared {
    let times = |cell: &Cell| -> Vec<FrameTime> {
        cell.samples.iter().filter_map(FrameTime::of_row).collect()
    };
    let faulty = [a, b].into_iter().find(|cell| cell.outcome != Outcome::Ok);
    let paired = if faulty.is_none() { paired_ratio(times(a), times(b)) } else { None };
    let [of_a, of_b] = [a, b].map(|cell| Side::of_cell(&cell.summary("", case, plan)));
    Compared {
        ratio: paired.map(|p| p.ratio),
        confidence: paired.map(|p| p.confidence),
        enough: paired.is_some_and(|p| p.suffices()),
        reason: faulty.map(|cell| format!("{}: {}", cell.algorithm, cell.outcome)),
        exit: a.outcome.exit().max(b.outcome.exit()),
        ..compared(&of_a, Some(&of_b))
    }
}

/// Compares each row of A with its like in B.
fn files(options: &CompareOptions) -> Result<Vec<Compared>, Failure> {
    let Playing { inputs, boxes, moving, objects, frames, seed } = &options.playing;
    let has_inputs = !(inputs.is_empty() && boxes.is_empty() && objects.is_empty());
    let effort = [*frames, options.effort.warmup].iter().any(Option::is_some);
    let others = moving.is_some() || seed.is_some() || options.effort.budget.is_some();
    if has_inputs || effort || others || options.searching.threads != [1] {
        let reason = "two files are compared as they are, nothing is measured: leave the inputs out, and options of measuring";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let paths = [&options.a, &options.b].map(Path::new);
    // A `stages.csv`, or a folder with one and without a `summary.csv`.
    let is_of_stages = |path: &&Path| {
        let is_named = path.file_name().is_some_and(|name| name == StagesFile::NAME);
        let [stages, summary] =
            [StagesFile::NAME, SummaryFile::NAME].map(|f| path.join(f).exists());
        is_named || (stages && !summary)
    };
    let of_stages = paths.iter().any(is_of_stages);
    let read = |path| -> Result<(PathBuf, Vec<Side>), Failure> {
        if of_stages {
            let StagesFile { path, rows } = StagesFile::read(path)?;
            return Ok((path, rows.iter().map(Side::of_stage).collect()));
        }
        let SummaryFile { path, rows } = SummaryFile::read(path)?;
        Ok((path, rows.iter().map(Side::of_cell).collect()))
    };
    let ((a_path, a), (b_path, b)) = (read(paths[0])?, read(paths[1])?);
    let like = |row: &Side, rows: &[Side]| rows.iter().position(|other| other.key == row.key);
    if !a.iter().any(|row| like(row, &b).is_some()) {
        let (a, b) = (a_path.display(), b_path.display());
        return Err(Failure::BadFile(format!("{a} and {b} have no cell in common")));
    }
    let new = b.iter().filter(|row| like(row, &a).is_none()).count();
    if new > 0 && !options.quiet {
        console::note(&format!("note: {new} cell(s) stand in B only"));
    }
    Ok(a.iter().map(|row| compared(row, like(row, &b).map(|at| &b[at]))).collect())
}

/// What is compared of a row.
struct Side {
    key: Key,
    median: Option<Median>,
    /// What was done, in words, and in how many repetitions.
    work: String,
    repeats: u32,
    /// The result, if all methods have the same; and by how much it may differ.
    result: Option<u64>,
    band: u64,
    status: Status,
    reason: String,
    exit: Exit,
}

/// What both rows have. A stage is named after its method, its boxes, and how bodies collide within steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Key {
    input: String,
    n: u64,
    seed: Option<u64>,
    threads: u32,
    #[serde(rename = "a")]
    name: String,
}

impl Side {
    fn of_cell(row: &SummaryRow) -> Self {
        let SummaryRow { n, seed, threads, .. } = *row;
        Self {
            key: Key { input: row.input.clone(), n, seed, threads, name: row.algorithm.clone() },
            median: row.median(),
            work: format!("{} frames", row.frames),
            repeats: row.repeats,
            result: row.checksum.map(|checksum| checksum.0),
            band: 0,
            status: row.status,
            reason: row.reason_text(),
            exit: row.exit(),
        }
    }

    fn of_stage(row: &StageRow) -> Self {
        let StageRow { n, seed, threads, stage, frames, repeats, .. } = *row;
        let [boxes, collisions] =
            [(&row.box_kind, " boxes"), (&row.continuous, "")].map(|(word, what)| match &**word {
                "" => String::new(),
                word => format!(" ({word}{what})"),
            });
        let name = format!("{stage} {}{boxes}{collisions}", row.method);
        // Another fit of a volume may pass other pairs. The pairs that touch are the same, but for those in the band.
        let is_answer = matches!(stage, Stage::Narrow | Stage::Impact);
        let tests = row.tests.unwrap_or_default();
        Self {
            key: Key { input: row.input.clone(), n, seed, threads, name },
            median: row.median(),
            work: format!("{tests} tests in {frames} frames x {repeats}"),
            repeats,
            result: row.right_contacts().filter(|_| is_answer),
            band: row.band.unwrap_or_default(),
            status: row.status,
            reason: row.reason_text(),
            exit: row.exit(),
        }
    }
}

/// Shortest time that a ratio is of, ns.
const LEAST_NS: f64 = 1e-3;

/// How long B took over A, or why that cannot be said.
fn compared(a: &Side, b: Option<&Side>) -> Compared {
    let fault = b.map_or(Some(("B has no such cell".to_owned(), Exit::Ok)), |b| fault(a, b));
    let over = |b: f64, a: f64| b.max(LEAST_NS) / a.max(LEAST_NS);
    // Nothing pairs their frames: the interval is the widest that theirs allow.
    let ratio = |b: &Side| {
        let (of_a, of_b) = a.median.zip(b.median)?;
        let ([a_low, a_high], [b_low, b_high]) = of_a.interval.zip(of_b.interval)?;
        let (low, high) = (over(b_low, a_high), over(b_high, a_low));
        Some(Ratio { ratio: over(of_b.value, of_a.value), low, high })
    };
    let (reason, exit) = fault.unzip();
    Compared {
        key: a.key.clone(),
        b: b.unwrap_or(a).key.name.clone(),
        a_median_ns: a.median.map(|median| median.value),
        b_median_ns: b.and_then(|b| b.median).map(|median| median.value),
        ratio: b.filter(|_| reason.is_none()).and_then(ratio),
        // The interval of one repetition shows only how frames differ.
        enough: b.is_some_and(|b| a.repeats.min(b.repeats) > 1),
        lost: a.status == Status::Ok && b.is_none_or(|b| b.status != Status::Ok),
        reason,
        exit: exit.unwrap_or_default(),
        confidence: None,
    }
}

/// Why two rows cannot be compared, and how that ends the program.
fn fault(a: &Side, b: &Side) -> Option<(String, Exit)> {
    match (a.status, b.status) {
        (Status::Ok, Status::Ok) if a.work != b.work => {
            Some((format!("{} against {}", a.work, b.work), Exit::BadInput))
        }
        (Status::Ok, Status::Ok) => {
            let [one, other] = [a, b].map(|side| side.result.unwrap_or_default());
            let text = "other pairs or answers were found: other boxes, another warm-up, or a wrong result";
            (one.abs_diff(other) > a.band.max(b.band))
                .then(|| (text.to_owned(), Exit::Disagreement))
        }
        (Status::Ok, _) => Some((format!("B: {}", b.reason), b.exit)),
        // A cell without a figure before cannot become slower.
        _ => Some((format!("A: {}", a.reason), Exit::Ok)),
    }
}

/// B compared with A on one input.
#[derive(Debug, Serialize)]
struct Compared {
    /// With the id of the baseline's algorithm.
    #[serde(flatten)]
    key: Key,
    /// Id of the other.
    b: String,
    /// Median nanoseconds of a frame, or of a test.
    #[serde(serialize_with = "whole_if_possible")]
    a_median_ns: Option<f64>,
    #[serde(serialize_with = "whole_if_possible")]
    b_median_ns: Option<f64>,
    /// B's time over A's; `None` with a `reason`.
    ratio: Option<Ratio>,
    /// Probability with which the interval holds the true ratio; `None` where it comes from the 95 %
    /// intervals of two files.
    confidence: Option<f64>,
    /// Whether it comes from enough rounds or repetitions to separate a difference from noise.
    enough: bool,
    /// Why there is no ratio.
    reason: Option<String>,
    /// How this alone would end the program, regressions aside.
    #[serde(skip)]
    exit: Exit,
    /// Whether A has a figure and B none, though nothing is wrong with its results.
    #[serde(skip)]
    lost: bool,
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
    fn is_regression(&self, limit: f64) -> bool {
        let slower = |r: Ratio| r.ratio > limit && !r.holds_one();
        self.lost || (self.enough && self.ratio.is_some_and(slower))
    }

    /// Whether there is a ratio of too few rounds or repetitions to judge.
    fn is_undecided(&self) -> bool {
        self.ratio.is_some() && !self.enough
    }

    /// All in a line.
    fn line(&self) -> String {
        let (Key { input, n, threads, name, .. }, b) = (&self.key, &self.b);
        let place = format!("{input}, n = {n}, {threads} thread(s)");
        let who = if name == b { name.clone() } else { format!("{b} against {name}") };
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
    let milliseconds = |ns: f64| match ns {
        // A test of two bodies takes less than the fourth digit.
        ..1000.0 => format!("{:.8}", ns / 1e6),
        ..10_000.0 => format!("{:.6}", ns / 1e6),
        _ => format!("{:.4}", ns / 1e6),
    };
    let row = |row: &Compared| {
        let confidence = row.confidence.map(|sure| format!(" ({:.0} %)", 100.0 * sure));
        let confidence = confidence.unwrap_or_default();
        let interval = row.ratio.map(|r| format!("{:.3} .. {:.3}{confidence}", r.low, r.high));
        let cells = vec![
            Shown::words("input", &*row.key.input),
            Shown::figure("n", Some(row.key.n as f64), |n| n.to_string()),
            Shown::figure("threads", Some(row.key.threads.into()), |n| n.to_string()),
            Shown::words("A", &*row.key.name),
            Shown::figure("A ms", row.a_median_ns, milliseconds),
            Shown::words("B", &*row.b),
            Shown::figure("B ms", row.b_median_ns, milliseconds),
            Shown::figure("B / A", row.ratio.map(|r| r.ratio), |ratio| format!("{ratio:.3}")),
            Shown::words("interval", interval.unwrap_or("-".to_owned())),
            Shown::words("verdict", row.verdict()),
        ];
        ShownRow { cells, ..ShownRow::default() }
    };
    ShownTable { heading: String::new(), rows: rows.iter().map(row).collect() }.text()
}

#[cfg(test)]
mod tests;
