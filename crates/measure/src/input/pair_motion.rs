//! How random pairs move within a step, and their random poses in the x-z plane.

use glam::{DQuat, DVec3};
use narrowphase::impact::Motion;
use narrowphase::{Body, Bounds, BoxKind, Pose, Reference, Shape};
use std::f64::consts::TAU;
use std::fmt;

/// Seconds of a step of random pairs: that of a scene.
pub(super) fn step_seconds() -> f64 {
    f64::from(sim::Scene::default().dt)
}

/// Share of the pairs that are left to touch. Of the others some touch too, so that by measurement 40 to 70 % of all do.
const TOUCHING: f64 = 0.45;

/// Depth of the overlap at which the motions of two bodies begin, in lengths of the pair. Bodies that touch with two corners
/// slide along each other as often as not, and only graze: 3 of 100 pairs of boxes did.
const DEPTH: f64 = 1e-6;

/// Most moves until two compounds touch.
const MAX_MOVES: usize = 8;

/// How random pairs move within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMotion {
    /// How far each body moves, in lengths of the pair: the mean of the longest sides of both boxes.
    pub speed: f64,
    /// How far each body turns, in rad.
    pub spin: f64,
    /// Whether the second body of each pair rests.
    pub against_resting: bool,
}

impl fmt::Display for PairMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "motion={}", self.speed)?;
        if self.spin != 0.0 {
            write!(f, ",spin={}", self.spin)?;
        }
        if self.against_resting { write!(f, ",resting") } else { Ok(()) }
    }
}

/// The longest side of a shape's box.
fn length(shape: &Shape) -> f64 {
    2.0 * Body::new(shape, Pose::IDENTITY).bounds(BoxKind::Tight).half_size().max_element()
}

impl PairMotion {
    /// Motions of two shapes, and their poses as the step begins. `poses` only give orientations and places: the bodies are
    /// moved until they hardly overlap, and approach there. Then they go back by a random part of the step. Some pairs are left like
    /// that, and so touch within the step. The others are moved apart sideways. `uniform` gives random numbers
    /// from 0 to 1, exclusive. Velocities have `f32` precision, so that a scene has them to the last bit.
    pub(super) fn start(
        &self,
        shapes: [&Shape; 2],
        poses: [Pose; 2],
        uniform: &mut impl FnMut() -> f64,
    ) -> ([Pose; 2], [Motion; 2]) {
        let length = 0.5 * shapes.map(length).iter().sum::<f64>();
        let mut motion = |is_resting: bool| match is_resting {
            true => Motion::NONE,
            false => Motion {
                velocity: rounded(direction(uniform) * (self.speed * length / step_seconds())),
                spin: rounded(direction(uniform) * (self.spin / step_seconds())),
            },
        };
        let mut motions = [motion(false), motion(self.against_resting)];
        let (mut poses, axis) = touching(shapes, poses);
        poses[1].position -= axis * (DEPTH * length);
        let approach = motions[1].velocity - motions[0].velocity;
        if approach.dot(axis) > 0.0 {
            motions.iter_mut().for_each(|motion| motion.velocity = -motion.velocity);
        }
        let time = uniform() * step_seconds();
        if uniform() > TOUCHING {
            let aside = direction(uniform).reject_from(approach.try_normalize().unwrap_or(axis));
            let away = if aside.dot(axis) < 0.0 { -aside } else { aside };
            poses[1].position += away * (1.5 * uniform() * length);
        }
        let back = |at: usize| motions[at].pose_after(&poses[at], -time);
        ([back(0), back(1)], motions)
    }
}

/// A random direction; all are equally likely.
fn direction(uniform: &mut impl FnMut() -> f64) -> DVec3 {
    let height = 2.0 * uniform() - 1.0;
    let (sine, cosine) = libm::sincos(uniform() * TAU);
    let radius = (1.0 - height * height).sqrt();
    DVec3::new(radius * cosine, radius * sine, height)
}

fn rounded(vector: DVec3) -> DVec3 {
    vector.as_vec3().as_dvec3()
}

/// Moves the second body along the axis of least separation until both touch. Returns that axis too, from the first body to
/// the second. A compound may meet another part on the way: then it is moved again.
fn touching(shapes: [&Shape; 2], poses: [Pose; 2]) -> ([Pose; 2], DVec3) {
    let [first, mut second] = poses;
    let (mut reference, mut axis) = (Reference::new(), DVec3::X);
    for _ in 0..MAX_MOVES {
        reference.examine(&Body::new(shapes[0], first), &Body::new(shapes[1], second));
        let parts = reference.parts().iter();
        let Some(nearest) = parts.min_by(|one, other| one.gap.total_cmp(&other.gap)) else { break };
        axis = nearest.axis;
        second.position -= axis * nearest.gap;
        if reference.parts().len() == 1 {
            break;
        }
    }
    ([first, second], axis)
}

/// All poses in the plane at which the tight boxes overlap are equally likely: both bodies are rotated about y only.
/// `uniform` gives random numbers from 0 to 1, exclusive.
pub(super) fn flat_poses(shapes: [&Shape; 2], uniform: &mut impl FnMut() -> f64) -> [Pose; 2] {
    let plane = DVec3::new(1.0, 0.0, 1.0);
    let most = 2.0 * shapes.map(Shape::bounding_radius).iter().sum::<f64>();
    loop {
        let turned = [turned(uniform), turned(uniform)];
        let bounds = |at: usize| Body::new(shapes[at], turned[at]).bounds(BoxKind::Tight);
        let [one, other]: [Bounds; 2] = [bounds(0), bounds(1)];
        let (low, high) = ((one.min - other.max) * plane, (one.max - other.min) * plane);
        let share = DVec3::new(uniform(), 0.0, uniform());
        let size = high - low;
        // Orientations are accepted as often as there are positions for them.
        if uniform() <= size.x * size.z / (most * most) {
            return [turned[0], Pose { position: low + size * share, ..turned[1] }];
        }
    }
}

/// At the origin; all rotations about y are equally likely.
fn turned(uniform: &mut impl FnMut() -> f64) -> Pose {
    let (sine, cosine) = libm::sincos(0.5 * TAU * uniform());
    Pose { position: DVec3::ZERO, rotation: DQuat::from_xyzw(0.0, sine, 0.0, cosine) }
}
