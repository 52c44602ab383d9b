//! The tests of each object, and the matrix.

use super::{SapMatrix, cell};
use crate::inspect::{Inspect, MatrixCell, Work, add_test, visit_other};
use crate::{Aabb, Pair};

impl SapMatrix {
    /// Calls `visit` with the pairs that overlap on all three axes. They are searched again among the intervals,
    /// since the search has reset the matrix.
    fn replay(&self, mut visit: impl FnMut(u32, u32)) {
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
}

impl Inspect for SapMatrix {
    fn work(&self, report: &mut dyn FnMut(Work)) {
        let pairs = self.lists.iter().map(|list| list.pairs);
        report(Work {
            name: "cells written",
            meaning: "Cells of the matrix raised by 1, for a pair that overlaps on one of the three axes; each \
                      is reset afterwards",
            count: pairs.clone().sum(),
        });
        report(Work {
            name: "cells read",
            meaning: "Cells of the pairs on the axis with the fewest: those that say 3 are tested",
            count: pairs.min().unwrap_or(0),
        });
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        self.replay(add_test(tests));
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        self.replay(visit_other(object, visit));
    }

    /// Counts again, since the search has reset the matrix.
    fn matrix(&self, visit: &mut dyn FnMut(MatrixCell)) {
        let n = self.lists[0].intervals.len();
        let mut matrix = vec![0u8; n * n];
        for list in &self.lists {
            list.for_each_pair(|pair| matrix[cell(n, pair)] += 1);
        }
        for a in 0..n as u32 {
            for b in a + 1..n as u32 {
                let pair = Pair { a, b };
                let axes = matrix[cell(n, pair)];
                if axes > 0 {
                    visit(MatrixCell { pair, axes });
                }
            }
        }
    }
}
