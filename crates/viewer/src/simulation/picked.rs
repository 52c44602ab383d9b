//! An object, and what the algorithm found about it.

use crate::session::{Session, touch};
use broadphase::Aabb;
use broadphase::inspect::Region;
use glam::Vec3;

/// An inspected object.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Its number.
    pub object: u32,
    /// Its centre.
    pub center: Vec3,
    /// Its radius.
    pub radius: f32,
    /// Its velocity in units/s.
    pub velocity: Vec3,
    /// Pairs with this object that the algorithm tested in the last step.
    pub tests: u32,
    /// Objects whose boxes overlap this one, ascending.
    pub candidates: Vec<u32>,
    /// The candidates whose spheres touch this one, ascending.
    pub hits: Vec<u32>,
    /// Leaves or cells that list it.
    pub regions: Vec<Region>,
    /// Their larger bounds, where objects may reach out of them.
    pub loose: Vec<Aabb>,
    /// The source whose walls hold it, if any.
    pub source: Option<u32>,
    /// The source that it started in, if any.
    pub origin: Option<u32>,
}

impl Picked {
    /// Whether an object is the picked one or overlaps it.
    pub fn concerns(&self, object: u32) -> bool {
        self.object == object || self.candidates.binary_search(&object).is_ok()
    }

    pub(super) fn of(session: &Session, object: u32) -> Self {
        let world = session.world();
        let inspect = session.structure().inspect();
        let mut tests = vec![0; world.len()];
        inspect.tests_by_object(&mut tests);
        let (mut candidates, mut hits) = (Vec::new(), Vec::new());
        for pair in session.pairs() {
            if pair.a == object || pair.b == object {
                let other = if pair.a == object { pair.b } else { pair.a };
                candidates.push(other);
                if touch(world, *pair) {
                    hits.push(other);
                }
            }
        }
        for list in [&mut candidates, &mut hits] {
            list.sort_unstable();
            // A wrong algorithm may report a pair twice.
            list.dedup();
        }
        let mut regions = Vec::new();
        inspect.regions_of(object, &mut |region| regions.push(region));
        let mut loose = Vec::new();
        inspect.loose_bounds_of(object, &mut |bounds| loose.push(bounds));
        let at = object as usize;
        Self {
            object,
            center: world.positions()[at],
            radius: world.radii()[at],
            velocity: world.velocities()[at],
            tests: tests[at],
            candidates,
            hits,
            regions,
            loose,
            source: world.home(at),
            origin: world.origin(at),
        }
    }
}
