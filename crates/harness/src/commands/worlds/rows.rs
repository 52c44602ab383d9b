//! The rows of `worlds.csv`, and the table that is printed.

use super::frames::WorldsSpec;
use comfy_table::{CellAlignment, Table};
use measure::numbers::{mean_count, milliseconds, significant};
use measure::{Checksum, Exit, STYLE, Status};
use serde::{Deserialize, Serialize};

/// Name of the file.
pub(crate) const FILE: &str = "worlds.csv";

/// A method on some worlds, on a number of threads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WorldsRow {
    run_id: String,
    input: String,
    worlds: u32,
    /// Objects of a world.
    n: u64,
    seed: u64,
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
            seed: spec.case.seed.unwrap_or_default(),
            method: method.to_owned(),
            threads,
            frames: spec.case.frames,
            repeats,
            median_ns: None,
            p95_ns: None,
            world_ns: None,
            pairs: None,
            heap_bytes: None,
            checksum: None,
            proven,
            status: Status::Ok,
            reason: String::new(),
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

    pub(crate) fn exit(&self) -> Exit {
        self.status.exit(None)
    }
}

/// The rows of some worlds on a number of threads, one for each method.
fn groups(rows: &[WorldsRow]) -> impl Iterator<Item = &[WorldsRow]> {
    rows.chunk_by(|a, b| {
        (&a.input, a.n, a.worlds, a.threads) == (&b.input, b.n, b.worlds, b.threads)
    })
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
        first.input, first.worlds, first.n, first.seed, first.threads, first.frames, first.repeats
    )
}
