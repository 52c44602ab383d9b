//! The tests of each object, and exchanged ends.

use super::SapIncremental;
use super::axis_list::AxisList;
use crate::Axis;
use crate::inspect::{Change, Endpoint, Exchange, Inspect, Mark, Overlay, Work};

impl Inspect for SapIncremental {
    fn work(&self, report: &mut dyn FnMut(Work)) {
        let exchanges = |list: &AxisList| (list.begun.len() + list.ceased.len()) as u64;
        report(if self.is_swept {
            Work {
                name: "objects swept",
                meaning: "Insertion would take too many exchanges: all boxes were sorted and swept",
                count: self.sorted.len as u64,
                changes: None,
            }
        } else {
            Work {
                name: "exchanges",
                meaning: "Lower and upper ends that passed each other in the sorted lists of the three axes: \
                          each is an overlap on an axis that began or ended",
                count: self.lists.iter().map(exchanges).sum(),
                changes: Some(Overlay::Endpoints),
            }
        });
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay != Overlay::Endpoints {
            return;
        }
        for (axis, list) in Axis::ALL.into_iter().zip(&self.lists) {
            for end in &list.ends {
                let (position, object, is_lower) = (end.position(), end.object(), end.is_lower());
                visit(Mark::End(Endpoint { axis, position, object, is_lower }));
            }
        }
    }

    fn changes(&self, visit: &mut dyn FnMut(Change)) {
        for (axis, AxisList { begun, ceased, .. }) in Axis::ALL.into_iter().zip(&self.lists) {
            // The end that moved comes first.
            for &[lower, upper] in begun {
                visit(Change::Exchange(Exchange { axis, lower, upper, begun: true }));
            }
            for &[upper, lower] in ceased {
                visit(Change::Exchange(Exchange { axis, lower, upper, begun: false }));
            }
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        if self.is_swept {
            return self.sorted.visit_tests(visit);
        }
        let begun = self.lists.iter().flat_map(|list| &list.begun);
        begun.for_each(|[a, b]| visit(*a, *b, None));
    }
}
