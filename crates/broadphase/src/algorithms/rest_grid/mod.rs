//! A grid of sweeps in which what rests is kept.
//!
//! In many scenes most objects rest: walls, ground, what has fallen and lies. Their boxes stand in the
//! sorted columns of a [`SweepGrid`] that are kept while they rest, and so are their pairs. In a frame
//! only the objects that move are listed and sorted; each column's are swept among themselves, and
//! against those that rest there. So a frame costs a look at each object, the search of those that move,
//! and the copy of the pairs of those that rest; how far they move does not matter.
//!
//! What begins to move is taken out of its columns, which leaves a hole, and its pairs are dropped. What
//! comes to rest is carried among the moving until that has cost as much as to sort all anew, which is
//! done then: so it costs no more than twice what it must.
//!
//! Where most objects move, nothing is kept, and a [`SweepGrid`] answers.

mod cross;
mod inspect;
mod resting;
mod validate;

use super::sweep_grid::SweepGrid;
use super::sweep_grid::bins::Bins;
use super::sweep_grid::column::Sweeper;
use crate::ordered_tasks::OrderedTasks;
use crate::scratch::{renew, resize_roomy};
use crate::simd::level;
use crate::sweep::{Found, sweep};
use crate::{Aabb, Algorithm, BroadPhase, Counters, Frame, Inspect, Layer, Pair};
use cross::cross;
use fearless_simd::dispatch;
use resting::Resting;
use std::ops::Range;

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "rest-grid",
    name: "Rest grid",
    summary: "a grid of sweeps that keeps what rests sorted; only what moves is searched for",
    source: "our own; the columns are those of sweep-grid",
    overlays: &[],
    memory: |n| n * 130,
    build: |_| Box::<RestGrid>::default(),
};

/// Nothing is kept where more than this share of the objects moves.
const MOST_MOVING: f32 = 0.6;

/// Fewer moving objects than this are done before another thread has woken.
const PARALLEL_FROM: usize = 4096;

/// Columns are shared out in so many tasks for each thread.
const TASKS_PER_THREAD: usize = 8;

/// Listings of moving objects up to which they are taken to suit the columns: for each, and beside that.
const MOST_LISTINGS: u64 = 6;
const FEWEST_LISTINGS: u64 = 4096;

/// Time O(n + (m + t / 16)) for m objects that move and t pairs of one of them and another that overlap
/// on the sweep axis and share a column; memory about 170 bytes an object, and 8 a kept pair.
#[derive(Debug, Default)]
pub struct RestGrid {
    /// The box that each object had in the frame before.
    last: Vec<Aabb>,
    /// The layers that the kept pairs were chosen by.
    layers: Vec<Layer>,
    /// Whether each object stands among those that move.
    is_moving: Vec<bool>,
    moving: Vec<u32>,
    /// Objects whose box is another one than in the frame before.
    changed: Vec<u32>,
    /// Frames that objects stood among the moving ones though they rested, since all were sorted.
    idled: usize,
    resting: Resting,
    /// The boxes of resting objects, while they are sorted.
    still: Vec<Aabb>,
    /// The pairs of resting objects.
    pairs: Vec<Pair>,
    /// Sorts all anew, and answers where nothing is kept.
    search: SweepGrid,
    sweeper: Sweeper,
    bins: Bins,
    tasks: OrderedTasks<Task>,
    is_rebuilt: bool,
    /// What the building did.
    built: Found,
}

/// What searches some of the columns.
#[derive(Debug, Default)]
struct Task {
    sweeper: Sweeper,
    columns: Range<usize>,
    found: Found,
}

impl RestGrid {
    /// Whether anything is kept.
    fn is_kept(&self) -> bool {
        self.resting.columns().is_some()
    }

    /// Forgets what rests.
    fn forget(&mut self) {
        self.resting.clear();
        self.moving.clear();
        renew(&mut self.pairs);
    }

    /// Finds what changed, of as many objects as in the frame before.
    fn look(&mut self, boxes: &[Aabb]) {
        renew(&mut self.changed);
        for (object, (b, last)) in (0..).zip(boxes.iter().zip(&mut self.last)) {
            // Bits, not numbers: whether 0 became -0 does not matter, but that costs nothing.
            let (new, old): (&[u32; 6], &[u32; 6]) =
                (bytemuck::cast_ref(b), bytemuck::cast_ref(last));
            if new.iter().zip(old).fold(0, |all, (new, old)| all | (new ^ old)) != 0 {
                self.changed.push(object);
            }
        }
    }

    /// Whether so many objects move that nothing is kept.
    fn are_too_many(&self, moving: usize) -> bool {
        moving as f32 > self.last.len() as f32 * MOST_MOVING
    }

    /// Takes those that changed to the moving ones. The boxes before must still be there.
    fn take_out_changed(&mut self) {
        let Self { last, is_moving, moving, changed, resting, pairs, .. } = self;
        let before = moving.len();
        for object in &*changed {
            if !std::mem::replace(&mut is_moving[*object as usize], true) {
                resting.remove(*object, &last[*object as usize]);
                moving.push(*object);
            }
        }
        if moving.len() > before {
            pairs.retain(|pair| !(is_moving[pair.a as usize] | is_moving[pair.b as usize]));
        }
    }

    /// Sorts all anew but those that changed, which move.
    fn rebuild(&mut self, frame: &Frame<'_>) {
        self.is_rebuilt = true;
        self.idled = 0;
        self.is_moving.clear();
        resize_roomy(&mut self.is_moving, frame.boxes.len(), false);
        self.moving.clear();
        self.moving.extend_from_slice(&self.changed);
        self.still.clear();
        self.still.extend_from_slice(frame.boxes);
        for object in &self.changed {
            self.is_moving[*object as usize] = true;
            self.still[*object as usize] = Aabb::EMPTY;
        }
        let still = Frame { boxes: &self.still, ..*frame };
        self.search.update(&still);
        renew(&mut self.pairs);
        let Self { search, resting, sweeper, pairs, .. } = self;
        if let Some((columns, bins)) = search.lists() {
            self.built = resting.build(columns, bins, sweeper, &still, pairs);
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
        let most = FEWEST_LISTINGS + MOST_LISTINGS * self.moving.len() as u64;
        let Self { bins, moving, .. } = self;
        let objects = moving.iter().map(|object| (*object, &boxes[*object as usize]));
        dispatch!(level(), simd => bins.fill(simd, &columns, objects, most))
    }

    /// Brings what is kept up to date; false where nothing is, and this frame must be searched by itself.
    fn keep(&mut self, frame: &Frame<'_>) -> bool {
        let objects = frame.boxes.len();
        if self.last.len() != objects || self.layers != frame.layers {
            return false;
        }
        self.look(frame.boxes);
        if self.are_too_many(self.changed.len()) {
            return false;
        }
        if self.is_kept() {
            self.take_out_changed();
            self.idled += self.moving.len() - self.changed.len();
        }
        let is_worn = self.idled > objects || self.are_too_many(self.moving.len());
        if !self.is_kept() || is_worn {
            self.rebuild(frame);
        }
        self.is_kept() && self.list_moving(frame.boxes)
    }

    /// Shares the columns out so that all tasks have about as many moving boxes.
    fn share_out(&mut self, columns: usize) {
        let threads = rayon::current_num_threads();
        let is_parallel = threads > 1 && self.moving.len() >= PARALLEL_FROM;
        let tasks = if is_parallel { threads * TASKS_PER_THREAD } else { 1 };
        self.tasks.resize(tasks);
        let lens = (0..columns).map(|column| self.bins.len(column));
        let (all, longest) = lens.fold((0, 0), |(sum, most), len| (sum + len, most.max(len)));
        let (mut column, mut before) = (0, 0);
        for (number, task) in self.tasks.iter_mut().enumerate() {
            let first = column;
            while column < columns && before * tasks < all * (number + 1) {
                before += self.bins.len(column);
                column += 1;
            }
            task.columns = first..if number + 1 == tasks { columns } else { column };
            task.sweeper.reserve(longest);
            task.found = Found::default();
        }
    }

    /// What the last search did.
    fn found(&self) -> Found {
        self.tasks.fold(self.built, |mut all, task| {
            all += task.found;
            all
        })
    }
}

impl Task {
    fn run(&mut self, bins: &Bins, resting: &Resting, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        for column in self.columns.clone().filter(|column| bins.len(*column) > 0) {
            let moving = self.sweeper.sort(column, std::slice::from_ref(bins));
            self.found += sweep(moving, 0..moving.filled(), frame, pairs);
            for shelf in resting.shelves(column) {
                self.found += cross(moving, shelf, frame, pairs);
            }
        }
    }
}

impl BroadPhase for RestGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        self.is_rebuilt = false;
        self.built = Found::default();
        self.tasks.iter_mut().for_each(|task| task.found = Found::default());
        let is_kept = self.keep(frame);
        if !is_kept {
            self.forget();
            self.search.update(frame);
        }
        let (is_same, boxes) = (self.last.len() == frame.boxes.len(), frame.boxes);
        if is_kept && is_same {
            self.changed.iter().for_each(|at| self.last[*at as usize] = boxes[*at as usize]);
        } else {
            self.last.clear();
            self.last.extend_from_slice(boxes);
            self.layers.clear();
            self.layers.extend_from_slice(frame.layers);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        let Some(columns) = self.resting.columns() else {
            self.search.find_pairs(frame, pairs);
            return;
        };
        pairs.extend_from_slice(&self.pairs);
        self.share_out(columns.len());
        let Self { bins, resting, tasks, .. } = self;
        tasks.run(pairs, |_, task, pairs| task.run(bins, resting, frame, pairs));
    }

    fn counters(&self) -> Counters {
        let Some(columns) = self.resting.columns() else { return self.search.counters() };
        let found = self.found();
        Counters {
            tests: found.tests,
            nodes: columns.len() as u64,
            listings: self.resting.listings + self.bins.listings,
            duplicates: found.duplicates,
            rebuilds: u64::from(self.is_rebuilt),
            ..Counters::default()
        }
    }

    fn heap_bytes(&self) -> usize {
        (self.last.capacity() + self.still.capacity()) * size_of::<Aabb>()
            + self.layers.capacity() * size_of::<Layer>()
            + self.is_moving.capacity()
            + (self.moving.capacity() + self.changed.capacity()) * size_of::<u32>()
            + self.pairs.capacity() * size_of::<Pair>()
            + self.resting.heap_bytes()
            + self.search.heap_bytes()
            + self.sweeper.heap_bytes()
            + self.bins.heap_bytes()
            + self.tasks.heap_bytes(|task| task.sweeper.heap_bytes())
    }

    fn validate(&self, frame: &Frame<'_>) {
        if self.is_kept() {
            self.validate_resting(frame);
        } else {
            self.search.validate(frame);
        }
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}
