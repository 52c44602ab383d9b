//! The tests of each object.

use super::Sap1Axis;
use super::sweep::{Interval, sweep};
use crate::inspect::{Endpoint, Inspect, Mark, Overlay, add_test, visit_other};

impl Sap1Axis {
    /// Repeats the sweep on the list of the last update.
    fn replay(&self, mut visit: impl FnMut(u32, u32)) {
        sweep(&self.sorted, &mut Vec::new(), || false, |a, b| visit(a.object, b.object));
    }
}

impl Inspect for Sap1Axis {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(axis) = self.axis.filter(|_| overlay == Overlay::Endpoints) else { return };
        for &Interval { low, high, object, .. } in &self.sorted {
            Endpoint::visit_both(axis, object, low, high, visit);
        }
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        self.replay(add_test(tests));
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        self.replay(visit_other(object, visit));
    }
}
