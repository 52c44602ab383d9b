//! Sorted columns that are cached for several frames, and the search for escaped objects.

use super::bins::Bins;
use super::cross::cross;
use super::layout::Columns;
use super::shelves::{Part, Shelf, part_of};
use super::sweeper::Sweeper;
use super::tasks::ColumnTasks;
use crate::simd::level;
use crate::sweep::sweep;
use crate::{Aabb, Counters, Frame, Pair};
use fearless_simd::dispatch;

/// The search gives up if the escaped objects would have more than `FEWEST_LISTINGS` +
/// `MOST_LISTINGS` times the objects entries in all columns.
const MOST_LISTINGS: u64 = 6;
const FEWEST_LISTINGS: u64 = 4096;

/// The sorted columns of cached boxes, and those objects that are searched for in each frame.
///
/// The boxes of a column are in shelves by their length on the sweep axis. A box that contains a
/// coordinate begins at most the greatest length of its shelf before it. Only boxes in that range
/// are compared.
///
/// A cached box never changes. When its object escapes from its fat AABB, the entry is *stale*: a
/// search skips it, and the object is listed by the box that it has in the frame. Later it may be
/// inserted again, with another box. Inserted boxes are few, and sorted again with each insertion.
#[derive(Debug, Default)]
pub(crate) struct CachedColumns {
    /// The columns, if there is a cache.
    columns: Option<Columns>,
    /// Each holds a range of columns, in ascending order; one for each task that built them.
    parts: Vec<Part>,
    used: usize,
    /// Boxes listed, each in every column that it touches, and boxes in more than one column.
    listings: u64,
    straddlers: u64,
    /// Boxes inserted since the build, in all columns.
    inserted: Part,
    inserted_bins: Bins,
    sweeper: Sweeper,
    /// The objects that are searched for in this frame, and their number.
    escaped: Bins,
    searched: usize,
    tasks: ColumnTasks,
}

/// When a cached box came to the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// When they were built.
    Built,
    /// Since then.
    Inserted,
}

impl CachedColumns {
    /// Drops all boxes.
    pub(crate) fn clear(&mut self) {
        self.columns = None;
    }

    /// The columns, unless there are none.
    pub(super) fn columns(&self) -> Option<Columns> {
        self.columns
    }

    /// Builds the cache from the boxes that are listed in columns, and appends their pairs. If the
    /// frame is stopped, cache and pairs are incomplete.
    pub(super) fn build(
        &mut self,
        columns: Columns,
        bins: &[Bins],
        tasks: &mut ColumnTasks,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        let listed = |column| bins.iter().map(|bins| bins.len(column)).sum::<usize>();
        self.listings = bins.iter().map(|bins| bins.listings).sum();
        self.straddlers = bins.iter().map(|bins| bins.straddlers).sum();
        self.tasks.forget_found();
        self.used = 0;
        for range in tasks.ranges() {
            if self.used == self.parts.len() {
                self.parts.push(Part::default());
            }
            self.parts[self.used].clear(range.clone(), range.map(listed).sum());
            self.used += 1;
        }
        tasks.exchange(&mut self.parts);
        tasks.run(pairs, |task, column, pairs| {
            if listed(column) == 0 || frame.is_stopped() {
                task.part.push(None);
                return;
            }
            let sorted = task.sweeper.sort(column, bins);
            task.part.push(Some(sorted));
            task.found += sweep(sorted, 0..sorted.filled(), frame, pairs);
        });
        tasks.exchange(&mut self.parts);
        self.columns = Some(columns);
        self.insert(std::iter::empty(), frame);
    }

    /// Reserves room for `objects` escaped and as many inserted ones, searched for by `tasks`
    /// tasks.
    pub(crate) fn make_room(&mut self, objects: usize, tasks: usize) {
        let columns = self.columns.map_or(0, |columns| columns.len());
        for bins in [&mut self.escaped, &mut self.inserted_bins] {
            bins.make_room(objects, usize::MAX, columns);
        }
        self.tasks.make_room(tasks, objects);
        self.inserted.clear(0..columns, objects);
        self.inserted.clear(0..0, 0);
    }

    /// Replaces the inserted boxes.
    pub(crate) fn insert<'a>(
        &mut self,
        boxes: impl ExactSizeIterator<Item = (u32, &'a Aabb)>,
        frame: &Frame<'_>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { inserted, inserted_bins: bins, sweeper, .. } = self;
        if boxes.len() == 0 {
            bins.clear(columns.len());
            inserted.clear(0..0, 0);
            return;
        }
        bins.make_room(boxes.len(), usize::MAX, columns.len());
        dispatch!(level(), simd => bins.fill(simd, &columns, boxes, u64::MAX));
        sweeper.reserve((0..columns.len()).map(|column| bins.len(column)).max().unwrap_or(0));
        // Each insertion adds more.
        inserted.clear(0..columns.len(), (bins.listings as usize).next_power_of_two());
        for column in 0..columns.len() {
            let is_listed = bins.len(column) > 0 && !frame.is_stopped();
            let bins = std::slice::from_ref(&*bins);
            inserted.push(is_listed.then(|| sweeper.sort(column, bins)));
        }
    }

    /// The shelves of a column.
    pub(super) fn shelves(&self, origin: Origin, column: usize) -> impl Iterator<Item = Shelf<'_>> {
        let part = match origin {
            Origin::Built => part_of(&self.parts[..self.used], column),
            Origin::Inserted => &self.inserted,
        };
        part.shelves(column)
    }

    /// Lists the objects that are searched for in this frame; false if they take far too many entries.
    #[must_use]
    pub(crate) fn list_escaped<'a>(
        &mut self,
        escaped: impl ExactSizeIterator<Item = (u32, &'a Aabb)>,
        objects: usize,
    ) -> bool {
        self.tasks.forget_found();
        self.searched = escaped.len();
        let Some(columns) = self.columns else { return false };
        if escaped.len() == 0 {
            self.escaped.clear(columns.len());
            return true;
        }
        let most = FEWEST_LISTINGS + MOST_LISTINGS * objects as u64;
        let bins = &mut self.escaped;
        // A cache is dropped before more objects escape.
        bins.make_room(escaped.len(), objects * 5 / 8, columns.len());
        dispatch!(level(), simd => bins.fill(simd, &columns, escaped, most))
    }

    /// Appends the pairs of the listed objects with each other and with the cached boxes. `entry` states
    /// where the entry of an object is that is not stale, `is_pair` which of the pairs count.
    pub(crate) fn find_pairs_of_escaped(
        &mut self,
        frame: &Frame<'_>,
        entry: impl Fn(u32) -> Option<Origin> + Sync,
        is_pair: impl Fn(Pair) -> bool + Sync,
        pairs: &mut Vec<Pair>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { parts, used, inserted, escaped, searched, tasks, .. } = self;
        if escaped.listings == 0 {
            return;
        }
        let parts = &parts[..*used];
        tasks.distribute(*searched, columns.len(), |column| escaped.len(column));
        tasks.run(pairs, |task, column, pairs| {
            if escaped.len(column) == 0 || frame.is_stopped() {
                return;
            }
            let first = pairs.len();
            let own = task.sweeper.sort(column, std::slice::from_ref(escaped));
            task.found += sweep(own, 0..own.filled(), frame, pairs);
            for (origin, part) in
                [(Origin::Built, part_of(parts, column)), (Origin::Inserted, &*inserted)]
            {
                let is_stale = |object| entry(object) != Some(origin);
                for shelf in part.shelves(column) {
                    task.found += cross(own, shelf, &is_stale, frame, pairs);
                }
            }
            let mut kept = first;
            for at in first..pairs.len() {
                let pair = pairs[at];
                pairs[kept] = pair;
                kept += usize::from(is_pair(pair));
            }
            pairs.truncate(kept);
        });
    }

    /// The objects listed by [`list_escaped`](Self::list_escaped).
    pub(super) fn escaped(&self) -> &Bins {
        &self.escaped
    }

    /// Tests of the last search for escaped objects, and the number of all entries: built, inserted
    /// and escaped.
    pub(crate) fn counters(&self) -> Counters {
        let found = self.tasks.found();
        Counters {
            tests: found.tests,
            nodes: self.columns.map_or(0, |columns| columns.len() as u64),
            listings: self.listings + self.inserted_bins.listings + self.escaped.listings,
            straddlers: self.straddlers + self.escaped.straddlers,
            duplicates: found.duplicates,
            ..Counters::default()
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.parts.capacity() * size_of::<Part>()
            + self.parts.iter().map(Part::heap_bytes).sum::<usize>()
            + self.inserted.heap_bytes()
            + self.inserted_bins.heap_bytes()
            + self.sweeper.heap_bytes()
            + self.escaped.heap_bytes()
            + self.tasks.heap_bytes()
    }

    /// Corrupts the end of a shelf, so that tests see validation fail.
    #[cfg(test)]
    pub(crate) fn spoil_end(&mut self) {
        assert!(self.parts.iter_mut().any(Part::spoil_end));
    }
}
