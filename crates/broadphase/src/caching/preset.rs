//! Algorithms that answer from a cache, by the caches that they use.

use super::{Caches, Caching};
use crate::inspect::Inspect;
use crate::managed::Structure;
use crate::memory::memory;
use crate::{Counters, Frame, Pair};
use std::fmt::Debug;
use std::marker::PhantomData;

/// The caches that an algorithm uses, as a type.
pub trait Preset: Clone + Debug + Send + Sync + 'static {
    /// These caches.
    const CACHES: Caches;
}

/// Caches where that pays.
#[derive(Clone, Debug)]
pub struct WherePays;

impl Preset for WherePays {
    const CACHES: Caches = Caches::Any;
}

/// Caches all objects, in every frame.
#[derive(Clone, Debug)]
pub struct Always;

impl Preset for Always {
    const CACHES: Caches = Caches::Always;
}

/// Caches resting objects only.
#[derive(Clone, Debug)]
pub struct RestingOnly;

impl Preset for RestingOnly {
    const CACHES: Caches = Caches::Resting;
}

/// A cache that is used as a preset states.
#[derive(Clone, Debug)]
pub struct Cached<P>(Caching, PhantomData<P>);

memory!(Cached<P>: 0);

impl<P: Preset> Cached<P> {
    /// A cache without objects, for a value of [`Grid::COLUMNS`](crate::columns::Grid::COLUMNS).
    pub(crate) fn of(columns: usize) -> Self {
        Self(Caching::new(P::CACHES, columns), PhantomData)
    }
}

impl<P: Preset> Default for Cached<P> {
    fn default() -> Self {
        Self::of(0)
    }
}

impl<P: Preset> Structure for Cached<P> {
    fn update(&mut self, frame: &Frame<'_>) {
        self.0.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.0.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.0.counters()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.0.validate(frame);
    }
}

impl<P: Preset> Inspect for Cached<P> {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.0)
    }
}
