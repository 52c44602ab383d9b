//! What the reference knows of the candidates of a frame, and what methods answered about them.

use super::tally::{Known, Said, Tally, WrongAnswer};
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

impl<K: Copy + Send + Into<Known>> Audit<K> {
    /// Asks about all pairs. Returns whether it was not ended; otherwise nothing is known of any.
    fn ask_all<R: Default, B: BodyList>(
        &mut self,
        &FramePairs { pairs, goes_on, .. }: &FramePairs<'_, B>,
        ask: impl Fn(&mut R, Pair) -> K + Sync,
    ) -> bool {
        self.candidates.clear();
        self.verdicts.clear();
        let each = pairs.par_iter().with_min_len(PARALLEL_FROM / 8);
        let each = each.map_init(R::default, |of, pair| goes_on().then(|| ask(of, *pair)));
        self.verdicts.par_extend(each.while_some());
        let is_complete = self.verdicts.len() == pairs.len();
        if is_complete {
            self.candidates.extend_from_slice(pairs);
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
        let mut each = self.candidates.iter().zip(&self.verdicts);
        each.find_map(|(&pair, &known)| {
            let Known { said: known, gap, .. } = known.into();
            (known == Said::Nothing).then_some(WrongAnswer { pair, found: known, known, gap })
        })
    }
}

impl Audit {
    /// Asks the reference about the candidates of a frame. Returns whether it was not ended; otherwise nothing is known of
    /// any.
    pub fn examine(&mut self, of: &FramePairs<'_, impl BodyList>) -> bool {
        self.ask_all(of, |reference: &mut Reference, pair| {
            let [a, b] = of.pair(pair);
            reference.examine(&a, &b)
        })
    }

    /// The candidates that touch, sorted.
    pub fn touching(&self) -> impl Iterator<Item = Pair> {
        let each = self.candidates.iter().zip(&self.verdicts);
        let touching = each.filter(|(_, known)| matches!(known.answer, Answer::Touching { .. }));
        touching.map(|(pair, _)| *pair)
    }

    /// Compares a volume, given which of the candidates it let pass. It may let pass what does not touch.
    pub fn volume(&self, kind: &VolumeKind, passes: &[bool]) -> Tally {
        let each = self.candidates.iter().zip(&self.verdicts).zip(passes);
        let each = each.map(|((pair, &verdict), passes)| {
            let found = if *passes { Said::Touching } else { Said::Apart };
            Tally::of(*pair, found, verdict.into(), false, |_, _| false)
        });
        let tally: Tally = each.collect();
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
            let verdict = self.verdicts[at];
            let is_in_band = verdict.gap.abs() <= kind.band * size_of_pair(&a, &b);
            let known = Verdict { is_in_band, ..verdict }.into();
            Tally::of(*pair, (*answer).into(), known, true, |_, _| false)
        })
        .collect()
    }
}

impl ImpactAudit {
    /// Asks the reference about first contacts of candidates within `limit` seconds. Returns whether it was not ended;
    /// otherwise nothing is known of any.
    pub fn examine(&mut self, of: &FramePairs<'_, impl BodyList>, limit: f64) -> bool {
        self.ask_all(of, |reference: &mut ImpactReference, pair| {
            let [a, b] = of.moving(pair);
            reference.examine((&a.0, &a.1), (&b.0, &b.1), limit)
        })
    }

    /// Compares what a method of some exactness found about the pairs that were examined last.
    pub fn impacts(
        &self,
        exactness: Exactness,
        of: &FramePairs<'_, impl BodyList>,
        found: &[Impact],
    ) -> Tally {
        let mut reference = Reference::new();
        let each = of.pairs.iter().zip(found).zip(&self.verdicts);
        each.map(|((pair, found), &known)| {
            let moving = of.moving(*pair);
            let rotates = moving.iter().any(|(_, motion)| motion.spin != DVec3::ZERO);
            let must_be_right = match exactness {
                Exactness::Never => false,
                Exactness::Translation => !rotates,
                Exactness::ToTolerance => true,
            };
            Tally::of(*pair, (*found).into(), known.into(), must_be_right, |time, right| {
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
