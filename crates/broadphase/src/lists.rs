//! Lists by number, all in one array.

use crate::scratch::renew;
use std::ops::Range;

/// What is listed in cells or leaves, which are numbered from 0. Emptied and filled anew every
/// frame; the memory is kept.
#[derive(Debug, Default)]
pub(crate) struct Lists<T> {
    /// Numbers of lists and what is listed there, in the order in which they came.
    listings: Vec<(u32, T)>,
    /// Where each list starts in `items`; one more than lists.
    starts: Vec<u32>,
    /// List by list, in the order in which they came within each.
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Begins a frame.
    pub(crate) fn clear(&mut self) {
        renew(&mut self.listings);
    }

    /// Adds to a list.
    #[inline]
    pub(crate) fn push(&mut self, list: u32, item: T) {
        self.listings.push((list, item));
    }

    /// How many were added since [`clear`](Self::clear).
    pub(crate) fn pushed(&self) -> usize {
        self.listings.len()
    }

    /// Brings what was added into the order of so many lists: a counting sort. There is room for
    /// `room` lists without an allocation in a later frame.
    pub(crate) fn sort(&mut self, lists: usize, room: usize) {
        let listings =
            u32::try_from(self.listings.len()).expect("more listings than 32 bits count");
        // `starts[list + 1]` first counts what is in the list, then, summed up, is where the next of
        // the list goes, and ends as where the list after it starts.
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
        renew(&mut self.items);
        self.items.resize(self.listings.len(), T::default());
        for (list, item) in &self.listings {
            let next = &mut self.starts[*list as usize + 1];
            self.items[*next as usize] = *item;
            *next += 1;
        }
        self.starts.pop();
    }

    /// How many lists there are, empty ones included.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Where the lists start among all [items](Self::items), in the order of the lists.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts[..self.len()]
    }

    /// Where some lists that follow one another stand among all [items](Self::items).
    #[inline]
    pub(crate) fn run(&self, lists: Range<usize>) -> Range<usize> {
        self.starts[lists.start] as usize..self.starts[lists.end] as usize
    }

    /// A list.
    pub(crate) fn list(&self, list: usize) -> &[T] {
        &self.items[self.run(list..list + 1)]
    }

    /// The lists, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|list| self.list(list))
    }

    /// All that is listed, list by list.
    #[inline]
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// For tests that plant a fault.
    #[cfg(test)]
    pub(crate) fn items_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.listings.capacity() * size_of::<(u32, T)>()
            + self.starts.capacity() * size_of::<u32>()
            + self.items.capacity() * size_of::<T>()
    }

    /// Panics unless there are so many lists and they cover all that is listed.
    pub(crate) fn validate(&self) {
        assert!(self.starts.is_sorted(), "a list ends before it starts");
        let end = self.starts.last().copied().unwrap_or(0);
        assert_eq!(end as usize, self.items.len(), "the lists do not cover all that is listed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_in_which_they_were_filled() {
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
    fn validate_catches_a_list_cut_short() {
        let mut lists = Lists::default();
        lists.push(0, 1);
        lists.sort(1, 0);
        lists.items_mut().push(2);
        lists.validate();
    }
}
