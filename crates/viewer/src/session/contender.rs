//! One algorithm with its structure and its meter.

use super::activity::Activity;
use super::copies::Copies;
use broadphase::algorithms::BruteForce;
use broadphase::benchmark::checksum;
use broadphase::registry::{Algorithm, CreateError, Settings};
use broadphase::{BroadPhase, Frame, Pair};
use measure::{Checksum, FrameRow, Instruments, Meter, PairBound, Phase};
use std::fmt;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

/// Frames of warm-up after a start or a switch, for the structure and the caches. As many as the
/// headless run has.
const WARMUP: u32 = 10;

/// Nanoseconds of searches of earlier steps that are repeated where the memory alone depends on them.
pub(super) const MAX_FOR_MEMORY_NS: u64 = 50_000_000;

/// The steps that a structure, or the one that it was copied from, has searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchedSteps {
    /// The first one: the structure was new.
    pub(super) since: u64,
    /// The one that it searches next; `since` where it is still new.
    pub(super) next: u64,
    /// The number of threads in all of them; `None` once it has changed, and of a copy, whose lists have other room.
    pub(super) threads: Option<usize>,
}

/// The use of a structure that searches steps again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// To search the next step.
    Next,
    /// To show the present one, with its pairs.
    Shown,
    /// The same of a compared one that has just been added.
    New,
}

/// The earliest structure that searches steps again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earliest {
    /// A new one from this step, the first of all.
    First(u64),
    /// A copy.
    Copy,
    /// A new one, where it is needed.
    New,
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
    pub(super) algorithm: &'static Algorithm,
    /// The first step whose search is shown, while it is compared.
    pub(super) shown_from: u64,
    /// It is compared since the last step, and has searched nothing: the present step is searched for display.
    pub(super) is_new: bool,
    settings: Settings,
    /// `None` after a panic, which may have left it inconsistent. It is recreated at its next use.
    structure: Option<Box<dyn BroadPhase>>,
    /// `None` after a search that was stopped or panicked, or that was none of a step: the next one begins with a new
    /// structure, unless it searches earlier steps again.
    searched: Option<SearchedSteps>,
    pub(super) copies: Copies,
    meter: Meter<'static>,
    /// Times and counts of the last search.
    pub(super) last: FrameRow,
    /// The checksum of its pairs, unless it was stopped.
    pub(super) checksum: u64,
    /// Frames since the structure was created or restored, or times were forgotten.
    pub(super) fresh_frames: u32,
    /// The step whose pairs are found.
    pub(super) found: Option<u64>,
    /// They are sorted.
    pub(super) is_sorted: bool,
    /// The last search was followed by a validation.
    validated: bool,
}

/// Takes the place of a structure that was dropped after a panic: it has searched nothing.
static ABSENT: LazyLock<BruteForce> = LazyLock::new(BruteForce::default);

impl Contender {
    pub(super) fn new(
        algorithm: &'static Algorithm,
        settings: &Settings,
        instruments: Instruments<'static>,
    ) -> Result<Self, CreateError> {
        Ok(Self {
            algorithm,
            shown_from: 0,
            is_new: false,
            settings: *settings,
            structure: Some(algorithm.create(settings)?),
            searched: None,
            copies: Copies::default(),
            meter: Meter::new(Instruments::new(instruments.clock, instruments.allocations)),
            last: FrameRow::default(),
            checksum: 0,
            fresh_frames: 0,
            found: None,
            is_sorted: false,
            validated: false,
        })
    }

    pub(super) fn structure(&self) -> &dyn BroadPhase {
        self.structure.as_deref().unwrap_or(&*ABSENT)
    }

    /// The structure, and the step that it searched last.
    pub(super) fn structure_at(&self, step: u64) -> StructureAt<'_> {
        let is_new = self.searched.is_none_or(|steps| steps.since == step);
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

    /// Whether another one has found the same pairs, by number and checksum, which need no order.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        self.pairs().len() == other.pairs().len() && self.checksum == other.checksum
    }

    /// Whether the pairs of a step are found.
    pub(super) fn has_found(&self, step: u64) -> bool {
        self.found == Some(step)
    }

    /// The first step that the structure has searched, if what it finds depends on that.
    pub(super) fn since(&self) -> Option<u64> {
        self.searched.filter(|_| self.depends_on_past()).map(|steps| steps.since)
    }

    /// The bytes that the algorithm holds after the step that it searched last, in a run from the step `first` on. `None`
    /// unless the structure itself has searched all of these, on as many threads: its lists have other room.
    pub(super) fn heap_bytes(&self, first: u64) -> Option<u64> {
        let is_of_run = |steps: SearchedSteps| steps.since <= first && steps.threads.is_some();
        let is_known = self.found.is_some() && self.searched.is_none_or(is_of_run);
        is_known.then(|| self.structure().heap_bytes() as u64)
    }

    /// Bytes of the structure and of the pairs found last.
    pub(super) fn searched_bytes(&self) -> u64 {
        (self.structure().heap_bytes() + size_of_val(self.pairs())) as u64
    }

    /// Forgets all times. Its next searches are a warm-up.
    pub(super) fn forget_times(&mut self, next: u64) {
        (self.shown_from, self.fresh_frames) = (next, 0);
    }

    /// Forgets all steps: their boxes are other ones now.
    pub(super) fn forget_steps(&mut self) {
        (self.searched, self.found) = (None, None);
        self.copies = Copies::default();
    }

    /// Forgets the steps after one: other ones follow.
    pub(super) fn forget_after(&mut self, step: u64) {
        self.searched = self.searched.filter(|steps| steps.next <= step + 1);
        self.found = self.found.filter(|found| *found <= step);
        self.copies.forget_after(step);
    }

    /// Whether what it finds depends on earlier boxes. Where the space is not known, fixed divisions are of the first ones.
    pub(super) fn depends_on_past(&self) -> bool {
        self.algorithm.keeps_state || !self.settings.world.is_finite()
    }

    /// Keeps a copy of the structure, if what it finds depends on the past. All copies take at most `max_bytes`.
    pub(super) fn keep_copy(&mut self, max_bytes: usize) {
        if let (Some(structure), Some(searched)) = (&self.structure, self.searched)
            && self.depends_on_past()
            // From its start it is soon there, with the memory of a run.
            && searched.next > searched.since + 1
        {
            self.copies.add(&**structure, searched, max_bytes);
        }
    }

    /// Whether it needs no search of the present step or earlier ones.
    pub(super) fn is_ready(&self, wanted: Wanted, present: u64) -> bool {
        match wanted {
            Wanted::Next => self.searched.is_some_and(|steps| steps.next == present + 1),
            Wanted::Shown => self.has_found(present),
            Wanted::New => !self.is_new,
        }
    }

    /// The step that it searches next.
    pub(super) fn next(&self) -> Option<u64> {
        self.searched.map(|steps| steps.next)
    }

    /// Replaces the structure by one that is to search the steps from the returned one up to the present one, the last of `kept`:
    /// by a copy, or by a new one. If what it finds does not depend on the past, it is new where it is needed.
    pub(super) fn rewind(
        &mut self,
        wanted: Wanted,
        earliest: Earliest,
        kept: &RangeInclusive<u64>,
        has_bodies: bool,
    ) -> Result<u64, String> {
        let present = *kept.end();
        // Changes are seen in comparison with the step before, which the contacts of bodies follow from.
        let before = present.saturating_sub(1).max(u64::from(has_bodies));
        let copied = if wanted == Wanted::Next { present + 1 } else { before };
        // The structure itself has the memory of a run, if it was new in the first step.
        let is_of_run = |of: &SearchedSteps| {
            matches!(earliest, Earliest::First(first) if of.since <= first) && of.next <= copied
        };
        let own = self.searched.filter(is_of_run);
        let is_copied = self.depends_on_past() && earliest != Earliest::New;
        let is_later = |of: &SearchedSteps| {
            of.next >= *kept.start() && own.is_none_or(|own| own.next < of.next)
        };
        let copy = self.copies.last(copied).filter(|(_, of)| is_copied && is_later(of));
        self.found = None;
        if let Some((structure, searched)) = copy {
            (self.structure, self.searched) = (Some(structure), Some(searched));
            return Ok(searched.next);
        }
        if let Some(own) = own {
            return Ok(own.next);
        }
        // For its memory alone, nothing is repeated that failed or takes long. Each search of all pairs may take seconds.
        let is_worth_it = self.structure.is_some()
            && self.last.detection_ns().saturating_mul(present) <= MAX_FOR_MEMORY_NS
            && !self.algorithm.tests_all_pairs();
        let next = match (wanted, earliest) {
            (_, Earliest::First(first)) if self.depends_on_past() || is_worth_it => first,
            (Wanted::Next, _) => present + 1,
            _ if has_bodies && !self.depends_on_past() && kept.contains(&before) => before,
            _ => present,
        };
        self.renew(next)?;
        Ok(next)
    }

    /// Searches the start of a scene, which is no step, for display alone: by a structure that is dropped afterwards.
    pub(super) fn search_start(
        &mut self,
        frame: Frame<'_>,
        bound: PairBound,
        validate: bool,
        activity: &Activity,
    ) -> Result<bool, String> {
        self.searched = None;
        let is_found = self.search(frame.time_step(0.0), 0, bound, validate, activity)?;
        self.searched = None;
        Ok(is_found)
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
        (self.searched, self.found) = (Some(SearchedSteps { since: next, next, threads }), None);
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
        if self.next() != Some(step) {
            self.renew(step)?;
        }
        let steps = self.searched.map(|steps| SearchedSteps {
            next: step + 1,
            threads: steps.threads.filter(|threads| *threads == rayon::current_num_threads()),
            ..steps
        });
        (self.searched, self.found, self.is_sorted, self.is_new) = (None, None, false, false);
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
        (self.searched, self.found) = (steps, Some(step));
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
    pub(super) fn sample(&mut self, frame: u32, first: u64) -> FrameRow {
        self.fresh_frames += 1;
        // A search between validations, which evict the caches, is no measurement.
        let warm = self.fresh_frames > WARMUP && !self.validated;
        let row = FrameRow {
            repeat: 0,
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
