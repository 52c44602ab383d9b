//! First contacts within the step, and the paths of the bodies that met.

use crate::session::Session;
use glam::Vec3;
use sim::scene::Continuous;
use std::collections::HashMap;

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
    /// The centre of mass of each body: at its contact before, or as the step began; at this time; and as the step ended, if
    /// this is its last contact, or else again at this time.
    pub paths: [[Vec3; 3]; 2],
}

/// First contacts and waiting bodies of a step, if they are requested.
#[derive(Clone, Debug, Default)]
pub struct ShownImpacts {
    /// The first contacts that a continuous world answered, by their times.
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
        let Some(world) = session.world() else { return };
        let Some(bodies) = world.bodies() else { return };
        self.waiting.extend_from_slice(bodies.waiting_objects());
        if world.scene().continuous == Continuous::Off {
            return;
        }
        let time_step = f64::from(session.motion().time_step());
        let mut last = HashMap::new();
        for (index, impact) in bodies.impacts().iter().enumerate() {
            let objects = [impact.pair.a, impact.pair.b].map(|object| object as usize);
            let mut path = |at: usize| {
                let (object, then) = (objects[at], impact.centres[at].as_vec3());
                let end = bodies.states()[object].position.as_vec3();
                let start = match last.insert(object, (index, at)) {
                    Some((before, at)) => {
                        let path: &mut [Vec3; 3] = &mut self.contacts[before].paths[at];
                        path[2] = path[1];
                        path[1]
                    }
                    None => bodies
                        .start_of(object)
                        .map_or(then, |(body, _)| body.pose.position.as_vec3()),
                };
                [start, then, end]
            };
            let paths = [path(0), path(1)];
            let radii = objects.map(|object| bodies.body(object).bounding_radius());
            self.contacts.push(ShownImpact {
                point: impact.point.as_vec3(),
                normal: impact.normal.as_vec3(),
                share: (impact.time / time_step) as f32,
                radius: radii[0].min(radii[1]) as f32,
                paths,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::{Clock, MonotonicClock};
    use sim::SceneDocument;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn path_of_a_body_leads_from_contact_to_contact() {
        // The ball passes between two blocks several times in a step.
        let text = b"i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!continuous all\n#!dt 0.1\n\
            #!shape cube box 1 1 1\n#!shape ball sphere 0.25\n#!body cube -1 0 0  0 0 0  static\n\
            #!body cube 1 0 0  0 0 0  static\n#!body ball 0 0 0  20 0 0\n";
        let document = SceneDocument::parse("ball.scene", text).unwrap();
        let entry = broadphase::registry::find("bsp").unwrap();
        let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
        let mut session = Session::new("ball", document.scene(), entry, clock, None).unwrap();
        session.step(sim::Hold::None, &AtomicBool::new(false)).unwrap();
        let mut shown = ShownImpacts::default();
        shown.fill(&session);
        let paths: Vec<[Vec3; 3]> = shown.contacts.iter().map(|contact| contact.paths[1]).collect();
        assert!(paths.len() >= 3, "{paths:?}");
        assert!(paths.windows(2).all(|two| two[0][1..] == [two[1][0]; 2]), "{paths:?}");
        assert_eq!(paths[0][0], Vec3::ZERO);
        let end = session.world().unwrap().positions()[2];
        assert!((paths[paths.len() - 1][2] - end).length() < 1e-6, "{paths:?}");
    }
}
