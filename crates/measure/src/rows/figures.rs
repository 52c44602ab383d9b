//! The columns of `frames.csv` and of `summary.csv`, and the fold from one to the other.
//!
//! A new column is here alone, and in `docs/output-files.md`: a field of [`FrameRow`] with its value in [`FrameRow::new`],
//! a field of [`SummaryRow`] with its fold in [`summarise`]. Readers, writers, JSON and the check of the documentation
//! follow from the fields. A name ends with the unit, `_ns` or `_bytes`; without one it is a count. New columns come last.

use super::checksum::Checksum;
use super::phases::{PhaseTimes, SearchPhase};
use super::sample::{Labels, Phase, Sample};
use super::status::Status;
use super::text::seed_form;
use crate::process::Exit;
use crate::table::{mean, median, median_interval, percentile};
use broadphase::benchmark::mix;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A row of `frames.csv`: one frame of one algorithm.
///
/// Files of earlier versions have only the first 19 columns; the others read as if they were empty.
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
    pub motion_ns: Option<u64>,
    pub nodes: Option<u64>,
    pub allocated_bytes: Option<u64>,
    pub peak_heap_bytes: Option<u64>,
    pub instructions: Option<u64>,
    pub cache_misses: Option<u64>,
    pub events_ns: Option<u64>,
    pub began: Option<u64>,
    pub ended: Option<u64>,
    pub volume_ns: Option<u64>,
    pub volume_passed: Option<u64>,
    pub narrow_ns: Option<u64>,
    pub contact_ns: Option<u64>,
    pub contact_points: Option<u64>,
    pub rebuilds: Option<u64>,
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
        let Sample { collision, counters, events, stages, .. } = *sample;
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
            update_ns: collision.times[SearchPhase::Update],
            pairs_ns: collision.times[SearchPhase::Pairs],
            response_ns: sample.response_ns,
            render_ns: sample.render_ns,
            tests: counters.tests,
            pairs: sample.pairs,
            hits: sample.hits,
            heap_bytes: sample.heap_bytes,
            allocations: collision.allocations,
            checksum: Checksum(sample.checksum),
            motion_ns: sample.motion_ns,
            nodes: Some(counters.nodes),
            allocated_bytes: collision.allocated_bytes,
            peak_heap_bytes: collision.peak_heap_bytes,
            instructions: collision.instructions,
            cache_misses: collision.cache_misses,
            events_ns: events.map(|events| events.ns),
            began: events.map(|events| events.began),
            ended: events.map(|events| events.ended),
            volume_ns: stages.map(|stages| stages.volume_ns),
            volume_passed: stages.map(|stages| stages.volume_passed),
            narrow_ns: stages.map(|stages| stages.narrow_ns),
            contact_ns: stages.map(|stages| stages.contact_ns),
            contact_points: stages.map(|stages| stages.contact_points),
            rebuilds: Some(counters.rebuilds),
        }
    }
}

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
    pub reason: Option<String>,
    /// Median of response alone, ns; `None` where there is none.
    pub response_median_ns: Option<u64>,
    /// Nodes of the structure, mean per measured frame.
    pub nodes: Option<f64>,
    /// Bytes asked for in update and pairs, mean per measured frame.
    pub allocated_bytes: Option<f64>,
    /// Most bytes that the structure held at once, warm-up and scratch of a moment included.
    pub peak_heap_bytes: Option<u64>,
    /// Instructions in update and pairs, all threads, mean per measured frame.
    pub instructions: Option<f64>,
    /// Misses of the last cache in update and pairs, all threads, mean per measured frame.
    pub cache_misses: Option<f64>,
    /// Median of finding the events, ns, which belongs to no other time; `None` unless events were asked
    /// for.
    pub events_median_ns: Option<u64>,
    /// Pairs that began, mean per measured frame.
    pub began: Option<f64>,
    /// Pairs that ended, mean per measured frame.
    pub ended: Option<f64>,
    /// Mean of update + pairs, ns: unlike the median, it counts the time of rare slow frames.
    pub mean_ns: Option<u64>,
    /// Median of the bounding volume, ns; `None` without bodies.
    pub volume_ns: Option<u64>,
    /// Pairs that it let pass, mean per measured frame.
    pub volume_passed: Option<f64>,
    /// Median of the narrow phase, ns.
    pub narrow_ns: Option<u64>,
    /// Median of finding contact sets, ns.
    pub contact_ns: Option<u64>,
    /// Points of contact sets, mean per measured frame.
    pub contact_points: Option<f64>,
    /// Which moving objects of a scene collide continuously: `bullets` or `all`; empty for none.
    #[serde(default)]
    pub continuous: String,
    /// Levels of the structure below its root, mean per measured frame.
    pub depth: Option<f64>,
    /// Objects listed in leaves or cells, once in each, mean per measured frame: over `n`, the redundancy of a tree.
    pub listings: Option<f64>,
    /// Pairs that overlap on a swept axis, summed over the axes, mean per measured frame.
    pub axis_overlaps: Option<f64>,
    /// Parts of the structure that were rebuilt, mean per measured frame: they explain a mean far above its median.
    pub rebuilds: Option<f64>,
}

impl SummaryRow {
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
            status,
            reason,
            ..Self::default()
        }
    }

    /// The median time of a row that is a result.
    pub fn result_ns(&self) -> Option<u64> {
        self.median_ns.filter(|_| self.status == Status::Ok)
    }

    /// Whether both are of one algorithm on one case, on any number of threads.
    pub fn is_case_of(&self, other: &Self) -> bool {
        (&self.input, self.n, self.seed, &self.algorithm)
            == (&other.input, other.n, other.seed, &other.algorithm)
    }

    /// How a program ends because of this row.
    pub fn exit(&self) -> Exit {
        self.status.exit(self.reason.as_deref())
    }

    /// The reason in words, also where the file has none.
    pub fn reason_text(&self) -> String {
        self.reason.clone().unwrap_or_else(|| "no reason given".to_owned())
    }

    /// The labels that identify the row's cell within a run.
    pub fn labels(&self) -> Labels {
        let Self { run_id, input, n, seed, algorithm, threads, .. } = self;
        Labels::new(run_id, (input, *n, *seed), (algorithm, *threads))
    }
}

/// The summary of the measured frames of all repetitions; warm-up frames are left out.
///
/// `seed` is that of the bootstrap. Without a measured frame the figures are `None`.
pub fn summarise(labels: &Labels, samples: &[Sample], seed: u64) -> SummaryRow {
    let measured = Measured(samples.iter().filter(|s| s.phase == Phase::Measure).collect());
    let repetitions = measured.repetitions();
    let first = repetitions.first().map_or(&[][..], Vec::as_slice);
    let mut search = measured.values(|s| Some(s.detection_ns()));
    let middle = median(&mut search);
    let of_search = |s: &&Sample| s.detection_ns();
    let times = repetitions.iter().map(|frames| frames.iter().map(of_search).collect());
    let interval = median_interval(&times.collect::<Vec<_>>(), seed);
    let drawn_frame = |s: &Sample| Some(s.collision_ns() + s.render_ns.unwrap_or(0));
    let phase = |phase| measured.median(move |s: &Sample| Some(s.collision.times[phase]));
    let (frames, repeats) = (first.len() as u32, repetitions.len() as u32);
    SummaryRow {
        median_ns: middle,
        p95_ns: percentile(&mut search, 95),
        min_ns: search.iter().min().copied(),
        // Nothing forces the bootstrap's quantiles to lie on either side of the median.
        ci_low_ns: interval.map(|i| middle.map_or(i.low, |m| m.min(i.low))),
        ci_high_ns: interval.map(|i| middle.map_or(i.high, |m| m.max(i.high))),
        update_median_ns: phase(SearchPhase::Update),
        pairs_median_ns: phase(SearchPhase::Pairs),
        tests: measured.mean(|s| Some(s.counters.tests)),
        pairs: measured.mean(|s| Some(s.pairs)),
        hits: measured.mean(|s| s.hits),
        heap_bytes: measured.values(|s| s.heap_bytes).into_iter().max(),
        allocations: measured.mean(|s| s.collision.allocations),
        fps: measured.median(drawn_frame).filter(|&ns| ns > 0).map(|ns| 1e9 / ns as f64),
        collision_share: measured.collision_share(),
        checksum: (!first.is_empty())
            .then(|| Checksum(first.iter().fold(0, |hash, s| mix(hash ^ s.checksum)))),
        response_median_ns: measured.median(|s| s.response_ns),
        nodes: measured.mean(|s| Some(s.counters.nodes)),
        allocated_bytes: measured.mean(|s| s.collision.allocated_bytes),
        peak_heap_bytes: samples.iter().filter_map(|s| s.collision.peak_heap_bytes).max(),
        instructions: measured.mean(|s| s.collision.instructions),
        cache_misses: measured.mean(|s| s.collision.cache_misses),
        events_median_ns: measured.median(|s| Some(s.events?.ns)),
        began: measured.mean(|s| Some(s.events?.began)),
        ended: measured.mean(|s| Some(s.events?.ended)),
        mean_ns: mean(search).map(|ns| ns.round() as u64),
        volume_ns: measured.median(|s| Some(s.stages?.volume_ns)),
        volume_passed: measured.mean(|s| Some(s.stages?.volume_passed)),
        narrow_ns: measured.median(|s| Some(s.stages?.narrow_ns)),
        contact_ns: measured.median(|s| Some(s.stages?.contact_ns)),
        contact_points: measured.mean(|s| Some(s.stages?.contact_points)),
        depth: measured.mean(|s| Some(u64::from(s.counters.depth))),
        listings: measured.mean(|s| Some(s.counters.listings)),
        axis_overlaps: measured.mean(|s| Some(s.counters.axis_overlaps)),
        rebuilds: measured.mean(|s| Some(s.counters.rebuilds)),
        ..SummaryRow::without_figures(labels, frames, repeats, Status::Ok, None)
    }
}

/// The measured frames of a cell.
struct Measured<'a>(Vec<&'a Sample>);

impl<'a> Measured<'a> {
    /// A figure of the frames that have it.
    fn values(&self, figure: impl Fn(&Sample) -> Option<u64>) -> Vec<u64> {
        self.0.iter().filter_map(|sample| figure(sample)).collect()
    }

    fn median(&self, figure: impl Fn(&Sample) -> Option<u64>) -> Option<u64> {
        median(&mut self.values(figure))
    }

    fn mean(&self, figure: impl Fn(&Sample) -> Option<u64>) -> Option<f64> {
        mean(self.values(figure))
    }

    /// The frames of each repetition.
    fn repetitions(&self) -> Vec<Vec<&'a Sample>> {
        let mut repetitions = BTreeMap::<u32, Vec<&Sample>>::new();
        for sample in &self.0 {
            repetitions.entry(sample.repeat).or_default().push(sample);
        }
        repetitions.into_values().collect()
    }

    /// `None` unless every frame was moved under the clock.
    fn collision_share(&self) -> Option<f64> {
        if self.0.iter().any(|s| s.motion_ns.is_none()) {
            return None;
        }
        let whole: u64 = self.0.iter().map(|s| s.frame_ns()).sum();
        let collisions: u64 = self.0.iter().map(|s| s.collision_ns()).sum();
        (whole > 0).then(|| collisions as f64 / whole as f64)
    }
}

#[cfg(test)]
mod tests;
