//! The tests of each object, and the matrix.

use super::{Interval, SapMatrix, cell};
use crate::inspect::{Endpoint, Inspect, Mark, Overlay, PairMark, Work};
use crate::{Aabb, Axis, Pair};

impl SapMatrix {
    /// Visits the pairs with a counter above 0. Counts again, since the search has reset the matrix.
    fn visit_cells(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let n = self.lists[0].intervals.len();
        let mut matrix = vec![0u8; n * n];
        for list in &self.lists {
            list.for_each_pair(&crate::Frame::new(&[]), |pair| matrix[cell(n, pair)] += 1);
        }
        for a in 0..n as u32 {
            for b in a + 1..n as u32 {
                let pair = Pair { a, b };
                if let Some(role) = usize::from(matrix[cell(n, pair)]).checked_sub(1) {
                    visit(Mark::Pair(PairMark { pair, role }));
                }
            }
        }
    }
}

impl Inspect for SapMatrix {
    fn work(&self, report: &mut dyn FnMut(Work)) {
        let pairs = self.lists.iter().map(|list| list.pairs);
        report(Work {
            name: "cells written",
            meaning: "Cells of the matrix raised by 1, for a pair that overlaps on one of the three axes; each \
                      is reset afterwards",
            count: pairs.clone().sum(),
            changes: None,
        });
        report(Work {
            name: "cells read",
            meaning: "Cells of the pairs on the axis with the fewest: those that say 3 are tested",
            count: pairs.min().unwrap_or(0),
            changes: None,
        });
    }

    /// Calls `visit` with the pairs that overlap on all three axes. They are searched again among the intervals,
    /// since the search has reset the matrix.
    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        let mut boxes = vec![Aabb::EMPTY; self.lists[0].intervals.len()];
        for (axis, list) in self.lists.iter().enumerate() {
            for interval in &list.intervals {
                let b = &mut boxes[interval.object as usize];
                (b.min[axis], b.max[axis]) = (interval.low, interval.high);
            }
        }
        let Some(shortest) = self.lists.iter().min_by_key(|list| list.pairs) else {
            return;
        };
        let present = &shortest.intervals[..shortest.present];
        for (first, interval) in present.iter().enumerate() {
            let partners = present[first + 1..].iter().take_while(|o| o.low <= interval.high);
            for partner in partners {
                let pair = [interval.object, partner.object].map(|object| object as usize);
                if boxes[pair[0]].overlaps(&boxes[pair[1]]) {
                    visit(interval.object, partner.object);
                }
            }
        }
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Endpoints => {
                for (axis, list) in Axis::ALL.into_iter().zip(&self.lists) {
                    for interval in &list.intervals[..list.present] {
                        let Interval { object, low, high, .. } = *interval;
                        Endpoint::visit_both(axis, object, low, high, visit);
                    }
                }
            }
            Overlay::Matrix => self.visit_cells(visit),
            _ => {}
        }
    }
}
