//! The reference's answers for the candidates of a frame, compared with those of methods.

use super::tally::{Known, Tally, WrongAnswer, at_start};
use super::{BodyList, FramePairs, PARALLEL_FROM, rounding_at};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::impact::{Exactness, Impact, ImpactReference, KnownImpact, Motion};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use narrowphase::{Answer, Body, Reference, Verdict, size_of_pair};
use rayon::prelude::*;

/// Largest gap or depth at the time that an exact method reports, in sizes of the pair. Searches end far below it; a
/// wrong axis or sign errs by far more.
pub(super) const TIME_BAND: f64 = 1e-6;

/// Answers of the reference about the candidates of a frame, at one time or within a step. It keeps its lists from frame to
/// frame.
#[derive(Default)]
pub struct Audit {
    candidates: Vec<Pair>,
    known: Vec<Known>,
}

impl Audit {
    /// Asks about all pairs. Returns whether it was not ended; otherwise nothing is known of any.
    fn ask_all<R: Default, B: BodyList>(
        &mut self,
        &FramePairs { pairs, goes_on, .. }: &FramePairs<'_, B>,
        ask: impl Fn(&mut R, Pair) -> Known + Sync,
    ) -> bool {
        self.candidates.clear();
        self.known.clear();
        let each = pairs.par_iter().with_min_len(PARALLEL_FROM / 8);
        let each = each.map_init(R::default, |of, pair| goes_on().then(|| ask(of, *pair)));
        self.known.par_extend(each.while_some());
        let is_complete = self.known.len() == pairs.len();
        if is_complete {
            self.candidates.extend_from_slice(pairs);
        } else {
            self.known.clear();
        }
        is_complete
    }

    /// The candidates that were examined last.
    pub fn candidates(&self) -> &[Pair] {
        &self.candidates
    }

    /// The answers about them, in their order.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    pub(super) fn each(&self) -> impl Iterator<Item = (Pair, Known)> {
        self.candidates.iter().copied().zip(self.known.iter().copied())
    }

    /// The first candidate about which the reference has no answer: a number is not finite, or a search did not end.
    pub fn unanswered(&self) -> Option<WrongAnswer> {
        let (pair, known) = self.each().find(|(_, known)| known.impact == Impact::Failed)?;
        Some(WrongAnswer { pair, found: Impact::Failed, known: Impact::Failed, gap: known.gap })
    }

    /// Asks about the bodies of a frame as they are. Returns whether it was not ended; otherwise nothing is known of any.
    pub fn examine(&mut self, of: &FramePairs<'_, impl BodyList>) -> bool {
        self.ask_all(of, |reference: &mut Reference, pair| {
            let [a, b] = of.pair(pair);
            let Verdict { answer, gap, is_in_band } = reference.examine(&a, &b);
            Known { impact: at_start(answer), allows_either: is_in_band, gap: Some(gap) }
        })
    }

    /// Asks about first contacts within `limit` seconds. Returns whether it was not ended; otherwise nothing is known of
    /// any.
    pub fn examine_impacts(&mut self, of: &FramePairs<'_, impl BodyList>, limit: f64) -> bool {
        self.ask_all(of, |reference: &mut ImpactReference, pair| {
            let [a, b] = of.moving(pair);
            let KnownImpact { impact, is_grazing } =
                reference.examine((&a.0, &a.1), (&b.0, &b.1), limit);
            Known { impact, allows_either: is_grazing, gap: None }
        })
    }

    /// The candidates that touch at one time, sorted.
    pub fn touching(&self) -> impl Iterator<Item = Pair> {
        let touching = self.each().filter(|(_, known)| known.impact == Impact::Overlapping);
        touching.map(|(pair, _)| pair)
    }

    /// Compares a volume, given which of the candidates it let pass. It may let pass what does not touch.
    pub fn volume(&self, kind: &VolumeKind, passes: &[bool]) -> Tally {
        let tally: Tally = self
            .each()
            .zip(passes)
            .map(|((pair, known), passes)| {
                let found = if *passes { Impact::Overlapping } else { Impact::Never };
                Tally::of(pair, found, known, false, |_, _| false)
            })
            .collect();
        Tally { wrong: tally.first_missed.filter(|_| kind.exact), ..tally }
    }

    /// Compares the answers of a narrow phase about pairs that are some of the candidates.
    ///
    /// # Panics
    ///
    /// If a pair is no candidate.
    pub fn narrow(
        &self,
        kind: &NarrowPhaseKind,
        of: &FramePairs<'_, impl BodyList>,
        answers: &[Answer],
    ) -> Tally {
        let each = of.pairs.iter().zip(answers);
        each.map(|(pair, answer)| {
            let at = self.candidates.binary_search(pair).expect("tested pairs are candidates");
            let [a, b] = of.pair(*pair);
            let known = self.known[at];
            let band = kind.band * size_of_pair(&a, &b);
            let allows_either = known.gap.is_some_and(|gap| gap.abs() <= band);
            let known = Known { allows_either, ..known };
            Tally::of(*pair, at_start(*answer), known, true, |_, _| false)
        })
        .collect()
    }

    /// Compares what a method of some exactness found about the pairs that were examined last.
    pub fn impacts(
        &self,
        exactness: Exactness,
        of: &FramePairs<'_, impl BodyList>,
        found: &[Impact],
    ) -> Tally {
        let mut reference = Reference::new();
        let each = of.pairs.iter().zip(found).zip(&self.known);
        each.map(|((pair, found), &known)| {
            let moving = of.moving(*pair);
            let rotates = moving.iter().any(|(_, motion)| motion.spin != DVec3::ZERO);
            let must_be_right = match exactness {
                Exactness::Never => false,
                Exactness::Translation => !rotates,
                Exactness::ToTolerance => true,
            };
            Tally::of(*pair, *found, known, must_be_right, |time, right| {
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
