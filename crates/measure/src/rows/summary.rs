//! The rows of `summary.csv`.

use super::checksum::Checksum;
use super::reason::Reason;
use super::sample::Labels;
use super::status::Status;
use super::text::seed_form;
use crate::process::Exit;
use serde::{Deserialize, Serialize};

/// A row of `summary.csv`: one algorithm on one case, over the measured frames of all repetitions.
///
/// A row that was skipped or is an error has no figures: a wrong result is no result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SummaryRow {
    /// The run that the row belongs to.
    pub run_id: String,
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub n: u64,
    /// The seed of what moves; a trace has none.
    #[serde(default, with = "seed_form")]
    pub seed: Option<u64>,
    /// Id of the algorithm.
    pub algorithm: String,
    /// Threads that the algorithm could use.
    pub threads: u32,
    /// Measured frames per repetition.
    #[serde(default)]
    pub frames: u32,
    /// Repetitions.
    #[serde(default)]
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
    /// of the whole frames (motion and render included), 0 to 1. `None` where boxes are recorded or
    /// generated: they have no response.
    pub collision_share: Option<f64>,
    /// The checksums of the first repetition's measured frames, hashed in their order.
    pub checksum: Option<Checksum>,
    /// What became of the cell.
    pub status: Status,
    /// Why, unless `status` is ok.
    pub reason: Option<Reason>,
    /// Median of response alone, ns; `None` where there is none.
    #[serde(default)]
    pub response_median_ns: Option<u64>,
    /// Nodes of the structure, mean per measured frame.
    #[serde(default)]
    pub nodes: Option<f64>,
    /// Bytes asked for in update and pairs, mean per measured frame.
    #[serde(default)]
    pub allocated_bytes: Option<f64>,
    /// Most bytes that the structure held at once, warm-up and scratch of a moment included.
    #[serde(default)]
    pub peak_heap_bytes: Option<u64>,
    /// Instructions in update and pairs, all threads, mean per measured frame.
    #[serde(default)]
    pub instructions: Option<f64>,
    /// Misses of the last cache in update and pairs, all threads, mean per measured frame.
    #[serde(default)]
    pub cache_misses: Option<f64>,
    /// Median of finding the events, ns, which belongs to no other time; `None` unless events were asked
    /// for.
    #[serde(default)]
    pub events_median_ns: Option<u64>,
    /// Pairs that began, mean per measured frame.
    #[serde(default)]
    pub began: Option<f64>,
    /// Pairs that ended, mean per measured frame.
    #[serde(default)]
    pub ended: Option<f64>,
    /// Mean of update + pairs, ns: unlike the median, it counts the time of rare slow frames.
    #[serde(default)]
    pub mean_ns: Option<u64>,
    /// Median of the bounding volume, ns; `None` without bodies.
    #[serde(default)]
    pub volume_ns: Option<u64>,
    /// Pairs that it let pass, mean per measured frame.
    #[serde(default)]
    pub volume_passed: Option<f64>,
    /// Median of the narrow phase, ns.
    #[serde(default)]
    pub narrow_ns: Option<u64>,
    /// Median of finding contact sets, ns.
    #[serde(default)]
    pub contact_ns: Option<u64>,
    /// Points of contact sets, mean per measured frame.
    #[serde(default)]
    pub contact_points: Option<f64>,
    /// Which moving objects of a scene collide continuously: `bullets` or `all`; empty for none.
    #[serde(default)]
    pub continuous: String,
    /// Levels of the structure below its root, mean per measured frame.
    #[serde(default)]
    pub depth: Option<f64>,
    /// Objects listed in leaves or cells, once in each, mean per measured frame: over `n`, the redundancy of a tree.
    #[serde(default)]
    pub listings: Option<f64>,
    /// Pairs that overlap on a swept axis, summed over the axes, mean per measured frame.
    #[serde(default)]
    pub axis_overlaps: Option<f64>,
}

impl SummaryRow {
    /// A row without figures.
    pub fn without_figures(
        labels: &Labels,
        frames: u32,
        repeats: u32,
        status: Status,
        reason: Option<Reason>,
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
            status,
            reason,
            ..Self::default()
        }
    }

    /// How a program ends because of this row.
    pub fn exit(&self) -> Exit {
        self.status.exit(self.reason.as_ref())
    }

    /// The reason in words, also where the file has none.
    pub fn reason_text(&self) -> String {
        self.reason.as_ref().map_or_else(|| "no reason given".to_owned(), Reason::to_string)
    }

    /// The labels that identify the row's cell within a run.
    pub fn labels(&self) -> Labels {
        Labels {
            run_id: self.run_id.clone(),
            input: self.input.clone(),
            n: self.n,
            seed: self.seed,
            algorithm: self.algorithm.clone(),
            threads: self.threads,
        }
    }
}
