//! The algorithms that search the same boxes: the world responds to the pairs of the running one,
//! and the others are compared with it.

use super::activity::Activity;
use super::compared::too_slow;
use super::contender::{Contender, Earliest, MAX_FOR_MEMORY_NS, Wanted};
use super::disagreement::{Disagreement, check_pairs_unless};
use super::motion::{Motion, MotionPlace, Replay};
use super::step_log::StepLog;
use broadphase::benchmark::{PairFault, check_pairs};
use broadphase::registry::{Algorithm, CreateError, Settings};
use broadphase::{Frame, Pair};
use measure::{Clock, Instruments, PairBound, available_memory};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Steps between two readings of the available memory, which take longer than a search of few objects.
const STEPS_PER_READING: u64 = 8;

/// Nanoseconds after which searches of earlier steps are given up: to show a step, and of all algorithms before the next one.
const MAX_SHOWN_NS: u64 = 500_000_000;
const MAX_NEXT_NS: u64 = 2_000_000_000;

/// Bytes that pairs may always take: as many as [`available_memory`] leaves to the system.
const UNCHECKED_BYTES: u64 = 256 << 20;

/// The running algorithm, the compared ones, and what their last searches found.
pub(super) struct Lineup {
    pub(super) running: Contender,
    pub(super) compared: Vec<Contender>,
    /// The compared algorithms do not search.
    pub(super) paused: bool,
    /// Each structure is validated after each of its updates.
    pub(super) validates: bool,
    /// The fault of the running algorithm's last pairs, by `check_pairs`.
    fault: Option<PairFault>,
    /// Steps in a row in which all of the present algorithms found the same pairs.
    pub(super) agreed_steps: u64,
    instruments: Instruments<'static>,
    /// The bytes that pairs may take, and the step in which they were read.
    memory: Option<(u64, u64)>,
    /// Holders of the pairs besides the algorithms: the stages of bodies.
    pub(super) other_holders: usize,
    /// Reports which of them is searching.
    activity: Arc<Activity>,
}

impl Lineup {
    /// One algorithm alone.
    pub(super) fn new(
        entry: &'static Algorithm,
        settings: Settings,
        instruments: Instruments<'static>,
        activity: Arc<Activity>,
    ) -> Result<Self, CreateError> {
        let running = create(entry, &mut settings.memory_limit(available_memory()), instruments)?;
        Ok(Self::of(running, instruments, activity))
    }

    fn of(running: Contender, instruments: Instruments<'static>, activity: Arc<Activity>) -> Self {
        Self {
            running,
            compared: Vec::new(),
            paused: false,
            validates: false,
            fault: None,
            agreed_steps: 0,
            instruments,
            memory: None,
            other_holders: 0,
            activity,
        }
    }

    /// The same algorithms with new structures for other objects. Compared ones without room in
    /// memory are left out and returned as refusals.
    pub(super) fn recreated(
        &self,
        settings: Settings,
    ) -> Result<(Self, Vec<CreateError>), CreateError> {
        let held = self.contenders().map(|contender| contender.structure().heap_bytes() as u64);
        let free = available_memory().saturating_add(held.sum());
        let mut settings = settings.memory_limit(free);
        let running = create(self.running.algorithm, &mut settings, self.instruments)?;
        let (mut compared, mut refused) = (Vec::new(), Vec::new());
        for old in &self.compared {
            match create(old.algorithm, &mut settings, self.instruments) {
                Ok(contender) => compared.push(contender),
                Err(refusal) => refused.push(refusal),
            }
        }
        let Self { paused, validates, other_holders, instruments, .. } = *self;
        let new = Self::of(running, instruments, self.activity.clone());
        Ok((Self { compared, paused, validates, other_holders, ..new }, refused))
    }

    /// Lets another algorithm move the world. A compared one changes places with the running one,
    /// so that the same algorithms stay compared.
    pub(super) fn set_running(
        &mut self,
        entry: &'static Algorithm,
        settings: Settings,
        next: u64,
    ) -> Result<(), CreateError> {
        let compared = self.compared.iter_mut().find(|known| known.algorithm == entry);
        if let Some(compared) = compared {
            // Both stay warm.
            std::mem::swap(compared, &mut self.running);
            compared.shown_from = next;
        } else {
            let held = self.running.structure().heap_bytes() as u64;
            let mut settings = settings.memory_limit(available_memory().saturating_add(held));
            let new = create(entry, &mut settings, self.instruments)?;
            let old = std::mem::replace(&mut self.running, new);
            // To free a structure of many cached pairs takes half a second.
            rayon::spawn(move || drop(old));
            self.agreed_steps = 0;
        }
        Ok(())
    }

    /// Replaces the compared algorithms; the running one is left out of `rows`. Returns the first
    /// refusal where one has no room in memory.
    pub(super) fn set_compared(
        &mut self,
        entries: &[&'static Algorithm],
        settings: Settings,
        next: u64,
    ) -> Result<(), CreateError> {
        let mut old = std::mem::take(&mut self.compared);
        let mut settings = settings.memory_limit(available_memory());
        let mut kept = 0;
        let mut first_refusal = Ok(());
        for entry in entries {
            if self.runs(entry) {
                continue;
            }
            if let Some(place) = old.iter().position(|known| known.algorithm == *entry) {
                self.compared.push(old.swap_remove(place));
                kept += 1;
                continue;
            }
            match create(entry, &mut settings, self.instruments) {
                Ok(mut new) => {
                    (new.shown_from, new.is_new) = (next, true);
                    self.compared.push(new);
                }
                Err(refusal) => first_refusal = first_refusal.and(Err(refusal)),
            }
        }
        // Removing an algorithm keeps the count, adding one restarts it.
        if self.compared.len() > kept || self.compared.is_empty() {
            self.agreed_steps = 0;
        }
        first_refusal
    }

    /// The compared algorithms that search; none while they are paused.
    pub(super) fn searching(&self) -> &[Contender] {
        if self.paused { &[] } else { &self.compared }
    }

    pub(super) fn searching_mut(&mut self) -> &mut [Contender] {
        if self.paused { &mut [] } else { &mut self.compared }
    }

    /// Whether an algorithm runs, moving the world or compared.
    pub(super) fn runs(&self, entry: &Algorithm) -> bool {
        self.contenders().any(|contender| contender.algorithm == entry)
    }

    /// The compared algorithms and then the running one.
    fn contenders(&self) -> impl Iterator<Item = &Contender> {
        self.compared.iter().chain([&self.running])
    }

    pub(super) fn contenders_mut(&mut self) -> impl Iterator<Item = &mut Contender> {
        self.compared.iter_mut().chain([&mut self.running])
    }

    /// Lets the structures that are wanted search all steps up to the present one, as in a run. Those that have not are copies,
    /// or new ones, which search the steps since then again. Where that takes too long, they are new. Returns whether it is done,
    /// before it was stopped. `repeated` is called after each of these searches.
    ///
    /// # Errors
    ///
    /// As [`search`](Contender::search), and where the boxes of a step cannot be read.
    pub(super) fn catch_up(
        &mut self,
        wanted: Wanted,
        motion: &mut Motion,
        repeated: &mut dyn FnMut(&Motion, &Contender),
    ) -> Result<bool, String> {
        let present = motion.steps();
        let [bound, replay_bound] =
            [false, true].map(|replays| self.pair_bound(present, motion.boxes().len(), replays));
        let is_alone = self.paused || wanted == Wanted::Shown;
        let others = if is_alone { &mut [] } else { &mut self.compared[..] };
        let all = [&mut self.running].into_iter().chain(others);
        let mut late: Vec<_> = all.filter(|of| !of.is_ready(wanted, present)).collect();
        if late.is_empty() {
            return Ok(true);
        }
        late.iter_mut().for_each(|contender| contender.fresh_frames = 0);
        let activity = self.activity.clone();
        if wanted != Wanted::Next && present < motion.first_step() {
            let frame = motion.frame().stopped_by(&activity.stop);
            let is_done =
                |of: &mut Contender| of.search_start(frame, bound, self.validates, &activity);
            let done = late.iter_mut().map(|of| is_done(of)).find(|done| *done != Ok(true));
            late.iter_mut()
                .for_each(|of| of.is_new = wanted == Wanted::New && done == Some(Ok(false)));
            return done.unwrap_or(Ok(true));
        }
        let mut again = SearchAgain {
            wanted,
            kept: *motion.kept().start()..=present,
            place: None,
            bound,
            validates: self.validates,
            clock: self.instruments.clock,
            replay: Replay { bound: replay_bound, activity: &activity, stop: &activity.stop },
            repeated,
        };
        let limit_ns = match wanted {
            _ if !late.iter().any(|contender| contender.depends_on_past()) => MAX_FOR_MEMORY_NS,
            Wanted::Shown | Wanted::New => MAX_SHOWN_NS,
            Wanted::Next => MAX_NEXT_NS,
        };
        let mut done = Ok(None);
        let first = (*again.kept.start() == 0).then(|| Earliest::First(motion.first_step()));
        for earliest in first.into_iter().chain([Earliest::Copy, Earliest::New]) {
            let deadline_ns = match earliest {
                Earliest::New => u64::MAX,
                _ => self.instruments.clock.now_ns() + limit_ns,
            };
            done = again.search(earliest, &mut late, motion, deadline_ns);
            if done != Ok(None) {
                break;
            }
        }
        if let Some(place) = again.place {
            motion.come_back(place);
        }
        // A stopped search for display is begun again.
        let is_stopped = wanted == Wanted::New && done == Ok(Some(false));
        late.iter_mut().for_each(|contender| contender.is_new = is_stopped);
        Ok(done?.unwrap_or(false))
    }

    /// Lets the running structure search the steps up to the present one, for display, and checks its pairs.
    ///
    /// # Errors
    ///
    /// As [`catch_up`](Self::catch_up).
    pub(super) fn show(
        &mut self,
        motion: &mut Motion,
        repeated: &mut dyn FnMut(&Motion, &Contender),
    ) -> Result<bool, String> {
        let is_found = self.catch_up(Wanted::Shown, motion, repeated)?;
        let activity = self.activity.clone();
        Ok(is_found && self.check_pairs(&motion.frame().stopped_by(&activity.stop)))
    }

    /// Keeps copies of the structures that have searched a step, which take at most `room` bytes.
    pub(super) fn keep_copies(&mut self, room: usize, first_kept: u64) {
        let room = room / self.contenders().count();
        self.contenders_mut().for_each(|contender| contender.copies.forget_before(first_kept));
        self.running.keep_copy(room);
        self.searching_mut().iter_mut().for_each(|compared| compared.keep_copy(room));
    }

    /// Bytes of the kept copies.
    pub(super) fn kept_bytes(&self) -> usize {
        self.contenders().map(|contender| contender.copies.bytes()).sum()
    }

    /// Searches with all algorithms. Returns whether all finished before the frame was stopped.
    pub(super) fn search(&mut self, frame: Frame<'_>, step: u64) -> Result<bool, String> {
        // The order rotates from step to step: a later search finds the boxes in the processor's
        // cache.
        let number = self.searching_algorithms();
        let bound = self.pair_bound(step, frame.boxes.len(), false);
        for place in 0..number {
            let turn = (place + step as usize) % number;
            let searcher = match turn {
                0 => &mut self.running,
                other => &mut self.compared[other - 1],
            };
            let words = match turn {
                0 => "searching (another can be chosen)",
                _ => "searching, only compared (untick it to go on without it)",
            };
            self.activity.turn_to(words, Some(searcher.algorithm.name));
            let searched = searcher.search(frame, step, bound, self.validates, &self.activity);
            if !matches!(searched, Ok(true)) {
                // The step may be searched again once there is more memory.
                self.memory = None;
                return searched;
            }
        }
        Ok(self.check_pairs(&frame))
    }

    /// Sorts the running algorithm's pairs, and checks them against the boxes and layers alone. Those of the others
    /// are only compared, for which they need no order. Returns whether that was done before the frame was stopped.
    fn check_pairs(&mut self, frame: &Frame<'_>) -> bool {
        self.activity.turn_to("sorting the pairs", None);
        if !self.running.sort_pairs(frame) {
            return false;
        }
        self.activity.turn_to("checking the pairs", None);
        let checked = check_pairs_unless(frame, self.running.pairs());
        self.fault = checked.and_then(Result::err);
        checked.is_some()
    }

    /// The fault of the running algorithm's pairs of `step`, in words.
    pub(super) fn check(&self, step: u64) -> Result<(), String> {
        self.fault.map_or(Ok(()), |fault| {
            Err(format!("step {step}: {} is wrong: {fault}", self.running.algorithm.name))
        })
    }

    /// The first compared algorithm that found other pairs than the running one.
    pub(super) fn disagreement(&mut self, frame: &Frame<'_>, step: u64) -> Option<Disagreement> {
        let running = &self.running;
        let compared = if self.paused { &mut [] } else { &mut self.compared[..] };
        let differs = |one: &&mut Contender| one.has_found(step) && !one.agrees_with(running);
        let other = compared.iter_mut().find(differs)?;
        other.sort_pairs(frame);
        let [running, other] = [running, &*other].map(|one| (one.algorithm, one.pairs()));
        Disagreement::between(running, other, frame, step)
    }

    /// Of two algorithms that disagree, the pairs of the one that is right.
    pub(super) fn right_pairs(
        &self,
        disagreement: &Disagreement,
        frame: &Frame<'_>,
    ) -> Option<&[Pair]> {
        self.contenders()
            .find(|contender| contender.algorithm == disagreement.other)
            .map(Contender::pairs)
            .filter(|pairs| check_pairs(frame, pairs).is_ok())
    }

    /// Takes the last recorded steps back: other ones follow.
    pub(super) fn take_back(&mut self, steps: RangeInclusive<u64>) {
        self.agreed_steps = self.agreed_steps.saturating_sub(steps.clone().count() as u64);
        self.compared.iter_mut().for_each(|of| of.shown_from = of.shown_from.min(*steps.start()));
    }

    /// Counts a finished step as agreed upon, or starts counting again.
    pub(super) fn count_agreement(&mut self, agreed: bool) {
        let counts = agreed && !self.searching().is_empty();
        self.agreed_steps = if counts { self.agreed_steps + 1 } else { 0 };
    }

    /// Drops compared algorithms that are too slow. Returns them in words.
    pub(super) fn drop_too_slow(&mut self, log: &StepLog) -> Vec<String> {
        let (mut dropped, driving) = (Vec::new(), self.running.algorithm);
        self.compared.retain(|compared| {
            let reason = too_slow(compared.algorithm, driving, compared.shown_from, log);
            let stays = reason.is_none();
            dropped.extend(reason);
            stays
        });
        dropped
    }

    /// How many algorithms search: paused ones do not.
    pub(super) fn searching_algorithms(&self) -> usize {
        1 + self.searching().len()
    }

    /// The bound on the pairs that each algorithm finds in a step. The memory is read again after some steps, and where a step
    /// was refused. What the searching algorithms hold of the last pairs is room for the next ones, unless the world `replays` the
    /// step: they hold theirs meanwhile.
    pub(super) fn pair_bound(&mut self, step: u64, objects: usize, replays: bool) -> PairBound {
        let holders = self.searching_algorithms() + self.other_holders + usize::from(replays);
        let always = PairBound::within(UNCHECKED_BYTES, holders);
        if always.bytes_of(objects.saturating_mul(objects) / 2) <= UNCHECKED_BYTES {
            return always;
        }
        let is_recent = |(read, _): &(u64, u64)| step.wrapping_sub(*read) < STEPS_PER_READING;
        let (read, bytes) = self.memory.filter(is_recent).unwrap_or_else(|| {
            let holding = self.searching().iter().chain([&self.running]);
            let held = holding.map(Contender::searched_bytes).sum::<u64>();
            (step, available_memory().saturating_add(held).max(UNCHECKED_BYTES))
        });
        self.memory = Some((read, bytes));
        PairBound::within(bytes, holders)
    }

    /// The running algorithm's last pairs; none if they are not valid.
    pub(super) fn pairs(&self) -> &[Pair] {
        if self.fault.is_none() { self.running.pairs() } else { &[] }
    }
}

/// Creates a structure within the memory that earlier ones left, and takes its own from that.
fn create(
    entry: &'static Algorithm,
    settings: &mut Settings,
    instruments: Instruments<'static>,
) -> Result<Contender, CreateError> {
    let contender = Contender::new(entry, settings, instruments)?;
    let taken = (entry.memory)(settings.objects as u64);
    settings.memory_limit = settings.memory_limit.saturating_sub(taken);
    Ok(contender)
}

/// Searches of earlier steps, again.
struct SearchAgain<'a> {
    wanted: Wanted,
    /// The kept steps up to the present one.
    kept: RangeInclusive<u64>,
    /// The present one, once others are visited.
    place: Option<MotionPlace>,
    /// The bound on the pairs of the present step.
    bound: PairBound,
    /// Structures are validated after the present step.
    validates: bool,
    clock: &'a dyn Clock,
    replay: Replay<'a>,
    repeated: &'a mut dyn FnMut(&Motion, &Contender),
}

impl SearchAgain<'_> {
    /// `None` if it takes too long, or an earlier step cannot be shown.
    fn search(
        &mut self,
        earliest: Earliest,
        late: &mut [&mut Contender],
        motion: &mut Motion,
        deadline_ns: u64,
    ) -> Result<Option<bool>, String> {
        let (wanted, present, has_bodies) = (self.wanted, *self.kept.end(), motion.has_bodies());
        let mut next = present + 1;
        for contender in &mut *late {
            next = next.min(contender.rewind(wanted, earliest, &self.kept, has_bodies)?);
        }
        for step in next..=present {
            if self.clock.now_ns() > deadline_ns {
                return Ok(None);
            }
            let is_last = step == present;
            if step != motion.steps() {
                self.place.get_or_insert_with(|| motion.place());
            }
            let Replay { activity, stop, .. } = self.replay;
            match motion.visit(step, self.replay) {
                Err(problem) if is_last || earliest == Earliest::New => return Err(problem),
                Err(_) => return Ok(None),
                Ok(false) => return Ok(Some(false)),
                Ok(true) => {}
            }
            let frame = motion.frame().stopped_by(stop);
            // The pairs of earlier steps have been found before.
            let bound = if is_last { self.bound } else { PairBound::NONE };
            for contender in late.iter_mut().filter(|contender| contender.next() == Some(step)) {
                activity.turn_to("searching earlier steps again", Some(contender.algorithm.name));
                let validates = self.validates && is_last;
                // The stages of bodies use sorted pairs.
                let is_done = contender.search(frame, step, bound, validates, activity)?
                    && (wanted == Wanted::Next || !has_bodies || contender.sort_pairs(&frame));
                if !is_done {
                    return Ok(Some(false));
                }
                (self.repeated)(motion, contender);
            }
        }
        Ok(Some(true))
    }
}

#[cfg(test)]
mod tests {
    use crate::platform::double::Double;
    use crate::session::Session;
    use glam::Vec3;
    use sim::Scene;

    #[test]
    fn step_beyond_the_memory_is_refused_until_there_is_more() {
        // All in one place: 4,498,500 pairs.
        let ball = sim::scene::Ball { center: Vec3::ZERO, velocity: Vec3::ZERO, radius: Some(1.0) };
        let scene = Scene { objects: 0, balls: vec![ball; 3000], ..Scene::default() };
        let entry = broadphase::registry::find("sweep-grid").unwrap();
        let mut session = Session::new("test", &scene, entry, Double::leaked(), None).unwrap();
        let frame = session.motion.frame();
        for (step, memory, is_found) in [
            // Read in this step, or up to seven before.
            (10, Some((10, 1_000_000)), false),
            (10, None, true),
            (17, Some((10, 1_000_000)), false),
            (18, Some((10, 1_000_000)), true),
            (9, Some((10, 1_000_000)), true),
            (17, Some((10, 1_500_000_000)), true),
        ] {
            session.algorithms.memory = memory;
            let found = session.algorithms.search(frame, step);
            match found {
                Ok(found) => assert!(found && is_found, "{step} {memory:?}"),
                Err(error) => {
                    assert!(!is_found && error.starts_with("step 1"), "{error}");
                    assert_eq!(session.algorithms.memory, None);
                }
            }
        }
        // Few objects are searched whatever there is.
        session.algorithms.memory = Some((20, 0));
        let few = broadphase::Frame::new(&frame.boxes[..500]);
        assert_eq!(session.algorithms.search(few, 20), Ok(true));
    }
}
