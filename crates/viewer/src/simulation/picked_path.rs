//! The intervals of the sweeps of the inspected object.

use super::intervals::{Intervals, is_kept};
use broadphase::inspect::{Endpoint, Inspect, Overlay, Region};
use broadphase::registry::Algorithm;
use broadphase::{Aabb, Axis};

/// The lists that are swept with an object.
#[derive(Clone, Debug, Default)]
pub struct PickedSweeps {
    /// The intervals of their objects, each on the axis on which it is compared with the object.
    pub intervals: Intervals,
    /// On each axis with a list that holds the object, the extent of the cells of these lists; else of all lists.
    pub spans: [Option<[f32; 2]>; 3],
    /// Number of lists that hold it: of its cells, or its one list in a tree.
    pub own: usize,
    /// All these lists.
    pub lists: Vec<ListSwept>,
    /// Objects of other lists, which are compared with it too: kept at planes, or below its own plane. Ascending.
    pub carried: Vec<u32>,
    /// Outcomes for the other objects of these lists, drawn or not.
    pub outcomes: SweepOutcomes,
}

/// A list that is swept with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListSwept {
    /// The axis that is normal to its plane; `None` for a leaf or cell.
    pub plane: Option<Axis>,
    /// Number of its objects that take part.
    pub objects: usize,
}

/// Numbers of objects in the lists that are swept with an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepOutcomes {
    /// All other objects.
    pub all: usize,
    /// Not tested though they overlap it on the axis of the sweep: the pair is cached.
    pub known: usize,
    /// Not tested: beyond its reach.
    pub beyond: usize,
}

impl PickedSweeps {
    pub(super) fn of(
        inspect: &dyn Inspect,
        algorithm: &Algorithm,
        object: u32,
        own_regions: &[Region],
        boxes: &[Aabb],
        [tested, candidates]: [&[u32]; 2],
    ) -> Self {
        let mut sweeps = Self::default();
        // Whole sorted lists have rails of their own.
        if algorithm.shows(Overlay::Endpoints) {
            return sweeps;
        }
        let members = sweeps.visit_lists(inspect, object, boxes.len());
        let is_in = |list: &[u32], other: u32| list.binary_search(&other).is_ok();
        let is_found = |other| is_in(tested, other) || is_in(candidates, other);
        sweeps.outcomes = outcomes(&members.of_axes, object, boxes, is_found);
        sweeps.keep_intervals(&members, boxes, &|member| member == object || is_found(member));
        sweeps.extend_to_cells(&members, own_regions, boxes);
        sweeps
    }

    /// Visits the lists that are swept with an object. Returns their members.
    fn visit_lists(&mut self, inspect: &dyn Inspect, object: u32, objects: usize) -> Members {
        let mut members = Members::default();
        let mut own = vec![false; objects];
        inspect.sweeps(object, &mut |list| {
            self.lists.push(ListSwept { plane: list.plane, objects: list.objects.len() });
            members.of_axes.extend(list.objects.iter().map(|other| (list.axis.index(), *other)));
            if list.objects.contains(&object) {
                self.own += 1;
                members.own_regions.push((list.region, list.axis));
                list.objects.iter().for_each(|other| own[*other as usize] = true);
            } else {
                // It is compared there on the axis of that list.
                members.of_axes.push((list.axis.index(), object));
                self.carried.extend(list.objects);
            }
        });
        self.carried.retain(|other| !own[*other as usize]);
        self.carried.sort_unstable();
        self.carried.dedup();
        members.of_axes.sort_unstable();
        members.of_axes.dedup();
        members
    }

    fn keep_intervals(
        &mut self,
        members: &Members,
        boxes: &[Aabb],
        is_shown: &dyn Fn(u32) -> bool,
    ) {
        let mut ends = Vec::new();
        for (axis, member) in &members.of_axes {
            let Some(b) = boxes.get(*member as usize).filter(|b| !b.is_empty()) else { continue };
            let [low, high] = [b.min[*axis], b.max[*axis]];
            let span = self.spans[*axis].get_or_insert([f32::INFINITY, f32::NEG_INFINITY]);
            *span = [span[0].min(low), span[1].max(high)];
            if is_kept(*member, members.of_axes.len(), is_shown) {
                ends.extend([(low, true), (high, false)].map(|(position, is_lower)| {
                    let axis = Axis::ALL[*axis];
                    Endpoint { axis, position, object: *member, is_lower }
                }));
            }
        }
        self.intervals = Intervals::join(ends, boxes.len());
    }

    /// Makes each rail as long as the cell, which shows where that ends.
    fn extend_to_cells(&mut self, members: &Members, own_regions: &[Region], boxes: &[Aabb]) {
        let all = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        for region in own_regions {
            for (_, axis) in members.own_regions.iter().filter(|(of, _)| *of == region.index) {
                let at = axis.index();
                if let Some(span) = &mut self.spans[at] {
                    // Cells hold nothing beyond the outermost objects.
                    let low = region.bounds.min[at].max(all.min[at]);
                    let high = region.bounds.max[at].min(all.max[at]);
                    *span = [span[0].min(low), span[1].max(high)];
                }
            }
        }
    }
}

/// The members of the lists that are swept with an object.
#[derive(Default)]
struct Members {
    /// Each with the axis of its list, ascending.
    of_axes: Vec<(usize, u32)>,
    /// The regions of the lists that hold the object, with their axes.
    own_regions: Vec<(u32, Axis)>,
}

/// Counts what became of the members of lists, each with the axis of its list. `is_found` says of an object whether it was
/// tested or is a candidate.
fn outcomes(
    members: &[(usize, u32)],
    object: u32,
    boxes: &[Aabb],
    is_found: impl Fn(u32) -> bool,
) -> SweepOutcomes {
    let mut outcomes = SweepOutcomes::default();
    let Some(own) = boxes.get(object as usize) else { return outcomes };
    let overlaps = |(axis, other): &(usize, u32)| {
        let b = boxes.get(*other as usize).filter(|b| *other != object && !b.is_empty())?;
        Some((*other, b.min[*axis] <= own.max[*axis] && own.min[*axis] <= b.max[*axis]))
    };
    let mut others: Vec<(u32, bool)> = members.iter().filter_map(overlaps).collect();
    others.sort_unstable();
    for of_object in others.chunk_by(|(a, _), (b, _)| a == b) {
        // On several axes, the last entry says whether it overlaps on one.
        let (other, is_near) = of_object[of_object.len() - 1];
        outcomes.all += 1;
        outcomes.known += usize::from(!is_found(other) && is_near);
        outcomes.beyond += usize::from(!is_found(other) && !is_near);
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn members_of_sweeps_are_counted_once() {
        let at = |x: f32, y: f32| Aabb::around_sphere(Vec3::new(x, y, 0.0), 0.6);
        let boxes =
            [at(0.0, 0.0), at(1.0, 9.0), at(9.0, 1.0), at(9.0, 9.0), at(0.5, 0.5), Aabb::EMPTY];
        let members: Vec<(usize, u32)> =
            [0, 1].into_iter().flat_map(|axis| (0..6).map(move |object| (axis, object))).collect();
        let expected = SweepOutcomes { all: 4, known: 1, beyond: 1 };
        let is_found = |other| other == 1 || other == 4;
        assert_eq!(super::outcomes(&members, 0, &boxes, is_found), expected);
    }
}
