//! Inspection of a structure: marks of overlays, changes, the tests of each object, and remarks in words.
//!
//! An [entry](crate::registry::Algorithm) declares the overlays of its algorithm, each with a [`Caption`]: the words and
//! roles by which a legend describes the marks. [`BroadPhase::inspect`](crate::BroadPhase::inspect) gives an [`Inspect`], which
//! reports the marks. They are independent of a renderer.

mod cache;
mod caption;
mod change;
mod lists;
mod mark;
mod overlay;
mod sweep;
mod way;
mod work;

use crate::Aabb;
pub use cache::CacheState;
pub(crate) use caption::cached;
pub use caption::{Caption, Way};
pub use change::{Change, Exchange, Rotation};
pub(crate) use lists::{counted, tests_within};
pub use mark::{
    BoxMark, Endpoint, HashSlot, Mark, PairMark, Region, RegionMark, SplitPlane, TreeBox,
};
pub use overlay::Overlay;
pub use sweep::{SweepBlock, SweptList};
pub(crate) use way::descend;
pub use way::{Outcome, Visited};
pub use work::{Alternative, Work};

/// The region of an object that is in none.
pub const NO_REGION: u32 = u32::MAX;

/// Marks, tests and remarks of a structure, as its last update and search left them.
///
/// Never timed: a method may allocate, and take as long as the search. Each computes what it shows from the
/// structure, so that a frame in which none is called costs no more. The default methods are those of the
/// [part](Self::part) that answered, or of a structure that has nothing to show.
pub trait Inspect {
    /// The part that answers where this does not: of an algorithm that chooses between several, the one that answered the
    /// last frame.
    fn part(&self) -> Option<&dyn Inspect> {
        None
    }

    /// Visits the marks of an overlay.
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if let Some(part) = self.part() {
            part.marks(overlay, visit);
        }
    }

    /// Visits what the last update changed, where the marks do not show it.
    fn changes(&self, visit: &mut dyn FnMut(Change)) {
        if let Some(part) = self.part() {
            part.changes(visit);
        }
    }

    /// Visits the nodes or cells that the last search reached on behalf of an object with these bounds, each once: trees of
    /// boxes compare them with the object's leaf, or with a node above it. Nodes that hold the object come first. There
    /// are none if the search of an object is that of its regions. By default the way down a tree of planes.
    fn way(&self, object: u32, bounds: &Aabb, visit: &mut dyn FnMut(Visited)) {
        let planes = planes_of(self);
        match self.part() {
            Some(part) if planes.is_empty() => part.way(object, bounds, visit),
            _ => descend(&planes, false, bounds, visit),
        }
    }

    /// Visits the lists that are swept with an object: those that hold it, and those whose objects are compared with
    /// it. Each has the axis on which the object is compared; its objects may be in any order. By default the swept regions
    /// that hold it.
    fn sweeps(&self, object: u32, visit: &mut dyn FnMut(SweptList<'_>)) {
        self.marks(Overlay::Regions, &mut |mark| {
            let Mark::Region(RegionMark { region, objects, axis: Some(axis), plane, .. }) = mark
            else {
                return;
            };
            if objects.contains(&object) {
                visit(SweptList { region: region.index, axis, plane, objects });
            }
        });
    }

    /// Visits both objects of every pair test of the last search, in the order in which one thread tests them, by
    /// repeating it. Boxes that vector instructions compare together count as one after the other, by their lanes.
    /// There are as many as [`Counters::tests`](crate::Counters::tests), unless the frame was stopped.
    ///
    /// The number is the place of the mark in which they met: among the leaves or cells, or else among the nodes of a tree of
    /// boxes. The first object may be listed in another one: it was compared with what this one holds. `None` if the
    /// structure shows no such mark, if the pair was cached, or if an object is in no cell.
    ///
    /// An object is tested with itself if a cache has an outdated entry of it.
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        if let Some(part) = self.part() {
            part.tests(visit);
        }
    }

    /// Reports the algorithm's own kinds of work, unlike the other methods in constant time. Reports
    /// nothing if [`Counters`](crate::Counters) describe the work.
    fn work(&self, report: &mut dyn FnMut(Work)) {
        if let Some(part) = self.part() {
            part.work(report);
        }
    }

    /// Reports the ways in which the last frame could have been answered, always in the same order. In constant time.
    /// Reports nothing if there is no choice.
    fn alternatives(&self, report: &mut dyn FnMut(Alternative)) {
        if let Some(part) = self.part() {
            part.alternatives(report);
        }
    }

    /// Reports in sentences what the last update decided, and why. In constant time.
    fn remarks(&self, report: &mut dyn FnMut(String)) {
        if let Some(part) = self.part() {
            part.remarks(report);
        }
    }
}

/// Writes for each object the number of pair tests that it is part of, index = id. Entries beyond the frame's objects get 0.
/// Objects beyond the slice are skipped.
pub fn tests_by_object(inspect: &dyn Inspect, tests: &mut [u32]) {
    tests.fill(0);
    inspect.tests(&mut |a, b, _| {
        for object in [a, b] {
            if let Some(tests) = tests.get_mut(object as usize) {
                *tests = tests.saturating_add(1);
            }
        }
    });
}

/// Visits the other object of every pair test that `object` is part of, in the order of [`Inspect::tests`].
pub fn tested_with(inspect: &dyn Inspect, object: u32, visit: &mut dyn FnMut(u32)) {
    inspect.tests(&mut |a, b, _| {
        for (one, other) in [(a, b), (b, a)] {
            if one == object {
                visit(other);
            }
        }
    });
}

/// The planes that divide space, parents first.
pub fn planes_of<I: Inspect + ?Sized>(inspect: &I) -> Vec<SplitPlane> {
    let mut planes = Vec::new();
    inspect.marks(Overlay::Planes, &mut |mark| {
        if let Mark::Plane(plane) = mark {
            planes.push(plane);
        }
    });
    planes
}

/// Visits the leaves or cells, in the order of their indices.
pub fn for_each_region(inspect: &dyn Inspect, visit: &mut dyn FnMut(RegionMark<'_>)) {
    inspect.marks(Overlay::Regions, &mut |mark| {
        if let Mark::Region(region) = mark {
            visit(region);
        }
    });
}

/// Writes for each object the index of the first region that lists it, or [`NO_REGION`]; index = id. Objects beyond the slice
/// are skipped.
pub fn region_by_object(inspect: &dyn Inspect, regions: &mut [u32]) {
    regions.fill(NO_REGION);
    for_each_region(inspect, &mut |RegionMark { region, objects, .. }| {
        for object in objects {
            if let Some(first) = regions.get_mut(*object as usize) {
                *first = region.index.min(*first);
            }
        }
    });
}

/// The [`Inspect`] of an algorithm that shows nothing.
pub(crate) struct Opaque;

impl Inspect for Opaque {}
