//! Lists of leaves and inner nodes that are swept on their own axes.

use broadphase::inspect::SweptList;
use broadphase::{Axis, BroadPhase};

/// The lists that are swept on their own axes.
#[derive(Clone, Debug, Default)]
pub struct Sweeps {
    /// The axis of each list, by region.
    axes: Vec<(u32, Axis)>,
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
                Some(plane) if planes => {
                    self.straddlers.extend(objects.iter().map(|object| (*object, plane)));
                }
                _ => {}
            }
        });
        self.axes.sort_unstable_by_key(|(region, _)| *region);
        self.straddlers.sort_unstable_by_key(|(object, _)| *object);
    }

    /// The axis on which a leaf is swept, if it has one of its own.
    pub fn axis_of(&self, region: u32) -> Option<Axis> {
        let at = self.axes.binary_search_by_key(&region, |(region, _)| *region).ok()?;
        Some(self.axes[at].1)
    }

    /// The axis that is normal to the plane that holds an object, if one does.
    pub fn plane_of(&self, object: u32) -> Option<Axis> {
        let at = self.straddlers.binary_search_by_key(&object, |(object, _)| *object).ok()?;
        Some(self.straddlers[at].1)
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
        self.lists = [0; 2];
    }
}
