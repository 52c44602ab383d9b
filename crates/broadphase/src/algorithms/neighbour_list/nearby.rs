//! Who stands near an inflated box: the columns that the list was made with, asked again.

use super::REBUILD_SHARE;
use crate::algorithms::sweep_grid::SweepGrid;
use crate::algorithms::sweep_grid::bins::{Bins, Entry, for_each_entry};
use crate::algorithms::sweep_grid::column::Sweeper;
use crate::algorithms::sweep_grid::sorted_columns::{Shelf, SortedColumns};
use crate::scratch::resize_roomy;
use crate::simd::level;
use crate::sweep::{Away, LANES};
use crate::{Aabb, BroadPhase, Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x4, f32x16};

/// Boxes of lists that are not sorted are compared one by one until there were so many for each that is
/// listed: then they are sorted, since that costs as much. Measured.
const SORTED_AFTER: u64 = 8;

/// All are listed again once the strays of all frames are so many for each object, since that costs as
/// much as to list those.
const LISTED_AFTER: usize = 4;

/// Listings of strays up to which they are taken to suit the columns: for each object there is, and beside
/// that.
const MOST_LISTINGS: u64 = 6;
const FEWEST_LISTINGS: u64 = 4096;

/// Strays for which there is room in any case.
const FEW: usize = 256;

/// The inflated boxes of all objects by columns.
///
/// To make a list of neighbours, a [`SweepGrid`] lists all inflated boxes in its columns. These lists are
/// kept as they are: who gets another inflated box later is a *stray*, passed over there and listed by
/// itself. So a list that holds for a few frames needs no structure beside the one that made it.
#[derive(Debug, Default)]
pub(super) struct Nearby {
    strays: Vec<u32>,
    /// Of each object; empty before there is one.
    is_stray: Vec<bool>,
    /// The inflated boxes of strays, in the same columns.
    bins: Bins,
    /// What was listed, sorted, and what strays now, where it pays.
    sorted: SortedColumns,
    sorted_strays: SortedColumns,
    sweeper: Sweeper,
    /// Comparisons with what was listed since that, as many as there would have been without sorting it.
    compared: u64,
    /// Strays listed since then, frame by frame.
    listed: usize,
}

impl Nearby {
    /// Says that all inflated boxes were listed anew.
    fn forget(&mut self) {
        self.strays.clear();
        self.is_stray.clear();
        self.sorted.clear();
        (self.compared, self.listed) = (0, 0);
    }

    /// Finds the pairs of inflated boxes that were listed anew.
    pub(super) fn find_pairs(
        &mut self,
        search: &mut SweepGrid,
        fat: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        // As it did with the list before.
        let pays_to_sort = self.pays_to_sort(fat.boxes.len());
        self.forget();
        if pays_to_sort && !search.is_shared_out() {
            search.find_pairs_and_keep(fat, pairs, &mut self.sorted);
        } else {
            search.find_pairs(fat, pairs);
        }
    }

    /// Whether so many boxes were compared one by one, or would have been, as are sorted in the same time.
    fn pays_to_sort(&self, objects: usize) -> bool {
        self.compared > SORTED_AFTER * objects as u64
    }

    /// Takes over that objects have other inflated boxes than when those were listed; false, and nobody may
    /// ask, where these are so large that they touch far too many columns.
    #[must_use]
    pub(super) fn take_over(&mut self, left: &[u32], fat: &[Aabb], search: &mut SweepGrid) -> bool {
        if self.is_stray.is_empty() {
            resize_roomy(&mut self.is_stray, fat.len(), false);
            self.make_room(search);
        }
        for object in left {
            if !std::mem::replace(&mut self.is_stray[*object as usize], true) {
                self.strays.push(*object);
            }
        }
        self.listed += self.strays.len();
        if self.listed > LISTED_AFTER * fat.len() {
            search.list_in_columns_for(fat, fat);
            self.forget();
            resize_roomy(&mut self.is_stray, fat.len(), false);
        }
        let Some((columns, lists)) = search.lists() else { return false };
        self.bins.make_room(self.strays.len(), columns.len());
        let strays = self.strays.iter().map(|object| (*object, &fat[*object as usize]));
        let most = FEWEST_LISTINGS + MOST_LISTINGS * fat.len() as u64;
        let bins = &mut self.bins;
        if !dispatch!(level(), simd => bins.fill(simd, &columns, strays, most)) {
            return false;
        }
        let frame = Frame::new(fat, 0.0);
        let compared = |bins: &[Bins]| {
            let listed: u64 = bins.iter().map(|bins| bins.listings).sum();
            left.len() as u64 * (listed / columns.len() as u64)
        };
        self.compared += compared(lists);
        if self.sorted.columns().is_none() && self.pays_to_sort(fat.len()) {
            self.sorted.build(columns, lists, &mut self.sweeper, &frame, |_| {});
        }
        self.sorted_strays.clear();
        let bins = std::slice::from_ref(&self.bins);
        if compared(bins) > SORTED_AFTER * self.strays.len() as u64 {
            // More from frame to frame.
            let listings = self.bins.listings.next_power_of_two() as usize;
            self.sorted_strays.make_room(listings, columns.len());
            self.sorted_strays.build(columns, bins, &mut self.sweeper, &frame, |_| {});
        }
        true
    }

    /// Makes room for what may be needed until the list is made anew, in the first frame that needs any of it:
    /// so who leaves more often later finds room.
    fn make_room(&mut self, search: &SweepGrid) {
        let Some((columns, lists)) = search.lists() else { return };
        let objects = self.is_stray.len();
        self.strays.reserve(objects);
        let listed = |column| lists.iter().map(|bins| bins.len(column)).sum::<usize>();
        self.sweeper.reserve((0..columns.len()).map(listed).max().unwrap_or(0));
        // As many as may leave in a frame.
        let strays = objects / REBUILD_SHARE + FEW;
        self.bins.make_room(strays, columns.len());
        self.sorted_strays.make_room(strays, columns.len());
    }

    /// Calls `visit` with every object whose inflated box shares a point with `fat`, once; with the object
    /// itself, too. Returns how many boxes were compared.
    #[inline(always)]
    pub(super) fn for_each_near<S: Simd>(
        &self,
        simd: S,
        search: &SweepGrid,
        fat: &Aabb,
        mut visit: impl FnMut(u32),
    ) -> u64 {
        let Some((columns, lists)) = search.lists() else { return 0 };
        let is_stray = &self.is_stray;
        let (mut compared, mut compared_strays) = (0, 0);
        for_each_entry(simd, &columns, 0, fat, |column, entry| {
            let mut visit_listed = |object: u32| {
                if !is_stray[object as usize] {
                    visit(object);
                }
            };
            compared += scan(simd, &self.sorted, lists, column, entry, &mut visit_listed);
            let strays = std::slice::from_ref(&self.bins);
            compared_strays += scan(simd, &self.sorted_strays, strays, column, entry, &mut visit);
        });
        compared + compared_strays
    }

    /// Calls `visit` with the object of every box that is compared with `fat`. To look on, not to be fast.
    pub(super) fn replay(&self, search: &SweepGrid, fat: &Aabb, visit: &mut dyn FnMut(u32)) {
        let Some((columns, lists)) = search.lists() else { return };
        let strays = std::slice::from_ref(&self.bins);
        let all = [(&self.sorted, lists), (&self.sorted_strays, strays)];
        dispatch!(level(), simd => for_each_entry(simd, &columns, 0, fat, |column, entry| {
            for (sorted, lists) in all {
                if sorted.columns().is_none() {
                    let chunks = lists.iter().flat_map(|bins| bins.chunks(column));
                    chunks.flat_map(|(_, entries)| entries).for_each(|entry| visit(entry.object));
                    continue;
                }
                for block in sorted.shelves(column).flat_map(|shelf| shelf.blocks) {
                    for lane in 0..LANES {
                        let is_reached = block.min[0][lane] <= entry.max[0];
                        if is_reached && entry.min[0] <= block.max[0][lane] {
                            visit(block.objects[lane]);
                        }
                    }
                }
            }
        }));
    }

    /// Panics unless those and only those are strays who have other boxes than the lists hold.
    pub(super) fn validate(&self, search: &SweepGrid, fat: &[Aabb]) {
        let Some((columns, lists)) = search.lists() else {
            panic!("a list of neighbours without columns");
        };
        let is_stray = |object: u32| self.is_stray.get(object as usize) == Some(&true);
        let mut is_listed = vec![false; fat.len()];
        let mut check = |bins: &[Bins], are_strays: bool| {
            let chunks = |column| bins.iter().flat_map(move |bins| bins.chunks(column));
            for entry in (0..columns.len()).flat_map(chunks).flat_map(|(_, entries)| entries) {
                let object = entry.object;
                // What is listed of a stray elsewhere is passed over.
                if are_strays || !is_stray(object) {
                    let is_current = entry.bounds(columns.axis) == fat[object as usize];
                    assert!(is_current, "object {object} is no stray, but elsewhere");
                    is_listed[object as usize] = true;
                }
            }
        };
        check(lists, false);
        if !self.strays.is_empty() {
            check(std::slice::from_ref(&self.bins), true);
        }
        for (object, b) in (0..).zip(fat) {
            assert!(b.is_empty() || is_listed[object as usize], "object {object} is not listed");
        }
        let strays = (0..self.is_stray.len() as u32).filter(|object| is_stray(*object)).count();
        assert_eq!(strays, self.strays.len(), "who is a stray is noted in two ways");
    }

    /// Whether what was listed is sorted.
    #[cfg(test)]
    pub(super) fn is_sorted(&self) -> bool {
        self.sorted.columns().is_some()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.strays.capacity() * size_of::<u32>()
            + self.is_stray.capacity()
            + self.bins.heap_bytes()
            + self.sorted.heap_bytes()
            + self.sorted_strays.heap_bytes()
            + self.sweeper.heap_bytes()
    }
}

/// Whether two boxes are compared in an earlier column, since both begin there on some axis.
#[inline(always)]
fn is_elsewhere(a: Away, b: Away) -> bool {
    a.0 & b.0 != 0
}

/// Compares a box with those of a column that may overlap it, all of them where they are not sorted; returns
/// how many these were.
#[inline(always)]
fn scan<S: Simd>(
    simd: S,
    sorted: &SortedColumns,
    lists: &[Bins],
    column: usize,
    b: &Entry,
    visit: &mut impl FnMut(u32),
) -> u64 {
    if sorted.columns().is_some() {
        return sorted.shelves(column).map(|shelf| scan_shelf(simd, shelf, b, visit)).sum();
    }
    let scan = |bins: &Bins| {
        scan_list(simd, bins, column, b, visit);
        bins.len(column) as u64
    };
    lists.iter().map(scan).sum()
}

/// Compares a box with all that a column lists.
#[inline(always)]
fn scan_list<S: Simd>(simd: S, bins: &Bins, column: usize, b: &Entry, visit: &mut impl FnMut(u32)) {
    let [begin, end] = bounds(simd, b);
    for entry in bins.chunks(column).flat_map(|(_, entries)| entries) {
        let [its_begin, its_end] = bounds(simd, entry);
        let overlaps = (its_begin.simd_le(end) & begin.simd_le(its_end)).to_bitmask() & 0b111;
        if overlaps == 0b111 && !is_elsewhere(b.away, entry.away) {
            visit(entry.object);
        }
    }
}

/// The lower and the upper bounds of a box, each with a number behind them that means nothing.
#[inline(always)]
fn bounds<S: Simd>(simd: S, entry: &Entry) -> [f32x4<S>; 2] {
    let flat: &[f32; 8] = bytemuck::cast_ref(entry);
    [f32x4::from_slice(simd, &flat[..4]), f32x4::from_slice(simd, &flat[3..7])]
}

/// Compares a box with those of a shelf that begin before it ends, from where they may reach to it; returns
/// how many overlap it on the sweep axis.
#[inline(always)]
fn scan_shelf<S: Simd>(
    simd: S,
    shelf: Shelf<'_>,
    entry: &Entry,
    visit: &mut impl FnMut(u32),
) -> u64 {
    let first = shelf.ends.partition_point(|end| *end < entry.min[0]);
    let mut compared = 0;
    for (block, away) in shelf.blocks[first..].iter().zip(&shelf.away[first..]) {
        if block.min[0][0] > entry.max[0] {
            break;
        }
        let overlaps = |axis: usize| {
            let load = |bound: &[f32; LANES]| f32x16::load_array_ref(simd, bound);
            let begins = load(&block.min[axis]).simd_le(entry.max[axis]);
            begins & load(&block.max[axis]).simd_ge(entry.min[axis])
        };
        let along = overlaps(0);
        compared += u64::from(along.to_bitmask().count_ones());
        let mut hits = (along & overlaps(1) & overlaps(2)).to_bitmask() as u32;
        while hits != 0 {
            let lane = hits.trailing_zeros();
            hits &= hits - 1;
            if !is_elsewhere(entry.away, Away(away.0 >> lane & (1 | 1 << LANES))) {
                visit(block.objects[lane as usize]);
            }
        }
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BroadPhase;
    use glam::Vec3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A box on a lattice, so that many touch.
    fn drawn(rng: &mut ChaCha8Rng) -> Aabb {
        let center = Vec3::from_array(std::array::from_fn(|_| rng.random_range(0..64) as f32));
        let half = if rng.random_bool(0.02) { 3.0 } else { 0.375 };
        Aabb::around_sphere(center * 0.25, half)
    }

    /// The lists of boxes, of which two are absent, and who lists them.
    fn listed(rng: &mut ChaCha8Rng) -> (Vec<Aabb>, SweepGrid) {
        let mut fat: Vec<_> = (0..4000).map(|_| drawn(rng)).collect();
        (fat[7], fat[8]) = (Aabb::EMPTY, Aabb::EMPTY);
        let mut search = SweepGrid::default();
        search.update(&Frame::new(&fat, 0.1));
        assert!(search.lists().unwrap().0.len() > 4, "too few columns");
        (fat, search)
    }

    #[test]
    fn everybody_near_is_met_once_wherever_it_is_listed() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let (mut fat, mut search) = listed(&mut rng);
        let (mut nearby, mut seen) = (Nearby::default(), [0; 4]);
        for leavers in [3, 1, 1, 30, 1, 400, 3, 600, 1, 600, 600, 600, 600, 600, 600, 3, 1] {
            let mut left: Vec<_> = (0..leavers).map(|_| rng.random_range(0..4000)).collect();
            left.sort_unstable();
            left.dedup();
            for object in &left {
                fat[*object as usize] =
                    if rng.random_bool(0.1) { Aabb::EMPTY } else { drawn(&mut rng) };
            }
            assert!(nearby.take_over(&left, &fat, &mut search));
            nearby.validate(&search, &fat);
            let sorted = [&nearby.sorted, &nearby.sorted_strays].map(|s| s.columns().is_some());
            seen[usize::from(sorted[0])] += 1;
            seen[2] += usize::from(sorted[1]);
            seen[3] += usize::from(nearby.strays.is_empty());
            for object in left.iter().filter(|object| !fat[**object as usize].is_empty()) {
                let own = fat[*object as usize];
                let mut met = Vec::new();
                let compared = dispatch!(level(), simd => {
                    nearby.for_each_near(simd, &search, &own, |other| met.push(other))
                });
                met.sort_unstable();
                let near = (0..4000).filter(|other| fat[*other as usize].overlaps(&own));
                assert!(met.iter().copied().eq(near), "object {object}");
                let mut replayed = 0;
                nearby.replay(&search, &own, &mut |_| replayed += 1);
                assert_eq!(compared, replayed);
            }
        }
        assert!(seen.iter().all(|frames| *frames > 0), "not all was tried: {seen:?}");
    }

    #[test]
    fn strays_that_touch_far_too_many_columns_are_refused() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let (mut fat, mut search) = listed(&mut rng);
        let left: Vec<_> = (10..4000).collect();
        fat[10..4000].fill(Aabb::around_sphere(Vec3::splat(8.0), 20.0));
        assert!(!Nearby::default().take_over(&left, &fat, &mut search));
    }

    #[test]
    #[should_panic(expected = "no stray, but elsewhere")]
    fn a_box_that_changed_unseen_is_noticed() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let (mut fat, search) = listed(&mut rng);
        fat[99].max.x += 0.5;
        Nearby::default().validate(&search, &fat);
    }
}
