//! The tests of each object, and the matrix.

use super::{Interval, SapMatrix, cell, count, shortest};
use crate::inspect::{Endpoint, Inspect, Mark, Overlay, PairMark, Work};
use crate::{Axis, Frame, Pair};

impl SapMatrix {
    /// The matrix before it was reset: counted again.
    fn counted(&self) -> Vec<u8> {
        let n = self.lists[0].intervals.len();
        let mut matrix = vec![0; n * n];
        count(&self.lists, &Frame::new(&[]), &mut matrix);
        matrix
    }

    /// Visits the pairs with a counter above 0.
    fn visit_cells(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let (n, matrix) = (self.lists[0].intervals.len(), self.counted());
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

    /// Visits the pairs that overlap on all three axes.
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        let (n, matrix) = (self.lists[0].intervals.len(), self.counted());
        shortest(&self.lists).for_each_pair(&Frame::new(&[]), |pair| {
            if matrix[cell(n, pair)] == 3 {
                visit(pair.a, pair.b, None);
            }
        });
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Endpoints => {
                for (axis, list) in Axis::ALL.into_iter().zip(&self.lists) {
                    let present =
                        list.intervals.iter().filter(|interval| interval.low <= interval.high);
                    for &Interval { object, low, high, .. } in present {
                        Endpoint::visit_both(axis, object, low, high, visit);
                    }
                }
            }
            Overlay::Matrix => self.visit_cells(visit),
            _ => {}
        }
    }
}
