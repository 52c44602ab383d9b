//! The columns as regions.

use super::SweepGrid;
use super::column::Sweeper;
use crate::inspect::{add_tests, first_lists};
use crate::{Aabb, Inspect, Region};

impl SweepGrid {
    /// The objects of a column.
    fn objects_in(&self, column: usize) -> impl Iterator<Item = u32> {
        let chunks = self.bins().iter().flat_map(move |bins| bins.chunks(column));
        chunks.flat_map(|(_, entries)| entries.iter().map(|entry| entry.object))
    }

    /// The columns that list something, with their numbers among the regions.
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

    /// The regions, of a column each.
    fn region(&self) -> impl Fn((u32, usize)) -> Region {
        let world = self.world();
        move |(index, column)| {
            let bounds = self.columns.map_or(world, |columns| columns.bounds(column, &world));
            Region { index, bounds, depth: 0, objects: self.len(column) as u32 }
        }
    }
}

impl Inspect for SweepGrid {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        self.occupied().map(self.region()).for_each(visit);
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        self.occupied()
            .filter(|(_, column)| self.objects_in(*column).any(|other| other == object))
            .map(self.region())
            .for_each(visit);
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        first_lists(self.occupied().map(|(_, column)| self.objects_in(column)), regions);
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        for (_, column) in self.occupied() {
            Sweeper::replay(column, self.bins(), &mut |a, b| {
                [a, b].into_iter().for_each(|object| add_tests(tests, object, 1));
            });
        }
    }
}
