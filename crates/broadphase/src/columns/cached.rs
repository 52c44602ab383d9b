//! Sorted columns that are cached for several frames, and the search for escaped objects.

use super::Grid;
use super::cross::{Between, cross};
use super::layout::Columns;
use super::shelves::{ColumnRange, Shelf, part_of};
use super::tasks::ESCAPED_NANOS;
use crate::managed::Structure;
use crate::memory::memory;
use crate::pair::retain_from;
use crate::parallel::{Tasks, Work};
use crate::simd::level;
use crate::sweep::{Counted, sweep};
use crate::{Aabb, Counters, Frame, Pair};
use fearless_simd::dispatch;

/// The search gives up if the escaped objects would have more than `MIN_LISTINGS` +
/// `MAX_LISTINGS` times the objects entries in all columns.
const MAX_LISTINGS: u64 = 6;
const MIN_LISTINGS: u64 = 4096;

/// The sorted columns of cached boxes, and those objects that are searched for in each frame.
///
/// The boxes of a column are in shelves by their length on the sweep axis. A box that contains a
/// coordinate begins at most the greatest length of its shelf before it. Only boxes in that range
/// are compared.
///
/// A cached box never changes. When its object escapes from its fat AABB, the entry is *stale*: a
/// search skips it, and the object is listed by the box that it has in the frame. Later it may be
/// inserted again, with another box. Inserted boxes are few, and sorted again with each insertion.
///
/// The grid lists all boxes for a build. In later frames the same lists hold the objects sought for.
#[derive(Clone, Debug, Default)]
pub(crate) struct CachedColumns {
    /// Lists all boxes for a build. Without a cache, it also does the full searches.
    pub(crate) grid: Grid,
    /// The columns, if there is a cache.
    pub(super) columns: Option<Columns>,
    /// Each holds a range of columns, in ascending order; one for each task that built them.
    parts: Tasks<ColumnRange>,
    /// Boxes inserted since the columns were last sorted, in all columns, and the number of their entries.
    inserted: ColumnRange,
    inserted_listings: u64,
    /// Number of objects that are searched for in this frame, and the work of that search.
    searched: usize,
    found: Work,
}

memory!(CachedColumns: parts, inserted, grid);

/// When a cached box came to the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// When they were built.
    Built,
    /// Since then.
    Inserted,
}

impl CachedColumns {
    /// Columns without boxes, for a value of [`Grid::COLUMNS`].
    pub(crate) fn of(columns: usize) -> Self {
        Self { grid: Grid::of(columns), ..Self::default() }
    }

    /// Drops all boxes.
    pub(crate) fn clear(&mut self) {
        self.columns = None;
        self.parts.resize(0);
        self.inserted.clear(0..0, 0);
    }

    /// Caches the boxes of a frame, and appends their pairs. If the frame is stopped, both are incomplete.
    pub(crate) fn build(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.columns = Some(self.grid.list_all(frame.boxes));
        self.grid.divide();
        let Self { grid: Grid { lists, tasks, .. }, parts, .. } = self;
        parts.resize(tasks.ranges().count());
        for (part, columns) in parts.as_mut_slice().iter_mut().zip(tasks.ranges()) {
            part.clear(columns.clone(), columns.map(|column| lists.len(column)).sum());
        }
        tasks.exchange(parts.as_mut_slice());
        tasks.run(pairs, |task, column, pairs| {
            if lists.len(column) == 0 || frame.is_stopped() {
                task.part.push(None);
                return;
            }
            let sorted = task.sweeper.sort(column, lists.bins());
            task.part.push(Some(sorted));
            task.found += sweep(sorted, 0..sorted.filled(), Counted::all(frame), pairs);
        });
        tasks.exchange(parts.as_mut_slice());
        self.grid.count();
        self.insert(std::iter::empty(), frame);
    }

    /// Replaces the inserted boxes.
    pub(crate) fn insert<'a>(
        &mut self,
        boxes: impl ExactSizeIterator<Item = (u32, &'a Aabb)>,
        frame: &Frame<'_>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { grid: Grid { lists, tasks, .. }, inserted, inserted_listings, .. } = self;
        *inserted_listings = 0;
        if boxes.len() == 0 {
            inserted.clear(0..0, 0);
            return;
        }
        let bins = lists.lend();
        dispatch!(level(), simd => bins.fill(simd, &columns, boxes, |_| true, u64::MAX));
        *inserted_listings = bins.listings;
        // Each insertion adds more.
        inserted.clear(0..columns.len(), (bins.listings as usize).next_power_of_two());
        let sweeper = &mut tasks.0.first().sweeper;
        for column in 0..columns.len() {
            let is_listed = lists.len(column) > 0 && !frame.is_stopped();
            inserted.push(is_listed.then(|| sweeper.sort(column, lists.bins())));
        }
    }

    /// The shelves of a column.
    pub(super) fn shelves(&self, origin: Origin, column: usize) -> impl Iterator<Item = Shelf<'_>> {
        let part = match origin {
            Origin::Built => part_of(self.parts.as_slice(), column),
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
        (self.searched, self.found) = (escaped.len(), Work::default());
        let Some(columns) = self.columns else { return false };
        let bins = self.grid.lists.lend();
        if escaped.len() == 0 {
            bins.clear(columns.len());
            return true;
        }
        let most = MIN_LISTINGS + MAX_LISTINGS * objects as u64;
        dispatch!(level(), simd => bins.fill(simd, &columns, escaped, |_| true, most))
    }

    /// Appends the pairs of the listed objects with each other and with the cached boxes. `is_current` states whether the entry
    /// of an object is not stale, `is_pair` which of the pairs count.
    pub(crate) fn find_pairs_of_escaped(
        &mut self,
        frame: &Frame<'_>,
        is_current: impl Fn(u32, Origin) -> bool + Sync,
        is_pair: impl Fn(Pair) -> bool + Sync,
        pairs: &mut Vec<Pair>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { grid: Grid { lists, tasks, .. }, parts, inserted, searched, .. } = self;
        if lists.counts().0 == 0 {
            return;
        }
        let parts = parts.as_slice();
        tasks.distribute(*searched, ESCAPED_NANOS, columns.len(), |column| lists.len(column));
        let filter =
            |pairs: &mut Vec<Pair>, first| retain_from(pairs, first, |pair| is_pair(*pair));
        let counted = Counted { frame, filter: Some(&filter) };
        let settle = |pairs: &mut Vec<Pair>, first| {
            counted.settle(pairs, first);
        };
        tasks.run(pairs, |task, column, pairs| {
            if lists.len(column) == 0 || frame.is_stopped() {
                return;
            }
            let own = task.sweeper.sort(column, lists.bins());
            task.found += sweep(own, 0..own.filled(), counted, pairs);
            for (origin, part) in
                [(Origin::Built, part_of(parts, column)), (Origin::Inserted, &*inserted)]
            {
                let pair =
                    |object, other| is_current(other, origin).then(|| Pair::new(object, other));
                let between = Between { pair: &pair, settle: &settle, limits: frame.limits };
                for shelf in part.shelves(column) {
                    task.found += cross(own, shelf, &between, pairs);
                }
            }
        });
        self.found = tasks.found();
    }

    /// Tests of the last search for escaped objects, and the number of all entries: built, inserted
    /// and escaped.
    pub(crate) fn counters(&self) -> Counters {
        let built = self.grid.counters();
        let (listings, straddlers) = self.grid.lists.counts();
        Counters {
            tests: self.found.tests,
            nodes: self.columns.map_or(0, |columns| columns.len() as u64),
            listings: built.listings + self.inserted_listings + listings,
            straddlers: built.straddlers + straddlers,
            duplicates: self.found.duplicates,
            ..Counters::default()
        }
    }

    /// Corrupts the end of a shelf, so that tests see validation fail.
    #[cfg(test)]
    pub(crate) fn spoil_end(&mut self) {
        assert!(self.parts.as_mut_slice().iter_mut().any(|part| part.spoil_end()));
    }
}
