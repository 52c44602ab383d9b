//! Records a pile: bodies that fall into a pit, simulated by rapier3d, as traces of their boxes.
//!
//! ```text
//! cargo run --release -p peers --features all --example record_pile -- \
//!     --out falling.bpt --settled settled.bpt
//! ```
//!
//! The first trace begins with the fall; the second one, of as many frames, begins when the pile has
//! lain for a while. The same options give the same traces on one machine and build: rapier promises it
//! across machines only in a build that is slower.
#![allow(missing_docs, reason = "nobody uses an example's items")]

use broadphase::Aabb;
use clap::{Parser, value_parser};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapier3d::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderBuilder, ColliderHandle, ColliderSet, ImpulseJointSet,
    IntegrationParameters, IslandManager, MultibodyJointSet, NarrowPhase, PhysicsPipeline,
    RigidBodyBuilder, RigidBodySet, SoftBodySet, Vector,
};
use sim::{TraceError, TraceWriter};
use std::path::PathBuf;
use std::process::ExitCode;

/// Units between the bodies at the start; their sides, or diameters, are 1.
const SPACING: f32 = 1.5;
/// Bodies side by side along x, and along z.
const ACROSS: usize = 24;

/// Records bodies that fall on each other.
#[derive(Parser)]
struct Options {
    /// How many bodies
    #[arg(long, default_value = "10000", value_parser = value_parser!(u32).range(1..=1_000_000))]
    bodies: u32,

    /// Frames of a trace
    #[arg(long, default_value = "300", value_parser = value_parser!(u32).range(1..=100_000))]
    frames: u32,

    /// The trace of the fall (.bpt)
    #[arg(long, value_name = "F.bpt")]
    out: PathBuf,

    /// The trace of the pile that lies (.bpt)
    #[arg(long, value_name = "F.bpt")]
    settled: Option<PathBuf>,

    /// The frame with which that begins
    #[arg(long, default_value = "1500", value_parser = value_parser!(u32).range(1..=1_000_000))]
    settled_from: u32,

    /// Balls instead of boxes
    #[arg(long)]
    balls: bool,

    /// Seed of their places and turns
    #[arg(long, default_value = "1739")]
    seed: u64,
}

fn main() -> ExitCode {
    match record_both(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn record_both(options: &Options) -> Result<(), TraceError> {
    let mut pile = Pile::new(options);
    record(&mut pile, &options.out, options)?;
    if let Some(path) = &options.settled {
        (options.frames..options.settled_from).for_each(|_| pile.step());
        record(&mut pile, path, options)?;
    }
    Ok(())
}

/// Writes the next frames.
fn record(pile: &mut Pile, path: &std::path::Path, options: &Options) -> Result<(), TraceError> {
    let mut writer = TraceWriter::create(path, options.bodies, pile.parameters.dt)?;
    let mut boxes = Vec::new();
    for _ in 0..options.frames {
        pile.step();
        pile.boxes(&mut boxes);
        writer.write_frame(&boxes)?;
    }
    writer.finish()?;
    println!("{}: {} frames of {} boxes", path.display(), options.frames, options.bodies);
    Ok(())
}

/// Bodies in a pit, and all that rapier keeps of them.
#[derive(Default)]
struct Pile {
    parameters: IntegrationParameters,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    /// The colliders of the bodies, whose boxes are recorded; the pit's are not.
    recorded: Vec<ColliderHandle>,
}

impl Pile {
    fn new(options: &Options) -> Self {
        let mut pile = Self::default();
        let half = ACROSS as f32 * SPACING / 2.0;
        let height = options.bodies as f32;
        let mut wall = |x: f32, y: f32, z: f32, at: Vector| {
            pile.colliders.insert(ColliderBuilder::cuboid(x, y, z).translation(at));
        };
        wall(half + 2.0, 1.0, half + 2.0, Vector::new(0.0, -1.0, 0.0));
        for side in [-1.0, 1.0] {
            wall(1.0, height, half + 2.0, Vector::new(side * (half + 1.0), height, 0.0));
            wall(half + 2.0, height, 1.0, Vector::new(0.0, height, side * (half + 1.0)));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        let mut draw =
            |range: f32| Vector::from(std::array::from_fn(|_| rng.random_range(-range..range)));
        for id in 0..options.bodies as usize {
            let cell = [id % ACROSS, id / (ACROSS * ACROSS), id / ACROSS % ACROSS];
            let corner = Vector::from(cell.map(|c| (c as f32 + 0.5) * SPACING));
            let at = corner - Vector::new(half, 0.0, half) + draw(0.2);
            let body = RigidBodyBuilder::dynamic().translation(at).rotation(draw(1.0));
            // One that sleeps stands still to the last bit; a pile at rest trembles.
            let body = body.can_sleep(false);
            let body = pile.bodies.insert(body);
            let shape = match options.balls {
                true => ColliderBuilder::ball(0.5),
                false => ColliderBuilder::cuboid(0.5, 0.5, 0.5),
            };
            let collider = pile.colliders.insert_with_parent(shape, body, &mut pile.bodies);
            pile.recorded.push(collider);
        }
        pile
    }

    fn step(&mut self) {
        self.pipeline.step(
            Vector::new(0.0, -9.81, 0.0),
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    /// Fills `boxes` with those of the bodies, index = body.
    fn boxes(&self, boxes: &mut Vec<Aabb>) {
        boxes.clear();
        boxes.extend(self.recorded.iter().map(|&collider| {
            let b = self.colliders[collider].compute_aabb();
            Aabb::new(b.mins.to_array().into(), b.maxs.to_array().into())
        }));
    }
}
