//! Objects that touch, and not only their boxes.

use broadphase::Pair;
use sim::World;

/// What the narrow phase finds among candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Touching {
    /// The pairs that touch, in the order of the candidates.
    pub(crate) pairs: Vec<Pair>,
    /// Points of their contact sets; `None` where all objects are spheres.
    pub(crate) points: Option<u64>,
}

impl Touching {
    /// Examines the candidates at the present positions, as the response does.
    pub(crate) fn among(world: &World, candidates: &[Pair]) -> Self {
        let Some(bodies) = world.bodies() else {
            let touching = candidates.iter().filter(|pair| spheres_touch(world, **pair));
            return Self { pairs: touching.copied().collect(), points: None };
        };
        let mut contacts = Vec::new();
        bodies.find_contacts(candidates, world.layers(), &mut contacts);
        Self {
            pairs: contacts.iter().map(|contact| contact.pair).collect(),
            points: Some(contacts.iter().map(|contact| u64::from(contact.points)).sum()),
        }
    }
}

/// Whether two spheres, and not only their boxes, touch.
pub(super) fn spheres_touch(world: &World, pair: Pair) -> bool {
    let (a, b) = (pair.a as usize, pair.b as usize);
    let (positions, radii) = (world.positions(), world.radii());
    // In the precision of the response, so that both count the same hits.
    let reach = f64::from(radii[a]) + f64::from(radii[b]);
    positions[a].as_dvec3().distance_squared(positions[b].as_dvec3()) <= reach * reach
}
