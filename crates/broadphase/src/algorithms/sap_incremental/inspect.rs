//! The tests of each object, and exchanged ends.

use super::axis_list::AxisList;
use super::{SapIncremental, State};
use crate::inspect::{Change, Endpoint, Exchange, Inspect, Mark, Overlay, Work};

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
                changes: Some(Overlay::Endpoints),
            }),
            State::Swept(_) | State::Sorted(_) => report(Work {
                name: "objects swept",
                meaning: "Insertion would take too many exchanges: all boxes were sorted and swept",
                count: self.order.len() as u64,
                changes: None,
            }),
        }
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        for list in self.lists.iter().filter(|_| overlay == Overlay::Endpoints) {
            for end in &list.ends {
                visit(Mark::End(Endpoint {
                    axis: list.axis,
                    position: end.position(),
                    object: end.object(),
                    is_lower: end.is_lower(),
                }));
            }
        }
    }

    fn changes(&self, visit: &mut dyn FnMut(Change)) {
        if self.state != State::Repaired {
            return;
        }
        for AxisList { axis, begun, ceased, .. } in &self.lists {
            let axis = *axis;
            // The end that moved comes first.
            for &[lower, upper] in begun {
                visit(Change::Exchange(Exchange { axis, lower, upper, begun: true }));
            }
            for &[upper, lower] in ceased {
                visit(Change::Exchange(Exchange { axis, lower, upper, begun: false }));
            }
        }
    }

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        match self.state {
            State::Unsound => {}
            State::Swept(axis) | State::Sorted(axis) => self.replay_sweep(axis.index(), visit),
            State::Repaired => {
                let begun = self.lists.iter().flat_map(|list| &list.begun);
                begun.for_each(|[a, b]| visit(*a, *b));
            }
        }
    }
}

impl SapIncremental {
    /// Visits the objects of each two intervals that overlap: one begins between the ends of the other.
    fn replay_sweep(&self, list: usize, visit: &mut dyn FnMut(u32, u32)) {
        let ends = &self.lists[list].ends;
        for (begin, lower) in ends.iter().enumerate().filter(|(_, end)| end.is_lower()) {
            let object = lower.object();
            let inside = ends[begin + 1..].iter().take_while(|end| end.object() != object);
            inside.filter(|end| end.is_lower()).for_each(|other| visit(object, other.object()));
        }
    }
}
