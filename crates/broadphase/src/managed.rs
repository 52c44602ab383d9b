//! What all algorithms of this crate have in common, once: memory, copies and inspection.

use crate::inspect::Inspect;
use crate::memory::{Memory, Upkeep};
use crate::{BroadPhase, Counters, Frame, Pair};

/// A structure that finds pairs. [`Managed`] makes an algorithm of it; the methods are those of [`BroadPhase`].
pub(crate) trait Structure: Memory + Inspect + Clone + Send + Sync + 'static {
    fn update(&mut self, frame: &Frame<'_>);

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>);

    fn counters(&self) -> Counters;

    fn validate(&self, frame: &Frame<'_>);
}

/// An algorithm of this crate: a structure with its account of memory.
#[derive(Clone, Debug, Default)]
pub struct Managed<A> {
    structure: A,
    upkeep: Upkeep,
    /// Pairs of the last search.
    found: usize,
}

impl<A> Managed<A> {
    /// An algorithm.
    pub(crate) fn of(structure: A) -> Self {
        Self { structure, upkeep: Upkeep::default(), found: 0 }
    }

    /// An algorithm, as an entry of the registry creates it.
    pub(crate) fn boxed(structure: A) -> Box<dyn BroadPhase>
    where
        A: Structure,
    {
        Box::new(Self::of(structure))
    }
}

impl<A: Structure> BroadPhase for Managed<A> {
    fn update(&mut self, frame: &Frame<'_>) {
        if self.upkeep.advance(frame.boxes.len() + self.found) {
            self.structure.trim();
        }
        self.structure.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let first = pairs.len();
        self.structure.find_pairs(frame, pairs);
        self.found = pairs.len() - first;
    }

    fn counters(&self) -> Counters {
        self.structure.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.structure.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.structure.validate(frame);
    }

    fn try_clone(&self) -> Option<Box<dyn BroadPhase>> {
        Some(Box::new(self.clone()))
    }

    #[cfg(feature = "families")]
    fn inspect(&self) -> &dyn Inspect {
        &self.structure
    }
}

/// A fault for [`validate`](BroadPhase::validate): a part of its message, and the change of a sound structure.
#[cfg(test)]
pub(crate) type Fault<A> = (&'static str, fn(&mut A));

/// The message of a panic: of a [`validate`](BroadPhase::validate) that sees a planted fault.
#[cfg(test)]
pub(crate) fn panic_of(run: impl FnOnce()) -> String {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("no panic");
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or(panic.downcast().ok().map(|text| *text)).expect("a message")
}
