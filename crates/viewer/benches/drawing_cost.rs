//! Times pictures of many spheres, boxes and bodies, drawn without a window.
//!
//! ```text
//! cargo bench -p viewer --bench drawing_cost -- 2000 10000 100000
//! ```
//!
//! For each number of objects, `gas` is played as a recording of boxes, and as a scene of spheres as wide as the
//! boxes; then the scene `zoo`, as densely filled as its file says, seen from outside and from within the crowd. A line
//! has the milliseconds to go to another step, to copy the state (snapshot), to compose it, and to upload and draw it:
//! with one sample a pixel, the same with the mesh of every object, and with four samples. Each is the least of several
//! pictures, and the three drawings take turns.

use broadphase::registry::find;
use measure::{CaseOptions, Clock, Input, MonotonicClock};
use sim::scene::{CameraPose, Radius, Source};
use sim::{Scene, SceneDocument};
use std::error::Error;
use viewer::composer::{Composer, Selection};
use viewer::gpu::Gpu;
use viewer::offscreen::Offscreen;
use viewer::scene_renderer::{Antialiasing, SceneView, Theme};
use viewer::session::Session;
use viewer::simulation::Snapshot;
use viewer::view::View;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;
const PICTURES: usize = 10;

/// The eye in the middle of one half of the cube.
const WITHIN: CameraPose = CameraPose { yaw: 25.0, pitch: 18.0, distance: 0.5 };

const PARTS: [&str; 6] = ["go to", "snapshot", "compose", "1 sample", "all meshes", "4 samples"];

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
        for (shape, mut session) in [
            ("boxes", boxes(objects, clock)?),
            ("spheres", spheres(objects, clock)?),
            ("bodies", bodies(objects, None, clock)?),
            ("within", bodies(objects, Some(WITHIN), clock)?),
        ] {
            print!("{objects:>8} {shape:8}");
            let least = time_parts(&gpu, &mut session, clock)?;
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

/// The spheres inside of such boxes, at other places.
fn spheres(objects: u32, clock: &'static dyn Clock) -> Result<Session, Box<dyn Error>> {
    let source = Source {
        corner: glam::Vec3::NEG_ONE,
        size: glam::Vec3::splat(2.0),
        percent: 100.0,
        floor: true,
    };
    // A box overlaps half of another one on average: n (2 side)³ is half of the cube's volume of 8.
    let side = (0.5 / objects as f32).cbrt();
    let radius = Radius::Equal(0.5 * side);
    let scene = Scene { objects, radius, sources: vec![source], ..Scene::default() };
    let entry = find("sweep-grid").ok_or("no such algorithm")?;
    Ok(Session::new("spheres", &scene, entry, clock, None)?)
}

/// Bodies of all kinds of shapes, in the same share of the space as in the scene's file.
fn bodies(
    objects: u32,
    camera: Option<CameraPose>,
    clock: &'static dyn Clock,
) -> Result<Session, Box<dyn Error>> {
    let text = include_bytes!("../../../scenes/zoo.scene");
    let document = SceneDocument::parse("zoo.scene", text).map_err(|error| error.to_string())?;
    let mut scene = document.scene().clone();
    let factor = (scene.objects as f32 / objects as f32).cbrt();
    if let Radius::Uniform(least, most) = scene.radius {
        scene.radius = Radius::Uniform(factor * least, factor * most);
    }
    scene.objects = objects;
    scene.camera = camera.unwrap_or(scene.camera);
    let entry = find("sweep-grid").ok_or("no such algorithm")?;
    Ok(Session::new("bodies", &scene, entry, clock, None)?)
}

/// The least nanoseconds of each part of a picture.
fn time_parts(
    gpu: &Gpu,
    session: &mut Session,
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
        session.go_to(0)?;
        lap();
        let snapshot = Snapshot::of(session, &options);
        lap();
        let camera = snapshot.first_camera();
        let view =
            composer.view(&snapshot, &options, Selection::default(), camera, &Theme::DARK, 1.0);
        lap();
        for (target, simplified) in &mut targets {
            target.submit(&SceneView { simplified: *simplified, ..view });
            target.finish()?;
            lap();
        }
    }
    Ok(least)
}
