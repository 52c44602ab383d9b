//! Limits of a search: a stop flag, and a bound on its pairs.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes that are left for all else of the process: the stacks and lists of threads that begin meanwhile.
const RESERVE: usize = 48 << 20;

/// Bytes that are taken to be there.
const UNCHECKED_BYTES: usize = 1 << 20;

/// A bound on the number of pairs of one frame, or of another search. All tasks of the search count in it.
#[derive(Debug)]
pub struct PairLimit {
    most: usize,
    found: AtomicUsize,
}

impl PairLimit {
    /// Maximum bytes that an algorithm of this crate and its list of pairs take of each pair, while the lists grow: to derive
    /// a bound from the memory there is. The worst case is a crowd at a corner of eight regions, whose tasks all find each
    /// pair. Measured, the list aside: at most 275 bytes there, 16 to 128 elsewhere (the test `memory`).
    pub const BYTES_PER_PAIR: usize = 320;

    /// A bound of `most` pairs, for one frame.
    pub const fn new(most: usize) -> Self {
        Self { most, found: AtomicUsize::new(0) }
    }

    /// A bound of at most `most` pairs, or other results, for which memory can be reserved now: `bytes_each` for each, and
    /// `bytes` besides, of which `held` are reserved already. `None` if there is not even room for `bytes`.
    ///
    /// It tries to reserve, and gives back at once: a few microseconds, where it is more than a megabyte. A system that promises more memory than it has
    /// (overcommitment) does so here, too.
    pub fn fitting(most: usize, bytes_each: usize, bytes: usize, held: usize) -> Option<Self> {
        let all = most.saturating_mul(bytes_each).saturating_add(bytes);
        if all < UNCHECKED_BYTES {
            return Some(Self::new(most));
        }
        let fits = |most: usize| {
            let all = most.saturating_mul(bytes_each).saturating_add(bytes).saturating_sub(held);
            let mut room = Vec::<u8>::new();
            let is_reserved = room.try_reserve_exact(all.saturating_add(RESERVE)).is_ok();
            // Otherwise the compiler may leave out a list that is not used.
            black_box(&room);
            is_reserved
        };
        let mut fitting = most;
        while !fits(fitting) {
            if fitting == 0 {
                return None;
            }
            fitting /= 2;
        }
        // Closer, up to an eighth.
        for part in [2, 4, 8].map(|part| fitting / part) {
            let more = most.min(fitting + part);
            fitting = if more > fitting && fits(more) { more } else { fitting };
        }
        Some(Self::new(fitting))
    }

    /// The bound.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Whether more pairs than the bound were found. The list of pairs is then incomplete.
    pub fn is_exceeded(&self) -> bool {
        self.found.load(Ordering::Relaxed) > self.most
    }
}

/// When a search ends early: the caller sets a flag, or more pairs are found than it allows. Without limits by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    stop: Option<&'a AtomicBool>,
    pairs: Option<&'a PairLimit>,
}

impl<'a> Limits<'a> {
    /// No limits.
    pub const NONE: Self = Self { stop: None, pairs: None };

    /// These limits with a stop flag.
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// These limits with a bound on the number of pairs.
    #[must_use]
    pub fn most_pairs(self, pairs: &'a PairLimit) -> Self {
        Self { pairs: Some(pairs), ..self }
    }

    /// These limits with another bound, if there is one: for pairs that are not those of the caller.
    pub(crate) fn bounded_apart(self, apart: &'a PairLimit) -> Self {
        Self { pairs: self.pairs.map(|_| apart), ..self }
    }

    /// The most pairs that are allowed.
    pub(crate) fn most(&self) -> usize {
        self.pairs.map_or(usize::MAX, PairLimit::most)
    }

    /// Whether the search is to end early.
    ///
    /// A long search checks this every few milliseconds. Pairs may then be missing, and the caller must not use them. A
    /// structure that is kept for later frames stays valid.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        // They guard no other data, so that relaxed loads are enough.
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.pairs.is_some_and(PairLimit::is_exceeded)
    }

    /// Counts pairs that a search has appended. Returns whether they are too many: the search is to append no more.
    #[inline]
    pub fn count(&self, pairs: usize) -> bool {
        self.pairs.is_some_and(|limit| {
            limit.found.fetch_add(pairs, Ordering::Relaxed).saturating_add(pairs) > limit.most
        })
    }
}
