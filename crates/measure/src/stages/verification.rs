//! Every method of every stage against the reference, and the reference against an independent check.

use super::answers::{Answers, BodyFrame, REFERENCE, StageEnd, describe_fault};
use super::bench::Bench;
use crate::play::{Problem, RunError};
use broadphase::Pair;
use narrowphase::contact::Contacts;
use narrowphase::impact::{Impact, ImpactContacts, Motion};
use narrowphase::{BAND, Body, Reference, rounding_of, size_of_pair};
use proofs::oracle::{is_affordable, signed_gap};
use proofs::{contact_fault, first_contact_fault, reference_fault};
use rayon::prelude::*;
use sim::Bodies;
use sim::stages::{Audit, BodyList, Known};
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs of a frame whose gap, contact sets or first contact is checked by the oracle, which takes a tenth of a millisecond
/// and more for each.
const MAX_CHECKED: usize = 8;

/// Times at which the oracle computes the gap of two bodies in motion.
const SAMPLES: usize = 8;

/// What was verified on the pairs of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifiedBodies {
    /// Bounding volumes, narrow phases, the method of contact sets, and times of impact where bodies collide within steps;
    /// 0 without bodies.
    pub methods: usize,
    /// Answers of all of them but contact sets that were compared with the reference.
    pub answers: u64,
    /// Answers of the reference whose proofs were checked.
    pub witnesses: u64,
    /// Pairs whose gap was computed independently by the [oracle](proofs::oracle).
    pub gaps: u64,
    /// Pairs whose contact sets were checked.
    pub contacts: u64,
    /// Pairs whose first contact was checked independently.
    pub impacts: u64,
    /// Pairs that the oracle left out: their bodies have more than [`MAX_EDGE_PAIRS`](proofs::oracle::MAX_EDGE_PAIRS) pairs
    /// of edges.
    pub left_out: u64,
}

impl Bench<'_> {
    /// Asks all methods about the candidates of a frame, and counts what is right. Returns the first fault of each method
    /// that has one, with its id. Such a method is not asked again. Without a right reference none is.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn verify(
        &mut self,
        of: &BodyFrame<'_, Bodies>,
        report: &mut VerifiedBodies,
    ) -> Result<Vec<(&'static str, Problem)>, RunError> {
        report.methods = self.methods.len();
        if self.has_wrong_reference {
            return Ok(Vec::new());
        }
        let oracle = Oracle { bodies: of.bodies, stop: self.limits.stop };
        let checked = StageEnd::of(|| {
            self.answers.examine(of, &|| !oracle.is_stopped())?;
            oracle.check(&self.answers, of.seconds, report)
        });
        match checked {
            Ok(()) if !oracle.is_stopped() => {}
            Err(StageEnd::Faulty(problem)) if !oracle.is_stopped() => {
                self.has_wrong_reference = true;
                return Ok(vec![(REFERENCE, problem)]);
            }
            _ => return Err(RunError::Stopped),
        }
        let faults = self.ask(of).map_err(|_| RunError::Stopped)?;
        report.answers += (self.answering() * of.candidates.len()) as u64;
        Ok(faults)
    }
}

/// What the oracle finds wrong about a pair.
type Fault = (Pair, String);

/// Pairs that are right, and pairs that were left out.
type Checked = Result<(u64, u64), Fault>;

/// Checks of bodies by the oracle, until they are stopped.
struct Oracle<'a> {
    bodies: &'a Bodies,
    stop: &'a AtomicBool,
}

impl<'a> Oracle<'a> {
    /// Checks the answers of the references, and some contact sets. Counts what is right.
    fn check(
        &self,
        answers: &Answers,
        seconds: Option<f64>,
        report: &mut VerifiedBodies,
    ) -> Result<(), StageEnd> {
        let Answers { poses, impacts, touching } = answers;
        let wrong = |method| {
            move |(pair, text): Fault| {
                StageEnd::wrong(describe_fault(method, pair, &text, self.bodies))
            }
        };
        self.check_proofs(poses.candidates()).map_err(wrong(REFERENCE))?;
        report.witnesses += poses.candidates().len() as u64;
        let gaps = self.check_gaps(poses).map_err(wrong(REFERENCE))?;
        let contacts = self.check_contacts(touching).map_err(wrong("clip"))?;
        let impacts = seconds.map(|seconds| self.check_impacts(impacts, seconds)).transpose();
        let impacts = impacts.map_err(wrong("reference of impacts"))?.unwrap_or_default();
        report.gaps += gaps.0;
        report.contacts += contacts.0;
        report.impacts += impacts.0;
        report.left_out += gaps.1 + contacts.1 + impacts.1;
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn pair(&self, pair: Pair) -> [Body<'a>; 2] {
        [pair.a, pair.b].map(|object| self.bodies.body(object as usize))
    }

    /// Checks the proofs of all answers of the reference.
    fn check_proofs(&self, candidates: &[Pair]) -> Result<(), Fault> {
        let each = candidates.par_iter().with_min_len(64).map_init(Reference::new, |of, pair| {
            let [a, b] = self.pair(*pair);
            let verdict = of.examine(&a, &b);
            match reference_fault(&verdict, of.parts(), &a, &b).filter(|_| !self.is_stopped()) {
                None => Ok(()),
                Some(_) => Err((*pair, format!("{verdict:?} has no proof"))),
            }
        });
        each.collect()
    }

    /// Asks for the fault of some pairs, spread over `count`, each with what is known of it.
    fn check_some<T>(
        &self,
        pairs: impl Iterator<Item = (Pair, T)>,
        count: usize,
        mut fault: impl FnMut(Pair, T) -> Option<String>,
    ) -> Checked {
        let (mut right, mut left_out) = (0, 0);
        for (pair, known) in pairs.step_by(count.div_ceil(MAX_CHECKED).max(1)) {
            let [a, b] = self.pair(pair);
            if self.is_stopped() {
                break;
            } else if !is_affordable(&a, &b) {
                left_out += 1;
                continue;
            } else if let Some(text) = fault(pair, known) {
                return Err((pair, text));
            }
            right += 1;
        }
        Ok((right, left_out))
    }

    /// Checks some gaps of the reference.
    fn check_gaps(&self, audit: &Audit) -> Checked {
        let each = audit.candidates().iter().copied().zip(audit.known());
        self.check_some(each, audit.candidates().len(), |pair, known: &Known| {
            let [a, b] = self.pair(pair);
            let (gap, found) = (signed_gap(&a, &b), known.gap?);
            let is_wrong = (gap - found).abs() > BAND * size_of_pair(&a, &b);
            is_wrong.then(|| format!("the gap is {gap:.3e}, not {found:.3e}"))
        })
    }

    /// Checks some contact sets. They depend on the two bodies alone.
    fn check_contacts(&self, touching: &[Pair]) -> Checked {
        let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
        let each = touching.iter().map(|pair| (*pair, ()));
        self.check_some(each, touching.len(), |pair, ()| {
            let [a, b] = self.pair(pair);
            contacts.find(&a, &b, reference.near(&a, &b, 0.0));
            contact_fault(&contacts, &a, &b)
        })
    }

    /// Checks some first contacts of the reference within a step: the bodies are apart at [`SAMPLES`] times before the first
    /// contact, or of the whole step, and touch at it, where their contact sets are right.
    fn check_impacts(&self, audit: &Audit, seconds: f64) -> Checked {
        let mut contacts = ImpactContacts::default();
        let each = audit.candidates().iter().copied().zip(audit.known());
        self.check_some(each, audit.candidates().len(), |pair, known: &Known| {
            let [a, b] = [pair.a, pair.b].map(|object| self.bodies.moving(object as usize));
            let (end, is_contact) = match known.impact {
                Impact::Never => (seconds, false),
                Impact::Overlapping => (0.0, false),
                Impact::At { first, .. } => (first, true),
                Impact::Failed => return Some("it has no answer".to_owned()),
            };
            if known.allows_either {
                return None;
            }
            let size = size_of_pair(&a.0, &b.0);
            let at = |time: f64| [&a, &b].map(|(body, motion)| motion.body_after(body, time));
            let gap = |[a, b]: [Body<'_>; 2]| signed_gap(&a, &b);
            let is_apart =
                |part: usize| gap(at(end * part as f64 / SAMPLES as f64)) >= -BAND * size;
            let is_right = match known.impact {
                Impact::Overlapping => gap(at(0.0)) <= BAND * size,
                Impact::Never => (0..=SAMPLES).all(is_apart),
                _ => gap(at(end)).abs() <= BAND * size && (0..SAMPLES).all(is_apart),
            };
            if !is_right {
                return Some(format!("{:?} is not what the oracle finds", known.impact));
            }
            let places = |(body, motion): &(Body<'_>, Motion)| {
                rounding_of(body.pose.position) + rounding_of(motion.velocity * end)
            };
            let [one, other] = at(end);
            let set = contacts.find((&a.0, &a.1), (&b.0, &b.1), known.impact);
            let fault = || first_contact_fault(set, &one, &other, [size, places(&a) + places(&b)]);
            is_contact.then(fault).flatten()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::crowd_for_tests::Crowded;
    use super::*;

    #[test]
    fn wrong_answers_of_the_reference_are_found() {
        let Crowded { mut world, candidates } = Crowded::new();
        let mut audit = Audit::default();
        audit.examine(&sim::stages::FramePairs::new(world.bodies().unwrap(), &candidates));
        let touching: Vec<Pair> = audit.touching().collect();
        let stop = AtomicBool::new(false);
        let oracle = Oracle { bodies: world.bodies().unwrap(), stop: &stop };
        assert!(oracle.check_proofs(&candidates).is_ok());
        for checked in [oracle.check_gaps(&audit), oracle.check_contacts(&touching)] {
            assert!(matches!(checked, Ok((5.., 0))), "{checked:?}");
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(oracle.check_gaps(&audit), Ok((0, 0)));
        stop.store(false, Ordering::Relaxed);
        // The gaps of another frame.
        world.step(sim::Hold::None);
        let oracle = Oracle { bodies: world.bodies().unwrap(), stop: &stop };
        let (pair, text) = oracle.check_gaps(&audit).unwrap_err();
        assert!(text.starts_with("the gap is ") && pair == candidates[0], "{text}");
    }
}
