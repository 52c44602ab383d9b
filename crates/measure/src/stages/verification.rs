//! Every method of every stage against the reference, and the reference against an independent check.

use super::bench::touching_of;
use super::moment::Moment;
use super::source::{BodyWorld, Crowd};
use super::track::{Shown, Track, methods};
use super::wrong_pair::{Suspects, describe};
use crate::repetition::guarded;
use crate::{Clock, Outcome, Problem, RunError};
use broadphase::Pair;
use narrowphase::Body;
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use narrowphase::oracle::{BAND, signed_gap, size_of_pair};
use narrowphase::volume::{VOLUMES, VolumeKind};
use sim::World;
use sim::stages::{Audit, BodyList};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs of a frame whose gap is computed by the independent check, which takes a tenth of a millisecond and more for
/// each.
const MOST_GAPS: usize = 8;

/// Id of the reference in findings.
const REFERENCE: &str = "reference";

/// The methods of the stages that are verified, contact sets aside.
#[derive(Clone, Debug)]
pub struct StageMethods {
    /// Bounding volumes.
    pub volumes: Vec<&'static VolumeKind>,
    /// Narrow phases.
    pub narrow_phases: Vec<&'static NarrowPhaseKind>,
}

impl StageMethods {
    /// Those of both registries.
    pub fn all() -> Self {
        Self { volumes: VOLUMES.iter().collect(), narrow_phases: NARROW_PHASES.iter().collect() }
    }
}

/// All methods through the frames of a world.
pub(crate) struct StageVerification<'a> {
    tracks: Vec<Track>,
    audit: Audit,
    touching: Vec<Pair>,
    /// Answers of the reference whose gap was computed independently.
    gaps: u64,
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
        let crowd = BodyWorld::new(world)?;
        let methods = methods(kinds.volumes.iter().copied(), kinds.narrow_phases.iter().copied());
        let mut tracks: Vec<Track> = methods.into_iter().map(Track::new).collect();
        tracks.iter_mut().for_each(|track| track.begin(&crowd, 0, clock));
        let (audit, touching) = (Audit::default(), Vec::new());
        Some(Self { tracks, audit, touching, gaps: 0, is_reference_right: true, folder })
    }

    /// Methods that are verified.
    pub(crate) fn methods(&self) -> usize {
        self.tracks.len()
    }

    /// Answers so far, those of the reference included whose gap was computed independently.
    pub(crate) fn answers(&self) -> u64 {
        self.gaps + self.tracks.iter().map(Track::tests).sum::<u64>()
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
        let Some(crowd) = BodyWorld::new(world) else { return Ok(Vec::new()) };
        let Self { tracks, audit, touching, gaps, is_reference_right, folder } = self;
        if !*is_reference_right {
            return Ok(Vec::new());
        }
        let is_stopped = || stop.load(Ordering::Relaxed);
        let checked = guarded(|| {
            audit
                .examine_while(crowd.bodies(), candidates, || !is_stopped())
                .then(|| check_reference(&crowd, audit, *folder))
        });
        match checked {
            Ok(None) => return Err(RunError::Stopped),
            Ok(Some(Ok(checked))) => *gaps += checked,
            Ok(Some(Err(fault))) => {
                *is_reference_right = false;
                return Ok(vec![(REFERENCE, Problem::Answer(fault))]);
            }
            Err(message) => {
                *is_reference_right = false;
                return Ok(vec![(REFERENCE, Problem::Panicked(message))]);
            }
        }
        touching.clear();
        touching.extend(touching_of(audit));
        let moment = Moment { repeat: 0, frame };
        let shown = Shown { moment, counts: true, candidates, touching, audit, folder: *folder };
        let mut faults = Vec::new();
        for track in tracks.iter_mut().filter(|track| !track.is_reported) {
            if is_stopped() {
                return Err(RunError::Stopped);
            }
            track.frame(&crowd, &shown, clock, None);
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
        Ok(faults)
    }
}

/// Checks the witnesses of all answers of the reference, and some of its gaps, spread over the candidates. Returns
/// the number of gaps.
fn check_reference(
    crowd: &impl Crowd,
    audit: &Audit,
    folder: Option<&Path>,
) -> Result<u64, String> {
    let bodies = crowd.bodies();
    if let Some(wrong) = audit.reference(bodies).wrong {
        let name = |object: usize| crowd.name_of(object);
        let suspects = Suspects { scene: crowd.scene(), folder, bodies, name: &name };
        return Err(describe(REFERENCE, &wrong, &suspects));
    }
    let stride = audit.candidates().len().div_ceil(MOST_GAPS).max(1);
    let mut checked = 0;
    for (pair, verdict) in audit.candidates().iter().zip(audit.verdicts()).step_by(stride) {
        let [a, b]: [Body<'_>; 2] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
        let gap = signed_gap(&a, &b);
        if (gap - verdict.gap).abs() > BAND * size_of_pair(&a, &b) {
            return Err(format!(
                "the gap of bodies {} and {} is {gap:.3e}, not {:.3e}",
                pair.a, pair.b, verdict.gap
            ));
        }
        checked += 1;
    }
    Ok(checked)
}
