//! The lists of the boxes of a set.

use super::bins::Bins;
use super::layout::Columns;
use crate::Aabb;
use crate::memory::{Memory, heap_bytes_of_all, trim_all};
use crate::parallel::{for_each, threads_for};
use crate::simd::level;
use fearless_simd::dispatch;

/// Listings for each object up to which columns are used as they were chosen. There are more where boxes
/// grew, or where the sample holds none of the large ones.
pub(super) const MAX_LISTINGS: usize = 6;

/// Time to list a box on one thread, in nanoseconds.
pub(super) const LIST_NANOS: usize = 15;

/// Lists of boxes, one for each thread that lists all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxLists {
    bins: Vec<Bins>,
    /// How many of them are in use.
    used: usize,
}

impl Memory for BoxLists {
    fn heap_bytes(&self) -> usize {
        heap_bytes_of_all(&self.bins)
    }

    fn trim(&mut self) {
        trim_all(&mut self.bins, self.used);
    }
}

impl BoxLists {
    /// Lists the boxes that are wanted in their columns; false if they take more than about `most` entries.
    ///
    /// A second thread gains little: 100,000 boxes take 1.1 ms, and 0.7 ms on two threads of an EPYC. On a Xeon
    /// it gained nothing: the lists are in the cache of the thread that searched them last. Not tried: each
    /// thread reads all boxes, but lists only those in its own columns.
    pub(super) fn fill(
        &mut self,
        columns: &Columns,
        boxes: &[Aabb],
        most: usize,
        is_wanted: impl Fn(&Aabb) -> bool + Sync,
    ) -> bool {
        let threads = threads_for(boxes.len(), LIST_NANOS);
        let share = boxes.len().div_ceil(threads).max(1);
        self.used = boxes.len().div_ceil(share);
        if self.bins.len() < self.used {
            self.bins.resize_with(self.used, Bins::default);
        }
        // A single column lists each box once.
        let most = most.div_ceil(threads) as u64;
        let level = level();
        for_each(threads, &mut self.bins[..self.used], |number, bins| {
            let first = number * share;
            let boxes = &boxes[first..boxes.len().min(first + share)];
            let objects = (first as u32..).zip(boxes);
            bins.reserve(share, columns.len());
            dispatch!(level, simd => bins.fill(simd, columns, objects, &is_wanted, most));
        });
        self.bins().iter().all(Bins::is_complete)
    }

    /// The lists in use.
    pub(super) fn bins(&self) -> &[Bins] {
        &self.bins[..self.used]
    }

    /// Entries, and boxes with more than one.
    pub(super) fn counts(&self) -> (u64, u64) {
        let listings = self.bins().iter().map(|bins| bins.listings).sum();
        (listings, self.bins().iter().map(|bins| bins.straddlers).sum())
    }

    /// The first list, for other boxes.
    pub(super) fn lend(&mut self) -> &mut Bins {
        if self.bins.is_empty() {
            self.bins.push(Bins::default());
        }
        self.used = 1;
        &mut self.bins[0]
    }

    /// Adds a list, for tests.
    #[cfg(test)]
    pub(super) fn add(&mut self, bins: Bins) {
        self.bins.truncate(self.used);
        self.bins.push(bins);
        self.used = self.bins.len();
    }
}

/// Boxes listed in a column.
pub(super) fn len(bins: &[Bins], column: usize) -> usize {
    bins.iter().map(|bins| bins.len(column)).sum()
}
