//! The tests of each object.

use super::Sap1Axis;
use super::sweep::sweep;
use crate::inspect::Inspect;
use crate::inspect::add_tests;

impl Inspect for Sap1Axis {
    /// Repeats the sweep on the list of the last update.
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        sweep(
            &self.sorted,
            &mut Vec::new(),
            || false,
            |a, b| {
                add_tests(tests, a.object, 1);
                add_tests(tests, b.object, 1);
            },
        );
    }
}
