//! The tests of each object.

use super::rest::Rest;
use super::resting::Shelf;
use crate::Inspect;
use crate::algorithms::sweep_grid::SweepGrid;
use crate::algorithms::sweep_grid::column::Sweeper;
use crate::inspect::add_tests;
use crate::sweep::LANES;

impl Rest {
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
