//! Numbered lists, all in one array.

use crate::memory::memory;
use std::ops::Range;

/// Items of numbered lists: the objects of cells or leaves. Rebuilt every frame in the same memory, by a
/// counting sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists<T> {
    /// List and item, in the order of [`push`](Self::push).
    listings: Vec<(u32, T)>,
    /// Start of each list in `items`, then the end of the last one.
    starts: Vec<u32>,
    /// Items of list 0, of list 1 and so on, each in the order of [`push`](Self::push).
    items: Vec<T>,
}

memory!(Lists<T>: listings, starts, items);

impl<T: Copy + Default> Lists<T> {
    /// Begins a frame.
    pub(crate) fn clear(&mut self) {
        self.listings.clear();
    }

    /// Adds an item to a list.
    #[inline]
    pub(crate) fn push(&mut self, list: u32, item: T) {
        self.listings.push((list, item));
    }

    /// Number of items added since [`clear`](Self::clear).
    pub(crate) fn pushed(&self) -> usize {
        self.listings.len()
    }

    /// Distributes the added items to `lists` lists: a counting sort. Later frames of up to `room` lists
    /// do not allocate.
    pub(crate) fn sort(&mut self, lists: usize, room: usize) {
        let listings =
            u32::try_from(self.listings.len()).expect("more listings than 32 bits count");
        // `starts[list + 2]` counts the items of a list. The prefix sum makes `starts[list + 1]` the place
        // of its next item, which ends as the start of the list after it.
        self.starts.clear();
        if self.starts.capacity() < lists + 2 {
            self.starts.reserve((lists + 2).max(room));
        }
        self.starts.resize(lists + 2, 0);
        for (list, _) in &self.listings {
            self.starts[*list as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        debug_assert_eq!(sum, listings);
        self.items.clear();
        self.items.resize(self.listings.len(), T::default());
        for (list, item) in &self.listings {
            let next = &mut self.starts[*list as usize + 1];
            self.items[*next as usize] = *item;
            *next += 1;
        }
        self.starts.pop();
    }

    /// Number of lists, empty ones included.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Start of each list among all [items](Self::items).
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts[..self.len()]
    }

    /// Range of consecutive lists among all [items](Self::items).
    #[inline]
    pub(crate) fn run(&self, lists: Range<usize>) -> Range<usize> {
        self.starts[lists.start] as usize..self.starts[lists.end] as usize
    }

    /// Items of a list.
    pub(crate) fn list(&self, list: usize) -> &[T] {
        &self.items[self.run(list..list + 1)]
    }

    /// The lists, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|list| self.list(list))
    }

    /// Items of all lists, list by list.
    #[inline]
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// For tests that plant a fault.
    #[cfg(test)]
    pub(crate) fn items_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// Panics unless the lists are in order and cover all items.
    pub(crate) fn validate(&self) {
        assert!(self.starts.is_sorted(), "a list ends before it starts");
        let end = self.starts.last().copied().unwrap_or(0);
        assert_eq!(end as usize, self.items.len(), "the lists do not cover all items");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_their_pushes() {
        let mut lists = Lists::default();
        assert_eq!((lists.len(), lists.iter().count()), (0, 0));
        for frame in 0..3 {
            lists.clear();
            for (list, item) in [(3, 7), (1, 9), (3, 2), (1, 5), (3, frame)] {
                lists.push(list, item);
            }
            lists.sort(5, 0);
            lists.validate();
            let found: Vec<_> = lists.iter().map(<[u32]>::to_vec).collect();
            assert_eq!(found, [vec![], vec![9, 5], vec![], vec![7, 2, frame], vec![]]);
            assert_eq!((lists.run(1..4), lists.starts()), (0..5, &[0, 0, 2, 2, 5][..]));
        }
        lists.clear();
        lists.sort(0, 0);
        lists.validate();
        assert_eq!((lists.len(), lists.items().len()), (0, 0));
    }

    #[test]
    #[should_panic(expected = "do not cover")]
    fn validate_catches_a_list_that_is_too_short() {
        let mut lists = Lists::default();
        lists.push(0, 1);
        lists.sort(1, 0);
        lists.items_mut().push(2);
        lists.validate();
    }
}
