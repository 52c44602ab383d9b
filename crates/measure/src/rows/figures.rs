//! The columns of `frames.csv` and of `summary.csv`, and the fold from one to the other.
//!
//! A new column is here alone, and in `docs/output-files.md`: a field of [`FrameRow`] that the program fills where it
//! measures, a field of [`SummaryRow`] with its fold in [`summarise`]. Readers, writers and the check of the documentation
//! follow from the fields. A name ends with the unit, `_ns` or `_bytes`; without one it is a count. New columns come last.

use super::outcome::Status;
use super::text::{Checksum, seed_form};
use crate::process::Exit;
use crate::table::{mean, median, median_interval, percentile};
use broadphase::Counters;
use broadphase::benchmark::mix;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{AddAssign, Index};

/// Whether a frame counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It only brings the structure and the caches up.
    Warmup,
    /// It counts.
    #[default]
    Measure,
}

/// A timed phase of an algorithm's search of one frame. Tables, charts and the window show all of them, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPhase {
    /// [`BroadPhase::update`](broadphase::BroadPhase::update): the structure is brought up to date.
    Update,
    /// [`BroadPhase::find_pairs`](broadphase::BroadPhase::find_pairs).
    Pairs,
}

impl SearchPhase {
    /// All phases, in their order.
    pub const ALL: [Self; 2] = [Self::Update, Self::Pairs];

    /// Its name in tables and charts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Pairs => "pairs",
        }
    }
}

/// Nanoseconds of each phase of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTimes([u64; SearchPhase::ALL.len()]);

impl PhaseTimes {
    /// Nanoseconds in the order of [`SearchPhase::ALL`].
    pub const fn new(ns: [u64; SearchPhase::ALL.len()]) -> Self {
        Self(ns)
    }

    /// All phases together: what the algorithm itself took.
    pub fn total_ns(&self) -> u64 {
        self.0.iter().fold(0, |sum, ns| sum.saturating_add(*ns))
    }

    /// Each phase with its nanoseconds.
    pub fn iter(&self) -> impl Iterator<Item = (SearchPhase, u64)> + use<> {
        SearchPhase::ALL.into_iter().zip(self.0)
    }
}

impl Index<SearchPhase> for PhaseTimes {
    type Output = u64;

    fn index(&self, phase: SearchPhase) -> &u64 {
        &self.0[phase as usize]
    }
}

/// Adds each phase; a sum stops at the largest number, as rows of a file may hold any.
impl AddAssign for PhaseTimes {
    fn add_assign(&mut self, other: Self) {
        for (sum, ns) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(ns);
        }
    }
}

/// The columns that all rows of one algorithm on one case share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Labels {
    /// The run that the row belongs to.
    pub run_id: String,
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub n: u64,
    /// The seed of what moves; a trace has none.
    pub seed: Option<u64>,
    /// Id of the algorithm.
    pub algorithm: String,
    /// Threads that the algorithm could use.
    pub threads: u32,
}

/// A row of `frames.csv`: one frame of one algorithm. Its labels are empty while it is measured, and are set as it is written.
///
/// Files of earlier versions have only the first 19 columns; the others read as if they were empty. A figure whose instrument
/// or stage is missing is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameRow {
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
    /// Which repetition, from 0.
    pub repeat: u32,
    /// Which frame of the input, from 0, warm-up included.
    pub frame: u32,
    /// Whether the frame counts.
    pub phase: Phase,
    /// Nanoseconds of bringing the structure up to date.
    pub update_ns: u64,
    /// Nanoseconds of finding the pairs.
    pub pairs_ns: u64,
    /// Nanoseconds of the response to the pairs; `None` where there is none.
    pub response_ns: Option<u64>,
    /// Nanoseconds spent on drawing; `None` where nothing is drawn.
    pub render_ns: Option<u64>,
    /// Pairs of objects examined; `None` of programs and many worlds, as of all that the algorithm counts.
    pub tests: Option<u64>,
    /// Overlapping pairs of boxes.
    pub pairs: u64,
    /// Pairs that really collide; `None` where there is nothing but boxes.
    pub hits: Option<u64>,
    /// The algorithm's bytes on the heap after the frame; `None` where they are not known.
    pub heap_bytes: Option<u64>,
    /// Heap allocations in update and pairs.
    pub allocations: Option<u64>,
    /// Checksum of the pair list.
    pub checksum: Checksum,
    /// Nanoseconds spent on moving the objects and on making their boxes; `None` where the boxes are recorded or generated.
    pub motion_ns: Option<u64>,
    /// Nodes of the structure.
    pub nodes: Option<u64>,
    /// Bytes of the allocations.
    pub allocated_bytes: Option<u64>,
    /// Most bytes that the structure has held at once since it was made, temporary scratch included.
    pub peak_heap_bytes: Option<u64>,
    /// Instructions of all threads in update and pairs.
    pub instructions: Option<u64>,
    /// Accesses of all threads that the last cache could not serve, in update and pairs.
    pub cache_misses: Option<u64>,
    /// Nanoseconds of [`PairEvents::advance`](broadphase::PairEvents::advance), from the pairs in the order in which the
    /// algorithm reported them; `None` unless events were asked for.
    pub events_ns: Option<u64>,
    /// Pairs that began.
    pub began: Option<u64>,
    /// Pairs that ended.
    pub ended: Option<u64>,
    /// Nanoseconds of placing the volumes of all bodies and of testing those of each pair; `None` unless stages were asked
    /// for, and without bodies.
    pub volume_ns: Option<u64>,
    /// Pairs that the volume let pass.
    pub volume_passed: Option<u64>,
    /// Nanoseconds of the narrow phase on these pairs.
    pub narrow_ns: Option<u64>,
    /// Nanoseconds of finding the contact sets of the pairs that touch.
    pub contact_ns: Option<u64>,
    /// Points of these sets.
    pub contact_points: Option<u64>,
    /// Parts of the structure that were rebuilt.
    pub rebuilds: Option<u64>,
    /// Levels of the structure below its root.
    pub depth: Option<u64>,
    /// Objects listed in leaves or cells, once in each.
    pub listings: Option<u64>,
    /// Pairs that overlap on a swept axis, summed over the axes.
    pub axis_overlaps: Option<u64>,
}

impl FrameRow {
    /// The same frame with these labels.
    #[must_use]
    pub fn labelled(self, labels: &Labels) -> Self {
        let Labels { run_id, input, n, seed, algorithm, threads } = labels.clone();
        Self { run_id, input, n, seed, algorithm, threads, ..self }
    }

    /// The same frame with what the algorithm counted.
    #[must_use]
    pub fn counted(self, counters: &Counters) -> Self {
        Self {
            tests: Some(counters.tests),
            nodes: Some(counters.nodes),
            rebuilds: Some(counters.rebuilds),
            depth: Some(counters.depth.into()),
            listings: Some(counters.listings),
            axis_overlaps: Some(counters.axis_overlaps),
            ..self
        }
    }

    /// Nanoseconds of the phases of the search.
    pub fn times(&self) -> PhaseTimes {
        PhaseTimes::new([self.update_ns, self.pairs_ns])
    }

    /// Nanoseconds of all phases of the search: what the algorithm itself took.
    pub fn detection_ns(&self) -> u64 {
        self.times().total_ns()
    }

    /// Nanoseconds spent on collisions: update, pairs, response.
    pub fn collision_ns(&self) -> u64 {
        self.detection_ns() + self.response_ns.unwrap_or(0)
    }

    /// Nanoseconds of the whole frame: motion, collisions, drawing. The bookkeeping of the
    /// measurement (sorting, checksums) belongs to none of them.
    pub fn frame_ns(&self) -> u64 {
        self.motion_ns.unwrap_or(0) + self.collision_ns() + self.render_ns.unwrap_or(0)
    }
}

/// A row of `summary.csv`: one algorithm on one case, over the measured frames of all repetitions.
///
/// A row that was skipped or is an error has no figures: a wrong result is no result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SummaryRow {
    /// The run that the row belongs to.
    pub run_id: String,
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub n: u64,
    /// The seed of what moves; a trace has none.
    #[serde(with = "seed_form")]
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
    /// A row of these labels, without anything else.
    pub fn of(labels: &Labels) -> Self {
        let Labels { run_id, input, n, seed, algorithm, threads } = labels.clone();
        Self { run_id, input, n, seed, algorithm, threads, ..Self::default() }
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
        let Self { run_id, input, n, seed, algorithm, threads, .. } = self.clone();
        Labels { run_id, input, n, seed, algorithm, threads }
    }
}

/// The summary of the measured frames of all repetitions; warm-up frames are left out.
///
/// `seed` is that of the bootstrap. Without a measured frame the figures are `None`.
pub fn summarise(labels: &Labels, samples: &[FrameRow], seed: u64) -> SummaryRow {
    let measured: Vec<&FrameRow> = samples.iter().filter(|s| s.phase == Phase::Measure).collect();
    let mut times = BTreeMap::<u32, Vec<u64>>::new();
    measured.iter().for_each(|s| times.entry(s.repeat).or_default().push(s.detection_ns()));
    let times: Vec<Vec<u64>> = times.into_values().collect();
    let (frames, mut search) = (times.first().map_or(0, Vec::len), times.concat());
    let interval = median_interval(&times, seed);
    // Figures of the frames that have them.
    type Figure = fn(&FrameRow) -> Option<u64>;
    let values = |figure: Figure| measured.iter().filter_map(move |sample| figure(sample));
    let mean_of = |figure: Figure| mean(values(figure));
    let median_of = |figure: Figure| median(&mut values(figure).collect::<Vec<u64>>());
    let drawn_frame: Figure = |s| Some(s.collision_ns() + s.render_ns.unwrap_or(0));
    // Only where every frame was moved under the clock.
    let is_moved = measured.iter().all(|s| s.motion_ns.is_some());
    let [whole, collisions]: [u64; 2] =
        [FrameRow::frame_ns, FrameRow::collision_ns].map(|ns| measured.iter().map(|s| ns(s)).sum());
    let first = &measured[..frames];
    SummaryRow {
        median_ns: interval.map(|[_, median, _]| median),
        p95_ns: percentile(&mut search, 95),
        min_ns: search.iter().min().copied(),
        ci_low_ns: interval.map(|[low, ..]| low),
        ci_high_ns: interval.map(|[.., high]| high),
        update_median_ns: median_of(|s| Some(s.update_ns)),
        pairs_median_ns: median_of(|s| Some(s.pairs_ns)),
        tests: mean_of(|s| s.tests),
        pairs: mean_of(|s| Some(s.pairs)),
        hits: mean_of(|s| s.hits),
        heap_bytes: values(|s| s.heap_bytes).max(),
        allocations: mean_of(|s| s.allocations),
        fps: median_of(drawn_frame).filter(|&ns| ns > 0).map(|ns| 1e9 / ns as f64),
        collision_share: (is_moved && whole > 0).then(|| collisions as f64 / whole as f64),
        checksum: (!first.is_empty())
            .then(|| Checksum(first.iter().fold(0, |hash, s| mix(hash ^ s.checksum.0)))),
        response_median_ns: median_of(|s| s.response_ns),
        nodes: mean_of(|s| s.nodes),
        allocated_bytes: mean_of(|s| s.allocated_bytes),
        peak_heap_bytes: samples.iter().filter_map(|s| s.peak_heap_bytes).max(),
        instructions: mean_of(|s| s.instructions),
        cache_misses: mean_of(|s| s.cache_misses),
        events_median_ns: median_of(|s| s.events_ns),
        began: mean_of(|s| s.began),
        ended: mean_of(|s| s.ended),
        mean_ns: mean(search).map(|ns| ns.round() as u64),
        volume_ns: median_of(|s| s.volume_ns),
        volume_passed: mean_of(|s| s.volume_passed),
        narrow_ns: median_of(|s| s.narrow_ns),
        contact_ns: median_of(|s| s.contact_ns),
        contact_points: mean_of(|s| s.contact_points),
        depth: mean_of(|s| s.depth),
        listings: mean_of(|s| s.listings),
        axis_overlaps: mean_of(|s| s.axis_overlaps),
        rebuilds: mean_of(|s| s.rebuilds),
        frames: frames as u32,
        repeats: times.len() as u32,
        status: Status::Ok,
        ..SummaryRow::of(labels)
    }
}

#[cfg(test)]
mod tests;
