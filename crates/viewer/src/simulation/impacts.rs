//! First contacts within the step, and the paths of the bodies that met.

use crate::session::Session;
use glam::Vec3;
use sim::World;

/// A first contact of two bodies within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownImpact {
    /// Where they touch.
    pub point: Vec3,
    /// Unit vector from the first to the second body.
    pub normal: Vec3,
    /// Its time as a share of the step, 0 to 1.
    pub share: f32,
    /// Bounding radius of the smaller body.
    pub radius: f32,
    /// The centre of mass of each body: as the step began, at this time, and as the step ended.
    pub paths: [[Vec3; 3]; 2],
}

/// First contacts and waiting bodies of a step, if they are requested.
#[derive(Clone, Debug, Default)]
pub struct ShownImpacts {
    /// The first contacts that the world answered, by their times.
    pub contacts: Vec<ShownImpact>,
    /// Bodies that had too many contacts, and waited where they were free last.
    pub waiting: Vec<u32>,
}

impl ShownImpacts {
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.waiting.clear();
    }

    /// Takes those of the present step.
    pub(super) fn fill(&mut self, session: &Session) {
        self.clear();
        let Some(bodies) = session.world().and_then(World::bodies) else { return };
        let time_step = f64::from(session.motion().time_step());
        self.waiting.extend_from_slice(bodies.waiting_objects());
        self.contacts.extend(bodies.impacts().iter().map(|impact| {
            let objects = [impact.pair.a, impact.pair.b].map(|object| object as usize);
            let path = |at: usize| {
                let (object, then) = (objects[at], impact.centres[at]);
                let start = bodies.start_of(object).map_or(then, |(body, _)| body.pose.position);
                [start, then, bodies.states()[object].position].map(|center| center.as_vec3())
            };
            let radii = objects.map(|object| bodies.body(object).bounding_radius());
            ShownImpact {
                point: impact.point.as_vec3(),
                normal: impact.normal.as_vec3(),
                share: (impact.time / time_step) as f32,
                radius: radii[0].min(radii[1]) as f32,
                paths: [path(0), path(1)],
            }
        }));
    }
}
