//! Memory, copies and inspection, once for all algorithms of this crate.

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

/// Asserts that the validation of a structure passes, and that it panics with the message of each fault once that is planted.
#[cfg(test)]
pub(crate) fn assert_faults_are_caught<A>(
    build: impl Fn() -> A,
    validate: impl Fn(&A),
    faults: &[Fault<A>],
) {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    for (expected, spoil) in faults {
        let mut structure = build();
        validate(&structure);
        spoil(&mut structure);
        let panic = catch_unwind(AssertUnwindSafe(|| validate(&structure))).expect_err(expected);
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or(panic.downcast().ok().map(|text| *text)).expect("a message");
        assert!(text.contains(expected), "{text}, not {expected}");
    }
}
