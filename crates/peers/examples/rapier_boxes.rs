//! Takes the boxes of a rapier3d world after each step, and reports the pairs that begin.
//!
//! ```text
//! cargo run -p peers --features all --example rapier_boxes
//! ```
#![allow(missing_docs, reason = "an example has no users")]

use broadphase::glam::Vec3;
use broadphase::{Aabb, Auto, BroadPhase, Frame, Layer, PairEvents};
use rapier3d::prelude::{ColliderBuilder, ColliderHandle, PhysicsWorld, RigidBodyBuilder, Vector};

/// Added to each side of a box, so that bodies at rest on each other stay a pair. In units of the world.
const MARGIN: f32 = 0.02;

const STEPS: u32 = 120;

fn main() {
    for line in drop_bodies() {
        println!("{line}");
    }
}

/// Drops a cube on the ground and a ball on the cube. Returns a line for each pair that begins.
fn drop_bodies() -> Vec<String> {
    let mut world = PhysicsWorld::default();
    let at = |height| Vector::new(0.0, height, 0.0);
    let (_, ground) =
        world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::cuboid(9.0, 0.5, 9.0));
    let (_, cube) = world.insert(
        RigidBodyBuilder::dynamic().translation(at(2.0)),
        ColliderBuilder::cuboid(0.5, 0.5, 0.5),
    );
    let (_, ball) =
        world.insert(RigidBodyBuilder::dynamic().translation(at(6.0)), ColliderBuilder::ball(0.5));
    // The index of a collider in this list is its id in the broad phase.
    let colliders = [("the ground", ground), ("the cube", cube), ("the ball", ball)];
    let layers = colliders.map(|(_, collider)| layer(&world, collider));

    let (mut broad_phase, mut events) = (Auto::default(), PairEvents::default());
    let (mut boxes, mut pairs, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for step in 1..=STEPS {
        world.step();
        boxes.clear();
        boxes.extend(colliders.iter().map(|(_, collider)| bounds(&world, *collider)));
        let time_step = world.integration_parameters.dt;
        let frame = Frame::new(&boxes).layered(&layers).time_step(time_step);
        broad_phase.update(&frame);
        pairs.clear();
        broad_phase.find_pairs(&frame, &mut pairs);

        events.advance(&pairs);
        lines.extend(events.began().iter().map(|pair| {
            let [a, b] = [pair.a, pair.b].map(|object| colliders[object as usize].0);
            format!("step {step}: {b} comes near {a}")
        }));
    }
    lines
}

/// The layer of a collider: static if its body cannot move.
fn layer(world: &PhysicsWorld, collider: ColliderHandle) -> Layer {
    let body = world.colliders[collider].parent();
    let is_static = body.is_none_or(|body| world.bodies[body].is_fixed());
    Layer { is_static, ..Layer::ALL }
}

/// The box of a collider with a margin.
fn bounds(world: &PhysicsWorld, collider: ColliderHandle) -> Aabb {
    let b = world.colliders[collider].compute_aabb();
    let [min, max] = [b.mins, b.maxs].map(|corner| Vec3::from(corner.to_array()));
    Aabb::new(min - MARGIN, max + MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_body_comes_near_the_one_below() {
        let lines = drop_bodies();
        let mut events: Vec<_> = lines.iter().filter_map(|line| line.split(": ").nth(1)).collect();
        // A body may bounce.
        events.dedup();
        let expected = ["the cube comes near the ground", "the ball comes near the cube"];
        assert!(events.starts_with(&expected), "{lines:?}");
    }
}
