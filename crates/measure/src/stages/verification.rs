//! Every method of every stage against the reference, and the reference against an independent check.

use super::frames::continuous_seconds;
use super::needs::memory_of_methods;
use super::repetition_frame::RepetitionFrame;
use super::step_impacts::StepImpacts;
use super::track::{CandidateFrame, Method, MethodTrack, methods};
use super::wrong_pair::{FaultPlace, describe, describe_fault, describe_impact};
use crate::play::{Problem, RunError};
use crate::process::{Clock, guarded};
use crate::rows::Outcome;
use broadphase::Pair;
use narrowphase::Body;
use narrowphase::impact::{self, Impact, ImpactMethod, TIMES_OF_IMPACT};
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use narrowphase::oracle::{is_affordable, signed_gap};
use narrowphase::volume::{VOLUMES, VolumeKind};
use narrowphase::{BAND, size_of_pair};
use sim::World;
use sim::stages::{Audit, Checked, ImpactAudit, MovingBodies};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs of a frame whose gap is computed by the independent check, which takes a tenth of a millisecond and more for
/// each.
const MAX_GAPS: usize = 8;

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

    /// Bytes of a candidate while they answer about it; `None` without bodies.
    pub(crate) fn memory(&self, world: &World) -> Option<u64> {
        Some(memory_of_methods(world.bodies()?, &self.of_world(world)))
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
    /// Answers of the reference whose witnesses were checked.
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
pub(crate) struct StageVerification<'a> {
    tracks: Vec<MethodTrack>,
    audit: Audit,
    impact_audit: ImpactAudit,
    touching: Vec<Pair>,
    witnesses: u64,
    gaps: Checked,
    impacts: Checked,
    is_reference_right: bool,
    /// Folder for wrong pairs.
    folder: Option<&'a Path>,
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

impl<'a> StageVerification<'a> {
    /// `None` where all objects are spheres.
    pub(crate) fn new(
        world: &World,
        kinds: &StageMethods,
        folder: Option<&'a Path>,
        clock: &dyn Clock,
    ) -> Option<Self> {
        let bodies = world.bodies()?;
        let methods = kinds.of_world(world);
        let tracks = methods.into_iter().map(|method| MethodTrack::new(method, 1));
        let mut tracks: Vec<MethodTrack> = tracks.collect();
        tracks.iter_mut().for_each(|track| track.begin(bodies, 0, clock));
        Some(Self {
            tracks,
            audit: Audit::default(),
            impact_audit: ImpactAudit::default(),
            touching: Vec::new(),
            witnesses: 0,
            gaps: Checked::default(),
            impacts: Checked::default(),
            is_reference_right: true,
            folder,
        })
    }

    /// What was verified so far is added to `report`, which has the same methods.
    pub(crate) fn add_to(&self, report: &mut VerifiedBodies) {
        report.methods = self.tracks.len();
        report.answers += self.tracks.iter().map(MethodTrack::answers).sum::<u64>();
        report.witnesses += self.witnesses;
        report.gaps += self.gaps;
        report.impacts += self.impacts;
        self.tracks.iter().for_each(|track| report.contacts += track.checked());
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
        let checked = guarded(|| self.check_references(world, candidates, &is_stopped));
        let problem = match checked {
            _ if is_stopped() => return Err(RunError::Stopped),
            Ok(None) => return Err(RunError::Stopped),
            Ok(Some(Ok(()))) => None,
            Ok(Some(Err(fault))) => Some(Problem::Answer(fault)),
            Err(message) => Some(Problem::Panicked(message)),
        };
        if let Some(problem) = problem {
            self.is_reference_right = false;
            return Ok(vec![(REFERENCE, problem)]);
        }
        let Self { tracks, audit, impact_audit, touching, folder, .. } = self;
        touching.clear();
        touching.extend(audit.touching());
        let moment = RepetitionFrame { repeat: 0, frame };
        let (counts, scene, folder) = (true, world.scene(), *folder);
        let impacts =
            continuous_seconds(scene).map(|seconds| StepImpacts { seconds, audit: impact_audit });
        let shown = CandidateFrame {
            moment,
            counts,
            candidates,
            touching,
            audit,
            impacts,
            scene,
            folder,
            stop,
        };
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

    /// Asks both references about the candidates of a frame, and checks them. `None` if it is stopped.
    fn check_references(
        &mut self,
        world: &World,
        candidates: &[Pair],
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Result<(), String>> {
        let Self { audit, impact_audit, witnesses, gaps, impacts, folder, .. } = self;
        let bodies = world.bodies()?;
        if !audit.examine_while(bodies, candidates, || !is_stopped()) {
            return None;
        }
        let mut checked = check_reference(world, audit, *folder, is_stopped).map(|checked| {
            *witnesses += candidates.len() as u64;
            *gaps += checked;
        });
        if let Some(seconds) = continuous_seconds(world.scene()).filter(|_| checked.is_ok()) {
            if !impact_audit.examine_while(bodies, candidates, seconds, || !is_stopped()) {
                return None;
            }
            let shown = StepImpacts { seconds, audit: impact_audit };
            checked = check_impacts(world, &shown, candidates, *folder, is_stopped)
                .map(|checked| *impacts += checked);
        }
        Some(checked)
    }
}

/// Checks some first contacts of the reference by the oracle's gaps, until it is stopped: the bodies are apart at
/// [`SAMPLES`] times before the first contact, or of the whole step, and touch at it. Returns their number.
fn check_impacts(
    world: &World,
    impacts: &StepImpacts<'_>,
    candidates: &[Pair],
    folder: Option<&Path>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Checked, String> {
    let Some(bodies) = world.bodies() else { return Ok(Checked::default()) };
    let place = FaultPlace { scene: world.scene(), folder, bodies };
    let name = "reference of impacts";
    let mut checked = Checked::default();
    let stride = candidates.len().div_ceil(MAX_GAPS).max(1);
    for (pair, known) in candidates.iter().zip(impacts.audit.known()).step_by(stride) {
        let [a, b] = [pair.a, pair.b].map(|object| bodies.moving(object as usize));
        if is_stopped() {
            break;
        }
        if !is_affordable(&a.0, &b.0) {
            checked.left_out += 1;
            continue;
        }
        let band = BAND * size_of_pair(&a.0, &b.0);
        let gap = |time: f64| signed_gap(&a.1.body_after(&a.0, time), &b.1.body_after(&b.0, time));
        let end = match known.impact {
            Impact::Never => impacts.seconds,
            Impact::At { first, .. } => first,
            Impact::Overlapping => 0.0,
            Impact::Failed => return Err(describe_fault(name, *pair, "it has no answer", &place)),
        };
        let is_apart = |at: usize| gap(end * at as f64 / SAMPLES as f64) >= -band;
        let is_right = match known.impact {
            Impact::Overlapping => gap(0.0) <= band,
            Impact::Never => (0..=SAMPLES).all(is_apart),
            _ => gap(end).abs() <= band && (0..SAMPLES).all(is_apart),
        };
        if !is_right && !known.is_grazing {
            let answers = (known.impact, None);
            return Err(describe_impact(name, *pair, answers, impacts.seconds, &place));
        }
        checked.pairs += 1;
    }
    Ok(checked)
}

/// Checks the witnesses of all answers of the reference, and some of its gaps, spread over the candidates, until it is
/// stopped. Returns the number of gaps.
fn check_reference(
    world: &World,
    audit: &Audit,
    folder: Option<&Path>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Checked, String> {
    let Some(bodies) = world.bodies() else { return Ok(Checked::default()) };
    let place = FaultPlace { scene: world.scene(), folder, bodies };
    if let Some(wrong) = audit.reference().wrong {
        return Err(describe(REFERENCE, &wrong, &place));
    }
    let stride = audit.candidates().len().div_ceil(MAX_GAPS).max(1);
    let mut checked = Checked::default();
    for (pair, verdict) in audit.candidates().iter().zip(audit.verdicts()).step_by(stride) {
        if is_stopped() {
            break;
        }
        let [a, b]: [Body<'_>; 2] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
        if !is_affordable(&a, &b) {
            checked.left_out += 1;
            continue;
        }
        let gap = signed_gap(&a, &b);
        if (gap - verdict.gap).abs() > BAND * size_of_pair(&a, &b) {
            let fault = format!("the gap is {gap:.3e}, not {:.3e}", verdict.gap);
            return Err(describe_fault(REFERENCE, *pair, &fault, &place));
        }
        checked.pairs += 1;
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::super::crowd_for_tests::Crowded;
    use super::*;

    #[test]
    fn wrong_gap_of_the_reference_is_an_error_whose_pair_is_a_scene() {
        let Crowded { mut world, candidates } = Crowded::new();
        let mut audit = Audit::default();
        audit.examine(world.bodies().unwrap(), &candidates);
        let folder = tempfile::tempdir().unwrap();
        let check = |world: &World, audit: &Audit, is_stopped: &dyn Fn() -> bool| {
            check_reference(world, audit, Some(folder.path()), is_stopped)
        };
        let checked = check(&world, &audit, &|| false).unwrap();
        assert!(checked.pairs > 4 && checked.left_out == 0, "{checked:?}");
        assert_eq!(check(&world, &audit, &|| true), Ok(Checked::default()));
        // The gaps of another frame.
        world.step(sim::Hold::None);
        let fault = check(&world, &audit, &|| false).unwrap_err();
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        let [Ok(file)] = &files[..] else { panic!("{files:?}") };
        let Pair { a, b } = candidates[0];
        let said = format!("`reference` is wrong about bodies {a} and {b} (");
        assert!(fault.starts_with(&said) && fault.contains(": the gap is "), "{fault}");
        assert!(fault.contains(&file.path().display().to_string()), "{fault}");
    }
}
