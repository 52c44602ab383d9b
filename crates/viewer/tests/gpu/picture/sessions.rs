//! Pictures of sessions.

use crate::common::{cube, meeting, session, steps, tumbling};
use crate::picture::pixels::assert_like_snapshot;
use broadphase::Axis;
use broadphase::inspect::Overlay;
use glam::Vec3;
use sim::Scene;
use sim::scene::{Ball, Obstacle, Triangles};
use viewer::camera::OrbitCamera;
use viewer::composer::{Composer, SceneKey};
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, Picture};
use viewer::session::Session;
use viewer::simulation::Snapshot;
use viewer::view::{Row, View};

fn draw(gpu: &Gpu, session: &Session, options: &View, size: [u32; 2]) -> Picture {
    let camera = OrbitCamera::from_pose(session.world().unwrap().scene().camera);
    let mut composer = Composer::default();
    let snapshot = Snapshot::of(session, options);
    let view = composer.view(&snapshot, &SceneKey::new(*options, camera));
    let [width, height] = size;
    Offscreen::new(gpu, width, height).and_then(|mut target| target.draw(&view)).unwrap()
}

/// Two spheres that have just collided, two resting ones, a pane, a source, and planes.
pub(crate) fn snapshot(gpu: &Gpu) {
    let still = |x: f32, y: f32, z: f32| Ball {
        center: Vec3::new(x, y, z),
        velocity: Vec3::ZERO,
        radius: Some(0.25),
    };
    let pane = Obstacle {
        corner: Vec3::new(-0.8, 0.3, -0.8),
        size: Vec3::new(0.9, 0.0, 0.9),
        normal: Axis::Y,
    };
    let mut scene = Scene {
        obstacles: vec![pane],
        sources: vec![cube()],
        triangles: Triangles::Eighty,
        ..meeting()
    };
    for ball in &mut scene.balls {
        ball.radius = Some(0.2);
    }
    scene.balls.extend([still(0.6, -0.4, 0.5), still(-0.6, 0.6, -0.5)]);
    let mut session = session(scene, "bsp");
    steps(&mut session, 3);
    let options = View::of_scene(session.world().unwrap().scene()).with(Overlay::Planes, true);
    let picture = draw(gpu, &session, &options, [240, 180]);
    assert_like_snapshot(&picture, "small_scene", 12, 0.005);
}

/// Bodies of several shapes, with their boxes and volumes behind and their contacts over them.
pub(crate) fn bodies(gpu: &Gpu) {
    let mut session = session(tumbling(), "bsp");
    steps(&mut session, 30);
    let rows = [Row::Aabbs, Row::Volumes, Row::Contacts];
    let view = View::of_scene(session.world().unwrap().scene());
    let view = rows.into_iter().fold(view, |view, row| view.with(row, true));
    assert_like_snapshot(&draw(gpu, &session, &view, [240, 180]), "small_bodies", 12, 0.005);
}
