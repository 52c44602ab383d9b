//! Sorted columns that are cached for several frames, and the search for escaped objects.

use super::Grid;
use super::bins::Bins;
use super::cross::cross;
use super::layout::Columns;
use super::lists::len;
use super::shelves::{ColumnRange, Shelf, part_of};
use super::tasks::ESCAPED_NANOS;
use crate::managed::Structure;
use crate::memory::{Memory, heap_bytes_of_all, trim_all};
use crate::pair::retain_from;
use crate::parallel::Work;
use crate::simd::level;
use crate::sweep::{Within, sweep};
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
    grid: Grid,
    /// The columns, if there is a cache.
    columns: Option<Columns>,
    /// Each holds a range of columns, in ascending order; one for each task that built them.
    parts: Vec<ColumnRange>,
    used: usize,
    /// Boxes inserted since the columns were last sorted, in all columns, and the number of their entries.
    inserted: ColumnRange,
    inserted_listings: u64,
    /// Number of objects that are searched for in this frame, and the work of that search.
    searched: usize,
    found: Work,
}

impl Memory for CachedColumns {
    fn heap_bytes(&self) -> usize {
        heap_bytes_of_all(&self.parts) + self.inserted.heap_bytes() + self.grid.heap_bytes()
    }

    fn trim(&mut self) {
        trim_all(&mut self.parts, self.used);
        self.inserted.trim();
        self.grid.trim();
    }
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
    /// Columns without boxes, for a value of [`Grid::COLUMNS`].
    pub(crate) fn of(columns: usize) -> Self {
        Self { grid: Grid::of(columns), ..Self::default() }
    }

    /// The grid that lists all boxes for a build. Without a cache, it also does the full searches.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(crate) fn grid_mut(&mut self) -> &mut Grid {
        &mut self.grid
    }

    /// Drops all boxes.
    pub(crate) fn clear(&mut self) {
        self.columns = None;
        self.used = 0;
        self.inserted.clear(0..0, 0);
    }

    /// The columns, unless there are none.
    pub(super) fn columns(&self) -> Option<Columns> {
        self.columns
    }

    /// Caches the boxes of a frame, and appends their pairs. If the frame is stopped, both are incomplete.
    pub(crate) fn build(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let columns = self.grid.list_all(frame.boxes);
        self.keep(columns, frame, pairs);
    }

    /// Caches the boxes that the grid has listed, and appends their pairs.
    pub(super) fn keep(&mut self, columns: Columns, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let Self { grid, parts, used, .. } = self;
        let (bins, tasks) = grid.divide();
        let listed = |column| len(bins, column);
        *used = 0;
        for range in tasks.ranges() {
            if *used == parts.len() {
                parts.push(ColumnRange::default());
            }
            parts[*used].clear(range.clone(), range.map(listed).sum());
            *used += 1;
        }
        tasks.exchange(parts);
        tasks.run(pairs, |task, column, pairs| {
            if listed(column) == 0 || frame.is_stopped() {
                task.part.push(None);
                return;
            }
            let sorted = task.sweeper.sort(column, bins);
            task.part.push(Some(sorted));
            let kind = Within { frame, filter: None };
            task.found += sweep(sorted, 0..sorted.filled(), kind, pairs);
        });
        tasks.exchange(parts);
        self.grid.count();
        self.columns = Some(columns);
        self.insert(std::iter::empty(), frame);
    }

    /// Replaces the inserted boxes.
    pub(crate) fn insert<'a>(
        &mut self,
        boxes: impl ExactSizeIterator<Item = (u32, &'a Aabb)>,
        frame: &Frame<'_>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { grid, inserted, inserted_listings, .. } = self;
        *inserted_listings = 0;
        if boxes.len() == 0 {
            inserted.clear(0..0, 0);
            return;
        }
        let (bins, tasks) = grid.lend();
        let sweeper = &mut tasks.first().sweeper;
        dispatch!(level(), simd => bins.fill(simd, &columns, boxes, |_| true, u64::MAX));
        *inserted_listings = bins.listings;
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
        (self.searched, self.found) = (escaped.len(), Work::default());
        let Some(columns) = self.columns else { return false };
        let (bins, _) = self.grid.lend();
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
        let Self { grid, parts, used, inserted, searched, .. } = self;
        let (escaped, tasks) = grid.lend();
        if escaped.listings == 0 {
            return;
        }
        let escaped = &*escaped;
        let parts = &parts[..*used];
        tasks.distribute(*searched, ESCAPED_NANOS, columns.len(), |column| escaped.len(column));
        tasks.run(pairs, |task, column, pairs| {
            if escaped.len(column) == 0 || frame.is_stopped() {
                return;
            }
            let filter =
                |pairs: &mut Vec<Pair>, first| retain_from(pairs, first, |pair| is_pair(*pair));
            let kind = Within { frame, filter: Some(&filter) };
            let own = task.sweeper.sort(column, std::slice::from_ref(escaped));
            task.found += sweep(own, 0..own.filled(), kind, pairs);
            for (origin, part) in
                [(Origin::Built, part_of(parts, column)), (Origin::Inserted, &*inserted)]
            {
                let is_current = |object| is_current(object, origin);
                for shelf in part.shelves(column) {
                    task.found += cross(own, shelf, &is_current, kind, pairs);
                }
            }
        });
        self.found = tasks.found();
    }

    /// The objects listed by [`list_escaped`](Self::list_escaped).
    pub(super) fn escaped(&self) -> &[Bins] {
        self.grid.bins()
    }

    /// Tests of the last search for escaped objects, and the number of all entries: built, inserted
    /// and escaped.
    pub(crate) fn counters(&self) -> Counters {
        let built = self.grid.counters();
        let sum = |count: fn(&Bins) -> u64| self.escaped().iter().map(count).sum::<u64>();
        Counters {
            tests: self.found.tests,
            nodes: self.columns.map_or(0, |columns| columns.len() as u64),
            listings: built.listings + self.inserted_listings + sum(|bins| bins.listings),
            straddlers: built.straddlers + sum(|bins| bins.straddlers),
            duplicates: self.found.duplicates,
            ..Counters::default()
        }
    }

    /// Corrupts the end of a shelf, so that tests see validation fail.
    #[cfg(test)]
    pub(crate) fn spoil_end(&mut self) {
        assert!(self.parts.iter_mut().any(ColumnRange::spoil_end));
    }
}
