//! What is drawn: every frame of E1, E5 and E6, without a window and waited for, and the pictures of E4.

use super::experiments::{
    BuiltIn, Experiment, FALL, FER, RANDOM, SHADING, STAIRS, TRIANGLES, ThesisPlan, WINDOW,
};
use super::figures;
use super::figures::{Content, Look};
use super::measuring::ThesisBench;
use super::rows::{Methods, SETS, is_software};
use crate::failure::Failure;
use broadphase::BroadPhase;
use broadphase::inspect::{SplitPlane, planes_of};
use broadphase::registry::Settings;
use measure::{Case, Clock, Drawing, find_sorted};
use sim::World;
use sim::scene::Triangles;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use viewer::camera::OrbitCamera;
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, OffscreenError};
use viewer::scene_renderer::{
    Antialiasing, Haze, Pane, Plane, SceneView, SphereInstance, Theme, WireBox,
};

/// Measures the experiments with rendering.
///
/// On a software adapter their claims cannot be compared, so that only the first set is measured there.
pub(super) fn measure(
    plan: &ThesisPlan,
    gpu: &Gpu,
    bench: &mut ThesisBench<'_>,
) -> Result<(), Failure> {
    let is_software = bench.setting.machine.gpu.as_deref().is_none_or(is_software);
    let sets = if is_software { &SETS[..1] } else { &SETS[..] };
    let canvas = Canvas::new(gpu).map_err(|error| Failure::Running(error.to_string()))?;
    let state = Mutex::new((canvas, HashMap::new()));
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
            let scene = RANDOM.scene(Some(n))?;
            let case = |input: &&str| {
                Case::of_scene(*input, scene.clone(), plan.warmup, plan.drawn_frames)
            };
            cases.extend(inputs.iter().map(case));
        }
        bench.part(experiment, cases, &ids, plan.drawn_repeats, Some(&renderer))?;
    }
    Ok(())
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
        let woken = waking.wake(|| self.clock.now_ns(), || canvas.draw(world, PLAIN));
        woken.map_err(|error| error.to_string())
    }

    fn draw(&self, world: &World, input: &str) -> Result<(), String> {
        self.state().0.draw(world, look_of(input)).map_err(|error| error.to_string())
    }
}

fn look_of(input: &str) -> Drawn {
    match input {
        _ if input == TRIANGLES[1] => FINE,
        _ if input == SHADING[1] => SHADED,
        _ => PLAIN,
    }
}

/// Size of the rendered picture, pixels: a usual window in 2008.
const FRAME_WIDTH: u32 = 800;
const FRAME_HEIGHT: u32 = 600;

/// How the spheres are drawn.
#[derive(Clone, Copy)]
struct Drawn {
    triangles: Triangles,
    shading: bool,
}

/// The look of E1, and the baseline of E5 and E6.
const PLAIN: Drawn = Drawn { triangles: Triangles::Twenty, shading: false };
/// The look of E5 with more triangles.
const FINE: Drawn = Drawn { triangles: Triangles::Eighty, shading: false };
/// The look of E6 with shading.
const SHADED: Drawn = Drawn { triangles: Triangles::Twenty, shading: true };

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

    /// Renders the world's spheres and sources, and waits until it is done.
    fn draw(&mut self, world: &World, look: Drawn) -> Result<(), OffscreenError> {
        let theme = &Theme::DARK;
        self.spheres.clear();
        self.spheres.extend(spheres(world, theme));
        self.boxes.clear();
        self.boxes.extend(sources(world, theme, 1.0));
        let camera = OrbitCamera::from_pose(world.scene().camera);
        self.offscreen.submit(&SceneView {
            spheres: &self.spheres,
            boxes: &self.boxes,
            triangles: look.triangles,
            shading: look.shading,
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
const WIDTH: u32 = 800;
const HEIGHT: u32 = 760;
/// Pixels per point, the unit of line widths.
const PIXELS_PER_POINT: f32 = 1.5;
/// Opacity of the root's plane. Deeper planes are small and many, so each is more transparent.
const PLANE_ALPHA: f32 = 0.2;
const ALPHA_PER_LEVEL: f32 = 0.9;
/// Simulated time of the pictures, seconds: the objects are in motion.
const PICTURE_TIME: f32 = 3.5;
/// Planes below this depth are left out: they would hide the objects.
const DEEPEST: u32 = 5;

/// Draws all pictures into `folder`.
pub(super) fn draw(gpu: &Gpu, folder: &Path, progress: &dyn Fn(&str)) -> Result<(), Failure> {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut offscreen = Offscreen::with_settings(gpu, WIDTH, HEIGHT, format, Antialiasing::Msaa4)
        .map_err(no_picture)?;
    for scene in [WINDOW, RANDOM, STAIRS, FER, FALL] {
        progress(&format!("E4: {}", scene.name));
        let (world, trees) = play(&scene)?;
        for figure in figures::ALL {
            let Content::Pictures(of, look) = figure.content else { continue };
            if of.name != scene.name {
                continue;
            }
            let planes = trees.iter().map(|tree| planes(&**tree));
            let planes = if look == Look::Trees { planes.collect() } else { vec![Vec::new()] };
            for (name, planes) in figure.files().iter().zip(planes) {
                save(&mut offscreen, &world, &planes, look == Look::Selected, &folder.join(name))?;
            }
        }
    }
    Ok(())
}

/// Plays a scene until its picture is taken. Returns the world and both trees at that time.
fn play(scene: &BuiltIn) -> Result<(World, [Box<dyn BroadPhase>; 2]), Failure> {
    let &BuiltIn { name, .. } = scene;
    let scene = scene.scene(None)?;
    let frames = (PICTURE_TIME / scene.dt) as u32;
    let case = Case::of_scene(name, scene, 0, frames);
    let settings = Settings::new(case.n).world(case.space());
    let tree = |id| broadphase::registry::find(id).expect("a method of the thesis");
    let mut trees = figures::TREES.map(|id| tree(id).build(&settings));
    let mut playback = case.start()?;
    let mut pairs = Vec::new();
    for _ in 0..frames {
        playback.step(|frame| {
            trees.iter_mut().for_each(|tree| find_sorted(&mut **tree, frame, &mut pairs));
            Ok::<_, Failure>(&pairs)
        })?;
    }
    let no_world = || Failure::Running(format!("{name} does not move"));
    Ok((playback.world().cloned().ok_or_else(no_world)?, trees))
}

fn save(
    offscreen: &mut Offscreen,
    world: &World,
    planes: &[Plane],
    has_selection: bool,
    path: &Path,
) -> Result<(), Failure> {
    let theme = &Theme::LIGHT;
    let scene = world.scene();
    let camera = OrbitCamera::from_pose(scene.camera);
    let spheres: Vec<SphereInstance> = spheres(world, theme).collect();
    let boxes: Vec<WireBox> = sources(world, theme, 1.25).collect();
    let panes: Vec<Pane> = scene
        .obstacles
        .iter()
        .enumerate()
        .map(|(at, o)| {
            let selected = has_selection && at == 0;
            Pane { bounds: o.bounds(), normal: o.normal, selected }
        })
        .collect();
    let picture = offscreen
        .draw(&SceneView {
            haze: Haze::across(scene.bounds(), &camera, theme.haze),
            pixels_per_point: PIXELS_PER_POINT,
            spheres: &spheres,
            triangles: sim::scene::Triangles::Eighty,
            shading: scene.shading,
            boxes: &boxes,
            panes: &panes,
            planes,
            ..SceneView::new(camera, theme)
        })
        .map_err(no_picture)?;
    picture.save_png(path, true).map_err(no_picture)
}

/// The planes of a tree, as they are drawn.
fn planes(tree: &dyn BroadPhase) -> Vec<Plane> {
    let planes = planes_of(tree.inspect()).into_iter().filter(|plane| plane.depth <= DEEPEST);
    let drawn = |plane: SplitPlane| {
        let alpha = PLANE_ALPHA * ALPHA_PER_LEVEL.powi(plane.depth as i32);
        Plane::of_split(&plane, alpha)
    };
    planes.map(drawn).collect()
}

fn no_picture(error: OffscreenError) -> Failure {
    Failure::Running(error.to_string())
}

/// The spheres, in the colours of the theme.
pub(super) fn spheres(world: &World, theme: &Theme) -> impl Iterator<Item = SphereInstance> {
    let spheres = world.positions().iter().zip(world.radii()).enumerate();
    spheres.map(|(object, (center, radius))| SphereInstance {
        center: center.to_array(),
        radius: *radius,
        color: theme.sphere(object),
    })
}

/// The sources as boxes, with lines of a width.
pub(super) fn sources(world: &World, theme: &Theme, width: f32) -> impl Iterator<Item = WireBox> {
    let sources = world.scene().sources.iter();
    sources.map(move |source| WireBox { bounds: source.bounds(), color: theme.source, width })
}
