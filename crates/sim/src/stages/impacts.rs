//! First contacts within a step, by a chosen method, and what the reference knows of them.

use super::pair_memory::PairMemory;
use super::{BodyList, PARALLEL_FROM};
use crate::pieces::pieces;
use broadphase::Pair;
use narrowphase::impact::{
    Exactness, Impact, ImpactCounters, ImpactMethod, ImpactReference, KnownImpact, Motion,
    TimeOfImpact,
};
use narrowphase::{Body, PairCache, Reference};
use narrowphase::{rounding_of, size_of_pair};
use rayon::prelude::*;

/// Pairs between two questions whether to go on: milliseconds of work of the reference.
const PIECE: usize = 256;

/// Largest gap or depth at the time that an exact method reports, in sizes of the pair. Searches end far below it; a
/// wrong axis or sign errs by far more.
pub(super) const TIME_BAND: f64 = 1e-6;

/// Bodies as a step begins.
pub trait MovingBodies: BodyList {
    /// A body as the step begins, and its motion.
    ///
    /// # Panics
    ///
    /// If there is no such body.
    fn moving(&self, object: usize) -> (Body<'_>, Motion);
}

/// A method to find first contacts, with what it keeps of each pair.
pub struct ImpactStage {
    method: ImpactMethod,
    /// An instance for each piece of work.
    instances: Vec<Box<dyn TimeOfImpact + Send>>,
    caches: PairMemory<PairCache>,
    impacts: Vec<Impact>,
}

impl ImpactStage {
    /// A stage that has not seen a pair yet.
    pub fn new(method: ImpactMethod) -> Self {
        Self { method, instances: Vec::new(), caches: PairMemory::default(), impacts: Vec::new() }
    }

    /// The method.
    pub fn method(&self) -> ImpactMethod {
        self.method
    }

    /// Finds the first contacts of sorted pairs within `limit` seconds.
    pub fn find(&mut self, bodies: &impl MovingBodies, pairs: &[Pair], limit: f64) {
        let Self { method, instances, caches, impacts } = self;
        impacts.clear();
        impacts.resize(pairs.len(), Impact::Failed);
        let pieces = pieces(pairs.len(), PARALLEL_FROM);
        while instances.len() < pieces {
            instances.push(method.build());
        }
        let length = pairs.len().div_ceil(pieces).max(1);
        let caches = caches.follow(pairs, PairCache::clear).par_chunks_mut(length);
        let parts = pairs.par_chunks(length).zip(impacts.par_chunks_mut(length));
        parts.zip(caches).zip(instances).for_each(|(((pairs, impacts), caches), instance)| {
            for ((pair, impact), cache) in pairs.iter().zip(impacts).zip(caches) {
                if bodies.is_stopped() {
                    break;
                }
                let [a, b] = moving_pair(bodies, *pair);
                *impact = instance.find((&a.0, &a.1), (&b.0, &b.1), limit, cache);
            }
        });
    }

    /// The answers of the last [`find`](Self::find), in the order of its pairs.
    pub fn impacts(&self) -> &[Impact] {
        &self.impacts
    }

    /// Work since the stage was created.
    pub fn counters(&self) -> ImpactCounters {
        let mut sum = ImpactCounters::default();
        for counters in self.instances.iter().map(|instance| instance.counters()) {
            let ImpactCounters { tests, part_tests, steps, failures } = counters;
            sum.tests += tests;
            sum.part_tests += part_tests;
            sum.steps += steps;
            sum.failures += failures;
        }
        sum
    }
}

/// Answers of the reference about the candidates of a step. It keeps its list from step to step.
#[derive(Default)]
pub struct ImpactAudit {
    known: Vec<KnownImpact>,
}

/// Answers of a method about the candidates of a step, compared with the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpactTally {
    /// Pairs that it tested.
    pub tests: u64,
    /// First contacts that it found, overlaps at the start included.
    pub contacts: u64,
    /// Contacts that it did not find, apart from grazing pairs and those that it gave up.
    pub misses: u64,
    /// The first of them.
    pub missed: Option<Pair>,
    /// Contacts that it found where there are none. Grazing pairs are not counted.
    pub false_alarms: u64,
    /// Grazing pairs, where either answer is right.
    pub grazing: u64,
    /// Pairs that the method gave up.
    pub failures: u64,
    /// Sum of the differences of its times from the right ones, in seconds, over `timed` contacts.
    pub error_sum: f64,
    /// The largest of them.
    pub largest_error: f64,
    /// Contacts that both find within the step, and whose times are compared: all but grazing ones.
    pub timed: u64,
    /// The first pair that an exact method answered wrongly: a miss, a false alarm, or a time at which the bodies are apart or
    /// overlap. For any method it is wrong to give up a pair, unless it grazes. A pair without an answer of the reference is
    /// never wrong.
    pub wrong: Option<Pair>,
}

impl ImpactTally {
    /// The sum of two; the wrong pair is the first one's, if it has one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            contacts: self.contacts + other.contacts,
            misses: self.misses + other.misses,
            missed: self.missed.or(other.missed),
            false_alarms: self.false_alarms + other.false_alarms,
            grazing: self.grazing + other.grazing,
            failures: self.failures + other.failures,
            error_sum: self.error_sum + other.error_sum,
            largest_error: self.largest_error.max(other.largest_error),
            timed: self.timed + other.timed,
            wrong: self.wrong.or(other.wrong),
        }
    }
}

impl ImpactAudit {
    /// Asks the reference about sorted pairs.
    pub fn examine(&mut self, bodies: &impl MovingBodies, pairs: &[Pair], limit: f64) {
        self.examine_while(bodies, pairs, limit, || true);
    }

    /// [`examine`](Self::examine) as long as `goes_on`, which is asked every `PIECE` pairs, and until the bodies are
    /// stopped. Returns whether all pairs were examined; if not, nothing is known.
    pub fn examine_while(
        &mut self,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        limit: f64,
        goes_on: impl Fn() -> bool,
    ) -> bool {
        let examine = |reference: &mut ImpactReference, pair: &Pair| {
            if bodies.is_stopped() {
                return KnownImpact { impact: Impact::Failed, is_grazing: false };
            }
            let [a, b] = moving_pair(bodies, *pair);
            reference.examine((&a.0, &a.1), (&b.0, &b.1), limit)
        };
        self.known.clear();
        for piece in pairs.chunks(PIECE) {
            if !goes_on() {
                break;
            }
            if pairs.len() < PARALLEL_FROM {
                let mut reference = ImpactReference::default();
                self.known.extend(piece.iter().map(|pair| examine(&mut reference, pair)));
            } else {
                let each = piece.par_iter().with_min_len(PIECE / 8);
                self.known.par_extend(each.map_init(ImpactReference::default, examine));
            }
        }
        let is_complete = self.known.len() == pairs.len() && !bodies.is_stopped();
        if !is_complete {
            self.known.clear();
        }
        is_complete
    }

    /// The first of the pairs that were examined last about which the reference has no answer.
    pub fn unanswered(&self, pairs: &[Pair]) -> Option<Pair> {
        let failed = self.known.iter().position(|known| known.impact == Impact::Failed)?;
        pairs.get(failed).copied()
    }

    /// Answers of the reference about the pairs that were examined last, in their order.
    pub fn known(&self) -> &[KnownImpact] {
        &self.known
    }

    /// Compares what a method of some exactness found with the reference, for the pairs that were examined last.
    pub fn tally(
        &self,
        exactness: Exactness,
        bodies: &impl MovingBodies,
        pairs: &[Pair],
        found: &[Impact],
    ) -> ImpactTally {
        let mut reference = Reference::new();
        let each = pairs.iter().zip(found).zip(&self.known);
        let tallies = each.map(|((pair, found), known)| {
            let moving = moving_pair(bodies, *pair);
            let rotates = moving.iter().any(|(_, motion)| motion.spin != glam::DVec3::ZERO);
            let must_be_right = match exactness {
                Exactness::Never => false,
                Exactness::Translation => !rotates,
                Exactness::ToTolerance => true,
            };
            let mut tally = tally_of(*found, *known);
            let times = time_of(*found).zip(time_of(known.impact));
            let mut is_wrong_time =
                || times.is_some_and(|times| is_wrong_time(&mut reference, &moving, times));
            let is_wrong = tally.failures > 0
                || must_be_right && (tally.misses + tally.false_alarms > 0 || is_wrong_time());
            if is_wrong && is_sharp(*known) {
                tally.wrong = Some(*pair);
            }
            tally.missed = (tally.misses > 0).then_some(*pair);
            tally
        });
        tallies.fold(ImpactTally::default(), |sum, one| sum.plus(&one))
    }
}

pub(super) fn moving_pair(bodies: &impl MovingBodies, pair: Pair) -> [(Body<'_>, Motion); 2] {
    [pair.a, pair.b].map(|object| bodies.moving(object as usize))
}

/// The rounding of the places of two bodies after a time, from that of places and ways.
pub(super) fn rounding_at(pair: [&(Body<'_>, Motion); 2], time: f64) -> f64 {
    let of = |(body, motion): &(Body<'_>, Motion)| {
        rounding_of(body.pose.position) + rounding_of(motion.velocity * time)
    };
    pair.into_iter().map(of).sum()
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

/// When two bodies first touch; 0 for an overlap at the start.
fn time_of(impact: Impact) -> Option<f64> {
    match impact {
        Impact::Never | Impact::Failed => None,
        Impact::Overlapping => Some(0.0),
        Impact::At { first, .. } => Some(first),
    }
}

/// Whether only one answer about a pair is right.
fn is_sharp(known: KnownImpact) -> bool {
    !known.is_grazing && known.impact != Impact::Failed
}

/// Compares one answer, apart from its pair and whether the method must be right.
fn tally_of(found: Impact, known: KnownImpact) -> ImpactTally {
    let [time, right] = [time_of(found), time_of(known.impact)];
    let is_sharp = is_sharp(known);
    let error = time.zip(right).filter(|_| is_sharp).map(|(time, right)| (time - right).abs());
    ImpactTally {
        tests: 1,
        contacts: u64::from(time.is_some()),
        misses: u64::from(is_sharp && found == Impact::Never && right.is_some()),
        missed: None,
        false_alarms: u64::from(is_sharp && time.is_some() && right.is_none()),
        grazing: u64::from(known.is_grazing),
        failures: u64::from(found == Impact::Failed),
        error_sum: error.unwrap_or(0.0),
        largest_error: error.unwrap_or(0.0),
        timed: u64::from(error.is_some()),
        wrong: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::NamedShape;
    use glam::DVec3;
    use narrowphase::impact::TIMES_OF_IMPACT;
    use narrowphase::{Pose, Shape};

    /// Two balls at rest in one place.
    struct Balls([NamedShape; 1]);

    impl BodyList for Balls {
        fn count(&self) -> usize {
            2
        }

        fn shapes(&self) -> &[NamedShape] {
            &self.0
        }

        fn shape_of(&self, _: usize) -> usize {
            0
        }

        fn body(&self, _: usize) -> Body<'_> {
            Body::new(&self.0[0].shape, Pose::IDENTITY)
        }
    }

    impl MovingBodies for Balls {
        fn moving(&self, object: usize) -> (Body<'_>, Motion) {
            (self.body(object), Motion::NONE)
        }
    }

    #[test]
    fn failure_is_wrong_only_where_one_answer_is_right() {
        let balls =
            Balls([NamedShape { name: "b".to_owned(), shape: Shape::sphere(1.0).unwrap() }]);
        let contact = Impact::At { first: 0.5, last: 1.0, axis: DVec3::X };
        for kind in TIMES_OF_IMPACT {
            let tally = |impact, is_grazing, found| {
                let audit = ImpactAudit { known: vec![KnownImpact { impact, is_grazing }] };
                audit.tally(kind.exactness, &balls, &[Pair { a: 0, b: 1 }], &[found])
            };
            let given_up = |impact, is_grazing| {
                let tally = tally(impact, is_grazing, Impact::Failed);
                assert_eq!((tally.failures, tally.misses), (1, 0), "{}", kind.id);
                tally.wrong.is_some()
            };
            assert!(given_up(contact, false) && given_up(Impact::Never, false), "{}", kind.id);
            assert!(!given_up(contact, true) && !given_up(Impact::Never, true), "{}", kind.id);
            let unknown = tally(Impact::Failed, false, contact);
            let counts = (unknown.contacts, unknown.false_alarms, unknown.timed, unknown.wrong);
            assert_eq!(counts, (1, 0, 0, None), "{}", kind.id);
            assert!(!given_up(Impact::Failed, false), "{}", kind.id);
        }
    }
}
