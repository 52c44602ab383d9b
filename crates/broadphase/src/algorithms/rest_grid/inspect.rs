//! The columns as regions, and the tests of each object.

use super::RestGrid;
use super::rest::Rest;
use crate::algorithms::sweep_grid::SweepGrid;
use crate::algorithms::sweep_grid::column::Sweeper;
use crate::algorithms::sweep_grid::sorted_columns::Shelf;
use crate::inspect::{add_tests, first_lists};
use crate::sweep::LANES;
use crate::{Aabb, Inspect, Region};

impl Inspect for RestGrid {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        if self.rest.is_kept() {
            self.rest.regions().into_iter().for_each(|(region, _)| visit(region));
        } else {
            self.search.regions(visit);
        }
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        if self.rest.is_kept() {
            let regions = self.rest.regions().into_iter();
            let listing = regions.filter(|(_, objects)| objects.contains(&object));
            listing.for_each(|(region, _)| visit(region));
        } else {
            self.search.regions_of(object, visit);
        }
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        if self.rest.is_kept() {
            first_lists(self.rest.regions().into_iter().map(|(_, objects)| objects), regions);
        } else {
            self.search.region_by_object(regions);
        }
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        self.rest.tests_by_object(&self.search, tests);
    }
}

impl Rest {
    /// The columns that list something, with their objects: first those that rest.
    fn regions(&self) -> Vec<(Region, Vec<u32>)> {
        let Some(columns) = self.resting.columns() else { return Vec::new() };
        let world = self.boxes().fold(Aabb::EMPTY, |world, b| world.union(b));
        let rests = |object: &u32| self.is_moving.get(*object as usize) == Some(&false);
        let objects_in = |column| {
            let shelves = self.resting.shelves(column);
            let resting = shelves.flat_map(|shelf| shelf.blocks).flat_map(|block| block.objects);
            let moving = self.bins.chunks(column).flat_map(|(_, entries)| entries);
            resting.filter(rests).chain(moving.map(|entry| entry.object)).collect::<Vec<_>>()
        };
        let listed = (0..columns.len()).map(|column| (column, objects_in(column)));
        let occupied = listed.filter(|(_, objects)| !objects.is_empty());
        let region = |(index, (column, objects)): (u32, (usize, Vec<u32>))| {
            let bounds = columns.bounds(column, &world);
            (Region { index, bounds, depth: 0, objects: objects.len() as u32 }, objects)
        };
        (0..).zip(occupied).map(region).collect()
    }

    /// As [`Inspect::tests_by_object`].
    pub(in crate::algorithms) fn tests_by_object(&self, search: &SweepGrid, tests: &mut [u32]) {
        let Some(columns) = self.resting.columns() else {
            return search.tests_by_object(tests);
        };
        if self.is_rebuilt {
            // It lists what rests.
            search.tests_by_object(tests);
        } else {
            tests.fill(0);
        }
        let mut test = |a: u32, b: u32| [a, b].into_iter().for_each(|at| add_tests(tests, at, 1));
        let bins = std::slice::from_ref(&self.bins);
        for column in 0..columns.len() {
            Sweeper::replay(column, bins, &mut test);
            for entry in self.bins.chunks(column).flat_map(|(_, entries)| entries) {
                for Shelf { blocks, .. } in self.resting.shelves(column) {
                    for (block, lane) in blocks.iter().flat_map(|b| (0..LANES).map(move |l| (b, l)))
                    {
                        let is_reached = block.min[0][lane] <= entry.max[0];
                        if is_reached && entry.min[0] <= block.max[0][lane] {
                            test(entry.object, block.objects[lane]);
                        }
                    }
                }
            }
        }
    }
}
