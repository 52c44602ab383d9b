//! A pile: bodies that fall into a pit, simulated by rapier3d, and their boxes.
//!
//! The same number of bodies gives the same boxes on one machine and build: rapier promises it across machines
//! only in a build that is slower.

use broadphase::Aabb;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapier3d::prelude::{ColliderBuilder, ColliderHandle, PhysicsWorld, RigidBodyBuilder, Vector};
use sim::{DEFAULT_SEED, TraceError, TraceWriter};
use std::path::Path;

/// Units between the bodies of a layer at the start; their sides, or diameters, are 1.
const BESIDE: f32 = 1.5;
/// Units between the layers at the start. A layer is in free fall until it meets the one below: with ten
/// thousand bodies, the upper ones fall for three seconds.
const ABOVE: f32 = 4.0;
/// Largest offset of a body from its place in the layer, units along each axis.
const AWAY: f32 = 0.2;

/// Bodies side by side along x, and along z: at rest, the pile is about as high as it is wide.
fn bodies_across(bodies: u32) -> usize {
    let across = (1.4 * f64::from(bodies)).cbrt().round() as usize;
    across.max(1)
}

/// Bodies in a pit.
#[derive(Default)]
pub struct Pile {
    world: PhysicsWorld,
    /// The colliders of the bodies. Their boxes are recorded, those of the pit are not.
    recorded: Vec<ColliderHandle>,
}

impl Pile {
    /// At least one box in layers above the pit, at rest. Positions and rotations are from the default seed.
    pub fn new(bodies: u32) -> Self {
        let mut pile = Self::default();
        let across = bodies_across(bodies);
        pile.dig_pit(across as f32 * BESIDE / 2.0, bodies as f32);
        let mut rng = ChaCha8Rng::seed_from_u64(DEFAULT_SEED);
        let mut draw =
            |range: f32| Vector::from(std::array::from_fn(|_| rng.random_range(-range..range)));
        let half = across as f32 * BESIDE / 2.0;
        for id in 0..bodies as usize {
            let place = |index: usize, distance: f32| (index as f32 + 0.5) * distance;
            let at = Vector::new(
                place(id % across, BESIDE) - half,
                place(id / (across * across), ABOVE),
                place(id / across % across, BESIDE) - half,
            );
            let at = at + draw(AWAY);
            let body = RigidBodyBuilder::dynamic().translation(at).rotation(draw(1.0));
            // A sleeping body would not move at all; a pile at rest trembles.
            let shape = ColliderBuilder::cuboid(0.5, 0.5, 0.5);
            let (_, collider) = pile.world.insert(body.can_sleep(false), shape);
            pile.recorded.push(collider);
        }
        pile
    }

    /// A floor, and walls of `height` around the square of side `2 * half`.
    fn dig_pit(&mut self, half: f32, height: f32) {
        let mut wall = |x: f32, y: f32, z: f32, at: Vector| {
            self.world.colliders.insert(ColliderBuilder::cuboid(x, y, z).translation(at));
        };
        wall(half + 2.0, 1.0, half + 2.0, Vector::new(0.0, -1.0, 0.0));
        let height = height.max(ABOVE);
        for side in [-1.0, 1.0] {
            wall(1.0, height, half + 2.0, Vector::new(side * (half + 1.0), height, 0.0));
            wall(half + 2.0, height, 1.0, Vector::new(0.0, height, side * (half + 1.0)));
        }
    }

    /// Takes a step of 1/60 s.
    pub fn step(&mut self) {
        self.world.step();
    }

    /// Fills `boxes` with those of the bodies, index = body.
    pub fn boxes(&self, boxes: &mut Vec<Aabb>) {
        boxes.clear();
        boxes.extend(self.recorded.iter().map(|&collider| {
            let b = self.world.colliders[collider].compute_aabb();
            Aabb::new(b.mins.to_array().into(), b.maxs.to_array().into())
        }));
    }

    /// Takes `steps` steps and writes the boxes after each as a trace. `goes_on` is called after each: if it
    /// returns `false`, so does this function, and no trace is left.
    ///
    /// # Errors
    ///
    /// If the trace cannot be written.
    pub fn record(
        &mut self,
        path: &Path,
        steps: u32,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<bool, TraceError> {
        let objects = self.recorded.len() as u32;
        let mut writer = TraceWriter::create(path, objects, self.world.integration_parameters.dt)?;
        let mut boxes = Vec::new();
        for _ in 0..steps {
            self.step();
            self.boxes(&mut boxes);
            writer.write_frame(&boxes)?;
            if !goes_on() {
                return Ok(false);
            }
        }
        writer.finish()?;
        Ok(true)
    }
}
