//! An object, and what the algorithm found about it.

use super::picked_body::PickedBody;
use super::picked_path::PickedSweeps;
use super::snapshot::center;
use crate::session::{Session, touching};
use broadphase::inspect::{Region, Visited, for_each_region, tested_with};
use broadphase::{Aabb, Pair};
use glam::Vec3;
use sim::World;

/// An inspected object.
#[derive(Clone, Debug)]
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
    /// The other objects by what the algorithm did with them in the last step.
    pub counts: TestCounts,
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
    /// Whether it can be dragged: an object of a scene that is not static.
    pub moves: bool,
    /// Its shape and its neighbours, in a world of bodies.
    pub body: Option<PickedBody>,
}

/// Numbers of objects by what an algorithm did with them and the picked one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    /// Tested: the boxes are apart.
    pub apart: usize,
    /// Tested candidates that do not touch it.
    pub candidates: usize,
    /// Tested: the boxes overlap, but the layers admit no pair.
    pub refused: usize,
    /// Candidates that were not tested: their pairs are known from earlier steps.
    pub known: usize,
    /// Neither tested nor candidates.
    pub untested: usize,
}

impl TestCounts {
    /// Counts the outcomes for the other objects, by the ascending lists of those that were tested, are candidates, and touch it.
    fn of(object: u32, [tested, candidates, hits]: [&[u32]; 3], boxes: &[Aabb]) -> Self {
        let is_in = |list: &[u32], other: &u32| list.binary_search(other).is_ok();
        let bounds = boxes[object as usize];
        let known = candidates.iter().filter(|other| !is_in(tested, other)).count();
        let touching = hits.iter().filter(|hit| is_in(tested, hit)).count();
        let overlaps = |other: &&u32| boxes[**other as usize].overlaps(&bounds);
        let refused = tested.iter().filter(|of| !is_in(candidates, of)).filter(overlaps).count();
        let tested_candidates = candidates.len() - known;
        // A recorded object may be absent from this frame.
        let others = (0..).zip(boxes).filter(|(of, bounds)| *of != object && !bounds.is_empty());
        Self {
            apart: tested.len() - tested_candidates - refused,
            candidates: tested_candidates - touching,
            refused,
            known,
            untested: others.count().saturating_sub(tested.len() + known),
        }
    }
}

impl Picked {
    /// Whether an object is the picked one or overlaps it.
    pub fn concerns(&self, object: u32) -> bool {
        self.object == object || self.candidates.binary_search(&object).is_ok()
    }

    /// Whether an object touches it.
    pub fn touches(&self, object: u32) -> bool {
        self.hits.binary_search(&object).is_ok()
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
        tested_with(inspect, object, &mut |other| tested.push(other));
        let tests = u32::try_from(tested.len()).unwrap_or(u32::MAX);
        let concerns = |pair: &&Pair| pair.a == object || pair.b == object;
        let own: Vec<Pair> = session.pairs().iter().filter(concerns).copied().collect();
        let touching = world.map(|world| touching(world, &own)).unwrap_or_default();
        let touching: Vec<Pair> = touching.iter().map(|touching| touching.pair).collect();
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
        let (mut regions, mut loose, mut visited) = (Vec::new(), Vec::new(), Vec::new());
        for_each_region(inspect, &mut |mark| {
            if mark.objects.contains(&object) {
                regions.push(mark.region);
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
            counts: TestCounts::of(object, [&tested, &candidates, &hits], boxes),
            tests,
            tested,
            candidates,
            hits,
            regions,
            loose,
            visited,
            sweeps,
            source: world.and_then(|world| world.home(at)),
            origin: world.and_then(|world| world.origin(at)),
            moves: world.is_some_and(|world| world.can_be_pulled(at)),
            body,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_objects_are_counted_once_by_what_became_of_them() {
        let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.6);
        // Object 1 is apart, 2 a candidate, 3 touches it, 4 is refused, 5 known, 6 not tested, and 7 absent.
        let places = [0.0, 9.0, 1.0, 0.5, 1.0, 0.8, 20.0].map(at);
        let boxes: Vec<Aabb> = places.into_iter().chain([Aabb::EMPTY]).collect();
        let lists: [&[u32]; 3] = [&[1, 2, 3, 4], &[2, 3, 5], &[3]];
        let expected = TestCounts { apart: 1, candidates: 1, refused: 1, known: 1, untested: 1 };
        assert_eq!(TestCounts::of(0, lists, &boxes), expected);
        // It may be absent itself.
        assert_eq!(TestCounts::of(7, [&[]; 3], &boxes).untested, 7);
    }
}
