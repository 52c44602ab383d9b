//! The methods of all stages: what each takes, and a frame of it under the clock.

use super::answers::{Answers, BodyFrame, describe, describe_fault};
use super::bench::MeasuredMethod;
use crate::input::{Case, RandomPairs};
use crate::process::{Clock, clocked};
use crate::rows::Stage;
use broadphase::{Aabb, Pair, PairLimit};
use narrowphase::BoxKind;
use narrowphase::impact::{self, ApproximateContact, Exactness, Impact, ImpactMethod};
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{VOLUMES, VolumeKind};
use sim::Scene;
use sim::stages::{
    Audit, BodyList, ContactFault, ContactStage, Errors, FramePairs, ImpactStage, NarrowStage,
    RelativeSweep, Tally, VolumeStage, approximate_contacts, exact_contacts, region_errors,
};
use std::collections::HashMap;

/// A method of a stage after the broad phase.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Computes the boxes of all bodies.
    Boxes(BoxKind),
    /// A bounding volume.
    Volume(&'static VolumeKind),
    /// A narrow phase.
    Narrow(&'static NarrowPhaseKind),
    /// Finds the contact sets of the candidates that touch.
    Contacts,
    /// A time of impact, on bodies that collide within steps.
    Impact(ImpactMethod),
    /// The relative sweep of the candidates' boxes in a step, on one thread.
    RelativeSweep,
    /// Finds the contact sets at the poses of first contacts.
    ExactContacts,
    /// Finds 001's regions of first contacts from positions and velocities alone. They are compared with the exact points.
    ApproximateContacts,
}

impl Method {
    /// The methods of all registries, and contact sets, without peers: a wrong answer of another library is no fault of
    /// ours. Where a peer is measured, its answers are compared with the reference too.
    pub fn all() -> Vec<Self> {
        let impacts = impact::TIMES_OF_IMPACT.iter();
        let impacts = impacts.filter_map(|kind| impact::find(kind.id).ok());
        let volumes = VOLUMES.iter().map(Self::Volume);
        let of_pairs = volumes.chain(NARROW_PHASES.iter().map(Self::Narrow));
        of_pairs.chain([Self::Contacts]).chain(impacts.map(Self::Impact)).collect()
    }

    /// Its id; of a time of impact without its number of static tests.
    pub fn id(self) -> &'static str {
        match self {
            Self::Boxes(kind) => kind.id(),
            Self::Volume(kind) => kind.id,
            Self::Narrow(kind) => kind.id,
            Self::Contacts => "clip",
            Self::Impact(method) => method.kind.id,
            Self::RelativeSweep => RelativeSweep::ID,
            Self::ExactContacts => "exact",
            Self::ApproximateContacts => "approximate",
        }
    }

    /// Its name in tables.
    pub fn name(self) -> String {
        match self {
            Self::Impact(method) => method.to_string(),
            other => other.id().to_owned(),
        }
    }

    /// Its stage. A volume is placed before.
    pub fn stage(self) -> Stage {
        match self {
            Self::Boxes(_) => Stage::Boxes,
            Self::Volume(_) => Stage::Volume,
            Self::Narrow(_) => Stage::Narrow,
            Self::Impact(_) | Self::RelativeSweep => Stage::Impact,
            Self::Contacts | Self::ExactContacts | Self::ApproximateContacts => Stage::Contact,
        }
    }

    /// Whether it needs bodies that collide within steps.
    pub(super) fn needs_impacts(self) -> bool {
        self.stage() == Stage::Impact
            || matches!(self, Self::ExactContacts | Self::ApproximateContacts)
    }

    /// Whether it answers about each candidate.
    pub(super) fn answers(self) -> bool {
        matches!(self.stage(), Stage::Volume | Stage::Narrow | Stage::Impact)
    }
}

/// The methods of `asked` that a case has. Only bodies that collide within steps have first contacts.
pub(crate) fn methods_of(case: &Case, asked: &[Method]) -> impl Iterator<Item = Method> {
    asked.iter().copied().filter(|method| case.has_impacts() || !method.needs_impacts())
}

/// Lists of candidates, the response, and what the reference knows of each.
const SHARED: usize = 2;

/// Pairs of parts of two bodies that a method remembers in the bytes of one holder: an axis each.
const PARTS: usize = PairLimit::BYTES_PER_PAIR / 24;

/// How many hold each candidate while these methods answer about the bodies of a scene, as
/// [`PairBound::within`](crate::PairBound::within) counts them.
pub fn stage_holders(scene: &Scene, methods: &[Method]) -> usize {
    let mut counts = HashMap::new();
    for part in &scene.parts {
        *counts.entry(&part.compound).or_insert(0_usize) += 1;
    }
    holders(counts.into_values().max().unwrap_or(1).pow(2), methods)
}

/// How many times [`PairLimit::BYTES_PER_PAIR`] these methods take of each candidate, where the two bodies have this number
/// of pairs of parts. A test counts allocations.
fn holders(pairs_of_parts: usize, methods: &[Method]) -> usize {
    let of_method = |method: &Method| match method {
        Method::Narrow(kind) if kind.keeps_state => 2 + pairs_of_parts / PARTS,
        Method::Contacts => 5,
        _ => 1,
    };
    SHARED + methods.iter().map(of_method).sum::<usize>()
}

/// Bytes that the methods take of the objects of a case, candidates of a world aside. The placed volume of a body takes no
/// more than a search holds of a pair.
pub(crate) fn bytes_of_methods(case: &Case, measured: &[MeasuredMethod]) -> u64 {
    let methods: Vec<Method> = measured.iter().map(MeasuredMethod::method).collect();
    let volumes = methods.iter().filter(|method| matches!(method, Method::Volume(_))).count();
    let of_pairs = |pairs: &RandomPairs| 2 * volumes + holders(pairs.pairs_of_parts(), &methods);
    let each = case.pairs().map_or(volumes, of_pairs) * PairLimit::BYTES_PER_PAIR;
    (case.n as u64).saturating_mul(each as u64)
}

/// State of a method between frames, each in the field of its stage.
#[derive(Default)]
pub(super) struct RunningMethod {
    boxes: Vec<Aabb>,
    volume: Option<VolumeStage>,
    /// Pairs that pass the volume.
    passed: Vec<Pair>,
    narrow: Option<NarrowStage>,
    contacts: ContactStage,
    impact: Option<ImpactStage>,
    sweep: RelativeSweep,
    /// Memory for regions.
    regions: Vec<Option<ApproximateContact>>,
}

/// Times and counts of a method in a frame.
pub(super) struct FrameFigures {
    /// Bodies, candidates, pairs that touch, or first contacts.
    pub(super) tests: usize,
    pub(super) ns: u64,
    /// Nanoseconds of placing volumes.
    pub(super) place_ns: u64,
    pub(super) work: u64,
    pub(super) tally: Tally,
}

impl RunningMethod {
    /// Runs the method on a frame under the clock, then compares its answers with the reference's. `goes_on` ends long
    /// checks. A wrong answer is an error.
    pub(super) fn run(
        &mut self,
        method: Method,
        of: &BodyFrame<'_, impl BodyList>,
        known: &Answers,
        clock: &dyn Clock,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<FrameFigures, String> {
        let &BodyFrame { bodies, candidates, .. } = of;
        let seconds = of.seconds.unwrap_or_default();
        let pairs = &FramePairs::new(bodies, candidates);
        let at_impacts = &FramePairs { bodies, pairs: candidates, goes_on };
        let fault =
            |fault: ContactFault| describe_fault(method.id(), fault.pair, &fault.text, bodies);
        let counted = |passed, errors| Tally { passed, errors, ..Tally::default() };
        let no_errors = Errors::default();
        let (mut tests, mut place_ns, mut work) = (candidates.len(), 0, 0);
        let (ns, tally) = match method {
            Method::Boxes(_) => {
                tests = bodies.count();
                let world = of.world.into_iter();
                let ((), ns) = clocked(clock, || world.for_each(|w| w.boxes(&mut self.boxes)));
                // They pass all candidates, as this volume does.
                let all = vec![true; candidates.len()];
                (ns, known.poses.volume(&VOLUMES[0], &all))
            }
            Method::Volume(kind) => {
                let passed = &mut self.passed;
                passed.reserve(candidates.len().saturating_sub(passed.len()));
                let stage = self.volume.get_or_insert_with(|| VolumeStage::new(kind, bodies));
                place_ns = clocked(clock, || stage.place(bodies)).1;
                let ((), ns) = clocked(clock, || stage.filter(pairs, passed));
                (ns, known.poses.volume(kind, stage.passes()))
            }
            Method::Narrow(kind) => {
                let stage = self.narrow.get_or_insert_with(|| NarrowStage::new(kind));
                let steps = |stage: &NarrowStage| -> u64 {
                    stage.workers().iter().map(|method| method.steps()).sum()
                };
                let before = steps(stage);
                let ((), ns) = clocked(clock, || stage.test(pairs));
                work = steps(stage) - before;
                (ns, known.poses.narrow(kind, pairs, stage.answers()))
            }
            Method::Contacts => {
                tests = known.touching.len();
                let touching = &FramePairs { pairs: &known.touching, ..*pairs };
                let (count, ns) = clocked(clock, || self.contacts.find(touching));
                work = count.points;
                (ns, counted(count.sets, no_errors))
            }
            Method::Impact(kind) => {
                let stage = self.impact.get_or_insert_with(|| ImpactStage::new(kind));
                let steps = |stage: &ImpactStage| -> u64 {
                    stage.workers().iter().map(|method| method.steps()).sum()
                };
                let before = steps(stage);
                let ((), ns) = clocked(clock, || stage.find(pairs, seconds));
                work = steps(stage) - before;
                (ns, checked_impacts(method, stage.answers(), &known.impacts, pairs, seconds)?)
            }
            Method::RelativeSweep => {
                work = candidates.len() as u64;
                let (found, ns) = clocked(clock, || self.sweep.find(pairs, seconds));
                let found = found.map_err(|error| error.to_string())?;
                (ns, checked_impacts(method, found, &known.impacts, pairs, seconds)?)
            }
            Method::ExactContacts => {
                let contacts = known.impacts.first_contacts();
                tests = contacts.len();
                let (count, ns) = clocked(clock, || exact_contacts(at_impacts, &contacts));
                let count = count.map_err(fault)?;
                work = count.points;
                (ns, counted(count.sets, no_errors))
            }
            Method::ApproximateContacts => {
                let contacts = known.impacts.first_contacts();
                tests = contacts.len();
                let regions = &mut self.regions;
                let ((), ns) =
                    clocked(clock, || approximate_contacts(at_impacts, &contacts, regions));
                let errors = region_errors(at_impacts, &contacts, regions).map_err(fault)?;
                (ns, counted(tests as u64, errors))
            }
        };
        match tally.wrong {
            Some(wrong) => Err(describe(method.id(), &wrong, bodies)),
            None => Ok(FrameFigures { tests, ns, place_ns, work, tally }),
        }
    }
}

/// Compares first contacts with the reference. The errors of their times become steps. A wrong answer is an error; of the
/// relative sweep, whose boxes contain the bodies, so is a miss.
fn checked_impacts(
    method: Method,
    found: &[Impact],
    known: &Audit,
    of: &FramePairs<'_, impl BodyList>,
    seconds: f64,
) -> Result<Tally, String> {
    let (exactness, may_miss) = match method {
        Method::Impact(method) => (method.kind.exactness, true),
        _ => (Exactness::Never, false),
    };
    let tally = known.impacts(exactness, of, found);
    if let Some(wrong) = tally.wrong.or(tally.first_missed.filter(|_| !may_miss)) {
        return Err(describe(&method.name(), &wrong, of.bodies));
    }
    let Errors { count, sum, largest } = tally.errors;
    let errors = Errors { count, sum: sum / seconds, largest: largest / seconds };
    Ok(Tally { errors, ..tally })
}

#[cfg(test)]
mod tests {
    use super::super::crowd_for_tests::Crowded;
    use super::*;

    #[test]
    fn contact_that_the_relative_sweep_misses_is_an_error() {
        let Crowded { world, candidates } = Crowded::new();
        let of = FramePairs::new(world.bodies().unwrap(), &candidates);
        let mut known = Audit::default();
        known.examine_impacts(&of, 1.0);
        let blind = vec![Impact::Never; candidates.len()];
        let checked = |method| checked_impacts(method, &blind, &known, &of, 1.0);
        let inexact = Method::Impact(impact::find("swept-boxes").unwrap());
        assert!(checked(inexact).unwrap().missed > 4, "its misses are counted");
        let fault = checked(Method::RelativeSweep).unwrap_err();
        assert!(fault.starts_with("`relative-sweep` is wrong about bodies"), "{fault}");
        assert!(fault.ends_with("it finds no contact; they touch at its start"), "{fault}");
    }
}
