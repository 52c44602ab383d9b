//! E4: pictures of the scenes, and of both trees in them.

use super::experiments::Stage;
use super::plan::Plan;
use crate::failure::Failure;
use broadphase::{BroadPhase, DebugDraw, Settings, SplitPlane};
use measure::Case;
use sim::World;
use std::path::Path;
use viewer::camera::OrbitCamera;
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, OffscreenError};
use viewer::scene_renderer::{
    Antialiasing, Haze, Pane, Plane, SceneView, SphereInstance, Theme, WireBox,
};

/// Size of a picture, pixels.
const WIDTH: u32 = 960;
const HEIGHT: u32 = 720;
/// Pixels to a point, in which widths of lines are given.
const PIXELS_PER_POINT: f32 = 1.5;
/// Opacity of the root's plane; deeper ones are smaller and many, and each hides less.
const PLANE_ALPHA: f32 = 0.2;
const ALPHA_PER_LEVEL: f32 = 0.9;
/// Planes below this depth are left out: they hide what they divide.
const DEEPEST: u32 = 5;

/// A scene, the names of its picture and of those with the trees.
struct Subject {
    stage: Stage,
    plain: Option<&'static str>,
    trees: [(&'static str, &'static str); 2],
}

const SUBJECTS: [Subject; 3] = [
    Subject {
        stage: Stage::Stairs,
        plain: Some("figure-8.16.png"),
        trees: [("bsp", "figure-8.17-bsp.png"), ("kd-tree", "figure-8.17-kd-tree.png")],
    },
    Subject {
        stage: Stage::Fer,
        plain: None,
        trees: [("bsp", "figure-8.18-bsp.png"), ("kd-tree", "figure-8.18-kd-tree.png")],
    },
    Subject {
        stage: Stage::Fall,
        plain: Some("figure-8.19.png"),
        trees: [("bsp", "figure-8.20-bsp.png"), ("kd-tree", "figure-8.20-kd-tree.png")],
    },
];

/// Draws all pictures into `folder`.
pub(super) fn draw(
    gpu: &Gpu,
    folder: &Path,
    plan: &Plan,
    progress: &dyn Fn(&str),
) -> Result<(), Failure> {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut offscreen = Offscreen::with_settings(gpu, WIDTH, HEIGHT, format, Antialiasing::Msaa4)
        .map_err(no_picture)?;
    for subject in &SUBJECTS {
        progress("E4: pictures");
        for (index, (algorithm, name)) in subject.trees.iter().enumerate() {
            let (world, tree) = play(subject.stage, algorithm, plan.picture_time)?;
            let mut planes = Planes::default();
            tree.debug_draw(&mut planes);
            save(&mut offscreen, &world, &planes.0, &folder.join(name))?;
            if let Some(name) = subject.plain.filter(|_| index == 0) {
                save(&mut offscreen, &world, &[], &folder.join(name))?;
            }
        }
    }
    Ok(())
}

/// Plays a scene for so many simulated seconds, and gives the world and the tree as they are then.
fn play(stage: Stage, id: &str, seconds: f32) -> Result<(World, Box<dyn BroadPhase>), Failure> {
    let scene = stage.scene(None)?;
    let frames = (seconds / scene.dt) as u32;
    let case = Case::of_scene("picture", scene, 0, frames);
    let missing = || Failure::Running(format!("there is no algorithm `{id}`"));
    let settings = Settings { world: case.space(), ..Settings::new(case.n) };
    let mut tree = (broadphase::find(id).ok_or_else(missing)?.build)(&settings);
    let mut playback = case.start()?;
    let mut pairs = Vec::new();
    for _ in 0..frames {
        playback.advance()?;
        playback.check()?;
        pairs.clear();
        tree.update(&playback.frame());
        tree.find_pairs(&playback.frame(), &mut pairs);
        pairs.sort_unstable();
        playback.respond(&pairs);
    }
    let world = playback.world().cloned().ok_or_else(missing)?;
    Ok((world, tree))
}

fn save(
    offscreen: &mut Offscreen,
    world: &World,
    planes: &[Plane],
    path: &Path,
) -> Result<(), Failure> {
    let theme = &Theme::LIGHT;
    let scene = world.scene();
    let camera = OrbitCamera::from_pose(scene.camera);
    let spheres: Vec<SphereInstance> = world
        .positions()
        .iter()
        .zip(world.radii())
        .enumerate()
        .map(|(object, (center, radius))| SphereInstance {
            center: center.to_array(),
            radius: *radius,
            color: theme.sphere(object),
        })
        .collect();
    let boxes: Vec<WireBox> = scene
        .sources
        .iter()
        .map(|source| WireBox { bounds: source.bounds(), color: theme.source, width: 1.25 })
        .collect();
    let panes: Vec<Pane> = scene
        .obstacles
        .iter()
        .map(|o| Pane { bounds: o.bounds(), normal: o.normal, selected: false })
        .collect();
    let picture = offscreen
        .draw(&SceneView {
            haze: Haze::across(scene.bounds(), &camera, theme.haze),
            pixels_per_point: PIXELS_PER_POINT,
            spheres: &spheres,
            triangles: sim::scene::Triangles::Eighty,
            boxes: &boxes,
            panes: &panes,
            planes,
            ..SceneView::new(camera, theme)
        })
        .map_err(no_picture)?;
    picture.save_png(path).map_err(no_picture)
}

/// Gathers the planes of a tree.
#[derive(Default)]
struct Planes(Vec<Plane>);

impl DebugDraw for Planes {
    fn plane(&mut self, plane: SplitPlane) {
        if plane.depth <= DEEPEST {
            let alpha = PLANE_ALPHA * ALPHA_PER_LEVEL.powi(plane.depth as i32);
            self.0.push(Plane::of_split(&plane, alpha));
        }
    }
}

fn no_picture(error: OffscreenError) -> Failure {
    Failure::Running(error.to_string())
}
