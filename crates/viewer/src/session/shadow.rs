//! Algorithms that run on the same boxes beside the one that moves the world.

use super::contender::Contender;
use super::history::HISTORY_STEPS;
use broadphase::Algorithm;
use std::collections::VecDeque;

/// Nanoseconds of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchTime {
    /// The step, counted from 1.
    pub step: u64,
    /// Bringing the structure up to date.
    pub update_ns: u64,
    /// Finding the pairs.
    pub pairs_ns: u64,
}

impl SearchTime {
    /// Both together.
    pub fn total_ns(&self) -> u64 {
        self.update_ns + self.pairs_ns
    }
}

/// How one of the algorithms that are compared has fared in the last steps.
#[derive(Clone, Debug)]
pub struct ShadowFigures {
    /// The algorithm.
    pub row: &'static Algorithm,
    /// Its last steps, oldest first, as many as it has been compared for.
    pub times: Vec<SearchTime>,
    /// Pairs of objects that it examined in the last step.
    pub tests: u64,
    /// Bytes that it holds.
    pub heap_bytes: u64,
}

/// A contender whose recent times are kept.
pub(super) struct Shadow {
    pub(super) contender: Contender,
    times: VecDeque<SearchTime>,
}

impl Shadow {
    pub(super) fn new(contender: Contender) -> Self {
        Self { contender, times: VecDeque::with_capacity(HISTORY_STEPS) }
    }

    /// The one that moves the world becomes the shadow, and this one moves the world. Its times as a
    /// shadow begin anew.
    pub(super) fn change_places(&mut self, running: &mut Contender) {
        std::mem::swap(&mut self.contender, running);
        self.times.clear();
    }

    /// Keeps the times of the last search, which was that of `step`.
    pub(super) fn keep(&mut self, step: u64) {
        if self.times.len() == HISTORY_STEPS {
            self.times.pop_front();
        }
        let last = self.contender.last();
        let (update_ns, pairs_ns) = (last.update_ns, last.pairs_ns);
        self.times.push_back(SearchTime { step, update_ns, pairs_ns });
    }

    /// Forgets the steps after one that was stepped back to.
    pub(super) fn take_back(&mut self, step: u64) {
        while self.times.back().is_some_and(|kept| kept.step > step) {
            self.times.pop_back();
        }
    }

    pub(super) fn figures(&self) -> ShadowFigures {
        let structure = self.contender.structure();
        ShadowFigures {
            row: self.contender.row(),
            times: self.times.iter().copied().collect(),
            tests: structure.counters().tests,
            heap_bytes: structure.heap_bytes() as u64,
        }
    }
}
