//! Memory of a structure: its bytes, and the return of what a burst of work took.
//!
//! A list keeps its memory for the next frame, so that a steady frame allocates nothing. After a burst it would keep
//! that of the burst for ever. So each algorithm is checked every few frames: where it has held far more than it
//! used for a whole window of frames, all its lists give the excess back ([`tend`]).

use crate::Pair;
use rustc_hash::FxBuildHasher;
use std::iter::Sum;

/// Frames between two checks. A check reads the length of each list: every fourth frame, it took 4 % of a frame of 300
/// objects. With fewer checks, single frames of a periodic need are missed.
const FRAMES_PER_CHECK: u32 = 5;

/// Checks in a window. A burst leaves a window after at most two of them: 80 frames.
const CHECKS_PER_WINDOW: u32 = 8;

/// Memory is given back where this many times the used bytes are held. Lists have up to three times their need just
/// after they grew, and the work of a task varies by a factor of two in a steady scene. A fresh instance holds 1.5 times
/// what it uses, or more: so at most four times as much as that stays.
const EXCESS: usize = 6;

/// Most windows in which nothing is given back: 40,960 frames.
const MAX_PATIENCE: u32 = 1 << 10;

/// Bytes that count as used in any case. Room that is made for later frames does not shrink with the scene.
const MIN_USED: usize = 64 << 10;

/// Bytes that a list keeps in any case: its need may grow a little later.
const MIN_KEPT: usize = 2 << 10;

/// Bytes on the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heap {
    /// Allocated bytes.
    pub(crate) held: usize,
    /// Bytes of them that the last frame used.
    pub(crate) used: usize,
}

impl Heap {
    /// A part that no recent frame has used.
    pub(crate) fn idle(self) -> Self {
        Self { used: 0, ..self }
    }
}

impl std::ops::Add for Heap {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { held: self.held + other.held, used: self.used + other.used }
    }
}

impl Sum for Heap {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, heap| sum + heap)
    }
}

/// A structure with memory that it keeps from frame to frame.
pub(crate) trait Memory: Room {
    /// Its bytes.
    fn heap(&self) -> Heap;

    /// Gives back what the last frame did not use. It is called between two frames: scratch may be lost, and a
    /// structure that is rebuilt in the next frame.
    fn trim(&mut self);
}

/// The room of a copy. A clone has less memory than its original, and so would give it back in other frames.
pub(crate) trait Room {
    /// Makes room in a clone for as much as the original has room for.
    fn reserve_as(&mut self, original: &Self);
}

/// A copy that holds as many bytes as the original, and so finds, counts and holds the same in all later frames.
pub(crate) fn copy<A: Clone + Room>(original: &A) -> A {
    let mut copy = original.clone();
    copy.reserve_as(original);
    copy
}

/// Implements [`Room`] by that of some fields. The others have none.
macro_rules! room {
    ($type:ident $(<$t:ident>)?: $($field:tt),*) => {
        impl $(<$t>)? $crate::memory::Room for $type $(<$t>)? {
            fn reserve_as(&mut self, _original: &Self) {
                $($crate::memory::Room::reserve_as(&mut self.$field, &_original.$field);)*
            }
        }
    };
}
pub(crate) use room;

/// Implements [`Memory`] and [`Room`] by those of some fields. The others have none.
macro_rules! memory {
    ($type:ident $(<$t:ident>)?: $($field:tt),+) => {
        $crate::memory::room!($type $(<$t>)?: $($field),+);

        impl $(<$t>)? $crate::memory::Memory for $type $(<$t>)? {
            fn heap(&self) -> $crate::memory::Heap {
                [$($crate::memory::Memory::heap(&self.$field)),+].into_iter().sum()
            }

            fn trim(&mut self) {
                $($crate::memory::Memory::trim(&mut self.$field);)+
            }
        }
    };
}
pub(crate) use memory;

impl<T> Room for Vec<T> {
    fn reserve_as(&mut self, original: &Self) {
        self.reserve_exact(original.capacity() - self.len());
    }
}

/// A list of elements without memory of their own.
impl<T> Memory for Vec<T> {
    fn heap(&self) -> Heap {
        const { assert!(!std::mem::needs_drop::<T>()) }
        Heap { held: self.capacity() * size_of::<T>(), used: self.len() * size_of::<T>() }
    }

    fn trim(&mut self) {
        // Lists are renewed with half as much again: the next frame does not allocate.
        self.shrink_to(2 * self.len() + MIN_KEPT / size_of::<T>());
    }
}

impl<T: Room, const N: usize> Room for [T; N] {
    fn reserve_as(&mut self, original: &Self) {
        self.iter_mut().zip(original).for_each(|(copy, original)| copy.reserve_as(original));
    }
}

impl<T: Memory, const N: usize> Memory for [T; N] {
    fn heap(&self) -> Heap {
        self.iter().map(T::heap).sum()
    }

    fn trim(&mut self) {
        self.iter_mut().for_each(T::trim);
    }
}

impl<T: Room> Room for Option<T> {
    fn reserve_as(&mut self, original: &Self) {
        self.iter_mut().zip(original).for_each(|(copy, original)| copy.reserve_as(original));
    }
}

impl<T: Memory> Memory for Option<T> {
    fn heap(&self) -> Heap {
        self.iter().map(T::heap).sum()
    }

    fn trim(&mut self) {
        self.iter_mut().for_each(T::trim);
    }
}

/// A clone of a table has its size.
impl Room for hashbrown::HashSet<Pair, FxBuildHasher> {
    fn reserve_as(&mut self, _: &Self) {}
}

/// A table that is at least half empty.
impl Memory for hashbrown::HashSet<Pair, FxBuildHasher> {
    fn heap(&self) -> Heap {
        let used = 2 * self.len() * (size_of::<Pair>() + 1);
        Heap { held: self.allocation_size(), used: used.min(self.allocation_size()) }
    }

    fn trim(&mut self) {
        self.shrink_to(2 * self.len() + MIN_KEPT / size_of::<Pair>());
    }
}

/// A clone of a table has its size.
impl Room for hashbrown::HashMap<u64, u32, FxBuildHasher> {
    fn reserve_as(&mut self, _: &Self) {}
}

/// A table that is at least half empty.
impl Memory for hashbrown::HashMap<u64, u32, FxBuildHasher> {
    fn heap(&self) -> Heap {
        let used = 2 * self.len() * (size_of::<(u64, u32)>() + 1);
        Heap { held: self.allocation_size(), used: used.min(self.allocation_size()) }
    }

    fn trim(&mut self) {
        self.shrink_to(2 * self.len() + MIN_KEPT / size_of::<(u64, u32)>());
    }
}

room!(u64:);

/// Scratch of a task that counts only.
impl Memory for u64 {
    fn heap(&self) -> Heap {
        Heap::default()
    }

    fn trim(&mut self) {}
}

impl Room for () {
    fn reserve_as(&mut self, (): &Self) {}
}

/// Scratch of a task that has none.
impl Memory for () {
    fn heap(&self) -> Heap {
        Heap::default()
    }

    fn trim(&mut self) {}
}

/// Bytes of a list whose elements have memory of their own, of which the first `used` are in use. These count as equally
/// used: the work of each task changes from frame to frame, and all have room for the largest.
pub(crate) fn heap_of_all<T: Memory>(list: &Vec<T>, used: usize) -> Heap {
    let own = Heap { held: list.capacity() * size_of::<T>(), used: used * size_of::<T>() };
    let (in_use, others) = list.split_at(used.min(list.len()));
    let (mut sum, mut most) = (own, 0);
    for heap in in_use.iter().map(T::heap) {
        (sum.held, most) = (sum.held + heap.held, most.max(heap.used));
    }
    sum.used = sum.held.min(sum.used + most * in_use.len());
    sum + others.iter().map(|other| other.heap().idle()).sum()
}

/// Makes room in the clone of such a list, and in its elements.
pub(crate) fn reserve_all_as<T: Room>(copy: &mut Vec<T>, original: &Vec<T>) {
    copy.reserve_as(original);
    copy.iter_mut().zip(original).for_each(|(copy, original)| copy.reserve_as(original));
}

/// Drops the elements of such a list that are not in use, and trims the others.
pub(crate) fn trim_all<T: Memory>(list: &mut Vec<T>, used: usize) {
    list.truncate(used);
    list.shrink_to_fit();
    list.iter_mut().for_each(T::trim);
}

/// Allocated bytes of a structure.
pub(crate) fn held(all: &impl Memory) -> usize {
    all.heap().held
}

/// The account of an algorithm's memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Upkeep {
    frames: u32,
    /// Most bytes used in this window.
    used: usize,
    /// Whether memory was given back at the end of the last window.
    is_trimmed: bool,
    /// Windows after a return that did not last, in which nothing is given back, and how many of them are left.
    patience: u32,
    left: u32,
}

impl Upkeep {
    /// Whether memory is to be given back.
    ///
    /// If memory grew back within a window, `used` misses a need, or a burst has begun again. Then the next return waits for
    /// a window, and for twice as many each time that this happens again: needs that oscillate do not reallocate again and again.
    fn is_excess(&mut self, heap: Heap) -> bool {
        self.used = self.used.max(heap.used);
        if !self.frames.is_multiple_of(FRAMES_PER_CHECK * CHECKS_PER_WINDOW) {
            return false;
        }
        let used = std::mem::take(&mut self.used).max(MIN_USED);
        let is_excess = heap.held > EXCESS * used;
        if std::mem::take(&mut self.is_trimmed) {
            self.patience = if is_excess { (2 * self.patience).clamp(1, MAX_PATIENCE) } else { 0 };
            self.left = self.patience;
        }
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.is_trimmed = is_excess;
        is_excess
    }
}

/// Begins a frame of a structure. Where it has held far more than it used for a window
/// of frames, it gives the excess back.
pub(crate) fn tend<A: Memory>(all: &mut A, upkeep: impl Fn(&mut A) -> &mut Upkeep) {
    let frames = &mut upkeep(all).frames;
    *frames = frames.wrapping_add(1);
    if !frames.is_multiple_of(FRAMES_PER_CHECK) {
        return;
    }
    let heap = all.heap();
    if upkeep(all).is_excess(heap) {
        all.trim();
    }
}

/// Whether a part that was last used some frames ago counts as unused.
pub(crate) fn is_idle(frames: u32) -> bool {
    frames > FRAMES_PER_CHECK * CHECKS_PER_WINDOW
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list, and its account.
    #[derive(Default)]
    struct One {
        list: Vec<u64>,
        upkeep: Upkeep,
    }

    memory!(One: list);

    impl One {
        /// A frame that needs some elements. Returns whether the list was reallocated.
        fn frame(&mut self, need: usize) -> bool {
            let before = self.list.capacity();
            tend(self, |one| &mut one.upkeep);
            self.list.clear();
            self.list.resize(need, 0);
            self.list.capacity() != before
        }
    }

    #[test]
    fn memory_of_a_burst_is_returned_within_120_frames() {
        for start in 0..50 {
            let mut one = One::default();
            (0..start).for_each(|_| _ = one.frame(5_000));
            (0..5).for_each(|_| _ = one.frame(1_000_000));
            (0..119).for_each(|_| _ = one.frame(5_000));
            assert!(one.list.capacity() <= 4 * 5_000, "burst after {start} frames");
            assert!((0..500).all(|_| !one.frame(5_000)), "a steady frame allocates");
        }
    }

    #[test]
    fn memory_of_a_second_burst_is_returned_as_well() {
        for second in 11..200 {
            let mut one = One::default();
            let is_burst = |frame: usize| frame == 10 || frame == second;
            for frame in 0..second + 120 {
                one.frame(if is_burst(frame) { 1_000_000 } else { 5_000 });
            }
            assert!(one.list.capacity() <= 4 * 5_000, "second burst in frame {second}");
        }
    }

    #[test]
    fn needs_that_oscillate_are_not_reallocated() {
        for period in [2, 3, 4, 7, 8] {
            let mut one = One::default();
            let mut need =
                |frame: usize| one.frame(if frame.is_multiple_of(period) { 900_000 } else { 900 });
            let reallocated = (0..2_000).filter(|frame| need(*frame)).count();
            assert!(reallocated <= 5, "period {period}: {reallocated} frames");
        }
    }
}
