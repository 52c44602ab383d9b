//! The candidates of a kind of boxes, and what the reference knows of them.

use super::frames::{FrameSource, Search};
use super::repetition_frame::RepetitionFrame;
use super::wrong_pair::{describe, describe_fault};
use crate::play::{Halt, MAX_TESTS_TO_PROVE, RunError};
use crate::process::guarded;
use crate::rows::Outcome;
use broadphase::Pair;
use broadphase::benchmark::checksum;
use narrowphase::BoxKind;
use sim::stages::{Audit, FramePairs, Known};
use std::sync::atomic::Ordering;

/// The end of all methods, because of what they share.
pub(super) fn shared_late(moment: RepetitionFrame) -> Outcome {
    moment.skipped(
        "motion, candidates and reference, which all methods share, are over the time budget",
    )
}

/// Answers of both references about the candidates of a frame.
#[derive(Default)]
pub(super) struct Audits {
    pub(super) poses: Audit,
    /// First contacts within the step; unused where they are not measured.
    pub(super) impacts: Audit,
}

/// The candidates of one kind of boxes.
pub(super) struct Candidates {
    pub(super) kind: BoxKind,
    pairs: Vec<Pair>,
    /// The pairs among them that touch by the reference.
    touching: Vec<Pair>,
    /// Checksums of the frames whose candidates are right: each repetition shows the same boxes.
    right: Vec<u64>,
    /// Sums over the frames that count: candidates, those that do not touch, those in the band.
    pub(super) candidates: u64,
    pub(super) false_candidates: u64,
    pub(super) band: u64,
    /// Nanoseconds of brute force in this frame: no part of what the methods share.
    pub(super) proof_ns: u64,
    /// Whether brute force would have taken too long.
    pub(super) is_unproven: bool,
    pub(super) ended: Option<Outcome>,
}

impl Candidates {
    pub(super) fn new(kind: BoxKind) -> Self {
        Self {
            kind,
            pairs: Vec::new(),
            touching: Vec::new(),
            right: Vec::new(),
            candidates: 0,
            false_candidates: 0,
            band: 0,
            proof_ns: 0,
            is_unproven: false,
            ended: None,
        }
    }

    /// The sorted candidates of the frame.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pairs among them that touch by the reference.
    pub(super) fn touching(&self) -> &[Pair] {
        &self.touching
    }

    /// Finds the candidates of a frame, compares them with brute force, and asks the reference about them. What is
    /// wrong with them ends the kind.
    pub(super) fn find(
        &mut self,
        source: &mut impl FrameSource,
        audits: &mut Audits,
        search: &Search<'_>,
    ) -> Result<(), RunError> {
        match self.found(source, audits, search) {
            Ok(()) => {}
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::Ended(outcome)) => {
                let (pairs, touching) = (Vec::new(), Vec::new());
                (self.pairs, self.touching, self.ended) = (pairs, touching, Some(outcome));
            }
        }
        Ok(())
    }

    fn found(
        &mut self,
        source: &mut impl FrameSource,
        audits: &mut Audits,
        search: &Search<'_>,
    ) -> Result<(), Halt<Outcome>> {
        self.proof_ns = 0;
        source.candidates(self.kind, search, &mut self.pairs)?;
        let begin = search.clock.now_ns();
        let proof = self.prove(source, search);
        self.proof_ns = search.clock.now_ns() - begin;
        proof?;
        let &Search { moment, clock, spent_ns, budget_ns, stop, .. } = search;
        let begin = clock.now_ns();
        let is_late = || budget_ns.is_some_and(|most| spent_ns + (clock.now_ns() - begin) > most);
        let is_stopped = || stop.load(Ordering::Relaxed);
        let bodies = source.bodies();
        let goes_on = &|| !is_stopped() && !is_late();
        let of = FramePairs { bodies, pairs: &self.pairs, goes_on };
        let Audits { poses: audit, impacts } = audits;
        let seconds = source.step_seconds().filter(|_| search.has_impacts);
        let examined = guarded(|| {
            let mut is_whole = audit.examine(&of);
            if let Some(seconds) = seconds.filter(|_| is_whole) {
                is_whole = impacts.examine_impacts(&of, seconds);
            }
            is_whole.then(|| audit.unanswered())
        });
        let unanswered = match examined.map_err(|message| moment.panicked(message)) {
            Err(panicked) => return Err(Halt::Ended(panicked)),
            Ok(None) if is_stopped() => return Err(Halt::Failed(RunError::Stopped)),
            Ok(None) => return Err(Halt::Ended(shared_late(moment))),
            Ok(Some(unanswered)) => unanswered,
        };
        if let Some(wrong) = unanswered {
            let fault = describe("reference", &wrong, bodies);
            return Err(Halt::Ended(moment.wrong(&fault)));
        }
        if let Some(wrong) = impacts.unanswered().filter(|_| seconds.is_some()) {
            let fault = "it has no first contact";
            let fault = describe_fault("reference of impacts", wrong.pair, fault, bodies);
            return Err(Halt::Ended(moment.wrong(&fault)));
        }
        self.touching.clear();
        self.touching.extend(audit.touching());
        if search.counts {
            let number = |wanted: fn(&Known) -> bool| {
                audit.known().iter().filter(|known| wanted(known)).count() as u64
            };
            self.candidates += self.pairs.len() as u64;
            self.false_candidates += number(|known| !known.allows_either && known.gap > Some(0.0));
            self.band += number(|known| known.allows_either);
        }
        Ok(())
    }

    /// Compares the candidates with brute force, unless they are those of an earlier repetition.
    fn prove(
        &mut self,
        source: &mut impl FrameSource,
        search: &Search<'_>,
    ) -> Result<(), Halt<Outcome>> {
        let (frame, found) = (search.moment.frame as usize, checksum(&self.pairs));
        let known = self.right.get(frame).copied();
        if known == Some(found) {
            return Ok(());
        }
        if search.tests_of_all <= MAX_TESTS_TO_PROVE {
            source.prove(&self.pairs, search)?;
        } else {
            self.is_unproven = true;
        }
        if known.is_some() {
            let fault = "the boxes or the candidates differ from those of the first repetition";
            return Err(Halt::Ended(search.moment.wrong(fault)));
        }
        self.right.push(found);
        Ok(())
    }
}
