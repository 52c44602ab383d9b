//! What the stages answered, against the reference.

use super::{BodyList, PARALLEL_FROM, bodies_of};
use broadphase::Pair;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use narrowphase::{Answer, Judgement, Reference, Verdict, judge, judge_reference};
use rayon::prelude::*;

/// Candidates between two questions whether to go on: a millisecond of work, more for compounds.
const PIECE: usize = 1024;

/// Least pairs judged by one thread: fewer than [`PARALLEL_FROM`] are not divided.
const MIN_JUDGED: usize = PARALLEL_FROM / 2;

/// The reference's verdicts on the candidates of a frame, and what their witnesses are worth. It keeps its lists from
/// frame to frame.
#[derive(Default)]
pub struct Audit {
    pub(super) candidates: Vec<Pair>,
    pub(super) verdicts: Vec<Verdict>,
    /// Of the verdicts: the axes of pairs of parts are not kept.
    pub(super) judgements: Vec<Judgement>,
}

/// What a method did with the pairs of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pairs that it tested.
    pub tests: u64,
    /// Pairs that it let pass, or called touching.
    pub passed: u64,
    /// Of these, pairs that do not touch. Pairs in the band are not counted.
    pub false_passed: u64,
    /// Touching pairs that an inexact volume rejected. Pairs in the band are not counted.
    pub missed: u64,
    /// Pairs whose gap is in the band, where either answer is right.
    pub band: u64,
    /// Pairs that the method gave up.
    pub failures: u64,
    /// The first answer that an exact method must not give, a failure included.
    pub wrong: Option<WrongAnswer>,
}

/// An answer that an exact method must not give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswer {
    /// The pair.
    pub pair: Pair,
    /// What the method answered. A volume has no witness.
    pub answer: Answer,
    /// What is wrong with it.
    pub judgement: Judgement,
    /// What the reference knows; of a pair that is no candidate it knows nothing, and its gap is NaN.
    pub verdict: Verdict,
}

impl WrongAnswer {
    /// An answer about a pair that is no candidate. Its objects need not exist.
    fn not_asked(pair: Pair, answer: Answer) -> Self {
        let verdict = Verdict { answer: Answer::Failed, gap: f64::NAN, is_in_band: false };
        Self { pair, answer, judgement: Judgement::NotAsked, verdict }
    }
}

impl Tally {
    /// The sum of two; the wrong answer is the first one's, if it has one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            passed: self.passed + other.passed,
            false_passed: self.false_passed + other.false_passed,
            missed: self.missed + other.missed,
            band: self.band + other.band,
            failures: self.failures + other.failures,
            wrong: self.wrong.or(other.wrong),
        }
    }
}

impl Audit {
    /// Asks the reference about sorted candidates, and checks its witnesses.
    pub fn examine(&mut self, bodies: &impl BodyList, candidates: &[Pair]) {
        self.examine_while(bodies, candidates, || true);
    }

    /// [`examine`](Self::examine) as long as `goes_on`, which is asked every `PIECE` candidates, and until the
    /// bodies are stopped. Returns whether all candidates were examined; if not, there are none.
    pub fn examine_while(
        &mut self,
        bodies: &impl BodyList,
        candidates: &[Pair],
        goes_on: impl Fn() -> bool,
    ) -> bool {
        let examine = |reference: &mut Reference, (pair, judgement): (&Pair, &mut Judgement)| {
            if bodies.is_stopped() {
                return Verdict { answer: Answer::Failed, gap: f64::NAN, is_in_band: false };
            }
            let [a, b] = bodies_of(bodies, *pair);
            let verdict = reference.examine(&a, &b);
            *judgement = judge_reference(&verdict, reference.parts(), &a, &b);
            verdict
        };
        self.clear();
        let Self { verdicts, judgements, .. } = self;
        verdicts.reserve(candidates.len());
        judgements.resize(candidates.len(), Judgement::Failed);
        let mut is_complete = true;
        for (piece, judgements) in candidates.chunks(PIECE).zip(judgements.chunks_mut(PIECE)) {
            is_complete = goes_on();
            if !is_complete {
                break;
            }
            if candidates.len() < PARALLEL_FROM {
                let mut reference = Reference::new();
                let each = piece.iter().zip(judgements);
                verdicts.extend(each.map(|pair| examine(&mut reference, pair)));
            } else {
                let each = piece.par_iter().zip(judgements).with_min_len(64);
                verdicts.par_extend(each.map_init(Reference::new, examine));
            }
        }
        if !is_complete || bodies.is_stopped() {
            self.clear();
            return false;
        }
        self.candidates.extend_from_slice(candidates);
        true
    }

    fn clear(&mut self) {
        self.candidates.clear();
        self.verdicts.clear();
        self.judgements.clear();
    }

    /// The candidates that were examined last.
    pub fn candidates(&self) -> &[Pair] {
        &self.candidates
    }

    /// What the reference knows of each candidate.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// The candidates that touch, sorted.
    pub fn touching(&self) -> impl Iterator<Item = Pair> {
        let each = self.candidates.iter().zip(&self.verdicts);
        each.filter(|(_, verdict)| matches!(verdict.answer, Answer::Touching { .. }))
            .map(|(pair, _)| *pair)
    }

    /// Judges the reference by the witnesses of its own answers: a common point, or an axis of each pair of parts.
    pub fn reference(&self) -> Tally {
        let verdicts = self.verdicts.iter().zip(&self.judgements);
        let each = self.candidates.iter().zip(verdicts);
        let each = each.map(|(pair, (verdict, judgement))| {
            tally_of(*pair, verdict.answer, *judgement, verdict)
        });
        each.fold(Tally::default(), |sum, one| sum.plus(&one))
    }

    /// Judges a volume by the candidates that it let pass, in their order. What else it let pass is a wrong answer.
    pub fn volume(&self, kind: &VolumeKind, passed: &[Pair]) -> Tally {
        let mut passed = passed.iter().peekable();
        let mut tally = Tally::default();
        let not_asked =
            |pair: &Pair| WrongAnswer::not_asked(*pair, Answer::Touching { point: None });
        for (pair, verdict) in self.candidates.iter().zip(&self.verdicts) {
            while let Some(foreign) = passed.next_if(|other| *other < pair) {
                tally.wrong.get_or_insert(not_asked(foreign));
            }
            let passes = passed.next_if(|other| *other == pair).is_some();
            let touches = matches!(verdict.answer, Answer::Touching { .. });
            tally.tests += 1;
            tally.passed += u64::from(passes);
            tally.band += u64::from(verdict.is_in_band);
            if verdict.is_in_band || passes == touches {
                continue;
            }
            tally.false_passed += u64::from(passes);
            if passes {
                continue;
            }
            if !kind.exact {
                tally.missed += 1;
            } else if tally.wrong.is_none() {
                let (answer, judgement) = (Answer::Separated { axis: None }, Judgement::Wrong);
                tally.wrong =
                    Some(WrongAnswer { pair: *pair, answer, judgement, verdict: *verdict });
            }
        }
        if let Some(pair) = passed.next() {
            tally.wrong.get_or_insert(not_asked(pair));
        }
        tally
    }

    /// Judges a narrow phase by its answers to `tested`, which are some of the candidates. An answer about another
    /// pair is wrong.
    pub fn narrow(
        &self,
        bodies: &impl BodyList,
        kind: &NarrowPhaseKind,
        tested: &[Pair],
        answers: &[Answer],
    ) -> Tally {
        let each = tested.par_iter().zip(answers).with_min_len(MIN_JUDGED);
        let each = each.map(|(pair, answer)| match self.candidates.binary_search(pair) {
            Ok(at) => judged(bodies, *pair, *answer, kind.band, &self.verdicts[at]),
            Err(_) => Tally {
                tests: 1,
                wrong: Some(WrongAnswer::not_asked(*pair, *answer)),
                ..Tally::default()
            },
        });
        each.reduce(Tally::default, |one, other| one.plus(&other))
    }
}

fn judged(
    bodies: &impl BodyList,
    pair: Pair,
    answer: Answer,
    band: f64,
    verdict: &Verdict,
) -> Tally {
    let [a, b] = bodies_of(bodies, pair);
    tally_of(pair, answer, judge(answer, band, verdict, &a, &b), verdict)
}

/// The tally of one answer.
fn tally_of(pair: Pair, answer: Answer, judgement: Judgement, verdict: &Verdict) -> Tally {
    let wrong = WrongAnswer { pair, answer, judgement, verdict: *verdict };
    Tally {
        tests: 1,
        passed: u64::from(matches!(answer, Answer::Touching { .. })),
        band: u64::from(judgement == Judgement::InBand),
        failures: u64::from(judgement == Judgement::Failed),
        wrong: (!judgement.is_accepted()).then_some(wrong),
        ..Tally::default()
    }
}
