//! The stages of a frame, one after the other.

use super::{
    Audit, BodyList, ContactCount, ContactStage, FramePairs, NarrowStage, Tally, VolumeStage,
    WrongAnswer,
};
use broadphase::Pair;
use narrowphase::Answer;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;

/// From candidates to contact points: a bounding volume, a narrow phase for the pairs that pass it, and contact sets of
/// the pairs that touch. It has no clock: the caller passes one that returns nanoseconds.
pub struct Pipeline {
    /// The bounding volumes, as they were placed last.
    pub volume: VolumeStage,
    /// The narrow phase with its last answers.
    pub narrow: NarrowStage,
    /// The contact sets that were found last. A new stage keeps no point: the next frame then does not follow this one.
    pub contacts: ContactStage,
    /// The candidates that passed the volume, sorted.
    pub passed: Vec<Pair>,
    /// The pairs that touch by the narrow phase, sorted.
    pub touching: Vec<Pair>,
    /// The reference's answers about the candidates that were checked last.
    pub audit: Audit,
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

    /// Tests the candidates of a frame.
    pub fn test(
        &mut self,
        of: &FramePairs<'_, impl BodyList>,
        now_ns: impl Fn() -> u64,
    ) -> TestTimes {
        let Self { volume, narrow, passed, touching, .. } = self;
        // A list that grows is no work of the volume.
        passed.reserve(of.pairs.len().saturating_sub(passed.len()));
        let begin = now_ns();
        volume.place(of.bodies);
        volume.filter(of, passed);
        let filtered = now_ns();
        narrow.test(&FramePairs { pairs: passed, ..*of });
        let tested = now_ns();
        let answers = passed.iter().zip(narrow.answers());
        let touches = answers.filter(|(_, answer)| matches!(answer, Answer::Touching { .. }));
        touching.clear();
        touching.extend(touches.map(|(pair, _)| *pair));
        TestTimes { volume_ns: filtered - begin, narrow_ns: tested - filtered }
    }

    /// Finds the contact sets of those candidates of a frame that touch. Returns the nanoseconds too; `None` where it was
    /// ended.
    pub fn find_contacts(
        &mut self,
        of: &FramePairs<'_, impl BodyList>,
        now_ns: impl Fn() -> u64,
    ) -> Option<(ContactCount, u64)> {
        let begin = now_ns();
        let count = self.contacts.find(&FramePairs { pairs: &self.touching, ..*of });
        // A stop at the reading below comes too late.
        (of.goes_on)().then(|| (count, now_ns() - begin))
    }

    /// Compares all answers about the candidates of a frame with the reference; `None` where it was ended.
    pub fn check(&mut self, of: &FramePairs<'_, impl BodyList>) -> Option<CheckedAnswers> {
        let Self { volume, narrow, passed, audit, .. } = self;
        audit.examine(of).then(|| CheckedAnswers {
            unanswered: audit.unanswered(),
            volume: audit.volume(volume.kind(), volume.passes()),
            narrow: audit.narrow(
                narrow.method(),
                &FramePairs { pairs: passed, ..*of },
                narrow.answers(),
            ),
        })
    }
}
