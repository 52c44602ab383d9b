//! The tests of each object.

use super::Sap1Axis;
use super::sweep::{Interval, sweep};
use crate::inspect::{Endpoint, Inspect, Mark, Overlay};

impl Inspect for Sap1Axis {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(axis) = self.axis.filter(|_| overlay == Overlay::Endpoints) else { return };
        for &Interval { low, high, object, .. } in &self.sorted {
            Endpoint::visit_both(axis, object, low, high, visit);
        }
    }

    /// Repeats the sweep on the list of the last update.
    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        sweep(&self.sorted, &mut Vec::new(), || false, |a, b| visit(a.object, b.object));
    }
}
