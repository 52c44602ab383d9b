//! Every method of every stage against the reference, and the reference against an independent check.

use super::frames::continuous_seconds;
use super::holders::{holders, pairs_of_parts};
use super::repetition_frame::RepetitionFrame;
use super::step_impacts::StepImpacts;
use super::track::{CLIP, CandidateFrame, Method, MethodTrack, methods};
use super::wrong_pair::{describe, describe_fault};
use crate::play::{Problem, RunError};
use crate::process::{Clock, guarded};
use crate::rows::Outcome;
use broadphase::Pair;
use narrowphase::contact::Contacts;
use narrowphase::impact::{self, Impact, ImpactContacts, ImpactMethod, Motion, TIMES_OF_IMPACT};
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{VOLUMES, VolumeKind};
use narrowphase::{BAND, Body, Reference, rounding_of, size_of_pair};
use proofs::oracle::{is_affordable, signed_gap};
use proofs::{contact_fault, first_contact_fault, reference_fault};
use rayon::prelude::*;
use sim::stages::{Audit, BodyList, FramePairs, Known};
use sim::{Bodies, World};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs of a frame whose gap, contact sets or first contact is checked by the oracle, which takes a tenth of a millisecond
/// and more for each.
const MAX_CHECKED: usize = 8;

/// Times at which the oracle computes the gap of two bodies in motion.
const SAMPLES: usize = 8;

/// Id of the reference in findings.
const REFERENCE: &str = "reference";

/// The methods of the stages that are verified, contact sets aside.
#[derive(Clone, Debug)]
pub struct StageMethods {
    /// Bounding volumes.
    pub volumes: Vec<&'static VolumeKind>,
    /// Narrow phases.
    pub narrow_phases: Vec<&'static NarrowPhaseKind>,
    /// Times of impact, for worlds whose bodies collide within steps.
    pub impacts: Vec<ImpactMethod>,
}

impl StageMethods {
    /// The methods of both registries, without peers: a wrong answer of another library is no fault of ours. Where a peer
    /// is measured, its answers are compared with the reference too.
    pub fn all() -> Self {
        let ours = NARROW_PHASES.iter();
        let impacts = TIMES_OF_IMPACT.iter();
        Self {
            volumes: VOLUMES.iter().collect(),
            narrow_phases: ours.collect(),
            impacts: impacts.filter_map(|kind| impact::find(kind.id).ok()).collect(),
        }
    }
}

impl StageMethods {
    /// The methods that are verified in a world.
    fn of_world(&self, world: &World) -> Vec<Method> {
        let is_continuous = continuous_seconds(world.scene()).is_some();
        let impacts = if is_continuous { &self.impacts[..] } else { &[] };
        methods(&self.volumes, &self.narrow_phases, impacts)
    }

    /// How many hold each candidate of a world, as [`PairBound::within`](crate::PairBound::within) counts them; 0 without bodies.
    pub(crate) fn holders(&self, world: &World) -> usize {
        let of_bodies = || holders(pairs_of_parts(world.scene()), &self.of_world(world));
        world.bodies().map_or(0, |_| of_bodies())
    }
}

/// Pairs that the [oracle](proofs::oracle) was asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Pairs that are right.
    pub pairs: u64,
    /// Pairs whose bodies have too many edges to be checked: more than [`MAX_EDGE_PAIRS`](proofs::oracle::MAX_EDGE_PAIRS).
    pub left_out: u64,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.left_out += other.left_out;
    }
}

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
    /// Pairs whose gap was computed independently.
    pub gaps: Checked,
    /// Pairs whose contact sets were checked.
    pub contacts: Checked,
    /// Pairs whose first contact was checked independently.
    pub impacts: Checked,
}

impl VerifiedBodies {
    /// Pairs that the oracle left out, which have too many edges.
    pub fn left_out(&self) -> u64 {
        [self.gaps, self.contacts, self.impacts].iter().map(|checked| checked.left_out).sum()
    }
}

/// All methods through the frames of a world.
pub(crate) struct StageVerification {
    tracks: Vec<MethodTrack>,
    audit: Audit,
    impact_audit: Audit,
    touching: Vec<Pair>,
    witnesses: u64,
    gaps: Checked,
    contacts: Checked,
    impacts: Checked,
    is_reference_right: bool,
}

/// A frame to verify.
#[derive(Clone, Copy)]
pub(crate) struct VerifiedFrame<'a> {
    pub(crate) world: &'a World,
    /// Its candidates, sorted.
    pub(crate) candidates: &'a [Pair],
    pub(crate) frame: u32,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) stop: &'a AtomicBool,
}

impl StageVerification {
    /// `None` where all objects are spheres.
    pub(crate) fn new(world: &World, kinds: &StageMethods, clock: &dyn Clock) -> Option<Self> {
        let bodies = world.bodies()?;
        let methods = kinds.of_world(world);
        let tracks = methods.into_iter().map(|method| MethodTrack::new(method, 1));
        let mut tracks: Vec<MethodTrack> = tracks.collect();
        tracks.iter_mut().for_each(|track| track.begin(bodies, 0, clock));
        Some(Self {
            tracks,
            audit: Audit::default(),
            impact_audit: Audit::default(),
            touching: Vec::new(),
            witnesses: 0,
            gaps: Checked::default(),
            contacts: Checked::default(),
            impacts: Checked::default(),
            is_reference_right: true,
        })
    }

    /// What was verified so far is added to `report`, which has the same methods.
    pub(crate) fn add_to(&self, report: &mut VerifiedBodies) {
        report.methods = self.tracks.len();
        report.answers += self.tracks.iter().map(MethodTrack::answers).sum::<u64>();
        report.witnesses += self.witnesses;
        report.gaps += self.gaps;
        report.contacts += self.contacts;
        report.impacts += self.impacts;
    }

    /// Asks all methods about the candidates of a frame. Returns the first fault of each method that has one, with its
    /// id. Such a method is not asked again. Without a right reference none is.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn frame(
        &mut self,
        shown: &VerifiedFrame<'_>,
    ) -> Result<Vec<(&'static str, Problem)>, RunError> {
        let &VerifiedFrame { world, candidates, frame, clock, stop } = shown;
        let Some(bodies) = world.bodies() else { return Ok(Vec::new()) };
        if !self.is_reference_right {
            return Ok(Vec::new());
        }
        let is_stopped = || stop.load(Ordering::Relaxed);
        let checked = guarded(|| self.check_references(world, candidates, stop));
        let problem = match checked {
            _ if is_stopped() => return Err(RunError::Stopped),
            Ok(None) => return Err(RunError::Stopped),
            Ok(Some(Ok(()))) => None,
            Ok(Some(Err((method, fault)))) => Some((method, Problem::Answer(fault))),
            Err(message) => Some((REFERENCE, Problem::Panicked(message))),
        };
        if let Some(problem) = problem {
            self.is_reference_right = false;
            return Ok(vec![problem]);
        }
        let Self { tracks, audit, impact_audit, touching, .. } = self;
        let moment = RepetitionFrame { repeat: 0, frame };
        let (counts, scene) = (true, world.scene());
        let impacts =
            continuous_seconds(scene).map(|seconds| StepImpacts { seconds, audit: impact_audit });
        let shown = CandidateFrame { moment, counts, candidates, touching, audit, impacts, stop };
        let mut faults = Vec::new();
        for track in tracks.iter_mut().filter(|track| !track.is_reported) {
            if is_stopped() {
                return Err(RunError::Stopped);
            }
            track.frame(bodies, &shown, clock, None);
            let id = track.method.id();
            faults.extend(track.ended.as_ref().map(|outcome| match outcome {
                Outcome::Panicked(panicked) => (id, Problem::Panicked(panicked.message.clone())),
                wrong => {
                    let fault = wrong.to_string();
                    let fault = fault.split_once(": ").map_or(&*fault, |(_, fault)| fault);
                    (id, Problem::Answer(fault.to_owned()))
                }
            }));
            track.is_reported = track.ended.is_some();
        }
        // It may have cut the last check short.
        if is_stopped() { Err(RunError::Stopped) } else { Ok(faults) }
    }

    /// Asks both references about the candidates of a frame, and checks them and some contact sets by the oracle. `None` if
    /// it is stopped. The error is the method that is wrong, and its fault.
    fn check_references(
        &mut self,
        world: &World,
        candidates: &[Pair],
        stop: &AtomicBool,
    ) -> Option<Result<(), (&'static str, String)>> {
        let Self { audit, impact_audit, touching, .. } = self;
        let bodies = world.bodies()?;
        let goes_on = &|| !stop.load(Ordering::Relaxed);
        let of = FramePairs { bodies, pairs: candidates, goes_on };
        if !audit.examine(&of) {
            return None;
        }
        let seconds = continuous_seconds(world.scene());
        if let Some(seconds) = seconds
            && !impact_audit.examine_impacts(&of, seconds)
        {
            return None;
        }
        touching.clear();
        touching.extend(audit.touching());
        if let Some(wrong) = audit.unanswered() {
            return Some(Err((REFERENCE, describe(REFERENCE, &wrong, bodies))));
        }
        let checked = self.check(&Oracle { bodies, stop }, seconds);
        Some(checked.map_err(|(method, Fault { pair, text })| {
            (REFERENCE, describe_fault(method, pair, &text, bodies))
        }))
    }

    /// Counts what is right. The error is what is wrong, and its fault.
    fn check(
        &mut self,
        oracle: &Oracle<'_>,
        seconds: Option<f64>,
    ) -> Result<(), (&'static str, Fault)> {
        let named = |method| move |fault| (method, fault);
        oracle.check_proofs(self.audit.candidates()).map_err(named(REFERENCE))?;
        self.witnesses += self.audit.candidates().len() as u64;
        self.gaps += oracle.check_gaps(&self.audit).map_err(named(REFERENCE))?;
        self.contacts += oracle.check_contacts(&self.touching).map_err(named(CLIP))?;
        if let Some(seconds) = seconds {
            let checked = oracle.check_impacts(&self.impact_audit, seconds);
            self.impacts += checked.map_err(named("reference of impacts"))?;
        }
        Ok(())
    }
}

/// What the oracle finds wrong about a pair.
struct Fault {
    pair: Pair,
    text: String,
}

/// Checks of bodies by the oracle, until they are stopped.
struct Oracle<'a> {
    bodies: &'a Bodies,
    stop: &'a AtomicBool,
}

impl<'a> Oracle<'a> {
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
                Some(_) => Err(Fault { pair: *pair, text: format!("{verdict:?} has no proof") }),
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
    ) -> Result<Checked, Fault> {
        let mut checked = Checked::default();
        for (pair, known) in pairs.step_by(count.div_ceil(MAX_CHECKED).max(1)) {
            let [a, b] = self.pair(pair);
            if self.is_stopped() {
                break;
            } else if !is_affordable(&a, &b) {
                checked.left_out += 1;
                continue;
            } else if let Some(text) = fault(pair, known) {
                return Err(Fault { pair, text });
            }
            checked.pairs += 1;
        }
        Ok(checked)
    }

    /// Checks some gaps of the reference.
    fn check_gaps(&self, audit: &Audit) -> Result<Checked, Fault> {
        let each = audit.candidates().iter().copied().zip(audit.known());
        self.check_some(each, audit.candidates().len(), |pair, known: &Known| {
            let [a, b] = self.pair(pair);
            let (gap, found) = (signed_gap(&a, &b), known.gap?);
            let is_wrong = (gap - found).abs() > BAND * size_of_pair(&a, &b);
            is_wrong.then(|| format!("the gap is {gap:.3e}, not {found:.3e}"))
        })
    }

    /// Checks some contact sets. They depend on the two bodies alone.
    fn check_contacts(&self, touching: &[Pair]) -> Result<Checked, Fault> {
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
    fn check_impacts(&self, audit: &Audit, seconds: f64) -> Result<Checked, Fault> {
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
        audit.examine(&FramePairs::new(world.bodies().unwrap(), &candidates));
        let touching: Vec<Pair> = audit.touching().collect();
        let stop = AtomicBool::new(false);
        let oracle = Oracle { bodies: world.bodies().unwrap(), stop: &stop };
        assert!(oracle.check_proofs(&candidates).is_ok());
        for checked in [oracle.check_gaps(&audit), oracle.check_contacts(&touching)] {
            let checked = checked.ok().unwrap();
            assert!(checked.pairs > 4 && checked.left_out == 0, "{checked:?}");
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(oracle.check_gaps(&audit).ok(), Some(Checked::default()));
        stop.store(false, Ordering::Relaxed);
        // The gaps of another frame.
        world.step(sim::Hold::None);
        let oracle = Oracle { bodies: world.bodies().unwrap(), stop: &stop };
        let fault = oracle.check_gaps(&audit).err().unwrap();
        assert!(fault.text.starts_with("the gap is "), "{}", fault.text);
        assert_eq!(fault.pair, candidates[0]);
    }
}
