//! The structure that an algorithm had in an earlier step.

use super::{Contender, Place};
use crate::session::activity::Activity;
use crate::session::motion::Motion;
use measure::PairBound;
use std::sync::atomic::AtomicBool;

/// Nanoseconds after which a replay is given up. The structure is new then.
const MAX_REPLAY_NS: u64 = 500_000_000;

/// The same for algorithms whose memory alone depends on earlier steps.
const MAX_REPLAY_FOR_MEMORY_NS: u64 = 100_000_000;

/// The same for the replays of all algorithms before a step.
pub(in crate::session) const MAX_REPLAYS_NS: u64 = 2_000_000_000;

/// The use of a restored structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Wanted {
    /// To search the next step.
    Next,
    /// To show the present one, with its pairs.
    Shown,
}

/// How a structure is restored.
pub(in crate::session) struct Restoration<'a> {
    pub(in crate::session) wanted: Wanted,
    /// The bound on the pairs of the present step.
    pub(in crate::session) bound: PairBound,
    /// The structure is validated after the present step.
    pub(in crate::session) validate: bool,
    /// Bytes that copies may take.
    pub(in crate::session) room: usize,
    /// When a replay is given up, by the clock.
    pub(in crate::session) deadline_ns: u64,
    pub(in crate::session) activity: &'a Activity,
    pub(in crate::session) stop: &'a AtomicBool,
    /// Called after each replayed step.
    pub(in crate::session) replayed: &'a mut dyn FnMut(&Motion, &Contender),
}

impl Contender {
    /// Restores the structure that has searched all steps up to the present one: an earlier copy searches the steps after
    /// it again. If not all of them are kept, or that takes too long, the structure is new. Returns whether it is done,
    /// before `stop` was set.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search), and where the boxes of a step cannot be read.
    pub(in crate::session) fn restore(
        &mut self,
        motion: &mut Motion,
        how: &mut Restoration<'_>,
    ) -> Result<bool, String> {
        let (present, first) = (motion.steps(), motion.first_step());
        let is_there = match how.wanted {
            Wanted::Next => self.place.is_some_and(|place| place.next == present + 1),
            Wanted::Shown => self.has_found(present),
        };
        if is_there {
            return Ok(true);
        }
        self.begin_warmup();
        if present < first {
            return self.show_start(motion, how);
        }
        let next = match how.wanted {
            Wanted::Next => present + 1,
            // What changed in a step is seen in comparison with the one before.
            Wanted::Shown if self.depends_on_past() || motion.has_bodies() => {
                present.saturating_sub(1).max(first)
            }
            Wanted::Shown => present,
        };
        // The first step of a new structure.
        let fresh = if self.depends_on_past() { next.max(present) } else { next };
        if !self.return_to(next, motion)? {
            self.renew(fresh)?;
        }
        let place = motion.place();
        let done = self.replay(motion, fresh.min(present), how);
        // The error of the replay comes first.
        let returned = motion.come_back(place);
        let is_done = done?;
        returned.map(|()| is_done)
    }

    /// The start of a scene is searched for display alone, by a structure that is dropped afterwards.
    fn show_start(&mut self, motion: &Motion, how: &Restoration<'_>) -> Result<bool, String> {
        if how.wanted == Wanted::Next {
            return self.renew(motion.first_step()).map(|()| true);
        }
        self.place = None;
        let frame = motion.frame().time_step(0.0).stopped_by(how.stop);
        let is_found = self.search(frame, motion.steps(), how.bound, how.validate, how.activity)?;
        self.place = None;
        Ok(is_found)
    }

    /// Searches the steps from the structure's next one up to the present one. Where that takes too long, a new structure
    /// begins at the step `fresh`.
    fn replay(
        &mut self,
        motion: &mut Motion,
        fresh: u64,
        how: &mut Restoration<'_>,
    ) -> Result<bool, String> {
        let present = motion.steps();
        let limit = if self.depends_on_past() { MAX_REPLAY_NS } else { MAX_REPLAY_FOR_MEMORY_NS };
        let deadline_ns = how.deadline_ns.min(self.clock.now_ns() + limit);
        while let Some(next) = self.place.map(|place| place.next).filter(|next| *next <= present) {
            let takes_too_long = self.clock.now_ns() > deadline_ns;
            // A search of a step that does not follow begins with a new structure.
            let step = if takes_too_long { next.max(fresh) } else { next };
            how.activity.turn_to("replaying earlier steps", Some(self.algorithm.name));
            match motion.visit(step, how.stop) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(problem) if step == present => return Err(problem),
                Err(_) => {
                    // Without that step, no other structure can be restored than a new one.
                    self.renew(present)?;
                    continue;
                }
            }
            let frame = motion.frame().stopped_by(how.stop);
            let validate = how.validate && step == present;
            // The pairs of earlier steps have been found before.
            let bound = if step == present { how.bound } else { PairBound::NONE };
            if !self.search(frame, step, bound, validate, how.activity)? {
                return Ok(false);
            }
            // The stages of bodies use them.
            let is_used = how.wanted == Wanted::Shown && motion.has_bodies();
            if is_used && !self.sort_pairs(&frame) {
                return Ok(false);
            }
            self.keep_copy(how.room);
            (how.replayed)(motion, self);
        }
        Ok(true)
    }

    /// Takes the structure back so far that its next step is at most `next`, and all from there are kept. Returns whether
    /// that is possible.
    fn return_to(&mut self, next: u64, motion: &Motion) -> Result<bool, String> {
        let (first, first_kept) = (motion.first_step(), *motion.kept().start());
        let began = self.began.filter(|began| *began <= next).unwrap_or(first);
        let is_kept =
            |place: &Place| place.since == began && place.next <= next && place.next >= first_kept;
        let own = self.place.filter(is_kept);
        let copied = self.keyframes.last_place(next).filter(is_kept);
        if own.is_some_and(|own| copied.is_none_or(|copied| copied.next <= own.next)) {
            return Ok(true);
        }
        // For its memory alone, nothing is repeated that failed, nor searches of all pairs, each of which may take seconds.
        let is_worth_it = self.structure.is_some() && !self.algorithm.tests_all_pairs();
        let is_replayable = first_kept <= began && (self.depends_on_past() || is_worth_it);
        if let Some(place) = copied {
            self.structure = self.keyframes.structure(next);
            self.place = Some(place);
        } else if is_replayable {
            self.renew(began)?;
        }
        Ok(copied.is_some() || is_replayable)
    }
}
