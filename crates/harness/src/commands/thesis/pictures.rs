//! E4: pictures of the scenes and of both trees in them.

use super::experiments::{BuiltIn, FALL, FER, RANDOM, STAIRS, WINDOW};
use super::figures;
use super::figures::{Content, Look};
use crate::failure::Failure;
use broadphase::BroadPhase;
use broadphase::inspect::{SplitPlane, planes_of};
use broadphase::registry::Settings;
use measure::{Case, find_sorted};
use sim::World;
use std::path::Path;
use viewer::camera::OrbitCamera;
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, OffscreenError};
use viewer::scene_renderer::{
    Antialiasing, Haze, Pane, Plane, SceneView, SphereInstance, Theme, WireBox,
};

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
