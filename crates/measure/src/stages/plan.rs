//! Which methods are measured, and how.

use super::at_impact::ContactMethod;
use broadphase::registry::Algorithm;
use narrowphase::BoxKind;
use narrowphase::impact::ImpactMethod;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use std::time::Duration;

/// Which methods are measured, and how.
#[derive(Clone, Copy, Debug)]
pub struct StagePlan<'a> {
    /// Finds the candidates of a world; see [`finder`](super::finder).
    pub finder: &'a Algorithm,
    /// Bounding volumes.
    pub volumes: &'a [&'static VolumeKind],
    /// Narrow phases.
    pub narrow_phases: &'a [&'static NarrowPhaseKind],
    /// Times of impact. They are measured where bodies collide continuously, and on random pairs in motion.
    pub impacts: &'a [ImpactMethod],
    /// Whether the relative sweep of the candidates is measured in the same cases.
    pub relative_sweep: bool,
    /// Where bodies touch at their first contacts, measured in the same cases.
    pub contacts: &'a [ContactMethod],
    /// Kinds of boxes: the candidates of each are measured on their own. Random pairs have no boxes.
    pub box_kinds: &'a [BoxKind],
    /// Numbers of threads.
    pub threads: &'a [u32],
    /// Repetitions, each from a fresh start.
    pub repeats: u32,
    /// Seed of the order of box kinds, numbers of threads and methods, which is drawn for every second frame.
    pub order_seed: u64,
    /// Time that a method may take for all its frames, its checks included. What all methods share (motion,
    /// candidates, reference) may take as much.
    pub budget: Option<Duration>,
    /// Bytes that the case may take.
    pub memory_limit: u64,
}

impl StagePlan<'_> {
    pub(super) fn budget_ns(&self) -> Option<u64> {
        self.budget.map(|budget| u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX))
    }
}
