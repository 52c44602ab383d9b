//! What was measured of one frame, before it is a row.

use super::phases::PhaseTimes;
use broadphase::Counters;
use serde::{Deserialize, Serialize};

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

/// The columns that all rows of one algorithm on one case share.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl Labels {
    /// The run, the input with its number of objects and seed, and the algorithm with its number of threads.
    pub(crate) fn new(
        run_id: &str,
        (input, n, seed): (&str, u64, Option<u64>),
        (algorithm, threads): (&str, u32),
    ) -> Self {
        let [run_id, input, algorithm] = [run_id, input, algorithm].map(str::to_owned);
        Self { run_id, input, n, seed, algorithm, threads }
    }
}

/// One frame of one algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Which repetition, from 0.
    pub repeat: u32,
    /// Which frame of the input, from 0, warm-up included.
    pub frame: u32,
    /// Whether the frame counts.
    pub phase: Phase,
    /// Nanoseconds spent on moving the objects and on making their boxes; `None` where the boxes
    /// are recorded or generated.
    pub motion_ns: Option<u64>,
    /// The clocked collision phases, and what was counted during them.
    pub collision: Collision,
    /// Nanoseconds of the response to the pairs; `None` where there is none.
    pub response_ns: Option<u64>,
    /// Nanoseconds spent on drawing; `None` where nothing is drawn.
    pub render_ns: Option<u64>,
    /// What the algorithm counted.
    #[serde(with = "CountersForm")]
    pub counters: Counters,
    /// Overlapping pairs of boxes.
    pub pairs: u64,
    /// Pairs that really collide; `None` where there is nothing but boxes.
    pub hits: Option<u64>,
    /// The algorithm's bytes on the heap after the frame; `None` where they are not known.
    pub heap_bytes: Option<u64>,
    /// Checksum of the pair list.
    pub checksum: u64,
    /// The pairs that began and ended; `None` unless events were asked for.
    #[serde(default)]
    pub events: Option<EventFigures>,
    /// The stages after the broad phase; `None` unless they were asked for, and without bodies.
    #[serde(default)]
    pub stages: Option<StageFigures>,
}

/// Readings of the instruments for one frame of one algorithm; `None` without the instrument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collision {
    /// Nanoseconds of the phases.
    pub times: PhaseTimes,
    /// Heap allocations during all of them.
    pub allocations: Option<u64>,
    /// Bytes of these allocations.
    pub allocated_bytes: Option<u64>,
    /// Most bytes that the structure has held at once since it was made, temporary scratch
    /// included.
    pub peak_heap_bytes: Option<u64>,
    /// Instructions of all threads during all of them.
    pub instructions: Option<u64>,
    /// Accesses of all threads that the last cache could not serve, during all of them.
    pub cache_misses: Option<u64>,
}

/// Figures of finding a frame's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventFigures {
    /// Nanoseconds of [`PairEvents::advance`](broadphase::PairEvents::advance), from the pairs in the
    /// order in which the algorithm reported them.
    pub ns: u64,
    /// Pairs that began.
    pub began: u64,
    /// Pairs that ended.
    pub ended: u64,
}

/// What the stages took and found in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageFigures {
    /// Nanoseconds of placing the volumes of all bodies and of testing those of each pair.
    pub volume_ns: u64,
    /// Pairs that the volume let pass.
    pub volume_passed: u64,
    /// Nanoseconds of the narrow phase on these pairs.
    pub narrow_ns: u64,
    /// Nanoseconds of finding the contact sets of the pairs that touch.
    pub contact_ns: u64,
    /// Points of these sets.
    pub contact_points: u64,
}

/// The form in which counters are kept: `broadphase` knows no files.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Counters")]
struct CountersForm {
    tests: u64,
    nodes: u64,
    depth: u32,
    listings: u64,
    straddlers: u64,
    duplicates: u64,
    axis_overlaps: u64,
    rebuilds: u64,
}

impl Sample {
    /// Nanoseconds of all phases of the search: what the algorithm itself took.
    pub fn detection_ns(&self) -> u64 {
        self.collision.times.total_ns()
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
