//! The timed phases of a search.

use std::ops::{AddAssign, Index};

/// A timed phase of an algorithm's search of one frame. Tables, charts and the window show all of them, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPhase {
    /// [`BroadPhase::update`](broadphase::BroadPhase::update): the structure is brought up to date.
    Update,
    /// [`BroadPhase::find_pairs`](broadphase::BroadPhase::find_pairs).
    Pairs,
}

impl SearchPhase {
    /// All phases, in their order.
    pub const ALL: [Self; 2] = [Self::Update, Self::Pairs];

    /// Its name in tables and charts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Pairs => "pairs",
        }
    }
}

/// Nanoseconds of each phase of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTimes([u64; SearchPhase::ALL.len()]);

impl PhaseTimes {
    /// Nanoseconds in the order of [`SearchPhase::ALL`].
    pub const fn new(ns: [u64; SearchPhase::ALL.len()]) -> Self {
        Self(ns)
    }

    /// All phases together: what the algorithm itself took.
    pub fn total_ns(&self) -> u64 {
        self.0.iter().fold(0, |sum, ns| sum.saturating_add(*ns))
    }

    /// Each phase with its nanoseconds.
    pub fn iter(&self) -> impl Iterator<Item = (SearchPhase, u64)> + use<> {
        SearchPhase::ALL.into_iter().zip(self.0)
    }
}

impl Index<SearchPhase> for PhaseTimes {
    type Output = u64;

    fn index(&self, phase: SearchPhase) -> &u64 {
        &self.0[phase as usize]
    }
}

/// Adds each phase; a sum stops at the largest number, as rows of a file may hold any.
impl AddAssign for PhaseTimes {
    fn add_assign(&mut self, other: Self) {
        for (sum, ns) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(ns);
        }
    }
}
