//! What the reference knows of the candidates of a frame, and what methods answered about them.

use super::tally::{Known, Said, Tally, WrongAnswer};
use super::{BodyList, MovingBodies, PARALLEL_FROM, bodies_of, moving_pair, rounding_at};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::impact::{Exactness, Impact, ImpactReference, KnownImpact, Motion};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use narrowphase::{Answer, Body, Reference, Verdict, size_of_pair};
use rayon::prelude::*;

/// Pairs between two questions whether to go on: milliseconds of work.
const PIECE: usize = 256;

/// Largest gap or depth at the time that an exact method reports, in sizes of the pair. Searches end far below it; a
/// wrong axis or sign errs by far more.
pub(super) const TIME_BAND: f64 = 1e-6;

/// Answers of a reference about the candidates of a frame. It keeps its lists from frame to frame.
pub struct Audit<K = Verdict> {
    candidates: Vec<Pair>,
    verdicts: Vec<K>,
}

/// Answers of the reference of first contacts about the candidates of a step.
pub type ImpactAudit = Audit<KnownImpact>;

impl<K> Default for Audit<K> {
    fn default() -> Self {
        Self { candidates: Vec::new(), verdicts: Vec::new() }
    }
}

impl<K: Known> Audit<K> {
    /// Asks about sorted candidates as long as `goes_on`, which is asked every `PIECE` candidates, and until the bodies are
    /// stopped. Returns whether all candidates were examined; if not, there are none.
    fn ask_while<R: Default>(
        &mut self,
        bodies: &impl BodyList,
        candidates: &[Pair],
        goes_on: impl Fn() -> bool,
        ask: impl Fn(&mut R, Pair) -> K + Sync,
    ) -> bool {
        let examine = |reference: &mut R, pair: &Pair| {
            if bodies.is_stopped() { K::UNKNOWN } else { ask(reference, *pair) }
        };
        self.candidates.clear();
        self.verdicts.clear();
        self.verdicts.reserve(candidates.len());
        for piece in candidates.chunks(PIECE) {
            if !goes_on() {
                break;
            }
            if candidates.len() < PARALLEL_FROM {
                let mut reference = R::default();
                self.verdicts.extend(piece.iter().map(|pair| examine(&mut reference, pair)));
            } else {
                let each = piece.par_iter().with_min_len(PIECE / 8);
                self.verdicts.par_extend(each.map_init(R::default, examine));
            }
        }
        let is_complete = self.verdicts.len() == candidates.len() && !bodies.is_stopped();
        if is_complete {
            self.candidates.extend_from_slice(candidates);
        } else {
            self.verdicts.clear();
        }
        is_complete
    }

    /// The candidates that were examined last.
    pub fn candidates(&self) -> &[Pair] {
        &self.candidates
    }

    /// The answers about them, in their order.
    pub fn verdicts(&self) -> &[K] {
        &self.verdicts
    }

    /// The first candidate about which the reference has no answer: a number is not finite, or a search did not end.
    pub fn unanswered(&self) -> Option<WrongAnswer> {
        let failed = self.verdicts.iter().position(|known| known.said() == Said::Nothing)?;
        let (found, known) = (Said::Nothing, Said::Nothing);
        Some(WrongAnswer {
            pair: self.candidates[failed],
            found,
            known,
            gap: self.verdicts[failed].gap(),
        })
    }
}

impl Audit {
    /// Asks the reference about sorted candidates.
    pub fn examine(&mut self, bodies: &impl BodyList, candidates: &[Pair]) {
        self.examine_while(bodies, candidates, || true);
    }

    /// [`examine`](Self::examine) as long as `goes_on`, which is asked every 256 candidates, and until the bodies are
    /// stopped. Returns whether all candidates were examined; if not, there are none.
    pub fn examine_while(
        &mut self,
        bodies: &impl BodyList,
        candidates: &[Pair],
        goes_on: impl Fn() -> bool,
    ) -> bool {
        self.ask_while(bodies, candidates, goes_on, |reference: &mut Reference, pair| {
            let [a, b] = bodies_of(bodies, pair);
            reference.examine(&a, &b)
        })
    }

    /// The candidates that touch, sorted.
    pub fn touching(&self) -> impl Iterator<Item = Pair> {
        let each = self.candidates.iter().zip(&self.verdicts);
        each.filter(|(_, verdict)| matches!(verdict.answer, Answer::Touching { .. }))
            .map(|(pair, _)| *pair)
    }

    /// Compares a volume, given which of the candidates it let pass.
    pub fn volume(&self, kind: &VolumeKind, passes: &[bool]) -> Tally {
        let each = self.candidates.iter().zip(&self.verdicts).zip(passes);
        each.map(|((pair, verdict), passes)| {
            let found = if *passes { Said::Touching } else { Said::Apart };
            // It may let pass what does not touch.
            let tally = Tally::of(*pair, found, verdict, false, |_, _| false);
            Tally { wrong: tally.first_missed.filter(|_| kind.exact), ..tally }
        })
        .collect()
    }

    /// Compares the answers of a narrow phase about `tested`, which are some of the candidates.
    ///
    /// # Panics
    ///
    /// If a pair is no candidate.
    pub fn narrow(
        &self,
        bodies: &impl BodyList,
        kind: &NarrowPhaseKind,
        tested: &[Pair],
        answers: &[Answer],
    ) -> Tally {
        let each = tested.iter().zip(answers);
        each.map(|(pair, answer)| {
            let at = self.candidates.binary_search(pair).expect("tested pairs are candidates");
            let [a, b] = bodies_of(bodies, *pair);
            let verdict = self.verdicts[at];
            let is_in_band = verdict.gap.abs() <= kind.band * size_of_pair(&a, &b);
            let verdict = Verdict { is_in_band, ..verdict };
            Tally::of(*pair, (*answer).into(), &verdict, true, |_, _| false)
        })
        .collect()
    }
}

impl ImpactAudit {
    /// Asks the reference about sorted pairs.
    pub fn examine(&mut self, bodies: &impl MovingBodies, pairs: &[Pair], limit: f64) {
        self.examine_while(bodies, pairs, limit, || true);
    }

    /// [`examine`](Self::examine) as long as `goes_on`, which is asked every 256 pairs, and until the bodies are stopped.
    /// Returns whether all pairs were examined; if not, nothing is known.
    pub fn examine_while(
        &mut self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        limit: f64,
        goes_on: impl Fn() -> bool,
    ) -> bool {
        self.ask_while(bodies, pairs, goes_on, |reference: &mut ImpactReference, pair| {
            let [a, b] = moving_pair(bodies, pair);
            reference.examine((&a.0, &a.1), (&b.0, &b.1), limit)
        })
    }

    /// Compares what a method of some exactness found about the pairs that were examined last.
    pub fn impacts(
        &self,
        exactness: Exactness,
        bodies: &impl MovingBodies,
        found: &[Impact],
    ) -> Tally {
        let mut reference = Reference::new();
        let each = self.candidates.iter().zip(found).zip(&self.verdicts);
        each.map(|((pair, found), known)| {
            let moving = moving_pair(bodies, *pair);
            let rotates = moving.iter().any(|(_, motion)| motion.spin != DVec3::ZERO);
            let must_be_right = match exactness {
                Exactness::Never => false,
                Exactness::Translation => !rotates,
                Exactness::ToTolerance => true,
            };
            Tally::of(*pair, (*found).into(), known, must_be_right, |time, right| {
                is_wrong_time(&mut reference, &moving, (time, right))
            })
        })
        .collect()
    }
}

/// Whether the first contact is not at `time`, but at `right`: before it the bodies must be apart, and after it they overlap.
fn is_wrong_time(
    reference: &mut Reference,
    [a, b]: &[(Body<'_>, Motion); 2],
    (time, right): (f64, f64),
) -> bool {
    let most = TIME_BAND * size_of_pair(&a.0, &b.0) + rounding_at([a, b], time.max(right));
    let speed = a.1.speed_bound(&a.0) + b.1.speed_bound(&b.0);
    if (time - right).abs() * speed <= most {
        return false;
    }
    let mut gap = |time: f64| {
        let [one, other] = [a, b].map(|(body, motion)| motion.body_after(body, time));
        reference.examine(&one, &other).gap
    };
    if !time.is_finite() {
        true
    } else if time < right {
        gap(time) > most
    } else {
        // At the time when they part the gap is 0 again.
        gap(time) < -most || gap(0.5 * (time + right)) < -most
    }
}
