//! Memory of a structure: its bytes, and the return of what a burst of work took.
//!
//! A list keeps its memory for the next frame, so that steady frames hardly ever allocate. After a burst it would keep
//! that of the burst for ever. So all lists of a structure are shrunk once its frames have long needed far less
//! than an earlier one ([`Upkeep`]).

use crate::Pair;
use rustc_hash::FxBuildHasher;

/// Frames in a window. Memory of a burst is given back after at most two windows.
const FRAMES_PER_WINDOW: u32 = 48;

/// Memory is given back once a frame has needed more than this many times the most that any frame of a window needs.
const BURST: usize = 4;

/// Smaller needs count as this many: they are not worth a return.
const MIN_NEED: usize = 1024;

/// Bytes that a list keeps in any case: its need may grow a little later.
const MIN_KEPT: usize = 2 << 10;

/// A structure with memory that it keeps from frame to frame.
pub(crate) trait Memory {
    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Gives back what the last frame did not use, or scratch as a whole. It is called between two frames.
    fn trim(&mut self) {}
}

/// Implements [`Memory`] by that of some fields. The others have none.
macro_rules! memory {
    ($type:ident $(<$($t:ident $(: $bound:path)?),+>)?: $($field:tt),+) => {
        impl $(<$($t $(: $bound)?),+>)? $crate::memory::Memory for $type $(<$($t),+>)? {
            fn heap_bytes(&self) -> usize {
                [$($crate::memory::Memory::heap_bytes(&self.$field)),+].into_iter().sum()
            }

            fn trim(&mut self) {
                $($crate::memory::Memory::trim(&mut self.$field);)+
            }
        }
    };
}
pub(crate) use memory;

/// Implements [`Memory`] by that of all fields with memory, for scratch that is dropped to give memory back.
macro_rules! scratch_memory {
    ($type:ident: $($field:tt),+) => {
        impl $crate::memory::Memory for $type {
            fn heap_bytes(&self) -> usize {
                [$($crate::memory::Memory::heap_bytes(&self.$field)),+].into_iter().sum()
            }

            fn trim(&mut self) {
                *self = Self::default();
            }
        }
    };
}
pub(crate) use scratch_memory;

/// A list of elements without memory of their own.
impl<T> Memory for Vec<T> {
    fn heap_bytes(&self) -> usize {
        const { assert!(!std::mem::needs_drop::<T>()) }
        self.capacity() * size_of::<T>()
    }

    fn trim(&mut self) {
        self.shrink_to(2 * self.len() + MIN_KEPT / size_of::<T>());
    }
}

impl<T: Memory, const N: usize> Memory for [T; N] {
    fn heap_bytes(&self) -> usize {
        self.iter().map(T::heap_bytes).sum()
    }

    fn trim(&mut self) {
        self.iter_mut().for_each(T::trim);
    }
}

impl<T: Memory> Memory for Option<T> {
    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, T::heap_bytes)
    }

    fn trim(&mut self) {
        self.iter_mut().for_each(T::trim);
    }
}

impl Memory for hashbrown::HashSet<Pair, FxBuildHasher> {
    fn heap_bytes(&self) -> usize {
        self.allocation_size()
    }

    fn trim(&mut self) {
        self.shrink_to(2 * self.len() + MIN_KEPT / size_of::<Pair>());
    }
}

impl Memory for hashbrown::HashMap<u64, u32, FxBuildHasher> {
    fn heap_bytes(&self) -> usize {
        self.allocation_size()
    }

    fn trim(&mut self) {
        self.shrink_to(2 * self.len() + MIN_KEPT / size_of::<(u64, u32)>());
    }
}

/// Scratch of a task that counts only.
impl Memory for u64 {}

/// Scratch of a task that has none.
impl Memory for () {}

/// The needs of a structure's frames: whether a burst is over. A need is a number of elements that grows with the memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Upkeep {
    /// Frames of this window, and the most that any of them needed.
    frames: u32,
    recent: usize,
    /// The most that any frame needed since the last return.
    most: usize,
}

impl Upkeep {
    /// Counts a frame, by what it needed. True where memory is to be given back.
    pub(crate) fn advance(&mut self, need: usize) -> bool {
        self.recent = self.recent.max(need).max(MIN_NEED);
        self.most = self.most.max(need);
        self.frames += 1;
        if self.frames < FRAMES_PER_WINDOW {
            return false;
        }
        let (recent, most) = (std::mem::take(&mut self.recent), self.most);
        self.frames = 0;
        if most > BURST * recent {
            self.most = recent;
        }
        most > BURST * recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames in which memory is given back.
    fn returns(frames: usize, need: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut upkeep = Upkeep::default();
        (0..frames).filter(|frame| upkeep.advance(need(*frame))).collect()
    }

    #[test]
    fn memory_of_a_burst_is_returned_within_two_windows() {
        for start in 0..50 {
            let is_burst = |frame: usize| (start..start + 5).contains(&frame);
            let frames = returns(600, |frame| if is_burst(frame) { 1_000_000 } else { 5_000 });
            assert_eq!(frames.len(), 1, "burst in frame {start}");
            assert!((start + 5..start + 100).contains(&frames[0]), "{frames:?} after {start}");
        }
    }

    #[test]
    fn needs_that_oscillate_cause_no_return() {
        for period in [2, 3, 7, 40] {
            let need = |frame: usize| if frame.is_multiple_of(period) { 900_000 } else { 9_000 };
            assert_eq!(returns(2_000, need), [], "period {period}");
        }
        assert_eq!(returns(2_000, |frame| 1_000 + frame % 2_000), []);
    }
}
