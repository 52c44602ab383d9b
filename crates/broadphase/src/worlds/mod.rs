//! The pairs of many small worlds in one call.
//!
//! Robotics and learning run thousands of worlds of 10 to 2,000 shapes at once. A structure for each of them would cost
//! more than its search: in memory, and in work that is not shared. Here a world is copied into blocks of eight boxes,
//! ordered by coarse bins, and searched by a vector kernel ([`small`]). Nothing is kept from call to call but scratch,
//! which belongs to tasks, not to worlds.
//!
//! Worlds of more than [`MAX_SMALL`] shapes are searched by [`Auto`], one after the other, each on all threads.

mod binned;
mod boxes;
mod small;

use crate::memory::{Memory, Upkeep, memory};
use crate::parallel::{OrderedTasks, tasks_for, threads_for};
use crate::{Auto, BroadPhase, Frame, Pair, PairLimit};
use binned::Binned;
use boxes::Filter;
pub use boxes::{WorldBoxes, WorldsError};
use small::Small;
use std::ops::Range;

/// Most shapes of a world that is searched by the kernel.
const MAX_SMALL: usize = 2000;

/// Time of a box of a small world, in nanoseconds (measured: 13 in worlds of 20 shapes, 25 in those of 204).
const NANOS_PER_BOX: usize = 16;

/// Finds the pairs of many worlds. Keeps its scratch, so that steady calls hardly allocate.
///
/// Worlds are distributed over the rayon pool that it is called in. The pairs are the same on any number of threads.
/// Time: linear in the shapes, and a vectorised test for each two that overlap on an axis. Memory: at most 40 bytes an
/// object, without the pairs; for worlds of more than 2,000 shapes, that of one [`Auto`] for the largest of them.
#[derive(Clone, Debug, Default)]
pub struct Worlds {
    shared: Binned,
    tasks: OrderedTasks<Small>,
    /// For large worlds; none after a call without one.
    large: Option<Auto>,
    upkeep: Upkeep,
}

// Without the large worlds' [`Auto`], which returns memory itself.
memory!(Worlds: shared, tasks);

/// The pairs of many worlds.
#[derive(Clone, Debug, Default)]
pub struct WorldPairs {
    pairs: Vec<Pair>,
    /// For each world the position of its first pair, then the number of pairs.
    starts: Vec<usize>,
}

impl WorldPairs {
    /// The pairs of all worlds, world after world; of a world in any order, each once, in [local ids](WorldBoxes).
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// For each world the position of its first pair, then the number of pairs. Empty before the first search.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The pairs of a world; none if there is no such world.
    pub fn of(&self, world: usize) -> &[Pair] {
        match self.starts.get(world..).unwrap_or_default() {
            [start, end, ..] => &self.pairs[*start..*end],
            _ => &[],
        }
    }

    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

impl Worlds {
    /// Replaces the pairs in `found` by those of all worlds: closed boxes that share a point, in the same world, whose
    /// layers meet, and that are not excluded. Pairs are missing if the worlds' [limits](WorldBoxes::within) end the search
    /// early.
    ///
    /// # Errors
    ///
    /// If the worlds contradict themselves. Then `found` is empty.
    pub fn find_pairs(
        &mut self,
        worlds: &WorldBoxes<'_>,
        found: &mut WorldPairs,
    ) -> Result<(), WorldsError> {
        found.pairs.clear();
        found.starts.clear();
        worlds.check()?;
        self.shared.fill_reachable(worlds.shared);
        found.starts.reserve(worlds.worlds() + 1);
        found.starts.push(0);
        let (mut next, mut has_large) = (0, false);
        while next < worlds.worlds() {
            let is_large = |world: &usize| worlds.of(*world).len() > MAX_SMALL;
            let end = (next..worlds.worlds()).find(is_large).unwrap_or(worlds.worlds());
            if next < end {
                self.search_small(worlds, next..end, found);
            }
            if end < worlds.worlds() {
                has_large = true;
                self.search_large(worlds, end, found);
            }
            next = end + 1;
        }
        if !has_large {
            self.large = None;
        }
        let need = worlds.count(&(0..worlds.worlds())) + found.pairs.len();
        if self.upkeep.advance(need) {
            self.trim();
        }
        Ok(())
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self) + self.large.as_ref().map_or(0, Auto::heap_bytes)
    }

    /// Appends the pairs of small worlds.
    fn search_small(
        &mut self,
        worlds: &WorldBoxes<'_>,
        range: Range<usize>,
        found: &mut WorldPairs,
    ) {
        let items = worlds.count(&range) + range.len();
        // A task has scratch of its own.
        let tasks = tasks_for(threads_for(items, NANOS_PER_BOX)).min(range.len().max(1));
        self.tasks.resize(tasks);
        let shared = &self.shared;
        self.tasks.run(&mut found.pairs, |number, small, pairs| {
            small.search(worlds, worlds.part(&range, number, tasks), shared, pairs);
        });
        let mut first = found.starts[found.starts.len() - 1];
        for small in self.tasks.iter_mut() {
            found.starts.extend(small.ends.iter().map(|end| first + end));
            first += small.ends.last().copied().unwrap_or(0);
        }
    }

    /// Appends the pairs of a large world.
    fn search_large(&mut self, worlds: &WorldBoxes<'_>, world: usize, found: &mut WorldPairs) {
        let (first, pairs) = (found.pairs.len(), &mut found.pairs);
        let filter = worlds.filter(world);
        // Excluded pairs are found, and do not count.
        let limit = PairLimit::new(filter.limits.most().saturating_add(filter.excluded.len()));
        let limits = filter.limits.bounded_apart(&limit);
        let frame = Frame::new(worlds.of(world)).layered(worlds.own_layers(world)).within(limits);
        let large = self.large.get_or_insert_default();
        large.pairs(&frame, pairs);
        let shared = worlds.shared.len() as u32;
        if shared > 0 {
            for pair in &mut pairs[first..] {
                *pair = Pair { a: pair.a + shared, b: pair.b + shared };
            }
        }
        filter.drop_excluded(pairs, first);
        filter.limits.count(pairs.len() - first);
        if shared > 0 {
            self.tasks.first().search(worlds, world..world + 1, &self.shared, pairs);
        }
        found.starts.push(pairs.len());
    }
}
