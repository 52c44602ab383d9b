//! The tests of each object.

use super::Sap1Axis;
use super::sweep::sweep;
use crate::Inspect;

impl Inspect for Sap1Axis {
    /// Swept anew: the list has all that the search had.
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        sweep(
            &self.sorted,
            &mut Vec::new(),
            || false,
            |a, b| {
                for object in [a.object, b.object] {
                    if let Some(tests) = tests.get_mut(object as usize) {
                        *tests += 1;
                    }
                }
            },
        );
    }
}
