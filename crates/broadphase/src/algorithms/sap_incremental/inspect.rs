//! The tests of each object, and exchanged ends.

use super::axis_list::AxisList;
use super::{SapIncremental, State};
use crate::inspect::{Exchange, Inspect, Work, add_tests};

impl Inspect for SapIncremental {
    fn work(&self, report: &mut dyn FnMut(Work)) {
        let exchanges = |list: &AxisList| (list.begun.len() + list.ceased.len()) as u64;
        match self.state {
            State::Unsound => {}
            State::Repaired => report(Work {
                name: "exchanges",
                meaning: "Lower and upper ends that passed each other in the sorted lists of the three axes: \
                          each is an overlap on an axis that began or ended",
                count: self.lists.iter().map(exchanges).sum(),
            }),
            State::Swept(_) => report(Work {
                name: "objects swept",
                meaning: "Insertion would take too many exchanges: all boxes were sorted and swept",
                count: self.order.len() as u64,
            }),
        }
    }

    fn exchanges(&self, visit: &mut dyn FnMut(Exchange)) {
        if self.state != State::Repaired {
            return;
        }
        for AxisList { axis, begun, ceased, .. } in &self.lists {
            let axis = *axis;
            // The end that moved comes first.
            for &[lower, upper] in begun {
                visit(Exchange { axis, lower, upper, begun: true });
            }
            for &[upper, lower] in ceased {
                visit(Exchange { axis, lower, upper, begun: false });
            }
        }
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        match self.state {
            State::Unsound => {}
            State::Swept(axis) => self.count_overlaps_by_object(axis.index(), tests),
            State::Repaired => {
                for object in self.lists.iter().flat_map(|list| &list.begun).flatten() {
                    add_tests(tests, *object, 1);
                }
            }
        }
    }
}

impl SapIncremental {
    /// An interval overlaps all that begin before it ends, less those that end before it begins,
    /// less itself.
    fn count_overlaps_by_object(&self, list: usize, overlaps: &mut [u32]) {
        let (mut begun, mut ended) = (0u32, 0u32);
        for end in &self.lists[list].ends {
            let count = overlaps.get_mut(end.object() as usize);
            if end.is_lower() {
                begun += 1;
                if let Some(count) = count {
                    *count = ended;
                }
            } else {
                ended += 1;
                if let Some(count) = count {
                    *count = begun - *count - 1;
                }
            }
        }
    }
}
