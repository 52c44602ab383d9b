//! The tests of each object, and exchanged ends.

use super::axis_list::AxisList;
use super::{SapIncremental, State};
use crate::inspect::{
    Change, Endpoint, Exchange, Inspect, Mark, Overlay, Work, add_test, visit_other,
};

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

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        match self.state {
            State::Unsound => {}
            State::Swept(axis) | State::Sorted(axis) => {
                self.count_overlaps_by_object(axis.index(), tests)
            }
            State::Repaired => self.replay_exchanges(&mut add_test(tests)),
        }
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        match self.state {
            State::Unsound => {}
            State::Swept(axis) | State::Sorted(axis) => {
                self.visit_overlapping(axis.index(), object, visit)
            }
            State::Repaired => self.replay_exchanges(&mut visit_other(object, visit)),
        }
    }
}

impl SapIncremental {
    /// Calls `visit` with both objects of every test: of each overlap on an axis that began.
    fn replay_exchanges(&self, visit: &mut dyn FnMut(u32, u32)) {
        let begun = self.lists.iter().flat_map(|list| &list.begun);
        begun.for_each(|[a, b]| visit(*a, *b));
    }

    /// Visits the objects whose intervals overlap that of `object`: those that begin before its end, less those that
    /// end before its begin.
    fn visit_overlapping(&self, list: usize, object: u32, visit: &mut dyn FnMut(u32)) {
        let ends = &self.lists[list].ends;
        let place = |is_lower| {
            ends.iter().position(|end| end.object() == object && end.is_lower() == is_lower)
        };
        let (Some(begin), Some(end)) = (place(true), place(false)) else {
            return;
        };
        let mut open = vec![false; self.listed.len()];
        for earlier in &ends[..begin] {
            open[earlier.object() as usize] = earlier.is_lower();
        }
        let open = (0..).zip(open).filter(|(_, is_open)| *is_open);
        open.for_each(|(other, _)| visit(other));
        let inside = ends[begin + 1..end].iter().filter(|end| end.is_lower());
        inside.for_each(|end| visit(end.object()));
    }

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
