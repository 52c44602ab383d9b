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
    let mut neighbours = Neighbours::default();
    let driven = world.driven().iter().take(MAX_DRIVEN).map(|&object| DrivenBody {
        object,
        speed: bodies.states()[object as usize].velocity.length(),
        nearest: neighbours.nearest(bodies, object),
        refusal: world.refusals().iter().find(|refusal| refusal.object == object).copied(),
    });
    driven.collect()
}

/// The search for the nearest body, with its scratch.
#[derive(Default)]
struct Neighbours {
    reference: Reference,
    /// Bodies that may be the nearest, with a lower bound of their gaps.
    candidates: Vec<(f64, u32)>,
}

impl Neighbours {
    /// The body with the least gap. Most are ruled out by their bounding spheres.
    fn nearest(&mut self, bodies: &Bodies, object: u32) -> Option<(u32, f64)> {
        let own = bodies.body(object as usize);
        let bounded = |other: u32| {
            let body = bodies.body(other as usize);
            let distance = own.pose.position.distance(body.pose.position);
            (distance - own.bounding_radius() - body.bounding_radius(), other)
        };
        let others = || (0..bodies.states().len() as u32).filter(|other| *other != object);
        let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let Self { reference, candidates } = self;
        let mut gap = |other: u32| reference.examine(&own, &bodies.body(other as usize)).gap;
        let (_, first) = others().map(bounded).min_by(order)?;
        let mut nearest = (first, gap(first));
        candidates.clear();
        candidates.extend(others().map(bounded).filter(|(bound, _)| *bound < nearest.1));
        candidates.sort_unstable_by(order);
        for &(bound, other) in candidates.iter().filter(|(_, other)| *other != first) {
            if nearest.1 <= bound {
                break;
            }
            let gap = gap(other);
            if gap < nearest.1 {
                nearest = (other, gap);
            }
        }
        Some(nearest)
    }
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
        let mut neighbours = Neighbours::default();
        assert_eq!(
            [0, 1, 2].map(|object| neighbours.nearest(bodies, object)),
            [Some((1, 0.25)), Some((0, 0.25)), Some((0, 2.0))]
        );
    }

    #[test]
    fn only_bodies_within_the_first_gap_are_sorted() {
        let mut text = String::from(
            "i -90 -9 -9 180 18 18 100 f\n#!objects 0\n#!shape cube box 1 1 1\n#!body cube -50 0 0  0 0 0\n",
        );
        for i in 0..20 {
            text += &format!("#!body cube {} 0 0  0 0 0\n", 2 * i);
        }
        let document = SceneDocument::parse("row.scene", text.as_bytes()).unwrap();
        let world = World::new(document.scene());
        let mut neighbours = Neighbours::default();
        assert_eq!(neighbours.nearest(world.bodies().unwrap(), 0), Some((1, 49.0)));
        assert_eq!(neighbours.candidates.len(), 1);
        // Two are equally near: the lower number counts.
        assert_eq!(neighbours.nearest(world.bodies().unwrap(), 10), Some((9, 1.0)));
        assert_eq!(neighbours.candidates.len(), 2);
    }
}
