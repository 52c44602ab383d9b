//! One algorithm with its structure and its meter.

use super::activity::{Activity, Task};
use broadphase::benchmark::checksum;
use broadphase::registry::{Algorithm, CreateError, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair, Query};
use measure::{Collision, Instruments, Meter, Phase, Sample};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Frames of warm-up after a start or a switch, for the structure and the caches. As many as the
/// headless run has.
const WARMUP: u32 = 10;

/// An algorithm that searches the session's boxes.
pub(super) struct Contender {
    algorithm: &'static Algorithm,
    settings: Settings,
    /// `None` after a panic, which may have left it inconsistent. It is recreated at its next use.
    structure: Option<Box<dyn BroadPhase>>,
    meter: Meter<'static>,
    /// Times and counts of the last search.
    last: Collision,
    /// The checksum of its pairs, unless it was stopped.
    checksum: u64,
    /// Frames since the structure was created.
    fresh_frames: u32,
    /// The step that the structure has been updated to. A stopped search is repeated, and simulated
    /// time must not pass twice.
    updated_to: Option<u64>,
    /// The step whose pairs are found.
    finished: Option<u64>,
    /// The last search was no first one of a step: it was repeated on boxes that the structure knew already, or was for
    /// display alone. Its times and counts are not those of a step.
    resumed: bool,
    /// The last search was followed by a validation.
    validated: bool,
}

/// Takes the place of a structure that was dropped after a panic.
struct Absent;

impl BroadPhase for Absent {
    fn update(&mut self, _: &Frame<'_>) {}

    fn find_pairs(&mut self, _: &Frame<'_>, _: &mut Vec<Pair>) {}

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn heap_bytes(&self) -> usize {
        0
    }

    fn validate(&self, _: &Frame<'_>) {}
}

impl Contender {
    pub(super) fn new(
        algorithm: &'static Algorithm,
        settings: &Settings,
        instruments: Instruments<'static>,
    ) -> Result<Self, CreateError> {
        Ok(Self {
            algorithm,
            settings: *settings,
            structure: Some(algorithm.create(settings)?),
            meter: Meter::new(instruments.clock, instruments.allocations),
            last: Collision::default(),
            checksum: 0,
            fresh_frames: 0,
            updated_to: None,
            finished: None,
            resumed: false,
            validated: false,
        })
    }

    pub(super) fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    pub(super) fn is_of(&self, entry: &Algorithm) -> bool {
        std::ptr::eq(self.algorithm, entry)
    }

    pub(super) fn structure(&self) -> &dyn BroadPhase {
        self.structure.as_deref().unwrap_or(&Absent)
    }

    /// The pairs of the last search that was not stopped. They are in the order in which they were reported until they
    /// are [sorted](Self::sort_pairs).
    pub(super) fn pairs(&self) -> &[Pair] {
        self.meter.pairs()
    }

    /// Sorts them: the order of the response.
    pub(super) fn sort_pairs(&mut self) {
        self.meter.sort_pairs();
    }

    /// Whether another one has found the same pairs, by number and checksum, which need no order.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        self.pairs().len() == other.pairs().len() && self.checksum == other.checksum
    }

    pub(super) fn last(&self) -> Collision {
        self.last
    }

    /// Whether the pairs of a step are found.
    pub(super) fn has_finished(&self, step: u64) -> bool {
        self.finished == Some(step)
    }

    /// Forgets which step's pairs are found.
    pub(super) fn forget_pairs(&mut self) {
        self.finished = None;
    }

    /// Forgets which step the structure was updated to: the next boxes are those of another one.
    pub(super) fn forget_boxes(&mut self) {
        self.updated_to = None;
    }

    /// Counts the next frames as warm-up.
    pub(super) fn begin_warmup(&mut self) {
        self.fresh_frames = 0;
    }

    /// Calls `work` on the structure, and drops the structure where it panics.
    fn with_structure<T>(
        &mut self,
        work: impl FnOnce(&mut dyn BroadPhase, &mut Meter<'static>) -> T,
    ) -> Result<T, String> {
        let mut structure = match self.structure.take() {
            Some(structure) => structure,
            None => self.algorithm.create(&self.settings).map_err(|refusal| refusal.to_string())?,
        };
        let meter = &mut self.meter;
        let done = guarded(self.algorithm.name, || work(&mut *structure, meter))?;
        self.structure = Some(structure);
        Ok(done)
    }

    /// Puts a question to the structure, and drops the structure where it panics. `None` if it
    /// answers no questions.
    ///
    /// # Errors
    ///
    /// The message of a panic.
    pub(super) fn ask<T>(
        &mut self,
        question: impl FnOnce(&dyn Query) -> T,
    ) -> Result<Option<T>, String> {
        let Some(structure) = self.structure.take() else { return Ok(None) };
        let answer = guarded(self.algorithm.name, || structure.query().map(question))?;
        self.structure = Some(structure);
        Ok(answer)
    }

    /// Updates and searches.
    ///
    /// `validate` lets the structure check its invariants then, outside of the stopwatch, as `activity`
    /// reports.
    ///
    /// # Errors
    ///
    /// The message of a panic, in the search or the validation.
    pub(super) fn search(
        &mut self,
        frame: Frame<'_>,
        step: u64,
        validate: bool,
        activity: &Activity,
    ) -> Result<(), String> {
        // No time passes in a search for display.
        let is_step = frame.time_step > 0.0;
        self.resumed = !is_step || self.updated_to == Some(step);
        self.finished = None;
        if is_step {
            self.updated_to = Some(step);
        }
        let frame = if self.resumed { frame.time_step(0.0) } else { frame };
        self.last = self.with_structure(|structure, meter| meter.collide(structure, &frame))?;
        if !frame.is_stopped() {
            self.validated = validate;
            if validate {
                activity.turn_to(Task::Validating { algorithm: self.algorithm.name });
                self.validate(&frame, step)?;
            }
            self.checksum = checksum(self.meter.pairs());
            self.finished = Some(step);
        }
        Ok(())
    }

    /// Lets the structure check its invariants, and drops it where they do not hold: drawing or
    /// asking an unsound structure may panic.
    fn validate(&mut self, frame: &Frame<'_>, step: u64) -> Result<(), String> {
        let Some(structure) = self.structure.take() else { return Ok(()) };
        let what = format_args!("step {step}: validation of {}", self.algorithm.name);
        guarded(what, || structure.validate(frame))?;
        self.structure = Some(structure);
        Ok(())
    }

    /// The last search as a row of `frames.csv`, without motion, response and drawing.
    pub(super) fn sample(&mut self, repeat: u32, frame: u32) -> Sample {
        self.fresh_frames += 1;
        // Nor is a repeated search, or one beside validations, which evict the caches, a measurement.
        let warm = self.fresh_frames > WARMUP && !self.resumed && !self.validated;
        let structure = self.structure();
        let pairs = self.meter.pairs();
        Sample {
            repeat,
            frame,
            phase: if warm { Phase::Measure } else { Phase::Warmup },
            motion_ns: None,
            collision: self.last,
            response_ns: None,
            render_ns: None,
            counters: structure.counters(),
            pairs: pairs.len() as u64,
            hits: None,
            heap_bytes: structure.heap_bytes() as u64,
            checksum: self.checksum,
            events: None,
            stages: None,
        }
    }
}

/// Calls `work`; a panic becomes a message of one line that begins with `what`.
fn guarded<T>(what: impl fmt::Display, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        format!("{what} failed: {}", text.as_deref().unwrap_or("no reason given"))
    })
}
