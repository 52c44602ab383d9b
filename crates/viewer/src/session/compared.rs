//! An algorithm that searches the same boxes as the running one, to be compared with it.

use super::contender::Contender;
use super::history::FrameFigures;
use broadphase::inspect::Work;
use broadphase::registry::Algorithm;
use measure::PhaseTimes;

/// Nanoseconds and tests of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchTime {
    /// The step, counted from 1.
    pub step: u64,
    /// Those of its phases.
    pub phases: PhaseTimes,
    /// Pairs of objects that it examined.
    pub tests: u64,
}

impl From<&FrameFigures> for SearchTime {
    fn from(frame: &FrameFigures) -> Self {
        Self { step: frame.step, phases: frame.search, tests: frame.tests }
    }
}

/// The recent figures of a compared algorithm.
#[derive(Clone, Debug)]
pub struct ComparedFigures {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Its last steps, oldest first; at most [`HISTORY_STEPS`](super::HISTORY_STEPS).
    pub times: Vec<SearchTime>,
    /// Whether the figures below are of the present step. They are not after another step was shown, which the
    /// running algorithm alone searches.
    pub is_of_this_step: bool,
    /// The step in which its structure was new, if it has not searched all steps of the motion.
    pub since: Option<u64>,
    /// Pairs of objects that it examined in its last step.
    pub tests: u64,
    /// Its own kinds of work in that step.
    pub work: Vec<Work>,
    /// Bytes that it holds after that step in a run from the start; `None` where they are not known.
    pub heap_bytes: Option<u64>,
}

/// Minimum of steps after which an algorithm may count as too slow: a first search that builds a structure may be
/// much slower than later ones.
const JUDGED_STEPS: u64 = 3;

/// Minimum of total time after which it may count as too slow within fewer steps, even in the first one: three such
/// steps would delay the scene too long.
const JUDGED_NS: u64 = 5_000_000_000;

/// Searches shorter than this on average never count as too slow: they delay no step noticeably.
const BEARABLE_NS: u64 = 50_000_000;

/// An algorithm counts as too slow if it takes this many times as long as the driving one.
const MAX_RATIO: u64 = 100;

/// A compared algorithm that was dropped, because it was too slow.
#[derive(Clone, Copy, Debug)]
pub struct TooSlow {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Mean nanoseconds of its searches.
    pub mean_ns: u64,
    /// Its times divided by those of the driving algorithm.
    pub ratio: f64,
}

/// Sums over all steps in which an algorithm was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    steps: u64,
    own_ns: u64,
    driving_ns: u64,
}

/// A contender whose recorded searches are shown.
pub(super) struct Compared {
    pub(super) contender: Contender,
    /// The first step whose search is shown.
    pub(super) shown_from: u64,
    account: Account,
}

impl Compared {
    /// Its searches are shown from the step `next` on.
    pub(super) fn new(contender: Contender, next: u64) -> Self {
        Self { contender, shown_from: next, account: Account::default() }
    }

    /// Swaps this algorithm with the running one, and forgets its times. Both stay warm: paused algorithms are
    /// those that begin a warm-up, at the next step.
    pub(super) fn change_places(&mut self, running: &mut Contender, next: u64) {
        std::mem::swap(&mut self.contender, running);
        self.shown_from = next;
    }

    /// Forgets all times. Its next searches are a warm-up.
    pub(super) fn forget_times(&mut self, next: u64) {
        self.shown_from = next;
        self.account = Account::default();
        self.contender.begin_warmup();
    }

    /// Judges its speed by the next steps alone: another algorithm drives the scene.
    pub(super) fn restart_account(&mut self) {
        self.account = Account::default();
    }

    /// Counts the last search. The driving algorithm took `driving_ns`. Returns its nanoseconds.
    pub(super) fn count(&mut self, driving_ns: u64) -> u64 {
        let own_ns = self.contender.last().detection_ns();
        self.account.steps += 1;
        self.account.own_ns += own_ns;
        self.account.driving_ns += driving_ns;
        own_ns
    }

    /// Reports an algorithm that is so much slower than the driving one that it hides all others.
    pub(super) fn too_slow(&self) -> Option<TooSlow> {
        let Account { steps, own_ns, driving_ns } = self.account;
        let judged = steps >= JUDGED_STEPS || own_ns >= JUDGED_NS;
        let mean_ns = own_ns / steps.max(1);
        let slow = mean_ns >= BEARABLE_NS && own_ns / MAX_RATIO >= driving_ns;
        let ratio = own_ns as f64 / driving_ns.max(1) as f64;
        (judged && slow).then_some(TooSlow {
            algorithm: self.contender.algorithm(),
            mean_ns,
            ratio,
        })
    }
}
