//! Lists of leaves and inner nodes that are swept on their own axes.

use crate::view::View;
use broadphase::Axis;
use broadphase::inspect::{Overlay, RegionMark};

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
    pub(super) fn add(&mut self, mark: &RegionMark<'_>, view: &View) {
        let (Some(axis), index) = (mark.axis, mark.region.index) else { return };
        self.lists[usize::from(mark.plane.is_some())] += 1;
        match mark.plane {
            None if view.shows(Overlay::Regions) => self.axes.push((index, axis)),
            None => {}
            Some(plane) => {
                self.planes.push((index, plane));
                if view.shows(Overlay::Planes) {
                    self.straddlers.extend(mark.objects.iter().map(|object| (*object, plane)));
                }
            }
        }
    }

    pub(super) fn sort(&mut self) {
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
