//! Objects that touch, and not only their boxes.

use broadphase::Pair;
use sim::World;

/// The candidates that touch at the present positions, in their order, as the response examines them.
pub(crate) fn touching(world: &World, candidates: &[Pair]) -> Vec<Pair> {
    let Some(bodies) = world.bodies() else {
        return candidates.iter().filter(|pair| spheres_touch(world, **pair)).copied().collect();
    };
    let mut contacts = Vec::new();
    bodies.find_contacts(candidates, world.layers(), &mut contacts);
    contacts.iter().map(|contact| contact.pair).collect()
}

/// Whether two spheres, and not only their boxes, touch.
pub(super) fn spheres_touch(world: &World, pair: Pair) -> bool {
    let (a, b) = (pair.a as usize, pair.b as usize);
    let (positions, radii) = (world.positions(), world.radii());
    // In the precision of the response, so that both count the same hits.
    let reach = f64::from(radii[a]) + f64::from(radii[b]);
    positions[a].as_dvec3().distance_squared(positions[b].as_dvec3()) <= reach * reach
}
