//! The tests of each object.

use super::Sap1Axis;
use super::sweep::sweep;
use crate::inspect::{Inspect, add_test, visit_other};

impl Sap1Axis {
    /// Repeats the sweep on the list of the last update.
    fn replay(&self, mut visit: impl FnMut(u32, u32)) {
        sweep(&self.sorted, &mut Vec::new(), || false, |a, b| visit(a.object, b.object));
    }
}

impl Inspect for Sap1Axis {
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        self.replay(add_test(tests));
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        self.replay(visit_other(object, visit));
    }
}
