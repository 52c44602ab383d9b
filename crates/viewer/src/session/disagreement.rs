//! Two algorithms that find different pairs.

use broadphase::benchmark::{Difference, PairFault, check_pairs};
use broadphase::registry::Algorithm;
use broadphase::{Frame, Pair};
use std::fmt;

/// The first pair on which the running algorithm and a compared one differ.
#[derive(Clone, Copy, Debug)]
pub struct Disagreement {
    /// The step, counted from 1.
    pub step: u64,
    /// The algorithm that is wrong.
    pub wrong: &'static Algorithm,
    /// The algorithm that it was compared with.
    pub other: &'static Algorithm,
    /// What is wrong with its pairs.
    pub fault: PairFault,
}

impl Disagreement {
    /// Compares two sorted lists of the same frame; `None` if they are equal.
    ///
    /// The boxes decide which of the two is wrong.
    pub(super) fn between(
        running: (&'static Algorithm, &[Pair]),
        compared: (&'static Algorithm, &[Pair]),
        frame: &Frame<'_>,
        step: u64,
    ) -> Option<Self> {
        if running.1 == compared.1 {
            return None;
        }
        let of = |wrong: &'static Algorithm, other, fault| Self { step, wrong, other, fault };
        if let Err(fault) = check_pairs(frame, running.1) {
            return Some(of(running.0, compared.0, fault));
        }
        if let Err(fault) = check_pairs(frame, compared.1) {
            return Some(of(compared.0, running.0, fault));
        }
        // All pairs of both overlap, so that one list lacks a pair of the other.
        Some(match Difference::between(running.1, compared.1)?.first() {
            PairFault::Extra(pair) => of(running.0, compared.0, PairFault::Missing(pair)),
            fault => of(compared.0, running.0, fault),
        })
    }

    /// The pair itself.
    pub fn pair(&self) -> Pair {
        self.fault.pair()
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, wrong, other, fault } = self;
        write!(f, "step {step}: {} is wrong: {fault} (compared with {})", wrong.name, other.name)
    }
}
