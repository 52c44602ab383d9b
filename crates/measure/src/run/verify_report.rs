//! The plan of a verification, and its result.

use crate::play::Problem;
use crate::process::Clock;
use crate::stages::{Method, VerifiedBodies};
use broadphase::registry::Algorithm;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The algorithms to verify, and the reference they are compared with.
#[derive(Clone, Copy)]
pub struct VerifyPlan<'a> {
    /// The algorithm that is right: brute force.
    pub reference: &'a Algorithm,
    /// The algorithms to verify; the reference among them is passed over.
    pub algorithms: &'a [&'a Algorithm],
    /// The methods to verify on pairs of bodies.
    pub methods: &'a [Method],
    /// Numbers of threads; everything is done on each.
    pub threads: &'a [u32],
    /// Time that an algorithm may take on one number of threads, its checks included; and once more what all share:
    /// motion, the reference, the methods of bodies.
    pub budget: Option<Duration>,
    /// The clock of the budget.
    pub clock: &'a dyn Clock,
    /// Bytes that an algorithm may take.
    pub memory_limit: u64,
    /// Ends the verification when it is set.
    pub stop: &'a AtomicBool,
}

impl VerifyPlan<'_> {
    /// Nanoseconds since a reading of the clock.
    pub(super) fn since(&self, start_ns: u64) -> u64 {
        self.clock.now_ns() - start_ns
    }

    /// Whether `spent_ns` is more than the budget.
    pub(super) fn is_late(&self, spent_ns: u64) -> bool {
        self.budget.is_some_and(|budget| u128::from(spent_ns) > budget.as_nanos())
    }
}

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct VerifyReport {
    /// Frames that were compared, on the number of threads with the most.
    pub frames: u32,
    /// Algorithms that were compared.
    pub compared: usize,
    /// Pairs in the reference's lists, counted once for each list compared with them.
    pub pairs_compared: u64,
    /// The verified pairs of bodies, on all numbers of threads.
    pub bodies: VerifiedBodies,
    /// Hash of the world after the last frame; of a trace's checksums, in order.
    pub hash: u64,
    /// Reasons why an algorithm, or the whole case, ended before the last frame: too little memory, or the budget.
    pub skipped: Vec<String>,
    /// Objects that waited within a step of the first such frame.
    pub waiting: Option<String>,
    /// What is wrong; of each algorithm and number of threads at most its first fault, and the first
    /// broken invariant before it.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether no list of any algorithm was compared with the reference's.
    pub fn is_empty(&self) -> bool {
        self.compared == 0 || self.frames == 0
    }
}

/// A fault of an algorithm, or of a method of a stage after it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{algorithm} on {threads} thread(s), frame {frame}: {problem}")]
pub struct Finding {
    /// Id of the algorithm, or of the method.
    pub algorithm: &'static str,
    /// Threads that it could use.
    pub threads: u32,
    /// The frame, from 0.
    pub frame: u32,
    /// The fault.
    pub problem: Problem,
}
