//! Driven bodies, and how near they are to what is in their way.

use narrowphase::Reference;
use sim::{Bodies, Refusal, World};

/// Most driven bodies of a snapshot.
const MAX_DRIVEN: usize = 4;

/// A body that the user drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrivenBody {
    /// Its number.
    pub object: u32,
    /// Its speed in units/s.
    pub speed: f64,
    /// The nearest other body, and the distance or the negative penetration depth; `None` if there is no other.
    pub nearest: Option<(u32, f64)>,
    /// The collision of its volume that kept it from moving in the step; `None` if it was free.
    pub refusal: Option<Refusal>,
}

/// The driven bodies of a world.
pub(super) fn bodies(world: &World, bodies: &Bodies) -> Vec<DrivenBody> {
    let mut reference = Reference::new();
    let driven = world.driven().iter().take(MAX_DRIVEN).map(|&object| DrivenBody {
        object,
        speed: bodies.states()[object as usize].velocity.length(),
        nearest: nearest(&mut reference, bodies, object),
        refusal: world.refusals().iter().find(|refusal| refusal.object == object).copied(),
    });
    driven.collect()
}

/// The body with the least gap; of several, the first one. Most are ruled out by their bounding spheres.
fn nearest(reference: &mut Reference, bodies: &Bodies, object: u32) -> Option<(u32, f64)> {
    let own = bodies.body(object as usize);
    let least = |other: u32| {
        let body = bodies.body(other as usize);
        let distance = own.pose.position.distance(body.pose.position);
        distance - own.bounding_radius() - body.bounding_radius()
    };
    let mut gap = |other: u32| reference.examine(&own, &bodies.body(other as usize)).gap;
    let others = (0..bodies.states().len() as u32).filter(|other| *other != object);
    let first = others.clone().min_by(|a, b| least(*a).total_cmp(&least(*b)))?;
    let mut nearest = (first, gap(first));
    for other in others.filter(|other| *other != first) {
        if least(other) <= nearest.1 {
            let found = gap(other);
            if (found, other) < (nearest.1, nearest.0) {
                nearest = (other, found);
            }
        }
    }
    Some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::SceneDocument;

    #[test]
    fn nearest_body_is_the_one_with_the_least_gap() {
        // The bounding sphere of the plate reaches farther than that of the cube.
        let text = b"i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!shape cube box 1 1 1\n#!shape plate box 8 8 1\n\
            #!body cube 0 0 0  0 0 0\n#!body cube 1.25 0 0  0 0 0\n#!body plate 0 0 3  0 0 0\n";
        let document = SceneDocument::parse("near.scene", text).unwrap();
        let world = World::new(document.scene());
        let bodies = world.bodies().unwrap();
        let mut nearest = |object| super::nearest(&mut Reference::new(), bodies, object);
        assert_eq!([0, 1, 2].map(&mut nearest), [Some((1, 0.25)), Some((0, 0.25)), Some((0, 2.0))]);
    }
}
