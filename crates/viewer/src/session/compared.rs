//! An algorithm that searches the same boxes as the running one, to be compared with it.

use super::contender::Contender;
use super::history::HISTORY_STEPS;
use broadphase::registry::Algorithm;
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

/// The recent figures of a compared algorithm.
#[derive(Clone, Debug)]
pub struct ComparedFigures {
    /// The algorithm.
    pub row: &'static Algorithm,
    /// Its last steps, oldest first; at most [`HISTORY_STEPS`].
    pub times: Vec<SearchTime>,
    /// Pairs of objects that it examined in the last step.
    pub tests: u64,
    /// Bytes that it holds.
    pub heap_bytes: u64,
}

/// A contender with its recent times.
pub(super) struct Compared {
    contender: Contender,
    times: VecDeque<SearchTime>,
}

impl Compared {
    pub(super) fn new(contender: Contender) -> Self {
        Self { contender, times: VecDeque::with_capacity(HISTORY_STEPS) }
    }

    pub(super) fn contender(&self) -> &Contender {
        &self.contender
    }

    pub(super) fn contender_mut(&mut self) -> &mut Contender {
        &mut self.contender
    }

    /// Swaps this algorithm with the running one, and forgets its times.
    pub(super) fn change_places(&mut self, running: &mut Contender) {
        std::mem::swap(&mut self.contender, running);
        self.times.clear();
    }

    /// Keeps the times of the last search, which was that of `step`.
    pub(super) fn keep_time(&mut self, step: u64) {
        if self.times.len() == HISTORY_STEPS {
            self.times.pop_front();
        }
        let last = self.contender.last();
        let (update_ns, pairs_ns) = (last.update_ns, last.pairs_ns);
        self.times.push_back(SearchTime { step, update_ns, pairs_ns });
    }

    /// Forgets the times of the steps after `step`.
    pub(super) fn step_back(&mut self, step: u64) {
        while self.times.back().is_some_and(|kept| kept.step > step) {
            self.times.pop_back();
        }
    }

    pub(super) fn figures(&self) -> ComparedFigures {
        let structure = self.contender.structure();
        ComparedFigures {
            row: self.contender.row(),
            times: self.times.iter().copied().collect(),
            tests: structure.counters().tests,
            heap_bytes: structure.heap_bytes() as u64,
        }
    }
}
