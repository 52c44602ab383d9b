//! One algorithm with its structure and its stopwatch.

use broadphase::{Aabb, Algorithm, BroadPhase, CreateError, Frame, Pair, Settings, checksum};
use measure::{AllocationCount, Clock, Collision, Meter, Phase, Sample};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Frames after a start or a switch that only bring the structure and the caches up.
const WARMUP: u32 = 10;

/// An algorithm at work on the session's boxes: the one that moves the world, or a shadow of it.
pub(super) struct Contender {
    row: &'static Algorithm,
    structure: Box<dyn BroadPhase>,
    meter: Meter<'static>,
    /// What the last search took.
    last: Collision,
    /// Frames since the structure was made.
    fresh_frames: u32,
    /// The step that the structure has been updated to. A search that was stopped is begun again,
    /// and simulated time must not pass twice.
    updated_to: Option<u64>,
}

impl Contender {
    pub(super) fn new(
        row: &'static Algorithm,
        settings: &Settings,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, CreateError> {
        Ok(Self {
            row,
            structure: row.create(settings)?,
            meter: Meter::new(clock, allocations),
            last: Collision::default(),
            fresh_frames: 0,
            updated_to: None,
        })
    }

    pub(super) fn row(&self) -> &'static Algorithm {
        self.row
    }

    pub(super) fn structure(&self) -> &dyn BroadPhase {
        &*self.structure
    }

    /// The pairs of the last search that was not stopped, sorted.
    pub(super) fn pairs(&self) -> &[Pair] {
        self.meter.pairs()
    }

    pub(super) fn last(&self) -> Collision {
        self.last
    }

    /// Shows the structure boxes without a search, so that one that stands still can be looked at.
    pub(super) fn show(&mut self, boxes: &[Aabb]) {
        self.structure.update(&Frame::new(boxes, 0.0));
        self.updated_to = None;
    }

    /// Updates and searches; afterwards the pairs are sorted, unless the frame was stopped.
    ///
    /// # Errors
    ///
    /// What the algorithm said where it panicked; its structure must not be used again.
    pub(super) fn search(&mut self, frame: Frame<'_>, step: u64) -> Result<(), String> {
        let repeated = self.updated_to == Some(step);
        if frame.time_step > 0.0 {
            self.updated_to = Some(step);
        }
        let frame = Frame { time_step: if repeated { 0.0 } else { frame.time_step }, ..frame };
        let Self { structure, meter, last, .. } = self;
        let searched = catch_unwind(AssertUnwindSafe(|| meter.collide(&mut **structure, &frame)));
        *last = searched.map_err(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            format!("{} failed: {}", self.row.name, text.as_deref().unwrap_or("no reason given"))
        })?;
        if !frame.is_stopped() {
            self.meter.sort_pairs();
        }
        Ok(())
    }

    /// The row of `frames.csv` that the last search makes; the search alone.
    pub(super) fn sample(&mut self, repeat: u32, frame: u32) -> Sample {
        self.fresh_frames += 1;
        let pairs = self.meter.pairs();
        Sample {
            repeat,
            frame,
            phase: if self.fresh_frames <= WARMUP { Phase::Warmup } else { Phase::Measure },
            motion_ns: None,
            collision: self.last,
            response_ns: None,
            render_ns: None,
            counters: self.structure.counters(),
            pairs: pairs.len() as u64,
            hits: None,
            heap_bytes: self.structure.heap_bytes() as u64,
            checksum: checksum(pairs),
        }
    }
}
