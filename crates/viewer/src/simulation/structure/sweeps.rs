//! Lists of leaves and inner nodes that are swept on their own axes.

use broadphase::inspect::SweptList;
use broadphase::{Axis, BroadPhase};

/// The lists that are swept on their own axes.
#[derive(Clone, Debug, Default)]
pub struct Sweeps {
    /// The axis of each list, by region.
    axes: Vec<(u32, Axis)>,
    /// The axis that is normal to the plane of each list of a plane, by region.
    planes: Vec<(u32, Axis)>,
    /// Objects that a plane cuts, with its axis, by object.
    straddlers: Vec<(u32, Axis)>,
    /// Lists of leaves, and those of planes.
    lists: [usize; 2],
}

impl Sweeps {
    pub(super) fn fill(&mut self, structure: &dyn BroadPhase, leaves: bool, planes: bool) {
        structure.inspect().swept_lists(&mut |SweptList { region, axis, plane, objects }| {
            self.lists[usize::from(plane.is_some())] += 1;
            match plane {
                None if leaves => self.axes.push((region, axis)),
                Some(plane) => {
                    self.planes.push((region, plane));
                    if !planes {
                        return;
                    }
                    self.straddlers.extend(objects.iter().map(|object| (*object, plane)));
                }
                None => {}
            }
        });
        self.planes.sort_unstable_by_key(|(region, _)| *region);
        self.axes.sort_unstable_by_key(|(region, _)| *region);
        self.straddlers.sort_unstable_by_key(|(object, _)| *object);
    }

    /// The axis on which a leaf is swept, if it has one of its own.
    pub fn axis_of(&self, region: u32) -> Option<Axis> {
        find(&self.axes, region)
    }

    /// The axis that is normal to the plane of a list, if it is that of a plane.
    pub fn plane_of_list(&self, region: u32) -> Option<Axis> {
        find(&self.planes, region)
    }

    /// The axis that is normal to the plane that holds an object, if one does.
    pub fn plane_of(&self, object: u32) -> Option<Axis> {
        find(&self.straddlers, object)
    }

    /// Objects that a plane holds, each with the axis that is normal to that plane.
    pub fn held(&self) -> &[(u32, Axis)] {
        &self.straddlers
    }

    /// Number of lists of leaves, and of those of planes.
    pub fn lists(&self) -> [usize; 2] {
        self.lists
    }

    /// Objects that a plane holds.
    pub fn straddlers(&self) -> usize {
        self.straddlers.len()
    }

    pub(super) fn clear(&mut self) {
        self.axes.clear();
        self.straddlers.clear();
        self.planes.clear();
        self.lists = [0; 2];
    }
}

/// The axis of a number in a list that is sorted by numbers.
fn find(list: &[(u32, Axis)], number: u32) -> Option<Axis> {
    let at = list.binary_search_by_key(&number, |(of, _)| *of).ok()?;
    Some(list[at].1)
}
