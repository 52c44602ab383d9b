//! The bodies of a world, for display.

use crate::session::{Methods, Session};
use broadphase::Aabb;
use glam::{DVec3, Quat, Vec3};
use narrowphase::{Body, BoxKind, Pose};
use sim::scene::Catalogue;
use sim::{Bodies, Refusal, World};
use std::sync::Arc;

/// States of bodies besides positions and bounding radii. Index = object in all lists.
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
    /// The collision of its volume that kept it from moving in the step; `None` if it was free.
    pub refusal: Option<Refusal>,
}

/// The driven bodies of a world.
fn driven(world: &World, bodies: &Bodies) -> Vec<DrivenBody> {
    let driven = world.driven().iter().take(MAX_DRIVEN).map(|&object| DrivenBody {
        object,
        speed: bodies.states()[object as usize].velocity.length(),
        refusal: world.refusals().iter().find(|refusal| refusal.object == object).copied(),
    });
    driven.collect()
}
