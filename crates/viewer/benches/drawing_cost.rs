//! Times pictures of many spheres, boxes and bodies, drawn without a window.
//!
//! ```text
//! cargo bench -p viewer --bench drawing_cost -- 2000 10000 100000
//! ```
//!
//! For each number of objects, `gas` is played as a recording of boxes, then the scenes `fer` and `zoo`, as densely filled
//! as their files say. A line has the milliseconds to copy the state (snapshot), to compose it, and to upload and draw it:
//! with one sample a pixel, the same with the mesh of every object, and with four samples. Each is the least of several
//! pictures, and the three drawings take turns.

use broadphase::registry::find;
use measure::{CaseOptions, Clock, Input, MonotonicClock};
use sim::scene::Radius;
use sim::{Scene, SceneDocument};
use std::error::Error;
use viewer::composer::{Composer, SceneKey};
use viewer::gpu::Gpu;
use viewer::offscreen::Offscreen;
use viewer::scene_renderer::{Antialiasing, SceneView};
use viewer::session::Session;
use viewer::simulation::Snapshot;
use viewer::view::View;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;
const PICTURES: usize = 10;

const PARTS: [&str; 5] = ["snapshot", "compose", "1 sample", "all meshes", "4 samples"];

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds `--bench`.
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let numbers = arguments.map(|number| number.parse());
    let mut numbers = numbers.collect::<Result<Vec<u32>, _>>()?;
    if numbers.is_empty() {
        numbers = vec![10_000, 100_000];
    }
    let gpu = Gpu::headless()?;
    println!("{}, {WIDTH} x {HEIGHT}, milliseconds a picture", gpu.adapter_summary());
    print!("{:>8} {:8}", "objects", "as");
    PARTS.iter().for_each(|part| print!(" {part:>10}"));
    println!();
    let clock: &'static MonotonicClock = Box::leak(Box::new(MonotonicClock::new()));
    for objects in numbers {
        for (shape, session) in [
            ("boxes", boxes(objects, clock)?),
            ("spheres", scene(include_bytes!("../../../scenes/fer.scene"), objects, clock)?),
            ("bodies", scene(include_bytes!("../../../scenes/zoo.scene"), objects, clock)?),
        ] {
            print!("{objects:>8} {shape:8}");
            let least = time_parts(&gpu, &session, clock)?;
            least.iter().for_each(|ns| print!(" {:>10.2}", *ns as f64 * 1e-6));
            println!();
        }
    }
    Ok(())
}

/// Generated boxes as a recording.
fn boxes(objects: u32, clock: &'static dyn Clock) -> Result<Session, Box<dyn Error>> {
    let input = Input::boxes(format!("gas:{objects}").parse()?);
    let case = input.cases(&CaseOptions::default())?.remove(0);
    let entry = find("sweep-grid").ok_or("no such algorithm")?;
    Ok(Session::of_case(&case, entry, clock, None)?)
}

/// A scene with another number of objects in the same share of the space.
fn scene(text: &[u8], objects: u32, clock: &'static dyn Clock) -> Result<Session, Box<dyn Error>> {
    let document = SceneDocument::parse("own.scene", text).map_err(|error| error.to_string())?;
    let mut scene = document.scene().clone();
    let factor = (scene.objects as f32 / objects as f32).cbrt();
    if let Radius::Equal(radius) = &mut scene.radius {
        *radius *= factor;
    }
    if let Radius::Uniform(least, most) = &mut scene.radius {
        (*least, *most) = (factor * *least, factor * *most);
    }
    scene.objects = objects;
    let entry = find("sweep-grid").ok_or("no such algorithm")?;
    Ok(Session::new("own.scene", &scene, entry, clock, None)?)
}

/// The least nanoseconds of each part of a picture.
fn time_parts(
    gpu: &Gpu,
    session: &Session,
    clock: &MonotonicClock,
) -> Result<[u64; PARTS.len()], Box<dyn Error>> {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let target = |samples| Offscreen::with_settings(gpu, WIDTH, HEIGHT, format, samples);
    let mut targets = [
        (target(Antialiasing::Off)?, true),
        (target(Antialiasing::Off)?, false),
        (target(Antialiasing::Msaa4)?, true),
    ];
    let nothing = Scene::default();
    let scene = session.world().map_or(&nothing, |world| world.scene());
    let options = View::of_scene(scene);
    let mut composer = Composer::default();
    let mut least = [u64::MAX; PARTS.len()];
    for _ in 0..PICTURES {
        let mut part = 0;
        let mut last = clock.now_ns();
        let mut lap = || {
            let now = clock.now_ns();
            least[part] = least[part].min(now - last);
            (part, last) = (part + 1, now);
        };
        let snapshot = Snapshot::of(session, &options);
        lap();
        let view = composer.view(&snapshot, &SceneKey::new(options, snapshot.first_camera()));
        lap();
        for (target, simplified) in &mut targets {
            target.submit(&SceneView { simplified: *simplified, ..view });
            target.finish()?;
            lap();
        }
    }
    Ok(least)
}
