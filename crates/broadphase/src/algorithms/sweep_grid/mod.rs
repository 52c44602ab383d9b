//! A grid of cells that are searched sixteen boxes at a time.
//!
//! Each box is listed in every cell that it touches. The cells are so large that most boxes touch
//! one or two of them, and so small that a handful of vector instructions compares a box with all
//! others of its cell: nothing is sorted where boxes are spread evenly. A crowded cell is sorted
//! along one axis and swept.
//!
//! A pair that shares several cells is reported in the first of them: the one in which, on every
//! axis, at least one of the two boxes begins. So each entry carries three bits that say on which
//! axes its box begins earlier, and a pair is passed over where both have the same bit; no coordinate
//! is compared again (the flags of Terdiman's box pruning in cells).
//!
//! Boxes lie in their cells in structure-of-arrays form from one frame to the next, and the objects
//! are visited in the order of the cells in which they were in the last frame: nearly all writes
//! then fall on memory that is at hand. Places are laid out from the numbers of an earlier frame,
//! with room to spare; what finds no place stands in a small list until the cells are laid anew.

mod cells;
mod inspect;
mod lay;
mod layout;
mod search;
mod validate;

use crate::simd::level;
use crate::{Aabb, Algorithm, BroadPhase, Counters, Frame, Inspect, Overlay, Pair};
use cells::{Away, Entry, Run};
use fearless_simd::dispatch;
use layout::{CellRange, Layout};
use rayon::prelude::*;
use search::Search;

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "sweep-grid",
    name: "Grid of sweeps",
    summary: "a grid of cells, each searched with vectors, crowded ones by a sweep; kept order",
    source: "after P. Terdiman's box pruning (2002-2018) and the cell lists of molecular dynamics",
    overlays: &[Overlay::Regions],
    memory: |n| n * 64,
    build: |_| Box::<SweepGrid>::default(),
};

/// Fewer objects than this are done before another thread has woken.
const PARALLEL_FROM: usize = 8192;

/// Frames between two looks at whether the cells still fit the boxes.
const FRAMES_PER_LOOK: u32 = 16;

/// Time O(n + Σ mᵢ²) for mᵢ boxes in cell i, where a crowded cell costs its sweep; memory about 120
/// bytes an object, room to spare included.
#[derive(Debug, Default)]
pub struct SweepGrid {
    layout: Option<Layout>,
    ranges: Vec<Run>,
    tasks: Vec<Task>,
    /// Objects in the last frame.
    objects: usize,
    frames: u32,
    /// Boxes in the fullest cell when the cells were laid.
    fullest: usize,
    rebuilds: u64,
    large: Vec<(Entry, CellRange)>,
    /// The large ones among themselves.
    large_boxes: Vec<Aabb>,
    coarser: Option<Box<SweepGrid>>,
    large_pairs: Vec<Pair>,
    scratch: lay::Scratch,
}

/// What one range's search leaves. Aligned to two cache lines, since threads write side by side.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Task {
    search: Search,
    pairs: Vec<Pair>,
}

impl SweepGrid {
    fn threads(&self, objects: usize) -> usize {
        if objects < PARALLEL_FROM { 1 } else { rayon::current_num_threads() }
    }

    /// Sorts all objects into the cells that there are.
    fn fill(&mut self, layout: &Layout, boxes: &[Aabb]) {
        let level = level();
        if let [range] = &mut self.ranges[..] {
            dispatch!(level, simd => range.fill(simd, layout, boxes));
            return;
        }
        self.ranges.par_iter_mut().for_each(|range| {
            dispatch!(level, simd => range.fill(simd, layout, boxes));
        });
        // What lies across the borders of the ranges is little.
        for from in 0..self.ranges.len() {
            let foreign = std::mem::take(&mut self.ranges[from].foreign);
            for entry in &foreign {
                let to =
                    self.ranges.partition_point(|range| range.first <= entry.cell as usize) - 1;
                self.ranges[to].adopt(entry);
                self.ranges[from].listings -= 1;
            }
            self.ranges[from].foreign = foreign;
        }
    }

    fn is_crowded_out(&self) -> bool {
        let spilled: usize = self.ranges.iter().map(|range| range.spilled.len()).sum();
        let large: usize = self.ranges.iter().map(|range| range.large.len()).sum();
        spilled > self.objects / 16 + 64 || spilled.saturating_mul(large) > 4 * self.objects + 4096
    }

    /// Gathers the objects that are too large for their cells.
    fn gather_large(&mut self, layout: &Layout, boxes: &[Aabb]) {
        self.large.clear();
        self.large_boxes.clear();
        let level = level();
        let found = self.ranges.iter().flat_map(|range| &range.large);
        let large = &mut self.large;
        dispatch!(level, simd => {
            let finder = layout.finder(simd);
            large.extend(found.map(|object| {
                let bounds = boxes[*object as usize];
                (Entry { bounds, object: *object, away: Away::HOME }, finder.range(&bounds))
            }));
        });
        // The order of the ranges depends on the threads, that of the ids does not.
        self.large.sort_unstable_by_key(|(entry, _)| entry.object);
        self.large_boxes.extend(self.large.iter().map(|(entry, _)| entry.bounds));
        if self.large.len() > 1 {
            let frame = Frame::new(&self.large_boxes, 0.0);
            self.coarser.get_or_insert_default().update(&frame);
        }
    }
}

impl BroadPhase for SweepGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.rebuilds = 0;
        self.frames += 1;
        let ranges = lay::ranges_for(self.threads(boxes.len()));
        let is_new = self.objects != boxes.len() || self.ranges.len() > ranges;
        self.objects = boxes.len();
        let mut lay = is_new || self.layout.is_none() || self.ranges.is_empty();
        if lay || self.frames.is_multiple_of(FRAMES_PER_LOOK) {
            let wanted = Layout::choose(boxes, &mut self.scratch.sizes);
            let fits = match (&self.layout, &wanted) {
                (Some(held), Some(wanted)) => !held.differs_from(wanted),
                (held, wanted) => held.is_none() && wanted.is_none(),
            };
            if lay || !fits {
                self.layout = wanted;
                lay = true;
            }
        }
        let Some(layout) = self.layout else {
            self.ranges.clear();
            self.large.clear();
            return;
        };
        let spilled: usize = self.ranges.iter().map(|range| range.spilled.len()).sum();
        if lay || spilled > boxes.len() / 64 + 16 {
            self.lay(&layout, boxes, ranges);
        }
        self.fill(&layout, boxes);
        if self.is_crowded_out() {
            self.lay(&layout, boxes, ranges);
            self.fill(&layout, boxes);
        }
        self.gather_large(&layout, boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let Some(layout) = self.layout else { return };
        let level = level();
        let Self { ranges, tasks, large, fullest, .. } = self;
        tasks.resize_with(ranges.len(), Task::default);
        tasks.iter_mut().for_each(|task| task.search.reserve(*fullest));
        if let ([range], [task]) = (&mut ranges[..], &mut tasks[..]) {
            dispatch!(level, simd => task.search.range(simd, range, &layout, large, frame, pairs));
        } else {
            ranges.par_iter_mut().zip(&mut *tasks).for_each(|(range, task)| {
                crate::scratch::renew(&mut task.pairs);
                let Task { search, pairs } = task;
                dispatch!(level, simd => search.range(simd, range, &layout, large, frame, pairs));
            });
            for task in tasks {
                pairs.extend_from_slice(&task.pairs);
            }
        }
        if let Some(coarser) = &mut self.coarser
            && self.large.len() > 1
        {
            let among_large = Frame { boxes: &self.large_boxes, layers: &[], ..*frame };
            self.large_pairs.clear();
            coarser.find_pairs(&among_large, &mut self.large_pairs);
            for pair in &self.large_pairs {
                let [a, b] = [pair.a, pair.b].map(|at| self.large[at as usize].0.object);
                if frame.admits(a, b) {
                    pairs.push(Pair::new(a, b));
                }
            }
        }
    }

    fn counters(&self) -> Counters {
        let coarser = match &self.coarser {
            Some(coarser) if self.large.len() > 1 => coarser.counters(),
            _ => Counters::default(),
        };
        let sum = |of: fn(&Run) -> u64| self.ranges.iter().map(of).sum::<u64>();
        let tasks = || self.tasks.iter().take(self.ranges.len());
        Counters {
            tests: tasks().map(|task| task.search.tests).sum::<u64>() + coarser.tests,
            nodes: sum(|range| range.cells.len() as u64),
            listings: sum(|range| range.listings) + coarser.listings,
            straddlers: sum(|range| range.straddlers),
            duplicates: tasks().map(|task| task.search.duplicates).sum::<u64>()
                + coarser.duplicates,
            rebuilds: self.rebuilds,
            ..Counters::default()
        }
    }

    fn heap_bytes(&self) -> usize {
        let ranges: usize = self.ranges.iter().map(Run::heap_bytes).sum();
        let tasks: usize = self
            .tasks
            .iter()
            .map(|task| task.search.heap_bytes() + task.pairs.capacity() * size_of::<Pair>())
            .sum();
        ranges
            + tasks
            + self.ranges.capacity() * size_of::<Run>()
            + self.tasks.capacity() * size_of::<Task>()
            + self.large.capacity() * size_of::<(Entry, CellRange)>()
            + self.large_boxes.capacity() * size_of::<Aabb>()
            + self.large_pairs.capacity() * size_of::<Pair>()
            + self.scratch.heap_bytes()
            + self.coarser.as_ref().map_or(0, |coarser| coarser.heap_bytes() + size_of::<Self>())
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.validate_cells(frame.boxes);
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}
