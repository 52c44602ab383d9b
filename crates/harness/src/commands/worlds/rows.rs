//! The rows of `worlds.csv`, and the table that is printed.

use super::METHODS;
use super::frames::WorldsSpec;
use crate::failure::Failure;
use comfy_table::{CellAlignment, Table};
use measure::numbers::{mean_count, milliseconds, significant};
use measure::{Checksum, Exit, RowReader, STYLE, Seed, Status};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file.
pub(crate) const FILE: &str = "worlds.csv";

/// A method on some worlds, on a number of threads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WorldsRow {
    run_id: String,
    input: String,
    worlds: u32,
    /// Objects of a world.
    n: u64,
    seed: Seed,
    pub(super) method: String,
    threads: u32,
    frames: u32,
    repeats: u32,
    median_ns: Option<u64>,
    p95_ns: Option<u64>,
    world_ns: Option<f64>,
    /// Mean of a frame, all worlds together.
    pub(super) pairs: Option<f64>,
    pub(super) heap_bytes: Option<u64>,
    pub(super) checksum: Option<Checksum>,
    proven: bool,
    pub(crate) status: Status,
    pub(super) reason: String,
}

impl WorldsRow {
    /// A row that is not measured yet.
    pub(super) fn new(
        spec: &WorldsSpec,
        run_id: &str,
        method: &str,
        threads: u32,
        repeats: u32,
        proven: bool,
    ) -> Self {
        Self {
            run_id: run_id.to_owned(),
            input: spec.case.input.clone(),
            worlds: spec.worlds,
            n: spec.case.n as u64,
            seed: Seed(spec.case.seed.unwrap_or_default()),
            method: method.to_owned(),
            threads,
            frames: spec.case.frames,
            repeats,
            proven,
            status: Status::Ok,
            ..Self::default()
        }
    }

    pub(super) fn set_times(&mut self, median: Option<u64>, p95: Option<u64>, spec: &WorldsSpec) {
        (self.median_ns, self.p95_ns) = (median, p95);
        self.world_ns = median.map(|ns| ns as f64 / f64::from(spec.worlds));
    }

    /// Leaves it without figures.
    pub(super) fn fail(&mut self, status: Status, reason: String) {
        (self.status, self.reason) = (status, reason);
        (self.pairs, self.heap_bytes, self.checksum) = (None, None, None);
    }

    /// Which row has no figures, and why.
    pub(super) fn note(&self) -> String {
        let Self { input, n, worlds, method, threads, reason, .. } = self;
        format!("{method} on {worlds} worlds of {input}:{n}, {threads} threads: {reason}")
    }

    /// Whether it is a row of these worlds.
    pub(super) fn is_of(&self, spec: &WorldsSpec) -> bool {
        let n = spec.case.n as u64;
        (&self.input, self.n, self.worlds) == (&spec.case.input, n, spec.worlds)
    }

    pub(crate) fn exit(&self) -> Exit {
        self.status.exit(None)
    }
}

/// Reads the rows of a file.
pub(super) fn read(path: &Path) -> Result<Vec<WorldsRow>, Failure> {
    Ok(RowReader::open(path)?.rows()?)
}

/// The rows of some worlds on a number of threads, one for each method.
fn groups(rows: &[WorldsRow]) -> impl Iterator<Item = &[WorldsRow]> {
    rows.chunk_by(|a, b| {
        (&a.input, a.n, a.worlds, a.threads) == (&b.input, b.n, b.worlds, b.threads)
    })
}

/// One call compared with a loop, on some worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Over<'a> {
    pub(crate) input: &'a str,
    pub(crate) threads: u32,
    /// Whether brute force found the pairs of every frame.
    pub(crate) proven: bool,
    /// The median time of one call over that of the faster loop of `auto`.
    pub(crate) ratio: f64,
}

impl<'a> Over<'a> {
    /// The comparison of all worlds where the call and a loop have a time.
    pub(crate) fn of(rows: &'a [WorldsRow]) -> Vec<Self> {
        let over = |rows: &'a [WorldsRow]| {
            let (calls, loops): (Vec<_>, Vec<_>) =
                rows.iter().partition(|row| row.method == METHODS[0]);
            let call = calls.iter().find_map(|row| row.median_ns)?;
            let least = loops.iter().filter_map(|row| row.median_ns).min()?;
            let WorldsRow { input, threads, proven, .. } = &rows[0];
            let ratio = call as f64 / least.max(1) as f64;
            Some(Self { input, threads: *threads, proven: *proven, ratio })
        };
        groups(rows).filter_map(over).collect()
    }
}

/// A table for each number of worlds and of threads.
pub(super) fn table(rows: &[WorldsRow]) -> String {
    groups(rows).map(group_table).collect::<Vec<_>>().join("\n")
}

fn group_table(rows: &[WorldsRow]) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header([
        "method",
        "median ms",
        "p95 ms",
        "worlds",
        "ns a world",
        "pairs",
        "MiB",
        "status",
    ]);
    for row in rows {
        let dash = || "-".to_owned();
        table.add_row([
            row.method.clone(),
            row.median_ns.map_or_else(dash, milliseconds),
            row.p95_ns.map_or_else(dash, milliseconds),
            row.worlds.to_string(),
            row.world_ns.map_or_else(dash, significant),
            row.pairs.map_or_else(dash, mean_count),
            row.heap_bytes
                .map_or_else(dash, |bytes| significant(bytes as f64 / f64::from(1 << 20))),
            format!("{:?}", row.status).to_lowercase(),
        ]);
    }
    for index in 1..7 {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let first = &rows[0];
    let threads = if first.threads == 1 { "thread" } else { "threads" };
    format!(
        "{}: {} worlds of {} from seed {} on, {} {threads}, {} frames x {}\n{table}\n",
        first.input,
        first.worlds,
        first.n,
        first.seed.0,
        first.threads,
        first.frames,
        first.repeats
    )
}
