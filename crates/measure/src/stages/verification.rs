//! Every method of every stage against the reference, and the reference against an independent check.

use super::bench::touching_of;
use super::source::{BodyWorld, Crowd};
use super::track::{Shown, Track, methods};
use super::wrong_pair::{Suspects, describe};
use crate::repetition::guarded;
use crate::{Clock, Outcome, Problem};
use broadphase::Pair;
use narrowphase::narrow::NARROW_PHASES;
use narrowphase::oracle::{BAND, signed_gap, size_of_pair};
use narrowphase::volume::VOLUMES;
use narrowphase::{Body, BoxKind};
use sim::World;
use sim::stages::{Audit, BodyList};

/// Pairs of a frame whose gap is computed by the independent check, which takes a tenth of a millisecond and more for
/// each.
const MOST_GAPS: usize = 8;

/// Id of the reference in findings.
const REFERENCE: &str = "reference";

/// All methods through the frames of a world.
pub(crate) struct StageVerification {
    tracks: Vec<Track>,
    audit: Audit,
    touching: Vec<Pair>,
    /// Answers of the reference whose gap was computed independently.
    gaps: u64,
    is_reference_right: bool,
}

impl StageVerification {
    /// `None` where all objects are spheres.
    pub(crate) fn new(world: &World) -> Option<Self> {
        let crowd = BodyWorld::new(world)?;
        let methods = methods(VOLUMES.iter(), NARROW_PHASES.iter());
        let mut tracks: Vec<Track> =
            methods.into_iter().map(|method| Track::new(BoxKind::Tight, method)).collect();
        tracks.iter_mut().for_each(|track| track.begin(&crowd));
        let (audit, touching) = (Audit::default(), Vec::new());
        Some(Self { tracks, audit, touching, gaps: 0, is_reference_right: true })
    }

    /// Methods that are verified.
    pub(crate) fn methods(&self) -> usize {
        self.tracks.len()
    }

    /// Answers so far, those of the reference included whose gap was computed independently.
    pub(crate) fn answers(&self) -> u64 {
        self.gaps + self.tracks.iter().map(Track::tests).sum::<u64>()
    }

    /// Asks all methods about the sorted candidates of a frame. Returns the first fault of each method that has
    /// one, with its id. Such a method is not asked again.
    pub(crate) fn frame(
        &mut self,
        world: &World,
        candidates: &[Pair],
        frame: u32,
        clock: &dyn Clock,
    ) -> Vec<(&'static str, Problem)> {
        let Some(crowd) = BodyWorld::new(world) else { return Vec::new() };
        let Self { tracks, audit, touching, gaps, is_reference_right } = self;
        let mut faults = Vec::new();
        audit.examine(crowd.bodies(), candidates);
        if *is_reference_right {
            match guarded(|| check_reference(&crowd, audit)) {
                Ok(Ok(checked)) => *gaps += checked,
                Ok(Err(fault)) => faults.push((REFERENCE, Problem::Answer(fault))),
                Err(message) => faults.push((REFERENCE, Problem::Panicked(message))),
            }
            *is_reference_right = faults.is_empty();
        }
        touching.clear();
        touching.extend(touching_of(audit));
        let (repeat, counts, folder) = (0, true, None);
        let shown = Shown { repeat, frame, counts, candidates, touching, audit, folder };
        for track in tracks.iter_mut().filter(|track| track.ended.is_none()) {
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
        }
        faults
    }
}

/// Checks the witnesses of all answers of the reference, and some of its gaps, spread over the candidates. Returns
/// the number of gaps.
fn check_reference(crowd: &impl Crowd, audit: &Audit) -> Result<u64, String> {
    let bodies = crowd.bodies();
    if let Some(wrong) = audit.reference(bodies).wrong {
        let name = |object: usize| crowd.name_of(object);
        let suspects = Suspects { scene: crowd.scene(), folder: None, bodies, name: &name };
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
