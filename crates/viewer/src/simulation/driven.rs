//! Driven bodies, and how near they are to what is in their way.

use crate::session::Session;
use narrowphase::Reference;
use sim::{Bodies, Refusal};

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

/// The driven bodies among some objects.
pub(super) fn fill(
    shown: &mut Vec<DrivenBody>,
    session: &Session,
    driven: impl Iterator<Item = u32>,
) {
    shown.clear();
    let Some(world) = session.world() else { return };
    let Some(bodies) = world.bodies() else { return };
    shown.extend(driven.take(MAX_DRIVEN).map(|object| DrivenBody {
        object,
        speed: bodies.states()[object as usize].velocity.length(),
        nearest: nearest(bodies, object),
        refusal: world.refusals().iter().find(|refusal| refusal.object == object).copied(),
    }));
}

/// The body with the least gap. Most are ruled out by their bounding spheres.
fn nearest(bodies: &Bodies, object: u32) -> Option<(u32, f64)> {
    let own = bodies.body(object as usize);
    let bound = |other: u32| {
        let body = bodies.body(other as usize);
        let distance = own.pose.position.distance(body.pose.position);
        (distance - own.bounding_radius() - body.bounding_radius(), other)
    };
    let others = (0..bodies.states().len() as u32).filter(|other| *other != object);
    let mut others: Vec<(f64, u32)> = others.map(bound).collect();
    others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut reference, mut nearest) = (Reference::new(), None::<(u32, f64)>);
    for (bound, other) in others {
        if nearest.is_some_and(|(_, gap)| gap <= bound) {
            break;
        }
        let gap = reference.examine(&own, &bodies.body(other as usize)).gap;
        if nearest.is_none_or(|(_, least)| gap < least) {
            nearest = Some((other, gap));
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{SceneDocument, World};

    #[test]
    fn nearest_body_is_the_one_with_the_least_gap() {
        // The bounding sphere of the plate reaches farther than that of the cube.
        let text = b"i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!shape cube box 1 1 1\n#!shape plate box 8 8 1\n\
            #!body cube 0 0 0  0 0 0\n#!body cube 1.25 0 0  0 0 0\n#!body plate 0 0 3  0 0 0\n";
        let document = SceneDocument::parse("near.scene", text).unwrap();
        let world = World::new(document.scene());
        let bodies = world.bodies().unwrap();
        assert_eq!(
            [0, 1, 2].map(|object| nearest(bodies, object)),
            [Some((1, 0.25)), Some((0, 0.25)), Some((0, 2.0))]
        );
    }
}
