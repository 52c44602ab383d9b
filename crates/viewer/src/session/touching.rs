//! Objects that touch, and not only their boxes.

use broadphase::Pair;
use sim::World;

/// Two objects that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchingPair {
    /// The objects.
    pub pair: Pair,
    /// How deep they penetrate each other, in units; of bodies along the axis of least penetration.
    pub depth: f64,
}

/// The candidates that touch at the present positions, in their order, as the response examines them.
pub(crate) fn touching(world: &World, candidates: &[Pair]) -> Vec<TouchingPair> {
    let Some(bodies) = world.bodies() else {
        let depths = candidates.iter().map(|pair| (pair, sphere_depth(world, *pair)));
        let touching =
            depths.filter_map(|(pair, depth)| Some(TouchingPair { pair: *pair, depth: depth? }));
        return touching.collect();
    };
    let mut contacts = Vec::new();
    bodies.find_contacts(candidates, world.layers(), &mut contacts);
    contacts
        .iter()
        .map(|contact| TouchingPair { pair: contact.pair, depth: contact.depth })
        .collect()
}

/// Whether two spheres, and not only their boxes, touch.
pub(super) fn spheres_touch(world: &World, pair: Pair) -> bool {
    sphere_depth(world, pair).is_some()
}

/// The penetration depth of two spheres; `None` if they do not touch.
fn sphere_depth(world: &World, pair: Pair) -> Option<f64> {
    let (a, b) = (pair.a as usize, pair.b as usize);
    let (positions, radii) = (world.positions(), world.radii());
    // In the precision of the response, so that both count the same hits.
    let reach = f64::from(radii[a]) + f64::from(radii[b]);
    let squared = positions[a].as_dvec3().distance_squared(positions[b].as_dvec3());
    (squared <= reach * reach).then(|| (reach - squared.sqrt()).max(0.0))
}
