//! Energy drift of the motion: 10,000 steps of the random scene, without gravity.
//!
//! ```text
//! cargo run --release -p sim --example energy
//! ```

use broadphase::Frame;
use broadphase::registry::{ALGORITHMS, Settings};
use sim::scene::Gravity;
use sim::{Hold, Scene, SceneDocument, World};
use std::error::Error;
use std::path::Path;

const STEPS: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/random.scene");
    let scene = SceneDocument::read(&path)?.scene().clone();
    let scene = Scene { gravity: Gravity::Off, ..scene };
    for entry in ALGORITHMS {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let (drift, collisions, hash) = pool.install(|| run(&scene, entry))?;
            println!(
                "{:12} {threads} threads: {collisions} collisions, relative drift of the kinetic \
                 energy {drift:+.2e}, trajectory hash {hash:016x}",
                entry.id
            );
        }
    }
    Ok(())
}

fn run(
    scene: &Scene,
    entry: &broadphase::registry::Algorithm,
) -> Result<(f64, u64, u64), broadphase::registry::CreateError> {
    let settings = Settings::new(scene.total_objects()).world(scene.bounds());
    let mut algorithm = entry.create(&settings)?;
    let mut world = World::new(scene);
    let (mut boxes, mut pairs, mut collisions) = (Vec::new(), Vec::new(), 0);
    let before = world.kinetic_energy();
    for _ in 0..STEPS {
        world.step(Hold::None);
        world.boxes(&mut boxes);
        let frame = Frame::new(&boxes).time_step(scene.dt);
        pairs.clear();
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        collisions += world.respond(&pairs).resolved;
    }
    Ok((world.kinetic_energy() / before - 1.0, collisions, world.hash()))
}
