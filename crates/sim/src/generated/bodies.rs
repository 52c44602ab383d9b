//! Boxes that move independently of each other.

use crate::random::draw_vec3;
use broadphase::{Aabb, Layer};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Largest velocity along an axis, units/s.
const SPEED: f32 = 0.5;

/// How far a box wobbles about its place along each axis, as a share of its side.
const WOBBLE: f32 = 0.02;

/// Boxes by centre, half sides and velocity.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub(super) centers: Vec<Vec3>,
    pub(super) halves: Vec<Vec3>,
    /// Units/s; empty if nothing moves. For a box that wobbles, it only states whether it does.
    pub(super) velocities: Vec<Vec3>,
    /// The chance of a moving box to get a new velocity in a frame.
    pub(super) turning: f32,
    /// The places that boxes wobble about; empty where they fly.
    pub(super) homes: Vec<Vec3>,
}

impl Bodies {
    /// Stops boxes, drawn at random, so that the share `moving` of them still moves.
    ///
    /// At random, since a branch predictor learns regular steps among the ids. They would favour algorithms
    /// that branch on whether a box moved.
    pub(super) fn stop_all_but(&mut self, moving: f32, rng: &mut ChaCha8Rng) {
        let boxes = self.velocities.len();
        let mut to_move = (boxes as f64 * f64::from(moving)).round() as usize;
        // The chance of each box is the number still to move over the boxes left: exactly `to_move` boxes
        // move.
        for (left, velocity) in (1..=boxes).rev().zip(&mut self.velocities) {
            if rng.random::<f64>() * (left as f64) < to_move as f64 {
                to_move -= 1;
            } else {
                *velocity = Vec3::ZERO;
            }
        }
    }

    /// Layers in which boxes that do not move are static.
    pub(super) fn layers(&self) -> Vec<Layer> {
        let layer = |velocity: &Vec3| match *velocity {
            Vec3::ZERO => Layer::STATIC,
            _ => Layer::ALL,
        };
        self.velocities.iter().map(layer).collect()
    }

    pub(super) fn step(&mut self, dt: f32, rng: &mut ChaCha8Rng) {
        if self.homes.is_empty() {
            self.fly(dt, rng);
        } else {
            self.wobble(rng);
        }
    }

    fn wobble(&mut self, rng: &mut ChaCha8Rng) {
        let bodies = self.centers.iter_mut().zip(&self.homes);
        let bodies = bodies.zip(self.halves.iter().zip(&self.velocities));
        for ((center, &home), (&half, velocity)) in bodies {
            if *velocity != Vec3::ZERO {
                let limit = (1.0 - half).max(Vec3::ZERO);
                let away = draw_vec3(rng) * half * (2.0 * WOBBLE);
                *center = (home + away).clamp(-limit, limit);
            }
        }
    }

    fn fly(&mut self, dt: f32, rng: &mut ChaCha8Rng) {
        let bodies = self.centers.iter_mut().zip(&self.halves).zip(&mut self.velocities);
        for ((center, half), velocity) in bodies {
            if *velocity == Vec3::ZERO {
                continue;
            }
            if self.turning > 0.0 && rng.random::<f32>() < self.turning {
                *velocity = draw_velocity(rng);
            }
            for axis in 0..3 {
                let limit = (1.0 - half[axis]).max(0.0);
                let ahead = center[axis] + velocity[axis] * dt;
                if ahead.abs() > limit {
                    // Reflected: as far before the wall as it would have gone beyond it.
                    let wall = limit.copysign(ahead);
                    center[axis] = (2.0 * wall - ahead).clamp(-limit, limit);
                    velocity[axis] = -velocity[axis];
                } else {
                    center[axis] = ahead;
                }
            }
        }
    }

    pub(super) fn boxes(&self, boxes: &mut Vec<Aabb>) {
        boxes.clear();
        let bodies = self.centers.iter().zip(&self.halves);
        boxes.extend(bodies.map(|(&center, &half)| Aabb::new(center - half, center + half)));
    }
}

/// A velocity uniform in the cube of ± [`SPEED`].
pub(super) fn draw_velocity(rng: &mut ChaCha8Rng) -> Vec3 {
    draw_vec3(rng) * SPEED
}
