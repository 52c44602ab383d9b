//! The stages of a frame, one after the other.

use super::{
    Audit, BodyList, ContactCount, ContactStage, NarrowStage, PairPoint, Tally, VolumeStage,
    WrongAnswer,
};
use broadphase::Pair;
use narrowphase::Answer;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;

/// From candidates to contact points: a bounding volume, a narrow phase for the pairs that pass it, and contact sets of
/// the pairs that touch. It has no clock: the caller passes one that returns nanoseconds. [`StoppedBy`](super::StoppedBy)
/// stops it.
pub struct Pipeline {
    volume: VolumeStage,
    narrow: NarrowStage,
    contacts: ContactStage,
    passed: Vec<Pair>,
    touching: Vec<Pair>,
    audit: Audit,
}

/// Nanoseconds of the tests of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestTimes {
    /// Placing the volumes of all bodies, and testing those of each candidate.
    pub volume_ns: u64,
    /// The narrow phase.
    pub narrow_ns: u64,
}

/// The answers about the candidates of a frame, compared with the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CheckedAnswers {
    /// The first candidate about which the reference has no answer: its numbers are not finite.
    pub unanswered: Option<WrongAnswer>,
    /// The bounding volume.
    pub volume: Tally,
    /// The narrow phase.
    pub narrow: Tally,
}

impl Pipeline {
    /// Fits the volumes to the shapes of `bodies`.
    pub fn new(
        volume: &'static VolumeKind,
        narrow: &'static NarrowPhaseKind,
        bodies: &impl BodyList,
    ) -> Self {
        Self {
            volume: VolumeStage::new(volume, bodies),
            narrow: NarrowStage::new(narrow),
            contacts: ContactStage::default(),
            passed: Vec::new(),
            touching: Vec::new(),
            audit: Audit::default(),
        }
    }

    /// Tests the sorted candidates of a frame.
    pub fn test(
        &mut self,
        bodies: &impl BodyList,
        candidates: &[Pair],
        now_ns: impl Fn() -> u64,
    ) -> TestTimes {
        let Self { volume, narrow, passed, touching, .. } = self;
        // A list that grows is no work of the volume.
        passed.reserve(candidates.len().saturating_sub(passed.len()));
        let begin = now_ns();
        volume.place(bodies);
        volume.filter(bodies, candidates, passed);
        let filtered = now_ns();
        narrow.test(bodies, passed);
        let tested = now_ns();
        let answers = passed.iter().zip(narrow.answers());
        let touches = answers.filter(|(_, answer)| matches!(answer, Answer::Touching { .. }));
        touching.clear();
        touching.extend(touches.map(|(pair, _)| *pair));
        TestTimes { volume_ns: filtered - begin, narrow_ns: tested - filtered }
    }

    /// Finds the contact sets of the pairs that touch. Returns the nanoseconds too; `None` where it was stopped.
    pub fn find_contacts(
        &mut self,
        bodies: &impl BodyList,
        now_ns: impl Fn() -> u64,
    ) -> Option<(ContactCount, u64)> {
        let begin = now_ns();
        let count = self.contacts.find(bodies, &self.touching);
        // A stop at the reading below comes too late.
        let is_done = !bodies.is_stopped();
        is_done.then(|| (count, now_ns() - begin))
    }

    /// Forgets the points of the last frame: the next frame does not follow it.
    pub fn forget_contacts(&mut self) {
        self.contacts = ContactStage::default();
    }

    /// Compares all answers with the reference, as long as `goes_on`; `None` where that ended it.
    pub fn check(
        &mut self,
        bodies: &impl BodyList,
        candidates: &[Pair],
        goes_on: impl Fn() -> bool,
    ) -> Option<CheckedAnswers> {
        let Self { volume, narrow, passed, audit, .. } = self;
        audit.examine_while(bodies, candidates, goes_on).then(|| CheckedAnswers {
            unanswered: audit.unanswered(),
            volume: audit.volume(volume.kind(), volume.passes()),
            narrow: audit.narrow(bodies, narrow.method(), passed, narrow.answers()),
        })
    }

    /// The bounding volumes, as they were placed last.
    pub fn volume(&self) -> &VolumeStage {
        &self.volume
    }

    /// The narrow phase with its last answers.
    pub fn narrow(&self) -> &NarrowStage {
        &self.narrow
    }

    /// The contact sets that were found last.
    pub fn contacts(&self) -> &ContactStage {
        &self.contacts
    }

    /// Points of these contact sets.
    pub fn points(&self) -> impl Iterator<Item = &PairPoint> {
        self.contacts.points()
    }

    /// The candidates that passed the volume, sorted.
    pub fn passed(&self) -> &[Pair] {
        &self.passed
    }

    /// The pairs that touch by the narrow phase, sorted.
    pub fn touching(&self) -> &[Pair] {
        &self.touching
    }

    /// The reference's answers about the candidates that were checked last.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }
}
