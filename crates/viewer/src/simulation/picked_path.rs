//! What the search of the inspected object reached: nodes or cells, and the intervals of its sweeps.

use super::structure::{Intervals, collect_planes};
use broadphase::inspect::{Endpoint, Outcome, Overlay, SplitPlane, Visited};
use broadphase::registry::Algorithm;
use broadphase::{Aabb, Axis, BroadPhase};

/// The nodes or cells that the search of an object reached, those that hold it first.
pub(super) fn visited(
    structure: &dyn BroadPhase,
    keeps_straddlers: bool,
    object: u32,
    bounds: &Aabb,
) -> Vec<Visited> {
    let mut visited = Vec::new();
    structure.inspect().visited_by(object, &mut |node| visited.push(node));
    if visited.is_empty() && !bounds.is_empty() {
        let mut planes = Vec::new();
        collect_planes(structure, &mut planes);
        visited = descended(&planes, keeps_straddlers, bounds);
        visited.sort_by_key(|node| node.outcome != Outcome::Holds);
    }
    visited
}

/// The cells on the way of a box from the root of a tree of planes to its leaves, and the cells beside these. Planes come
/// parents before children. A box that a plane cuts goes to both sides, or stays at the plane.
fn descended(planes: &[SplitPlane], keeps_straddlers: bool, b: &Aabb) -> Vec<Visited> {
    let mut cells: Vec<Visited> = Vec::new();
    for plane in planes {
        let SplitPlane { axis, position, cell, depth, .. } = *plane;
        if depth == 0 {
            cells.push(Visited { bounds: cell, depth, outcome: Outcome::Holds });
        }
        let is_here = |known: &Visited| known.bounds == cell && known.depth == depth;
        let reached = cells.iter().find(|known| is_here(known));
        if reached.is_none_or(|known| known.outcome != Outcome::Holds) {
            continue;
        }
        let at = axis.index();
        let sides = [b.min[at] < position, b.max[at] >= position];
        if keeps_straddlers && sides == [true; 2] {
            continue;
        }
        cells.extend(plane.sides().into_iter().zip(sides).map(|(bounds, is_reached)| {
            let outcome = if is_reached { Outcome::Holds } else { Outcome::Rejected };
            Visited { bounds, depth: depth + 1, outcome }
        }));
    }
    cells
}

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
    /// What became of the other objects of these lists, drawn or not.
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
    /// Tested, and no candidate.
    pub tested: usize,
    /// Candidates.
    pub candidates: usize,
    /// Not tested though they overlap it on the axis of the sweep: the pair is cached.
    pub known: usize,
    /// Not tested: beyond its reach.
    pub beyond: usize,
}

impl SweepOutcomes {
    /// All other objects.
    pub fn all(&self) -> usize {
        self.tested + self.candidates + self.known + self.beyond
    }
}

impl PartialEq for PickedSweeps {
    fn eq(&self, other: &Self) -> bool {
        self.intervals.kept == other.intervals.kept
            && (self.spans, self.own, &self.carried) == (other.spans, other.own, &other.carried)
    }
}

impl PickedSweeps {
    pub(super) fn of(
        structure: &dyn BroadPhase,
        algorithm: &Algorithm,
        object: u32,
        boxes: &[Aabb],
        [tested, candidates]: [&[u32]; 2],
    ) -> Self {
        let mut sweeps = Self::default();
        // Whole sorted lists have rails of their own.
        if algorithm.shows(Overlay::Endpoints) {
            return sweeps;
        }
        let mut members: Vec<(usize, u32)> = Vec::new();
        let mut own = vec![false; boxes.len()];
        let mut regions: Vec<(u32, Axis)> = Vec::new();
        structure.inspect().sweeps_of(object, &mut |list| {
            sweeps.lists.push(ListSwept { plane: list.plane, objects: list.objects.len() });
            members.extend(list.objects.iter().map(|other| (list.axis.index(), *other)));
            if list.objects.contains(&object) {
                sweeps.own += 1;
                regions.push((list.region, list.axis));
                list.objects.iter().for_each(|other| own[*other as usize] = true);
            } else {
                // It is compared there on the axis of that list.
                members.push((list.axis.index(), object));
                sweeps.carried.extend(list.objects);
            }
        });
        sweeps.carried.retain(|other| !own[*other as usize]);
        sweeps.carried.sort_unstable();
        sweeps.carried.dedup();
        members.sort_unstable();
        members.dedup();
        let is_in = |list: &[u32], other: u32| list.binary_search(&other).is_ok();
        sweeps.outcomes = outcomes(&members, object, boxes, |other| {
            [is_in(tested, other), is_in(candidates, other)]
        });
        let is_shown =
            |member| member == object || is_in(tested, member) || is_in(candidates, member);
        sweeps.intervals.clear(members.len());
        for (axis, member) in &members {
            let Some(b) = boxes.get(*member as usize).filter(|b| !b.is_empty()) else { continue };
            let ends = [(b.min[*axis], true), (b.max[*axis], false)];
            let span = sweeps.spans[*axis].get_or_insert([f32::INFINITY, f32::NEG_INFINITY]);
            *span = [span[0].min(b.min[*axis]), span[1].max(b.max[*axis])];
            for (position, is_lower) in ends {
                let axis = Axis::ALL[*axis];
                let end = Endpoint { axis, position, object: *member, is_lower };
                sweeps.intervals.keep(end, &is_shown);
            }
        }
        sweeps.intervals.join(boxes.len());
        let all = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        // A rail is as long as the cell, which shows where that ends.
        structure.inspect().regions_of(object, &mut |region| {
            for (_, axis) in regions.iter().filter(|(of, _)| *of == region.index) {
                let at = axis.index();
                if let Some(span) = &mut sweeps.spans[at] {
                    // Cells hold nothing beyond the outermost objects.
                    let low = region.bounds.min[at].max(all.min[at]);
                    let high = region.bounds.max[at].min(all.max[at]);
                    *span = [span[0].min(low), span[1].max(high)];
                }
            }
        });
        sweeps
    }
}

/// Counts what became of the members of lists, each with the axis of its list. `found` says of an object whether it was
/// tested, and whether it is a candidate.
fn outcomes(
    members: &[(usize, u32)],
    object: u32,
    boxes: &[Aabb],
    found: impl Fn(u32) -> [bool; 2],
) -> SweepOutcomes {
    let mut outcomes = SweepOutcomes::default();
    let Some(own) = boxes.get(object as usize) else { return outcomes };
    let overlaps = |(axis, other): &(usize, u32)| {
        let b = boxes.get(*other as usize).filter(|b| !b.is_empty())?;
        (*other != object)
            .then_some((*other, b.min[*axis] <= own.max[*axis] && own.min[*axis] <= b.max[*axis]))
    };
    // On several axes, the last entry of an object says whether it overlaps on one.
    let mut others: Vec<(u32, bool)> = members.iter().filter_map(overlaps).collect();
    others.sort_unstable();
    for (place, (other, is_near)) in others.iter().enumerate() {
        if others.get(place + 1).is_some_and(|(next, _)| next == other) {
            continue;
        }
        let number = match found(*other) {
            [_, true] => &mut outcomes.candidates,
            [true, _] => &mut outcomes.tested,
            _ if *is_near => &mut outcomes.known,
            _ => &mut outcomes.beyond,
        };
        *number += 1;
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn box_descends_to_each_side_of_a_plane_that_it_touches() {
        let cell = |low: [f32; 3], high: [f32; 3]| Aabb::new(Vec3::from(low), Vec3::from(high));
        let root = cell([0.0; 3], [8.0; 3]);
        let plane =
            |axis, position, cell, depth| SplitPlane { axis, position, cell, depth, moved: false };
        let (low, high) = (cell([0.0; 3], [4.0, 8.0, 8.0]), cell([4.0, 0.0, 0.0], [8.0; 3]));
        let planes = [
            plane(Axis::X, 4.0, root, 0),
            plane(Axis::Y, 2.0, low, 1),
            plane(Axis::Y, 6.0, high, 1),
        ];
        let outcomes = |x: [f32; 2], keeps: bool| -> Vec<Outcome> {
            let b = cell([x[0], 3.0, 3.0], [x[1], 4.0, 4.0]);
            descended(&planes, keeps, &b).iter().map(|cell| cell.outcome).collect()
        };
        use Outcome::{Holds, Rejected};
        // The root and its parts, then those of the side that is reached.
        assert_eq!(outcomes([1.0, 2.0], false), [Holds, Holds, Rejected, Rejected, Holds]);
        assert_eq!(outcomes([5.0, 6.0], false), [Holds, Rejected, Holds, Holds, Rejected]);
        let both = [Holds, Holds, Holds, Rejected, Holds, Holds, Rejected];
        assert_eq!(outcomes([3.0, 5.0], false), both);
        assert_eq!(outcomes([3.0, 5.0], true), [Holds]);
    }

    #[test]
    fn members_of_sweeps_are_counted_once() {
        let at = |x: f32, y: f32| Aabb::around_sphere(Vec3::new(x, y, 0.0), 0.6);
        let boxes =
            [at(0.0, 0.0), at(1.0, 9.0), at(9.0, 1.0), at(9.0, 9.0), at(0.5, 0.5), Aabb::EMPTY];
        let members: Vec<(usize, u32)> =
            [0, 1].into_iter().flat_map(|axis| (0..6).map(move |object| (axis, object))).collect();
        let expected = SweepOutcomes { tested: 1, candidates: 1, known: 1, beyond: 1 };
        let found = |other| [other == 1, other == 4];
        assert_eq!(super::outcomes(&members, 0, &boxes, found), expected);
    }
}
