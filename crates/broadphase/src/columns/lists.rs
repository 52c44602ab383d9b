//! The lists of the boxes of a set.

use super::bins::{Bins, ListedBox};
use super::layout::Columns;
use crate::Aabb;
use crate::memory::memory;
use crate::parallel::{Aligned, Tasks, threads_for};
use crate::simd::level;
use fearless_simd::dispatch;

/// Listings for each object up to which columns are used as they were chosen. There are more where boxes
/// grew, or where the sample holds none of the large ones.
pub(super) const MAX_LISTINGS: usize = 6;

/// Time to list a box on one thread, in nanoseconds.
pub(super) const LIST_NANOS: usize = 15;

/// Lists of boxes, one for each thread that lists all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxLists(Tasks<Bins>);

memory!(BoxLists: 0);

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
        self.0.resize(boxes.len().div_ceil(share));
        // A single column lists each box once.
        let most = most.div_ceil(threads) as u64;
        let level = level();
        self.0.run(|number, bins| {
            let first = number * share;
            let boxes = &boxes[first..boxes.len().min(first + share)];
            let objects = (first as u32..).zip(boxes);
            bins.reserve(share, columns.len());
            dispatch!(level, simd => bins.fill(simd, columns, objects, &is_wanted, most));
        });
        self.bins().iter().all(|bins| bins.is_complete)
    }

    /// The lists in use.
    pub(super) fn bins(&self) -> &[Aligned<Bins>] {
        self.0.as_slice()
    }

    /// Boxes listed in a column.
    pub(super) fn len(&self, column: usize) -> usize {
        self.bins().iter().map(|bins| bins.len(column)).sum()
    }

    /// The entries of a column.
    pub(super) fn entries(&self, column: usize) -> impl Iterator<Item = &ListedBox> {
        self.bins().iter().flat_map(move |bins| bins.entries(column))
    }

    /// Entries, and boxes with more than one.
    pub(super) fn counts(&self) -> (u64, u64) {
        let listings = self.bins().iter().map(|bins| bins.listings).sum();
        (listings, self.bins().iter().map(|bins| bins.straddlers).sum())
    }

    /// The first list alone, for other boxes.
    pub(super) fn lend(&mut self) -> &mut Bins {
        self.0.resize(1);
        &mut self.0.as_mut_slice()[0]
    }
}
