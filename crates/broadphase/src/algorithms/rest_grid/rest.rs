//! What is kept of the objects that rest, and the search for those that move.

use super::cross::cross;
use crate::algorithms::sweep_grid::SweepGrid;
use crate::algorithms::sweep_grid::bins::Bins;
use crate::algorithms::sweep_grid::column::Sweeper;
use crate::algorithms::sweep_grid::sorted_columns::SortedColumns;
use crate::algorithms::sweep_grid::tasks::ColumnTasks;
use crate::changed::append_changed;
use crate::scratch::{renew, resize_roomy};
use crate::simd::level;
use crate::sweep::{Found, sweep};
use crate::{Aabb, BroadPhase, Counters, Frame, Layer, Pair};
use fearless_simd::dispatch;

/// Nothing is kept where more than this share of the objects moves.
const MOST_MOVING: f32 = 0.5;

/// Boxes between two looks at whether so many move.
const STRETCH: usize = 256;

/// Listings of moving objects up to which they are taken to suit the columns: for each object there is, and
/// beside that.
const MOST_LISTINGS: u64 = 6;
const FEWEST_LISTINGS: u64 = 4096;

/// A grid that keeps what rests, but for the [`SweepGrid`] that sorts all anew and answers where nothing
/// is kept: that is lent to it in each frame, the same one from its update to its search.
#[derive(Debug, Default)]
pub(in crate::algorithms) struct Rest {
    /// The box that each object had in the frame before.
    pub(super) last: Vec<Aabb>,
    /// The layers that the kept pairs were chosen by.
    layers: Vec<Layer>,
    /// Whether each object stands among those that move.
    pub(super) is_moving: Vec<bool>,
    pub(super) moving: Vec<u32>,
    /// Objects whose box is another one than in the frame before.
    changed: Vec<u32>,
    /// Objects that are there.
    present: usize,
    /// How many of them rest, of those that were sorted, and how many these were.
    rest: usize,
    sorted: usize,
    /// Objects that were searched for, or passed over, in vain since all were sorted, frame by frame.
    in_vain: usize,
    /// Tests of each moving object in the first frame after that in which there were any.
    tests_then: Option<f32>,
    pub(super) resting: SortedColumns,
    /// The pairs of resting objects.
    pub(super) pairs: Vec<Pair>,
    sweeper: Sweeper,
    /// Lists those that move.
    pub(super) bins: Bins,
    tasks: ColumnTasks,
    pub(super) is_rebuilt: bool,
    /// What the building did.
    built: Found,
}

impl Rest {
    /// Whether anything is kept.
    pub(super) fn is_kept(&self) -> bool {
        self.resting.columns().is_some()
    }

    /// The share of the objects that were searched for in this frame; `None` where nothing is kept.
    pub(in crate::algorithms) fn moving(&self) -> Option<f32> {
        self.is_kept().then(|| self.moving.len() as f32 / self.present.max(1) as f32)
    }

    /// Notes a wrong layer. For tests.
    #[cfg(test)]
    pub(super) fn spoil_layers(&mut self) {
        self.layers.push(Layer::STATIC);
    }

    /// The boxes of the objects that are there.
    pub(super) fn boxes(&self) -> impl Iterator<Item = &Aabb> {
        self.last.iter().filter(|b| !b.is_empty())
    }

    /// Whether all that rests was sorted anew in this frame.
    pub(in crate::algorithms) fn is_rebuilt(&self) -> bool {
        self.is_rebuilt
    }

    /// Forgets what rests.
    fn forget(&mut self) {
        self.resting.clear();
        self.moving.clear();
        self.pairs.clear();
    }

    /// Whether the objects of the frame before have the layers that they had.
    pub(super) fn have_same_layers(&self, frame: &Frame<'_>) -> bool {
        let before = Frame { layers: &self.layers, ..*frame };
        let told = self.layers.len().max(frame.layers.len()).min(self.last.len());
        self.layers == frame.layers
            || (0..told as u32).all(|object| before.layer(object) == frame.layer(object))
    }

    /// Takes over that there are more objects: the new ones move, as they come from nowhere.
    fn add(&mut self, frame: &Frame<'_>) {
        let (before, now) = (self.last.len(), frame.boxes.len());
        self.last.resize(now, Aabb::EMPTY);
        self.layers.clear();
        self.layers.extend_from_slice(frame.layers);
        if self.is_kept() {
            self.is_moving.resize(now, true);
            self.moving.extend(before as u32..now as u32);
        }
    }

    /// Finds what changed, of as many objects as in the frame before. Soon after that are too many, it
    /// ends.
    fn look(&mut self, boxes: &[Aabb]) {
        renew(&mut self.changed);
        let stretches = boxes.chunks(STRETCH).zip(self.last.chunks(STRETCH));
        for (first, (boxes, last)) in (0..).step_by(STRETCH).zip(stretches) {
            if self.are_too_many(self.changed.len()) {
                return;
            }
            append_changed(first, boxes, last, &mut self.changed);
        }
    }

    /// Whether so many objects move that nothing is kept.
    fn are_too_many(&self, moving: usize) -> bool {
        moving as f32 > self.present as f32 * MOST_MOVING
    }

    /// Takes those that changed to the moving ones.
    fn take_out_changed(&mut self) {
        let Self { last, is_moving, moving, changed, pairs, rest, .. } = self;
        let before = moving.len();
        for object in &*changed {
            if !std::mem::replace(&mut is_moving[*object as usize], true) {
                moving.push(*object);
                *rest -= usize::from(!last[*object as usize].is_empty());
            }
        }
        if moving.len() > before {
            pairs.retain(|pair| !(is_moving[pair.a as usize] | is_moving[pair.b as usize]));
        }
    }

    /// Sorts all anew but those that changed, which move.
    fn rebuild(&mut self, search: &mut SweepGrid, frame: &Frame<'_>) {
        self.is_rebuilt = true;
        (self.in_vain, self.tests_then) = (0, None);
        self.is_moving.clear();
        resize_roomy(&mut self.is_moving, frame.boxes.len(), false);
        self.moving.clear();
        self.moving.extend_from_slice(&self.changed);
        // Those that did not change are as they were, and the others are overwritten with this update.
        for object in &self.changed {
            self.is_moving[*object as usize] = true;
            self.last[*object as usize] = Aabb::EMPTY;
        }
        self.rest = self.last.iter().filter(|b| !b.is_empty()).count();
        self.sorted = self.rest;
        let still = Frame { boxes: &self.last, ..*frame };
        search.list_in_columns_for(frame.boxes, &self.last);
        self.pairs.clear();
        self.built = Found::default();
        let Self { resting, sweeper, pairs, built, .. } = self;
        if let Some((columns, bins)) = search.lists() {
            resting.build(columns, bins, sweeper, &still, |sorted| {
                *built += sweep(sorted, 0..sorted.filled(), &still, pairs);
            });
        }
        self.layers.clear();
        self.layers.extend_from_slice(frame.layers);
        if frame.is_stopped() {
            // Not all may be there.
            self.forget();
        }
    }

    /// Lists the moving objects in the columns; false if they took far too many entries.
    fn list_moving(&mut self, boxes: &[Aabb]) -> bool {
        let Some(columns) = self.resting.columns() else { return false };
        let most = FEWEST_LISTINGS + MOST_LISTINGS * boxes.len() as u64;
        let Self { bins, moving, .. } = self;
        bins.make_room(moving.len(), columns.len());
        let objects = moving.iter().map(|object| (*object, &boxes[*object as usize]));
        dispatch!(level(), simd => bins.fill(simd, &columns, objects, most))
    }

    /// Brings what is kept up to date; false where nothing is, and this frame must be searched by itself.
    fn keep(&mut self, search: &mut SweepGrid, frame: &Frame<'_>) -> bool {
        let are_tests_many = self.are_tests_many();
        self.built = Found::default();
        self.tasks.forget_found();
        let objects = frame.boxes.len();
        if objects < self.last.len() || !self.have_same_layers(frame) {
            return false;
        }
        if objects > self.last.len() {
            self.add(frame);
        }
        self.present = match self.is_kept() {
            true => self.rest + self.moving.len(),
            false => frame.boxes.iter().filter(|b| !b.is_empty()).count(),
        };
        self.look(frame.boxes);
        if self.are_too_many(self.changed.len()) {
            return false;
        }
        if self.is_kept() {
            self.take_out_changed();
            // Who came to rest is searched for, and who began to move is met where it was.
            let gone = (self.sorted - self.rest) as f32 / self.sorted.max(1) as f32;
            let met = (self.moving.len() as f32 * gone) as usize;
            self.in_vain += self.moving.len() - self.changed.len() + met;
        }
        let is_worn = self.in_vain > objects || self.are_too_many(self.moving.len());
        if !self.is_kept() || is_worn || are_tests_many {
            if are_tests_many {
                search.look_soon();
            }
            self.rebuild(search, frame);
        }
        self.is_kept() && self.list_moving(frame.boxes)
    }

    /// Whether the moving objects took many more tests each than in the first frame after all were sorted:
    /// they may be elsewhere by now, where other columns suit them.
    fn are_tests_many(&mut self) -> bool {
        if !self.is_kept() || self.moving.is_empty() {
            return false;
        }
        let tests = self.tasks.found().tests as f32;
        let moving = self.moving.len() as f32;
        let then = *self.tests_then.get_or_insert(tests / moving);
        tests > 2.0 * then * moving + self.last.len() as f32
    }

    /// Brings what is kept up to date.
    pub(in crate::algorithms) fn update(&mut self, search: &mut SweepGrid, frame: &Frame<'_>) {
        self.is_rebuilt = false;
        let boxes = frame.boxes;
        if self.keep(search, frame) {
            self.changed.iter().for_each(|at| self.last[*at as usize] = boxes[*at as usize]);
            return;
        }
        self.begin(frame);
        search.update(frame);
    }

    /// Forgets all, and remembers the boxes of a frame that is searched by another.
    pub(in crate::algorithms) fn begin(&mut self, frame: &Frame<'_>) {
        self.forget();
        self.last.clear();
        self.last.extend_from_slice(frame.boxes);
        self.layers.clear();
        self.layers.extend_from_slice(frame.layers);
    }

    /// As [`BroadPhase::find_pairs`].
    pub(in crate::algorithms) fn find_pairs(
        &mut self,
        search: &mut SweepGrid,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        if frame.is_stopped() {
            return;
        }
        let Some(columns) = self.resting.columns() else {
            search.find_pairs(frame, pairs);
            return;
        };
        pairs.extend_from_slice(&self.pairs);
        let Self { bins, resting, is_moving, tasks, moving, .. } = self;
        tasks.share_out(moving.len(), columns.len(), |column| bins.len(column));
        tasks.run(pairs, |sweeper, column, pairs| {
            let mut found = Found::default();
            if bins.len(column) > 0 {
                let moving = sweeper.sort(column, std::slice::from_ref(bins));
                found += sweep(moving, 0..moving.filled(), frame, pairs);
                for shelf in resting.shelves(column) {
                    found += cross(moving, shelf, is_moving, frame, pairs);
                }
            }
            found
        });
    }

    pub(in crate::algorithms) fn counters(&self, search: &SweepGrid) -> Counters {
        let Some(columns) = self.resting.columns() else { return search.counters() };
        let mut found = self.built;
        found += self.tasks.found();
        Counters {
            tests: found.tests,
            nodes: columns.len() as u64,
            listings: self.resting.listings + self.bins.listings,
            straddlers: self.resting.straddlers + self.bins.straddlers,
            duplicates: found.duplicates,
            rebuilds: u64::from(self.is_rebuilt),
            ..Counters::default()
        }
    }

    pub(in crate::algorithms) fn heap_bytes(&self) -> usize {
        self.last.capacity() * size_of::<Aabb>()
            + self.layers.capacity() * size_of::<Layer>()
            + self.is_moving.capacity()
            + (self.moving.capacity() + self.changed.capacity()) * size_of::<u32>()
            + self.pairs.capacity() * size_of::<Pair>()
            + self.resting.heap_bytes()
            + self.sweeper.heap_bytes()
            + self.bins.heap_bytes()
            + self.tasks.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::sweep_grid::tasks::PARALLEL_FROM;
    use crate::{ALGORITHMS, Settings};
    use glam::Vec3;

    /// The pairs of a frame, by what is kept.
    fn pairs_of(rest: &mut Rest, search: &mut SweepGrid, frame: &Frame<'_>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        rest.update(search, frame);
        rest.validate(search, frame);
        rest.find_pairs(search, frame, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    fn by_brute_force(boxes: &[Aabb]) -> Vec<Pair> {
        let mut algorithm = (ALGORITHMS[0].build)(&Settings::new(boxes.len()));
        let (frame, mut pairs) = (Frame::new(boxes, 0.1), Vec::new());
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    /// Boxes that overlap some others, a hundredth of them far longer than the rest, along all axes.
    fn cube(side: usize) -> Vec<Aabb> {
        let at = |i: usize| [i % side, i / side % side, i / side / side].map(|at| at as f32);
        let around = |i: usize| {
            let mut half = Vec3::splat(0.3 + (i * 7 % 10) as f32 * 0.06);
            if i.is_multiple_of(100) {
                half[i / 100 % 3] = 6.0;
            }
            let center = Vec3::from(at(i)) * 1.1;
            Aabb::new(center - half, center + half)
        };
        (0..side * side * side).map(around).collect()
    }

    fn push(b: &mut Aabb, way: Vec3) {
        *b = Aabb::new(b.min + way, b.max + way);
    }

    #[test]
    fn threads_share_the_columns_out_and_find_the_same_pairs_by_the_same_tests() {
        let boxes = cube(22);
        let mut moved = boxes.clone();
        moved.iter_mut().step_by(2).for_each(|b| push(b, Vec3::splat(0.4)));
        assert!(boxes.len() / 2 > PARALLEL_FROM);
        let expected = by_brute_force(&moved);
        let mut counts = Vec::new();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut rest, mut search) = (Rest::default(), SweepGrid::default());
            let mut run =
                |boxes| pool.install(|| pairs_of(&mut rest, &mut search, &Frame::new(boxes, 0.1)));
            run(&boxes);
            run(&boxes);
            assert!(run(&moved) == expected, "{threads} threads");
            counts.push(rest.counters(&search));
        }
        assert!(counts[0].rebuilds == 0 && counts[0].nodes > 4 && counts[0].duplicates > 0);
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    }

    #[test]
    fn what_comes_to_rest_is_sorted_in_once_carrying_it_has_cost_as_much() {
        let mut boxes = cube(10);
        let (mut rest, mut search) = (Rest::default(), SweepGrid::default());
        let mut anew = Vec::new();
        for number in 0..30 {
            // From frame 3 to 5 every tenth moves.
            if (3..6).contains(&number) {
                boxes.iter_mut().step_by(10).for_each(|b| push(b, Vec3::X * 0.3));
            }
            let pairs = pairs_of(&mut rest, &mut search, &Frame::new(&boxes, 0.1));
            assert!(pairs == by_brute_force(&boxes), "frame {number}");
            let moving = (rest.moving().unwrap_or(1.0) * 1000.0).round();
            let expected = match number {
                0 => 1000.0,
                3..14 => 100.0,
                _ => 0.0,
            };
            assert_eq!(moving, expected, "frame {number}");
            if rest.is_rebuilt() {
                anew.push(number);
            }
        }
        // In nine frames a hundred have idled, and were met where they had been, as often as there are objects.
        assert_eq!(anew, [1, 14]);
    }

    #[test]
    fn more_objects_are_taken_over_and_fewer_begin_anew() {
        let all = cube(12);
        let (mut rest, mut search) = (Rest::default(), SweepGrid::default());
        let mut layers = vec![Layer::ALL; 3];
        let mut rebuilt = Vec::new();
        for (number, objects) in
            [1000, 1000, 1010, 1011, 1011, 1005, 1005, 1728, 1728].into_iter().enumerate()
        {
            // Some of the new ones are absent, and layers are told of ever more.
            let mut boxes = all[..objects].to_vec();
            boxes.get_mut(1003).into_iter().for_each(|b| *b = Aabb::EMPTY);
            layers.resize(layers.len() + 100, Layer::ALL);
            let frame = Frame::new(&boxes, 0.1).layered(&layers);
            let pairs = pairs_of(&mut rest, &mut search, &frame);
            assert!(pairs == by_brute_force(&boxes), "frame {number}");
            rebuilt.push(rest.moving().map(|_| rest.is_rebuilt()));
        }
        let (kept, anew) = (Some(false), Some(true));
        assert_eq!(rebuilt, [None, anew, kept, kept, kept, None, anew, kept, kept]);
    }

    #[test]
    fn what_was_stopped_while_it_was_sorted_is_forgotten() {
        let boxes = cube(10);
        let frame = Frame::new(&boxes, 0.1);
        let stop = std::sync::atomic::AtomicBool::new(true);
        let (mut rest, mut search) = (Rest::default(), SweepGrid::default());
        rest.update(&mut search, &frame);
        rest.update(&mut search, &frame.stopped_by(&stop));
        assert!(!rest.is_kept(), "a part of what rests is kept");
        let expected = by_brute_force(&boxes);
        for _ in 0..2 {
            assert!(pairs_of(&mut rest, &mut search, &frame) == expected);
        }
        assert!(rest.is_kept());
    }
}
