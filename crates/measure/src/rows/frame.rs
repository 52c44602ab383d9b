//! The rows of `frames.csv`.

use super::checksum::Checksum;
use super::phases::{PhaseTimes, SearchPhase};
use super::sample::{Labels, Phase, Sample};
use super::text::seed_form;
use serde::{Deserialize, Serialize};

/// A row of `frames.csv`: one frame of one algorithm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each field is the column of its name, explained at `Sample`")]
pub struct FrameRow {
    pub run_id: String,
    pub input: String,
    pub n: u64,
    #[serde(default, with = "seed_form")]
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
    pub heap_bytes: Option<u64>,
    pub allocations: Option<u64>,
    pub checksum: Checksum,
    #[serde(default)]
    pub motion_ns: Option<u64>,
    #[serde(default)]
    pub nodes: Option<u64>,
    #[serde(default)]
    pub allocated_bytes: Option<u64>,
    #[serde(default)]
    pub peak_heap_bytes: Option<u64>,
    #[serde(default)]
    pub instructions: Option<u64>,
    #[serde(default)]
    pub cache_misses: Option<u64>,
    #[serde(default)]
    pub events_ns: Option<u64>,
    #[serde(default)]
    pub began: Option<u64>,
    #[serde(default)]
    pub ended: Option<u64>,
    #[serde(default)]
    pub volume_ns: Option<u64>,
    #[serde(default)]
    pub volume_passed: Option<u64>,
    #[serde(default)]
    pub narrow_ns: Option<u64>,
    #[serde(default)]
    pub contact_ns: Option<u64>,
    #[serde(default)]
    pub contact_points: Option<u64>,
}

impl FrameRow {
    /// Nanoseconds of the phases of the search.
    pub fn times(&self) -> PhaseTimes {
        PhaseTimes::new([self.update_ns, self.pairs_ns])
    }

    /// Replaces them.
    pub fn set_times(&mut self, times: PhaseTimes) {
        self.update_ns = times[SearchPhase::Update];
        self.pairs_ns = times[SearchPhase::Pairs];
    }

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
            update_ns: sample.collision.times[SearchPhase::Update],
            pairs_ns: sample.collision.times[SearchPhase::Pairs],
            response_ns: sample.response_ns,
            render_ns: sample.render_ns,
            tests: sample.counters.tests,
            pairs: sample.pairs,
            hits: sample.hits,
            heap_bytes: sample.heap_bytes,
            allocations: sample.collision.allocations,
            checksum: Checksum(sample.checksum),
            motion_ns: sample.motion_ns,
            nodes: Some(sample.counters.nodes),
            allocated_bytes: sample.collision.allocated_bytes,
            peak_heap_bytes: sample.collision.peak_heap_bytes,
            instructions: sample.collision.instructions,
            cache_misses: sample.collision.cache_misses,
            events_ns: sample.events.map(|events| events.ns),
            began: sample.events.map(|events| events.began),
            ended: sample.events.map(|events| events.ended),
            volume_ns: sample.stages.map(|stages| stages.volume_ns),
            volume_passed: sample.stages.map(|stages| stages.volume_passed),
            narrow_ns: sample.stages.map(|stages| stages.narrow_ns),
            contact_ns: sample.stages.map(|stages| stages.contact_ns),
            contact_points: sample.stages.map(|stages| stages.contact_points),
        }
    }
}
