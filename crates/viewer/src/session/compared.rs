//! The figures of an algorithm that searches the same boxes as the running one, to be compared with it.

use super::history::FrameFigures;
use super::step_log::StepLog;
use broadphase::inspect::Work;
use broadphase::registry::Algorithm;
use measure::FrameRow;

/// The recent figures of a compared algorithm.
#[derive(Clone, Debug)]
pub struct ComparedFigures {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Its searches in the last steps, oldest first; at most [`HISTORY_STEPS`](super::HISTORY_STEPS).
    pub times: Vec<FrameFigures>,
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

/// Steps by which an algorithm is judged: a search that rebuilds a structure may be much slower than others.
const JUDGED_STEPS: usize = 3;

/// Total time after which fewer steps are enough: three such steps would delay the scene too long.
const JUDGED_NS: u64 = 5_000_000_000;

/// Shorter searches never count as too slow: they delay no step noticeably.
const BEARABLE_NS: u64 = 50_000_000;

/// A search counts as too slow if it takes this many times as long as the driving one.
const MAX_RATIO: u64 = 100;

/// Reports an algorithm whose last searches, `from` a step on, were each so much slower than those of `driving` that it hides
/// all others.
pub(super) fn too_slow(
    algorithm: &'static Algorithm,
    driving: &Algorithm,
    from: u64,
    log: &StepLog,
) -> Option<String> {
    let (mut number, mut sum, mut driving_sum) = (0, 0, 0);
    for (_, searches) in log.searches_of(algorithm, from).rev().take(JUDGED_STEPS) {
        let [own_ns, driving_ns] = searches.map(FrameRow::detection_ns);
        if own_ns < BEARABLE_NS || own_ns / MAX_RATIO < driving_ns {
            return None;
        }
        (number, sum, driving_sum) = (number + 1, sum + own_ns, driving_sum + driving_ns);
    }
    let (seconds, ratio) = (sum as f64 / 1e9, sum as f64 / driving_sum.max(1) as f64);
    (number == JUDGED_STEPS || sum >= JUDGED_NS).then(|| {
        let (name, driving, mean) = (algorithm.name, driving.name, seconds / number as f64);
        format!("{name} ({mean:.1} s a step, {ratio:.0} times as long as {driving})")
    })
}
