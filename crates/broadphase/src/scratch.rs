//! Scratch memory that is reused from frame to frame.

use crate::memory::{Heap, Memory, room};

/// Clears a list for the next frame, with room for half as many elements again as it holds now.
///
/// The number of elements varies a little from frame to frame. With this reserve a list grows only
/// while the scene changes, and a steady frame allocates nothing.
pub(crate) fn renew<T>(list: &mut Vec<T>) {
    renew_for(list, list.len());
}

/// As [`renew`], for a list that is filled several times a frame, with at most `len` elements in the
/// last one.
pub(crate) fn renew_for<T>(list: &mut Vec<T>, len: usize) {
    let wanted = len + len / 2 + 64;
    list.clear();
    if list.capacity() < wanted {
        // Twice as much, so that the next small growth does not allocate again.
        list.reserve(2 * wanted);
    }
}

/// The most elements that any task of a search has needed in a list.
///
/// The share of each task changes as the objects move. Every task reserves what any task has needed,
/// so that a steady frame allocates nothing however the work is divided. The reserve is bounded:
/// otherwise every task would hold the memory of the most crowded one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SharedRoom(usize);
room!(SharedRoom:);

/// It has no memory itself, and learns again after a return.
impl Memory for SharedRoom {
    fn heap(&self) -> Heap {
        Heap::default()
    }

    fn trim(&mut self) {
        *self = Self::default();
    }
}

impl SharedRoom {
    /// Most elements that every task reserves because one needed them.
    const BOUND: usize = 1 << 14;

    /// Records the elements that a task has needed.
    pub(crate) fn learn(&mut self, len: usize) {
        self.0 = self.0.max(len.min(Self::BOUND));
    }

    /// The most elements recorded, at most [`BOUND`](Self::BOUND).
    pub(crate) fn elements(self) -> usize {
        self.0
    }

    /// As [`renew_for`], for the larger of `len` and the recorded elements.
    pub(crate) fn renew<T>(self, list: &mut Vec<T>, len: usize) {
        renew_for(list, len.max(self.elements()));
    }
}

/// Resizes a list of one element for each object, or another length that seldom changes; where it has to be reallocated, with room for a sixteenth
/// more.
pub(crate) fn resize_roomy<T: Clone>(list: &mut Vec<T>, len: usize, fill: T) {
    if list.capacity() < len {
        list.reserve_exact(len + len / 16 + 64 - list.len());
    }
    list.resize(len, fill);
}

/// Clears a list that is filled with at most `len` elements; where it has to be reallocated, with room for a
/// quarter more.
pub(crate) fn clear_for<T>(list: &mut Vec<T>, len: usize) {
    list.clear();
    if list.capacity() < len {
        replace(list, len + len / 4);
    }
}

/// Empties a list and allocates it again. The old memory is freed first; a reallocation would hold both.
pub(crate) fn replace<T>(list: &mut Vec<T>, len: usize) {
    *list = Vec::new();
    list.reserve_exact(len);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_share_the_largest_need_up_to_a_bound() {
        let mut room = SharedRoom::default();
        room.learn(1000);
        room.learn(10);
        let mut list = vec![0; 3];
        room.renew(&mut list, 3);
        assert!(list.is_empty() && list.capacity() >= 1500);
        room.learn(usize::MAX);
        room.renew(&mut list, 3);
        assert!((SharedRoom::BOUND..5 * SharedRoom::BOUND).contains(&list.capacity()));
    }

    #[test]
    fn list_that_varies_by_a_third_is_not_reallocated() {
        let mut list = vec![0; 1000];
        renew(&mut list);
        let room = list.capacity();
        for len in [1300, 700, 1333, 1000, 1400] {
            list.resize(len, 0);
            renew(&mut list);
        }
        assert_eq!((list.len(), list.capacity()), (0, room));
    }
}
