//! The planes that a driven body stays in front of.
//!
//! Each convex part near the body is separated from each of its parts by a plane. A velocity that leads through none of the
//! planes within a step is free, since the body does not rotate.

use super::super::mover::MAX_WORK;
use super::super::solid::BodyState;
use super::super::supports::{Support, hold};
use super::super::touch::quiet;
use super::Driven;
use crate::world::response::layer_of;
use glam::DVec3;
use narrowphase::{Body, Reference, face_planes};

/// A body stops in front of what it meets, at most this far, in units of its bounding radius. Far above rounding, and far
/// below a pixel.
const SKIN: f64 = 1e-6;

/// Share of the skin that is rounding of a gap.
const ROUNDING: f64 = 0.1;

/// A plane in front of a driven body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Unit vector to the body, along which it can move.
    pub(super) normal: DVec3,
    /// How far the body is in front of it, along the normal.
    pub(super) gap: f64,
    /// Its speed along the normal.
    pub(super) speed: f64,
}

/// The planes near a driven body. They keep their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    pub(super) all: Vec<Plane>,
    reference: Reference,
    near: Vec<usize>,
    supports: Vec<Support>,
    /// Comparisons of parts so far.
    work: usize,
}

/// Gap in which a body stops.
pub(super) fn skin(body: &Body<'_>) -> f64 {
    SKIN * body.bounding_radius()
}

impl Planes {
    /// Finds the planes that a body may meet at a velocity in the next step.
    pub(super) fn gather(&mut self, of: Driven<'_>, wanted: DVec3) {
        let Driven { bodies, object, step } = of;
        let (body, dt) = (of.body(), of.dt());
        let reach = body.bounding_radius() + wanted.length() * dt + 2.0 * skin(&body);
        self.work = 0;
        self.all.clear();
        self.all.extend(of.walls(reach).map(|wall| Plane {
            normal: wall.normal,
            gap: wall.gap(&body),
            speed: 0.0,
        }));
        let mut near = std::mem::take(&mut self.near);
        of.list_fixed(reach, &mut near);
        for index in &near {
            let fixed = bodies.fixtures.all[*index].body(&bodies.catalogue);
            self.add(of, &fixed, [DVec3::ZERO, wanted]);
        }
        self.near = near;
        for other in (0..bodies.states().len()).filter(|other| bodies.is_kinematic(*other)) {
            let (velocity, other_body) = (bodies.states()[other].velocity, bodies.body(other));
            let distance = other_body.pose.position.distance(body.pose.position);
            if other != object
                && of.layer().meets(layer_of(step.layers, other))
                && distance <= reach + other_body.bounding_radius() + velocity.length() * dt
            {
                self.add(of, &other_body, [velocity, wanted]);
            }
        }
    }

    /// Adds the planes between a body that has `velocities[0]` in the step, and the driven one that wants the other one.
    fn add(&mut self, of: Driven<'_>, other: &Body<'_>, velocities: [DVec3; 2]) {
        let (own, dt) = (&of.body(), of.dt());
        let ways = velocities.map(|velocity| velocity * dt);
        self.work += own.shape.parts().len() * other.shape.parts().len();
        if self.is_spent() {
            return;
        }
        let way = ways[1] - ways[0];
        let reach = way.length() + 2.0 * skin(own);
        for verdict in self.reference.near(other, own, reach) {
            // At an edge several planes separate: the one that allows most of the way counts, so that a body that moves over
            // a face does not meet the side of the next body, whose face is as high.
            let mut best = (verdict.gap, verdict.axis);
            face_planes(&[*other, *own], verdict, -ROUNDING * skin(own), |plane| {
                if plane.gap + way.dot(plane.axis) > best.0 + way.dot(best.1) {
                    best = (plane.gap, plane.axis);
                }
            });
            // In a flat world a body cannot give way along y.
            let (gap, allowed) = (best.0, best.1 * of.directions());
            let part = allowed.length();
            if part > 0.0 {
                let speed = ways[0].dot(best.1) / (part * dt);
                self.all.push(Plane { normal: allowed / part, gap: gap / part, speed });
            }
        }
    }

    /// Whether the search took all the work that a body may take in a step.
    pub(super) fn is_spent(&self) -> bool {
        self.work >= MAX_WORK as usize
    }

    /// The velocity nearest to the wanted one that leads through no plane within the next step, of a body that does not
    /// rotate; 0 if there is none.
    pub(super) fn nearest_velocity(&mut self, of: Driven<'_>, wanted: DVec3) -> DVec3 {
        let (skin, dt) = (skin(&of.body()), of.dt());
        if self.is_spent() {
            return DVec3::ZERO;
        }
        let solid = of.bodies.solids[of.object].stiff(1.0);
        let mut state = BodyState { velocity: wanted, ..of.bodies.states[of.object] };
        let (point, quiet) = (state.position, quiet(&solid, &state, dt));
        self.supports.clear();
        self.supports.extend(self.all.iter().map(|&Plane { normal, gap, speed }| {
            let target = speed - (gap - 0.5 * skin).max(0.0) / dt;
            Support { point, normal, target, ..Support::default() }
        }));
        let is_found = hold(&solid, &mut state, &mut self.supports, quiet);
        if is_found { state.velocity } else { DVec3::ZERO }
    }
}
