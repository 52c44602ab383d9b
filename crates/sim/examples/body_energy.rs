//! Energy drift and speed of bodies: 10,000 steps of `zoo` with 1,000 objects, without gravity. SIDE is a factor of the
//! sides of its cube: with 10,000 objects and 2, there is about one candidate a body. With `all` at the end, collisions are
//! found within the steps.
//!
//! ```text
//! cargo run --release -p sim --example body_energy [STEPS [OBJECTS [SIDE [all]]]]
//! ```

use broadphase::Frame;
use broadphase::registry::{Settings, find};
use sim::scene::{Continuous, Gravity};
use sim::{Hold, Scene, SceneDocument, World};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1);
    let steps = numbers.next().map_or(Ok(10_000), |steps| steps.parse::<usize>())?;
    let objects = numbers.next().map_or(Ok(1000), |objects| objects.parse::<u32>())?;
    let side = numbers.next().map_or(Ok(1.0), |side| side.parse::<f32>())?;
    let is_continuous = numbers.next().is_some_and(|word| word == "all");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/zoo.scene");
    let scene = SceneDocument::read(&path)?.scene().clone();
    let mut scene = Scene { gravity: Gravity::Off, objects, ..scene };
    if is_continuous {
        scene.continuous = Continuous::All;
    }
    scene.sources.iter_mut().for_each(|source| source.size *= side);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| run(&scene, steps, threads)).map_err(|error| error as Box<dyn Error>)?;
    }
    Ok(())
}

fn run(scene: &Scene, steps: usize, threads: usize) -> Result<(), Box<dyn Error + Send + Sync>> {
    let algorithm = find("auto").ok_or("no algorithm `auto`")?;
    let mut algorithm = algorithm.create(&Settings::new(scene.total_objects()))?;
    let mut world = World::new(scene);
    let (mut boxes, mut pairs) = (Vec::new(), Vec::new());
    let (mut candidates, mut collisions) = (0, 0);
    let before = world.kinetic_energy();
    let mut seconds = [0.0; 3];
    for _ in 0..steps {
        let start = Instant::now();
        world.step(Hold::None);
        seconds[0] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        world.boxes(&mut boxes);
        seconds[1] += start.elapsed().as_secs_f64();
        let frame = Frame::new(&boxes).time_step(scene.dt);
        pairs.clear();
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        candidates += pairs.len();
        let start = Instant::now();
        collisions += world.respond(&pairs).resolved;
        seconds[2] += start.elapsed().as_secs_f64();
    }
    let [motion, bounds, response] = seconds.map(|s| 1e3 * s / steps as f64);
    println!(
        "{threads} threads, {} objects, {steps} steps: {collisions} collisions among {candidates} \
         candidates, relative drift of the kinetic energy {:+.2e}, trajectory hash {:016x}; in ms \
         per step: motion {motion:.3}, boxes {bounds:.3}, response {response:.3}",
        world.len(),
        world.kinetic_energy() / before - 1.0,
        world.hash(),
    );
    Ok(())
}
