//! The bodies of a world, for display.

use crate::session::{Methods, Session};
use broadphase::Aabb;
use glam::{DVec3, Quat, Vec3};
use narrowphase::{Body, BoxKind, Pose, Reference};
use sim::scene::Catalogue;
use sim::{Bodies, Refusal, World};
use std::sync::Arc;

/// What bodies have besides positions and bounding radii. Index = object in all lists.
#[derive(Clone, Debug, Default)]
pub struct ShownBodies {
    /// The shapes.
    pub catalogue: Arc<Catalogue>,
    /// Indices of the objects' shapes.
    pub shape_of: Vec<u32>,
    /// Factors of the shapes' lengths.
    pub scales: Vec<f32>,
    /// Unit quaternions, from the body's frame to the world's.
    pub rotations: Vec<Quat>,
    /// The boxes for the broad phase.
    pub boxes: Vec<Aabb>,
    /// How these are computed.
    pub box_kind: BoxKind,
    /// How the candidates of the broad phase are tested.
    pub methods: Methods,
    /// Kinetic energy of all moving bodies; a ball of radius 1 has mass 1.
    pub energy: f64,
    /// Momentum of all moving bodies.
    pub momentum: DVec3,
    /// Bodies that the user drives.
    pub driven: Vec<DrivenBody>,
}

impl ShownBodies {
    /// A body as it is drawn, of an object at a position; `None` if there is no such object.
    pub fn body(&self, object: usize, position: Vec3) -> Option<Body<'_>> {
        let shape = *self.shape_of.get(object)? as usize;
        let rotation = self.rotations.get(object)?.as_dquat().normalize();
        let pose = Pose { position: position.as_dvec3(), rotation };
        let scale = f64::from(*self.scales.get(object)?);
        Some(Body { shape: &self.catalogue.shapes().get(shape)?.shape, scale, pose })
    }

    /// Whether a shape has several parts.
    pub(super) fn has_compounds(&self) -> bool {
        self.catalogue.shapes().iter().any(|named| !named.shape.is_convex())
    }

    /// The present bodies of a session, if it has bodies. The lists of the last ones are reused.
    pub(super) fn of(session: &Session, last: Option<Self>) -> Option<Self> {
        let world = session.world()?;
        let bodies = world.bodies()?;
        let objects = 0..world.len();
        let Self { mut shape_of, mut scales, mut rotations, mut boxes, .. } =
            last.unwrap_or_default();
        refill(&mut shape_of, objects.clone().map(|object| bodies.shape_of(object) as u32));
        refill(&mut scales, objects.map(|object| bodies.body(object).scale as f32));
        refill(&mut rotations, bodies.states().iter().map(|state| state.rotation.as_quat()));
        refill(&mut boxes, session.motion().boxes().iter().copied());
        Some(Self {
            catalogue: bodies.catalogue().clone(),
            shape_of,
            scales,
            rotations,
            boxes,
            box_kind: bodies.box_kind(),
            methods: session.stages().methods(),
            energy: world.kinetic_energy(),
            momentum: world.momentum(),
            driven: driven(world, bodies),
        })
    }
}

fn refill<T>(list: &mut Vec<T>, values: impl Iterator<Item = T>) {
    list.clear();
    list.extend(values);
}

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
fn driven(world: &World, bodies: &Bodies) -> Vec<DrivenBody> {
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
