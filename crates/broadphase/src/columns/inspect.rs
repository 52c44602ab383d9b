//! The columns as regions.

use super::Grid;
use super::bins::Bins;
use super::cached::{CachedColumns, Origin};
use super::shelves::Shelf;
use super::sweeper::Sweeper;
use crate::inspect::{Inspect, Mark, Overlay, Region, RegionMark, SweepBlock, SweptList};
use crate::sweep::LANES;
use crate::{Aabb, Axis};

impl Grid {
    /// The objects of a column.
    fn objects_in(&self, column: usize) -> impl Iterator<Item = u32> {
        let chunks = self.bins().iter().flat_map(move |bins| bins.chunks(column));
        chunks.flat_map(|(_, entries)| entries.iter().map(|entry| entry.object))
    }

    /// The columns with boxes, with their numbers among the regions.
    fn occupied(&self) -> impl Iterator<Item = (u32, usize)> {
        let columns = self.columns.map_or(0, |columns| columns.len());
        (0..).zip((0..columns).filter(|column| self.len(*column) > 0))
    }

    /// Bounds of all boxes.
    fn world(&self) -> Aabb {
        let axis = self.columns.map_or(0, |columns| columns.axis);
        let mut world = Aabb::EMPTY;
        for (_, column) in self.occupied() {
            for (_, entries) in self.bins().iter().flat_map(|bins| bins.chunks(column)) {
                entries.iter().for_each(|entry| world = world.union(&entry.bounds(axis)));
            }
        }
        world
    }

    /// Visits the blocks of the columns. Sorts each column again: a search keeps none of them.
    fn visit_blocks(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(columns) = self.columns else { return };
        let mut sweeper = Sweeper::default();
        for (region, column) in self.occupied() {
            let sorted = sweeper.sort(column, self.bins());
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
                let world = self.world();
                for (index, column) in self.occupied() {
                    let columns = self.columns.as_ref();
                    let bounds = columns.map_or(world, |columns| columns.bounds(column, &world));
                    let objects: Vec<u32> = self.objects_in(column).collect();
                    visit(Mark::Region(RegionMark::new(index as usize, bounds, 0, &objects)));
                }
            }
            Overlay::Blocks => self.visit_blocks(visit),
            _ => {}
        }
    }

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        for (_, column) in self.occupied() {
            replay(extents(self.bins(), column), visit);
        }
    }

    /// Sorts the columns that hold the object again.
    fn sweeps(&self, object: u32, visit: &mut dyn FnMut(SweptList<'_>)) {
        let Some(columns) = self.columns else { return };
        for (region, column) in self.occupied() {
            if self.objects_in(column).any(|other| other == object) {
                let objects = in_order(extents(self.bins(), column));
                let axis = Axis::ALL[columns.axis];
                visit(SweptList { region, axis, plane: None, objects: &objects });
            }
        }
    }
}

/// The begin and the end of a box on the sweep axis, and its object.
type Extent = (f32, f32, u32);

/// The boxes that are listed in a column.
fn extents(bins: &[Bins], column: usize) -> impl Iterator<Item = Extent> {
    let entries = bins.iter().flat_map(move |bins| bins.chunks(column)).flat_map(|(_, all)| all);
    entries.map(|entry| (entry.min[0], entry.max[0], entry.object))
}

/// The objects of some boxes, by where these begin.
fn in_order(boxes: impl Iterator<Item = Extent>) -> Vec<u32> {
    let mut boxes: Vec<_> = boxes.collect();
    boxes.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    boxes.into_iter().map(|(.., object)| object).collect()
}

/// Calls `visit` with the objects of every test of a sweep.
fn replay(boxes: impl Iterator<Item = Extent>, visit: &mut dyn FnMut(u32, u32)) {
    let mut boxes: Vec<_> = boxes.collect();
    boxes.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    for (at, (_, end, object)) in boxes.iter().enumerate() {
        let run = boxes[at + 1..].iter().take_while(|(begin, ..)| begin <= end);
        run.for_each(|(.., other)| visit(*object, *other));
    }
}

impl CachedColumns {
    /// The axis on which columns are swept.
    pub(crate) fn axis(&self) -> Option<Axis> {
        self.columns().map(|columns| Axis::ALL[columns.axis])
    }

    /// The columns with boxes, and their objects: first the cached ones without a stale entry.
    pub(crate) fn regions(&self, entry: impl Fn(u32) -> Option<Origin>) -> Vec<(Region, Vec<u32>)> {
        let Some(columns) = self.columns() else { return Vec::new() };
        let mut world = Aabb::EMPTY;
        let mut objects_of = vec![Vec::new(); columns.len()];
        for (column, objects) in objects_of.iter_mut().enumerate() {
            for origin in [Origin::Built, Origin::Inserted] {
                for block in self.shelves(origin, column).flat_map(|shelf| shelf.blocks) {
                    for (lane, object) in block.objects.into_iter().enumerate() {
                        if object != u32::MAX && entry(object) == Some(origin) {
                            world = world.union(&block.bounds(lane, columns.axis));
                            objects.push(object);
                        }
                    }
                }
            }
            let listed = self.escaped().iter().flat_map(|bins| bins.chunks(column));
            for entry in listed.flat_map(|(_, entries)| entries) {
                world = world.union(&entry.bounds(columns.axis));
                objects.push(entry.object);
            }
        }
        let occupied = objects_of.into_iter().enumerate().filter(|(_, all)| !all.is_empty());
        let region = |(index, (column, objects)): (u32, (usize, Vec<u32>))| {
            let bounds = columns.bounds(column, &world);
            (Region { index, bounds, depth: 0, objects: objects.len() as u32 }, objects)
        };
        (0..).zip(occupied).map(region).collect()
    }

    /// Calls `visit` with both objects of every test of the last build. For inspection: it is slow.
    pub(crate) fn replay_build(&self, visit: &mut dyn FnMut(u32, u32)) {
        for column in 0..self.columns().map_or(0, |columns| columns.len()) {
            let blocks = self.shelves(Origin::Built, column).flat_map(|shelf| shelf.blocks);
            let boxes = blocks.flat_map(|block| {
                let extent = |lane| (block.min[0][lane], block.max[0][lane], block.objects[lane]);
                (0..LANES).map(extent).filter(|(.., object)| *object != u32::MAX)
            });
            replay(boxes, visit);
        }
    }

    /// Calls `visit` with both objects of every test of the last search for escaped objects.
    pub(crate) fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.replay_of(self.escaped(), visit);
    }

    /// Calls `visit` with both objects of every test of a search for some objects by given boxes.
    pub(crate) fn replay_for<'a>(
        &self,
        mut objects: impl Iterator<Item = (u32, &'a Aabb)>,
        visit: &mut dyn FnMut(u32, u32),
    ) {
        let Some(columns) = self.columns() else { return };
        self.replay_of(&[Bins::of(&columns, &mut objects)], visit);
    }

    fn replay_of(&self, listed: &[Bins], visit: &mut dyn FnMut(u32, u32)) {
        let Some(columns) = self.columns() else { return };
        for column in 0..columns.len() {
            replay(extents(listed, column), visit);
            let listed = listed.iter().flat_map(|bins| bins.chunks(column));
            for entry in listed.flat_map(|(_, entries)| entries) {
                let [built, inserted] =
                    [Origin::Built, Origin::Inserted].map(|origin| self.shelves(origin, column));
                for block in built.chain(inserted).flat_map(|Shelf { blocks, .. }| blocks) {
                    for lane in 0..LANES {
                        let is_reached = block.min[0][lane] <= entry.max[0];
                        if is_reached && entry.min[0] <= block.max[0][lane] {
                            visit(entry.object, block.objects[lane]);
                        }
                    }
                }
            }
        }
    }
}
