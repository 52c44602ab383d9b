//! The rows of `frames.csv` and `summary.csv`: a contract with other programs.
//!
//! The fields stand in the order of the columns. A figure that does not exist is `None`: an empty
//! cell in CSV, `null` in JSON.

use crate::{Labels, Sample};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Whether a frame counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It only brings the structure and the caches up.
    Warmup,
    /// It counts.
    Measure,
}

/// What became of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured, for a reason that is no fault: too little memory, or time.
    Skipped,
    /// Its pairs were wrong, or it panicked.
    Error,
}

/// A checksum, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(pub u64);

impl std::fmt::Display for Checksum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        if digits.len() != 16 {
            return Err(D::Error::custom("a checksum has 16 digits"));
        }
        u64::from_str_radix(&digits, 16).map(Checksum).map_err(D::Error::custom)
    }
}

/// A row of `frames.csv`: one frame of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each field is the column of its name, explained at `Sample`")]
pub struct FrameRow {
    pub run_id: String,
    pub input: String,
    pub n: u64,
    pub seed: Option<u64>,
    pub algorithm: String,
    pub threads: u32,
    pub repeat: u32,
    pub frame: u32,
    pub phase: Phase,
    pub update_ns: u64,
    pub pairs_ns: u64,
    pub response_ns: Option<u64>,
    pub render_ns: Option<u64>,
    pub tests: u64,
    pub pairs: u64,
    pub hits: Option<u64>,
    pub heap_bytes: u64,
    pub allocations: Option<u64>,
    pub checksum: Checksum,
}

impl FrameRow {
    /// The columns of `frames.csv`, in order.
    pub const COLUMNS: [&'static str; 19] = [
        "run_id",
        "input",
        "n",
        "seed",
        "algorithm",
        "threads",
        "repeat",
        "frame",
        "phase",
        "update_ns",
        "pairs_ns",
        "response_ns",
        "render_ns",
        "tests",
        "pairs",
        "hits",
        "heap_bytes",
        "allocations",
        "checksum",
    ];

    /// The row of one sample.
    pub fn new(labels: &Labels, sample: &Sample) -> Self {
        let Labels { run_id, input, n, seed, algorithm, threads } = labels.clone();
        Self {
            run_id,
            input,
            n,
            seed,
            algorithm,
            threads,
            repeat: sample.repeat,
            frame: sample.frame,
            phase: sample.phase,
            update_ns: sample.collision.update_ns,
            pairs_ns: sample.collision.pairs_ns,
            response_ns: sample.response_ns,
            render_ns: sample.render_ns,
            tests: sample.counters.tests,
            pairs: sample.pairs,
            hits: sample.hits,
            heap_bytes: sample.heap_bytes,
            allocations: sample.collision.allocations,
            checksum: Checksum(sample.checksum),
        }
    }
}

/// A row of `summary.csv`: one algorithm on one case, over the measured frames of all repetitions.
///
/// A row that was skipped or is an error has no figures: a wrong result is no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SummaryRow {
    /// The run that the row belongs to.
    pub run_id: String,
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub n: u64,
    /// The scene's seed; a trace has none.
    pub seed: Option<u64>,
    /// Id of the algorithm.
    pub algorithm: String,
    /// Threads that the algorithm could use.
    pub threads: u32,
    /// Measured frames per repetition.
    pub frames: u32,
    /// Repetitions.
    pub repeats: u32,
    /// Median of update + pairs, ns.
    pub median_ns: Option<u64>,
    /// 95th percentile of update + pairs by nearest rank, ns.
    pub p95_ns: Option<u64>,
    /// Least update + pairs, ns.
    pub min_ns: Option<u64>,
    /// Lower end of the bootstrap 95 % interval of the median, ns.
    pub ci_low_ns: Option<u64>,
    /// Upper end of that interval, ns.
    pub ci_high_ns: Option<u64>,
    /// Median of update alone, ns.
    pub update_median_ns: Option<u64>,
    /// Median of pairs alone, ns.
    pub pairs_median_ns: Option<u64>,
    /// Pairs of objects examined, mean per measured frame.
    pub tests: Option<f64>,
    /// Overlapping pairs, mean per measured frame.
    pub pairs: Option<f64>,
    /// Real collisions, mean per measured frame.
    pub hits: Option<f64>,
    /// Most bytes that the algorithm held after a measured frame.
    pub heap_bytes: Option<u64>,
    /// Heap allocations in update and pairs, mean per measured frame.
    pub allocations: Option<f64>,
    /// Frames per second: 1e9 / median of update + pairs + response + render. Motion is left out,
    /// being the same whichever algorithm runs.
    pub fps: Option<f64>,
    /// Share of the time that goes to collisions: the sum of update + pairs + response over the sum
    /// of the whole frames (motion and render included), 0 to 1. `None` for a trace, which moves
    /// nothing.
    pub collision_share: Option<f64>,
    /// The checksums of the first repetition's measured frames, hashed in their order.
    pub checksum: Option<Checksum>,
    /// What became of the cell.
    pub status: Status,
    /// Why, unless `status` is ok.
    pub reason: Option<String>,
}

impl SummaryRow {
    /// The columns of `summary.csv`, in order.
    pub const COLUMNS: [&'static str; 25] = [
        "run_id",
        "input",
        "n",
        "seed",
        "algorithm",
        "threads",
        "frames",
        "repeats",
        "median_ns",
        "p95_ns",
        "min_ns",
        "ci_low_ns",
        "ci_high_ns",
        "update_median_ns",
        "pairs_median_ns",
        "tests",
        "pairs",
        "hits",
        "heap_bytes",
        "allocations",
        "fps",
        "collision_share",
        "checksum",
        "status",
        "reason",
    ];

    /// A row without figures.
    pub fn without_figures(
        labels: &Labels,
        frames: u32,
        repeats: u32,
        status: Status,
        reason: Option<String>,
    ) -> Self {
        let Labels { run_id, input, n, seed, algorithm, threads } = labels.clone();
        Self {
            run_id,
            input,
            n,
            seed,
            algorithm,
            threads,
            frames,
            repeats,
            median_ns: None,
            p95_ns: None,
            min_ns: None,
            ci_low_ns: None,
            ci_high_ns: None,
            update_median_ns: None,
            pairs_median_ns: None,
            tests: None,
            pairs: None,
            hits: None,
            heap_bytes: None,
            allocations: None,
            fps: None,
            collision_share: None,
            checksum: None,
            status,
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_that_was_cut_off_is_not_read() {
        let written = serde_json::to_string(&Checksum(0x0123)).unwrap();
        assert_eq!(written, "\"0000000000000123\"");
        assert_eq!(serde_json::from_str::<Checksum>(&written).unwrap(), Checksum(0x0123));
        assert!(serde_json::from_str::<Checksum>("\"000000000000012\"").is_err());
    }
}
