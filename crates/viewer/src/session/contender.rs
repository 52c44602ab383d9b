//! One algorithm with its structure and its meter.

mod restoration;

use super::activity::Activity;
use super::keyframes::Keyframes;
use broadphase::benchmark::checksum;
use broadphase::registry::{Algorithm, CreateError, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use measure::{Checksum, Clock, FrameRow, Instruments, Meter, PairBound, Phase};
pub(super) use restoration::{MAX_REPLAYS_NS, Restoration, Wanted};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Frames of warm-up after a start or a switch, for the structure and the caches. As many as the
/// headless run has.
const WARMUP: u32 = 10;

/// The steps that a structure, or the one that it was copied from, has searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The first one: the structure was new.
    pub(super) since: u64,
    /// The one that it searches next; `since` where it is still new.
    pub(super) next: u64,
    /// The number of threads in all of them; `None` once it has changed, and of a copy, whose lists have other room.
    pub(super) threads: Option<usize>,
}

/// A structure after the search of a step.
#[derive(Clone, Copy)]
pub struct StructureAt<'a> {
    /// The step.
    pub step: u64,
    /// The structure.
    pub structure: &'a dyn BroadPhase,
    /// Whether it has searched no other step: it was built, and nothing of it changed.
    pub is_new: bool,
}

/// An algorithm that searches the session's boxes.
pub(super) struct Contender {
    algorithm: &'static Algorithm,
    settings: Settings,
    /// `None` after a panic, which may have left it inconsistent. It is recreated at its next use.
    structure: Option<Box<dyn BroadPhase>>,
    /// `None` after a search that was stopped or panicked, or that was none of a step: the next one begins with a new
    /// structure, unless an earlier one is restored.
    place: Option<Place>,
    /// The first step of the structure whose steps are recorded. Others are made to show a step, and are of no use later.
    began: Option<u64>,
    keyframes: Keyframes,
    meter: Meter<'static>,
    clock: &'static dyn Clock,
    /// Times and counts of the last search.
    last: FrameRow,
    /// The checksum of its pairs, unless it was stopped.
    checksum: u64,
    /// Frames since the structure was created or restored.
    fresh_frames: u32,
    /// The step whose pairs are found.
    found: Option<u64>,
    /// They are sorted.
    is_sorted: bool,
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
            place: None,
            began: None,
            keyframes: Keyframes::default(),
            meter: Meter::new(Instruments::new(instruments.clock, instruments.allocations)),
            clock: instruments.clock,
            last: FrameRow::default(),
            checksum: 0,
            fresh_frames: 0,
            found: None,
            is_sorted: false,
            validated: false,
        })
    }

    pub(super) fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    pub(super) fn is_of(&self, entry: &Algorithm) -> bool {
        self.algorithm == entry
    }

    pub(super) fn structure(&self) -> &dyn BroadPhase {
        self.structure.as_deref().unwrap_or(&Absent)
    }

    /// The structure, and the step that it searched last.
    pub(super) fn structure_at(&self, step: u64) -> StructureAt<'_> {
        let is_new = self.place.is_none_or(|place| place.since == step);
        StructureAt { step, structure: self.structure(), is_new }
    }

    /// The pairs of the last search that was not stopped. They are in the order in which they were reported until they
    /// are [sorted](Self::sort_pairs).
    pub(super) fn pairs(&self) -> &[Pair] {
        self.meter.pairs()
    }

    /// Sorts them: the order of the response. Returns whether that was done before the frame was stopped.
    pub(super) fn sort_pairs(&mut self, frame: &Frame<'_>) -> bool {
        self.is_sorted = self.meter.sort_pairs_unless(&|| frame.is_stopped());
        self.is_sorted
    }

    /// Whether the pairs of a step are found, and sorted.
    pub(super) fn has_sorted(&self, step: u64) -> bool {
        self.is_sorted && self.has_found(step)
    }

    /// Whether another one has found the same pairs, by number and checksum, which need no order.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        self.pairs().len() == other.pairs().len() && self.checksum == other.checksum
    }

    pub(super) fn last(&self) -> &FrameRow {
        &self.last
    }

    /// Whether the pairs of a step are found.
    pub(super) fn has_found(&self, step: u64) -> bool {
        self.found == Some(step)
    }

    /// The first step that the structure has searched, if what it finds depends on that.
    pub(super) fn since(&self) -> Option<u64> {
        self.place.filter(|_| self.depends_on_past()).map(|place| place.since)
    }

    /// The bytes that the algorithm holds after the step that it searched last, in a run from the step `first` on. `None`
    /// unless the structure itself has searched all of these, on as many threads: its lists have other room.
    pub(super) fn heap_bytes(&self, first: u64) -> Option<u64> {
        let is_of_run = |place: Place| place.since <= first && place.threads.is_some();
        let is_known = self.found.is_some() && self.place.is_none_or(is_of_run);
        is_known.then(|| self.structure().heap_bytes() as u64)
    }

    /// Bytes of the structure and of the pairs found last.
    pub(super) fn searched_bytes(&self) -> u64 {
        (self.structure().heap_bytes() + size_of_val(self.pairs())) as u64
    }

    /// Forgets which step's pairs are found.
    pub(super) fn forget_pairs(&mut self) {
        self.found = None;
    }

    /// Forgets all steps: their boxes are other ones now.
    pub(super) fn forget_steps(&mut self) {
        (self.place, self.found, self.began) = (None, None, None);
        self.keyframes.clear();
    }

    /// Forgets the steps after one: other ones follow.
    pub(super) fn forget_after(&mut self, step: u64) {
        self.place = self.place.filter(|place| place.next <= step + 1);
        self.found = self.found.filter(|found| *found <= step);
        self.began = self.began.filter(|began| *began <= step);
        self.keyframes.forget_after(step);
    }

    /// Whether what it finds depends on earlier boxes. Where the space is not known, fixed divisions are of the first ones.
    fn depends_on_past(&self) -> bool {
        self.algorithm.keeps_state || !self.settings.world.is_finite()
    }

    /// Keeps what a later look at the last step needs, which is recorded: a copy of the structure now and then. All copies
    /// take at most `max_bytes`. Those before the first kept step are dropped.
    pub(super) fn keep(&mut self, max_bytes: usize, first_kept: u64) {
        self.began = self.place.map(|place| place.since);
        self.keyframes.forget_before(first_kept);
        self.keep_copy(max_bytes);
    }

    fn keep_copy(&mut self, max_bytes: usize) {
        if let (Some(structure), Some(place)) = (&self.structure, self.place)
            && self.began == Some(place.since)
        {
            let search_ns = self.last.times().total_ns();
            self.keyframes.add(&**structure, place, search_ns, max_bytes, self.clock);
        }
    }

    /// Bytes of the kept copies.
    pub(super) fn kept_bytes(&self) -> usize {
        self.keyframes.bytes()
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

    /// Begins with a new structure, whose first step is `next`.
    fn renew(&mut self, next: u64) -> Result<(), String> {
        // The old one's memory is free then.
        self.structure = None;
        let new = self.algorithm.create(&self.settings).map_err(|refusal| refusal.to_string())?;
        self.structure = Some(new);
        let threads = Some(rayon::current_num_threads());
        (self.place, self.found) = (Some(Place { since: next, next, threads }), None);
        Ok(())
    }

    /// Updates and searches. A structure that has not searched the step before is replaced by a new one. Returns whether
    /// the search finished before the frame was stopped.
    ///
    /// `validate` lets the structure check its invariants then, outside of the stopwatch, as `activity`
    /// reports.
    ///
    /// # Errors
    ///
    /// The message of a panic, in the search or the validation, and where the frame has more pairs than the bound.
    pub(super) fn search(
        &mut self,
        frame: Frame<'_>,
        step: u64,
        bound: PairBound,
        validate: bool,
        activity: &Activity,
    ) -> Result<bool, String> {
        if self.place.is_none_or(|place| place.next != step) {
            self.renew(step)?;
        }
        let place = self.place.map(|place| Place {
            next: step + 1,
            threads: place.threads.filter(|threads| *threads == rayon::current_num_threads()),
            ..place
        });
        (self.place, self.found, self.is_sorted) = (None, None, false);
        let searched = self.with_structure(|structure, meter| {
            bound.search(&frame, |frame| meter.collide(structure, frame))
        })?;
        self.last = searched.map_err(|error| {
            // Half-filled with more than fits.
            self.structure = None;
            format!("step {step}: {error}")
        })?;
        if frame.is_stopped() {
            return Ok(false);
        }
        self.validated = validate;
        if validate {
            activity.turn_to("validating", Some(self.algorithm.name));
            self.validate(&frame, step)?;
        }
        self.checksum = checksum(self.meter.pairs());
        (self.place, self.found) = (place, Some(step));
        Ok(true)
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

    /// The last search as a row of `frames.csv`, without motion, response and drawing. `first` is the first step of all.
    pub(super) fn sample(&mut self, repeat: u32, frame: u32, first: u64) -> FrameRow {
        self.fresh_frames += 1;
        // A search between validations, which evict the caches, is no measurement.
        let warm = self.fresh_frames > WARMUP && !self.validated;
        let row = FrameRow {
            repeat,
            frame,
            phase: if warm { Phase::Measure } else { Phase::Warmup },
            pairs: self.meter.pairs().len() as u64,
            heap_bytes: self.heap_bytes(first),
            checksum: Checksum(self.checksum),
            ..self.last.clone()
        };
        row.counted(&self.structure().counters())
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
