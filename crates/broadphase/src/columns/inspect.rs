//! The columns as regions.

use super::Grid;
use super::bins::{Bins, ListedBox};
use super::cached::{CachedColumns, Origin};
use super::shelves::Shelf;
use super::sweeper::Sweeper;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark, SweepBlock};
use crate::sweep::Block;
use crate::{Aabb, Axis};

impl Grid {
    /// The columns with boxes, with their numbers among the regions.
    fn occupied(&self) -> impl Iterator<Item = (u32, usize)> {
        let columns = self.columns().map_or(0, |columns| columns.len());
        (0..).zip((0..columns).filter(|column| self.lists.len(*column) > 0))
    }

    /// Bounds of all boxes.
    fn world(&self) -> Aabb {
        let axis = self.columns().map_or(0, |columns| columns.axis);
        let entries = self.occupied().flat_map(|(_, column)| self.lists.entries(column));
        entries.fold(Aabb::EMPTY, |all, entry| all.union(&entry.bounds(axis)))
    }

    /// Visits the blocks of the columns. Sorts each column again: a search keeps none of them.
    fn visit_blocks(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(columns) = self.columns() else { return };
        let mut sweeper = Sweeper::default();
        for (region, column) in self.occupied() {
            let sorted = sweeper.sort(column, self.lists.bins());
            for (place, block) in (0..).zip(&sorted.blocks[..sorted.filled()]) {
                let axis = Axis::ALL[columns.axis];
                let (objects, bounds) = block.filled(columns.axis);
                visit(Mark::Block(SweepBlock { axis, region, place, objects, bounds }));
            }
        }
    }
}

impl Inspect for Grid {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Regions => {
                let Some(columns) = self.columns() else { return };
                let world = self.world();
                for (index, column) in self.occupied() {
                    let bounds = columns.bounds(column, &world);
                    let objects: Vec<u32> =
                        self.lists.entries(column).map(|entry| entry.object).collect();
                    visit(Mark::Region(RegionMark {
                        axis: Some(Axis::ALL[columns.axis]),
                        ..RegionMark::new(index as usize, bounds, 0, &objects)
                    }));
                }
            }
            Overlay::Blocks => self.visit_blocks(visit),
            _ => {}
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        for (region, column) in self.occupied() {
            let boxes = sorted(self.lists.entries(column).map(extent));
            sweep(&boxes, &mut |a, b| visit(a, b, Some(region)));
        }
    }
}

/// The begin and the end of a box on the sweep axis, and its object.
type Extent = (f32, f32, u32);

fn extent(entry: &ListedBox) -> Extent {
    (entry.min[0], entry.max[0], entry.object)
}

fn extents(block: &Block) -> impl Iterator<Item = Extent> {
    // The sweep axis is the first.
    block.boxes(0).map(|(object, b)| (b.min.x, b.max.x, object))
}

/// Boxes by where they begin.
fn sorted(boxes: impl Iterator<Item = Extent>) -> Vec<Extent> {
    let mut boxes: Vec<_> = boxes.collect();
    boxes.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    boxes
}

/// Calls `visit` with the objects of every test of a sweep.
fn sweep(sorted: &[Extent], visit: &mut dyn FnMut(u32, u32)) {
    for (at, (_, end, object)) in sorted.iter().enumerate() {
        let run = sorted[at + 1..].iter().take_while(|(begin, ..)| begin <= end);
        run.for_each(|(.., other)| visit(*object, *other));
    }
}

impl CachedColumns {
    /// The axis on which columns are swept.
    pub(crate) fn axis(&self) -> Option<Axis> {
        self.columns.map(|columns| Axis::ALL[columns.axis])
    }

    /// The columns with boxes: their numbers, bounds and objects, first the cached ones without a stale entry.
    pub(crate) fn regions(
        &self,
        entry: impl Fn(u32) -> Option<Origin>,
    ) -> Vec<(usize, Aabb, Vec<u32>)> {
        let Some(columns) = self.columns else { return Vec::new() };
        let mut world = Aabb::EMPTY;
        let mut objects_of = vec![Vec::new(); columns.len()];
        for (column, objects) in objects_of.iter_mut().enumerate() {
            for origin in [Origin::Built, Origin::Inserted] {
                let blocks = self.shelves(origin, column).flat_map(|shelf| shelf.blocks);
                for (object, b) in blocks.flat_map(|block| block.boxes(columns.axis)) {
                    if entry(object) == Some(origin) {
                        world = world.union(&b);
                        objects.push(object);
                    }
                }
            }
            for entry in self.grid.lists.entries(column) {
                world = world.union(&entry.bounds(columns.axis));
                objects.push(entry.object);
            }
        }
        let occupied = objects_of.into_iter().enumerate().filter(|(_, all)| !all.is_empty());
        let bounds = |column| columns.bounds(column, &world);
        occupied.map(|(column, objects)| (column, bounds(column), objects)).collect()
    }

    /// Calls `visit` with both objects of every test of the last build, and the column.
    pub(crate) fn tests_of_build(&self, visit: &mut dyn FnMut(u32, u32, usize)) {
        for column in 0..self.columns.map_or(0, |columns| columns.len()) {
            let blocks = self.shelves(Origin::Built, column).flat_map(|shelf| shelf.blocks);
            let boxes = blocks.flat_map(extents);
            sweep(&sorted(boxes), &mut |a, b| visit(a, b, column));
        }
    }

    /// Calls `visit` with both objects of every test of the last search for escaped objects, and the column.
    pub(crate) fn tests_of_escaped(&self, visit: &mut dyn FnMut(u32, u32, usize)) {
        self.tests_of(|column| self.grid.lists.entries(column), visit);
    }

    /// The same of a search for some objects by given boxes.
    pub(crate) fn tests_for<'a>(
        &self,
        mut objects: impl Iterator<Item = (u32, &'a Aabb)>,
        visit: &mut dyn FnMut(u32, u32, usize),
    ) {
        let Some(columns) = self.columns else { return };
        let listed = Bins::of(&columns, &mut objects);
        self.tests_of(|column| listed.entries(column), visit);
    }

    fn tests_of<'a, I: Iterator<Item = &'a ListedBox>>(
        &self,
        listed: impl Fn(usize) -> I,
        visit: &mut dyn FnMut(u32, u32, usize),
    ) {
        for column in 0..self.columns.map_or(0, |columns| columns.len()) {
            let own = sorted(listed(column).map(extent));
            sweep(&own, &mut |a, b| visit(a, b, column));
            let [built, inserted] =
                [Origin::Built, Origin::Inserted].map(|origin| self.shelves(origin, column));
            for Shelf { blocks, .. } in built.chain(inserted) {
                for (begin, end, object) in &own {
                    let meets = |(low, high, _): &Extent| low <= end && begin <= high;
                    let met = blocks.iter().flat_map(extents).filter(meets);
                    met.for_each(|(.., other)| visit(*object, other, column));
                }
            }
        }
    }
}
