//! A wrong answer about a pair of bodies.

use broadphase::Pair;
use sim::stages::WrongAnswer;
use std::fmt;

/// The first wrong answer of a method that must not give any.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFault {
    /// The step, counted from 1.
    pub step: u64,
    /// The method that answered, with its id: "the narrow phase GJK (gjk)".
    pub method: String,
    /// The answer, and what the reference knows.
    pub wrong: WrongAnswer,
}

impl StageFault {
    /// The bodies.
    pub fn pair(&self) -> Pair {
        self.wrong.pair
    }
}

/// What is wrong in plain words, with the pair and both answers.
impl fmt::Display for StageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, method, wrong } = self;
        let Pair { a, b } = wrong.pair;
        write!(f, "step {step}: {method} is wrong about the bodies {a} and {b}: {wrong}")
    }
}
