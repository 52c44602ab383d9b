//! What is drawn: every frame of E1, E5 and E6, without a window and waited for, and the pictures of E4.

use super::figures::{self, Content, ThesisFigure};
use super::plan::{
    Experiment, Methods, RANDOM, SETS, SHADING, TRIANGLES, ThesisPlan, is_software, part, scene_of,
};
use crate::failure::Failure;
use crate::study::{Bench, built_in};
use measure::{Case, Clock, Drawing, MonotonicClock};
use sim::World;
use sim::scene::Triangles;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use viewer::camera::OrbitCamera;
use viewer::gpu::Gpu;
use viewer::headless::{self, Job, Screenshot};
use viewer::offscreen::{Offscreen, OffscreenError};
use viewer::scene_renderer::{Antialiasing, SceneView, SphereInstance, Theme, WireBox};
use viewer::view::ViewOptions;

/// Measures the experiments with rendering, and draws the pictures.
///
/// On a software adapter the claims on rendering cannot be compared, so that only the first set is measured there.
pub(super) fn draw(plan: &ThesisPlan, gpu: &Gpu, bench: &mut Bench<'_>) -> Result<(), Failure> {
    bench.setting.machine.gpu = Some(gpu.adapter_summary().to_string());
    let is_software = bench.setting.machine.gpu.as_deref().is_none_or(is_software);
    let sets = if is_software { &SETS[..1] } else { &SETS[..] };
    let state = Mutex::new((Canvas::new(gpu).map_err(failed)?, HashMap::new()));
    let renderer = Renderer { clock: bench.setting.instruments.clock, is_software, state };
    let all = sets.iter().copied().flat_map(Methods::ids).collect();
    let bsp: Vec<&str> = sets.iter().map(|methods| methods.bsp).collect();
    for (experiment, inputs, ids, numbers) in [
        (Experiment::RandomDrawn, &[Experiment::RandomDrawn.input()][..], all, &plan.numbers),
        (Experiment::Triangles, &TRIANGLES, bsp.clone(), &plan.drawn_pairs),
        (Experiment::Shading, &SHADING, bsp, &plan.drawn_pairs),
    ] {
        let mut cases = Vec::new();
        for &n in numbers {
            let scene = scene_of(RANDOM, n)?;
            let case =
                |input: &&str| Case::of_scene(*input, scene.clone(), plan.warmup, plan.frames[1]);
            cases.extend(inputs.iter().map(case));
        }
        part(bench, experiment, cases, (&ids, plan.repeats[1]), Some(&renderer))?;
    }
    figures::ALL.iter().try_for_each(|figure| draw_figure(figure, bench))
}

/// Draws the spheres of an input in its look.
struct Renderer<'a> {
    clock: &'a dyn Clock,
    is_software: bool,
    /// The picture, and what wakes the card for each number of objects.
    state: Mutex<(Canvas, HashMap<usize, Waking>)>,
}

impl Renderer<'_> {
    fn state(&self) -> MutexGuard<'_, (Canvas, HashMap<usize, Waking>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drawing for Renderer<'_> {
    fn begin(&self, world: &World) -> Result<(), String> {
        // A software adapter has no clock of its own.
        if self.is_software {
            return Ok(());
        }
        let (canvas, waking) = &mut *self.state();
        let waking = waking.entry(world.positions().len()).or_default();
        let woken = waking.wake(|| self.clock.now_ns(), || canvas.draw(world, ""));
        woken.map_err(|error| error.to_string())
    }

    fn draw(&self, world: &World, input: &str) -> Result<(), String> {
        self.state().0.draw(world, input).map_err(|error| error.to_string())
    }
}

/// Size of the rendered picture, pixels: a usual window in 2008.
const FRAME_WIDTH: u32 = 800;
const FRAME_HEIGHT: u32 = 600;

/// The picture that every frame is rendered into.
struct Canvas {
    offscreen: Offscreen,
    spheres: Vec<SphereInstance>,
    boxes: Vec<WireBox>,
}

impl Canvas {
    /// Without anti-aliasing: it would count as rendering, and the thesis had none.
    fn new(gpu: &Gpu) -> Result<Self, OffscreenError> {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let offscreen =
            Offscreen::with_settings(gpu, FRAME_WIDTH, FRAME_HEIGHT, format, Antialiasing::Off)?;
        Ok(Self { offscreen, spheres: Vec::new(), boxes: Vec::new() })
    }

    /// Renders the world's spheres and sources in the look of an input, and waits until it is done.
    fn draw(&mut self, world: &World, input: &str) -> Result<(), OffscreenError> {
        let theme = &Theme::DARK;
        self.spheres.clear();
        let spheres = world.positions().iter().zip(world.radii()).enumerate();
        self.spheres.extend(spheres.map(|(object, (center, radius))| SphereInstance {
            center: center.to_array(),
            radius: *radius,
            color: theme.sphere(object),
        }));
        self.boxes.clear();
        let sources = world.scene().sources.iter();
        let (color, width) = (theme.source, 1.0);
        self.boxes.extend(sources.map(|s| WireBox { bounds: s.bounds(), color, width }));
        let camera = OrbitCamera::from_pose(world.scene().camera);
        self.offscreen.submit(&SceneView {
            spheres: &self.spheres,
            boxes: &self.boxes,
            triangles: if input == TRIANGLES[1] { Triangles::Eighty } else { Triangles::Twenty },
            shading: input == SHADING[1],
            ..SceneView::new(camera, theme)
        });
        self.offscreen.finish()
    }
}

/// How long a case is drawn before its first repetition. The clock of a graphics card that has little to do is low: of an
/// H200 it fell from 1,980 to 345 MHz while brute force searched, and was back after 3 s of drawing.
const WAKING_NS: u64 = 3_000_000_000;

/// Before the others, it is drawn until this share of the fastest drawing is reached, for as long at most.
const AWAKE: f64 = 0.9;

/// Time over which the speed of drawing is measured.
const WINDOW_NS: u64 = 100_000_000;

/// Drawing that wakes a graphics card before a repetition.
#[derive(Default)]
struct Waking {
    /// The fastest drawing of a window, pictures a nanosecond; 0 before the first.
    fastest: f64,
}

impl Waking {
    /// Draws until that is about as fast as it ever was, or for a time.
    fn wake<E>(
        &mut self,
        now: impl Fn() -> u64,
        mut draw: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let goal = if self.fastest > 0.0 { AWAKE * self.fastest } else { f64::INFINITY };
        let begin = now();
        loop {
            let (from, mut pictures) = (now(), 0.0);
            while now() - from < WINDOW_NS {
                draw()?;
                pictures += 1.0;
            }
            let speed = pictures / (now() - from) as f64;
            self.fastest = self.fastest.max(speed);
            if speed >= goal || now() - begin >= WAKING_NS {
                return Ok(());
            }
        }
    }
}

/// Size of a picture, pixels.
const SIZE: [u32; 2] = [800, 760];
/// Simulated time of the pictures, seconds: the objects are in motion.
const PICTURE_TIME: f32 = 3.5;
/// The deepest planes in pictures of trees. Deeper ones would hide the objects.
const PLANES: u32 = 5;

/// Draws the pictures of a figure into the folder of the study, each as the viewer does without a window.
fn draw_figure(figure: &ThesisFigure, bench: &Bench<'_>) -> Result<(), Failure> {
    static CLOCK: LazyLock<MonotonicClock> = LazyLock::new(MonotonicClock::new);
    let Content::Pictures(of, has_planes) = figure.content else { return Ok(()) };
    let temporary = tempfile::tempdir().map_err(failed)?;
    bench.note(&format!("E4: figure {}, {}", figure.number, of.0));
    let scene = built_in(of.0, of.1)?;
    let frames = (PICTURE_TIME / scene.dt) as u32;
    let case = Case::of_scene(of.0, scene, 0, frames);
    for (id, file) in figures::TREES.into_iter().zip(figure.files()) {
        let algorithm = broadphase::registry::find(id).expect("a method of the thesis");
        let planes = has_planes.then_some(PLANES);
        let view = ViewOptions { planes, ..ViewOptions::default() };
        let path = bench.files.folder.join(file);
        let screenshot =
            Screenshot { path, steps: None, size: SIZE, algorithm, view, legend: false };
        let job = Job {
            case: case.clone(),
            algorithms: vec![algorithm],
            threads: 1,
            csv: temporary.path().join("frames.csv"),
            screenshot: Some(screenshot),
            replaces: true,
        };
        let report = headless::run(&job, &*CLOCK, None).map_err(failed)?;
        report.picture.transpose().map_err(failed)?;
    }
    Ok(())
}

fn failed(error: impl Display) -> Failure {
    Failure::Running(error.to_string())
}
