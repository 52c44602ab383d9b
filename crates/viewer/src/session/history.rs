//! The recent steps, for live figures and the chart.

use super::rates::Rates;
use measure::{FrameRow, PhaseTimes};

/// Steps kept, which are those that the charts show.
pub const HISTORY_STEPS: usize = 300;

/// The figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameFigures {
    /// The step, counted from 1.
    pub step: u64,
    /// Nanoseconds: moving the objects.
    pub motion_ns: u64,
    /// Nanoseconds of the phases of the search.
    pub search: PhaseTimes,
    /// Nanoseconds: responding to the pairs.
    pub response_ns: u64,
    /// Nanoseconds: testing the pairs of bodies, as in [`StageFigures`](super::StageFigures). They are no part of the response.
    pub stages: [u64; 4],
    /// Pairs of objects examined.
    pub tests: u64,
    /// Candidates: pairs of overlapping boxes.
    pub pairs: u64,
    /// Real collisions.
    pub hits: u64,
}

impl FrameFigures {
    /// The figures of a recorded step. Its tests of bodies took the times `stages`.
    pub(super) fn new(step: u64, sample: &FrameRow, stages: [u64; 4]) -> Self {
        Self {
            step,
            motion_ns: sample.motion_ns.unwrap_or(0),
            search: sample.times(),
            response_ns: sample.response_ns.unwrap_or(0),
            stages,
            tests: sample.tests.unwrap_or(0),
            pairs: sample.pairs,
            hits: sample.hits.unwrap_or(0),
        }
    }

    /// Nanoseconds spent on collisions: the search, the stages of bodies without the checks, and the response.
    pub fn collision_ns(&self) -> u64 {
        self.search.total_ns() + self.stages[..3].iter().sum::<u64>() + self.response_ns
    }
}

/// Median and 95th percentile of some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The median, in ns.
    pub median_ns: u64,
    /// The 95th percentile by nearest rank, in ns.
    pub p95_ns: u64,
}

impl Spread {
    fn of(mut times_ns: Vec<u64>) -> Option<Self> {
        let p95_ns = measure::percentile(&mut times_ns, 95)?;
        Some(Self { median_ns: measure::median(&mut times_ns)?, p95_ns })
    }
}

/// The last steps under the same algorithm and settings, and the rates of the last second.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The steps, oldest first.
    pub frames: Vec<FrameFigures>,
    /// Rates over the last second, or since the motion began; `None` before there are any.
    pub rates: Option<Rates>,
}

impl History {
    /// Median and 95th percentile of one time of each step; `None` without a step.
    pub fn spread(&self, of: fn(&FrameFigures) -> u64) -> Option<Spread> {
        Spread::of(self.frames.iter().map(of).collect())
    }
}
