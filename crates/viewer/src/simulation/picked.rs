//! An object, and what the algorithm found about it.

use super::picked_body::PickedBody;
use super::picked_path::PickedSweeps;
use super::snapshot::center;
use crate::session::{Session, touching};
use broadphase::inspect::{HashSlot, Region, Visited, for_each_region};
use broadphase::{Aabb, Pair};
use glam::Vec3;
use sim::World;

/// An inspected object.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Its number.
    pub object: u32,
    /// Its box; empty if it is absent.
    pub bounds: Aabb,
    /// Its centre.
    pub center: Vec3,
    /// The radius of a sphere, or of a body's bounding sphere; `None` for a box of a recording.
    pub radius: Option<f32>,
    /// Its velocity in units/s; of a box that of its centre, where it is known.
    pub velocity: Option<Vec3>,
    /// Pairs with this object that the algorithm tested in the last step.
    pub tests: u32,
    /// The objects that it was tested against in that step, ascending, absent ones left out.
    pub tested: Vec<u32>,
    /// Objects whose boxes overlap this one, ascending.
    pub candidates: Vec<u32>,
    /// The candidates that touch this one, ascending; none in a recording.
    pub hits: Vec<u32>,
    /// Leaves or cells that list it.
    pub regions: Vec<Region>,
    /// The slot of each of these in a hash table of cells.
    pub slots: Vec<Option<HashSlot>>,
    /// Their larger bounds, where objects may reach out of them.
    pub loose: Vec<Aabb>,
    /// Nodes or cells that its search reached, those that hold it first.
    pub visited: Vec<Visited>,
    /// The lists that are swept with it.
    pub sweeps: PickedSweeps,
    /// The source whose walls hold it, if any.
    pub source: Option<u32>,
    /// The source that it started in, if any.
    pub origin: Option<u32>,
    /// Its shape and its neighbours, in a world of bodies.
    pub body: Option<PickedBody>,
}

impl Picked {
    /// Whether an object is the picked one or overlaps it.
    pub fn concerns(&self, object: u32) -> bool {
        self.object == object || self.candidates.binary_search(&object).is_ok()
    }

    /// Whether it was tested against an object in the last step.
    pub fn is_tested_with(&self, object: u32) -> bool {
        self.tested.binary_search(&object).is_ok()
    }

    /// Whether an object that shares a sweep with the picked one was not tested against it: the pair is cached, as of
    /// two resting objects.
    pub fn is_known_with(&self, object: u32) -> bool {
        self.sweeps.own > 0 && !self.is_tested_with(object)
    }

    pub(super) fn of(session: &Session, object: u32) -> Self {
        let world = session.world();
        let inspect = session.structure().inspect();
        let at = object as usize;
        let boxes = session.motion().boxes();
        let bounds = boxes[at];
        let mut tested = Vec::new();
        inspect.tested_with(object, &mut |other| tested.push(other));
        let tests = u32::try_from(tested.len()).unwrap_or(u32::MAX);
        let concerns = |pair: &&Pair| pair.a == object || pair.b == object;
        let own: Vec<Pair> = session.pairs().iter().filter(concerns).copied().collect();
        let touching = world.map_or_else(Vec::new, |world| touching(world, &own));
        let others = |pairs: &[Pair]| -> Vec<u32> {
            pairs.iter().map(|pair| if pair.a == object { pair.b } else { pair.a }).collect()
        };
        let (mut candidates, mut hits) = (others(&own), others(&touching));
        // A cache may test it against its own outdated entry.
        let is_shown = |other: u32| boxes.get(other as usize).is_some_and(|b| !b.is_empty());
        tested.retain(|other| *other != object && is_shown(*other));
        for list in [&mut tested, &mut candidates, &mut hits] {
            list.sort_unstable();
            // A pair may be tested in several leaves, and a wrong algorithm may report it twice.
            list.dedup();
        }
        let mut regions = Vec::new();
        let (mut slots, mut loose, mut visited) = (Vec::new(), Vec::new(), Vec::new());
        for_each_region(inspect, &mut |mark| {
            if mark.objects.contains(&object) {
                regions.push(mark.region);
                slots.push(mark.slot);
                loose.extend(mark.loose);
            }
        });
        inspect.way(object, &bounds, &mut |node| visited.push(node));
        let found = [&tested[..], &candidates];
        let sweeps = PickedSweeps::of(inspect, session.algorithm(), object, &regions, boxes, found);
        let bodies = world.and_then(World::bodies);
        let body = bodies.map(|bodies| PickedBody::of(bodies, object, &candidates, &hits));
        Self {
            object,
            bounds,
            center: world.map_or_else(|| center(&bounds), |world| world.positions()[at]),
            radius: world.map(|world| world.radii()[at]),
            velocity: session.motion().velocity(at),
            tests,
            tested,
            candidates,
            hits,
            regions,
            slots,
            loose,
            visited,
            sweeps,
            source: world.and_then(|world| world.home(at)),
            origin: world.and_then(|world| world.origin(at)),
            body,
        }
    }
}
