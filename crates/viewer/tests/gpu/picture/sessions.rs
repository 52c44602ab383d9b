//! Pictures of sessions.

use crate::common::shown::SHOWN;
use crate::common::{clock, crowded, cube, found_here, meeting, row, session, steps};
use crate::picture::pixels::{assert_like_snapshot, changed};
use broadphase::Axis;
use broadphase::inspect::Overlay;
use glam::Vec3;
use sim::scene::{Ball, Obstacle, Triangles};
use sim::{Scene, SceneDocument};
use std::path::Path;
use viewer::camera::OrbitCamera;
use viewer::composer::{Composer, Selection};
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, Picture};
use viewer::scene_renderer::Theme;
use viewer::session::Session;
use viewer::simulation::Snapshot;
use viewer::view::{Row, View};

fn draw(gpu: &Gpu, session: &Session, options: &View, size: [u32; 2]) -> Picture {
    let camera = OrbitCamera::from_pose(session.world().unwrap().scene().camera);
    let mut composer = Composer::default();
    let snapshot = Snapshot::of(session, options);
    let selection = Selection::default();
    let view = composer.view(&snapshot, options, selection, camera, &Theme::DARK, 1.0);
    let [width, height] = size;
    Offscreen::new(gpu, width, height).and_then(|mut target| target.draw(&view)).unwrap()
}

fn letters() -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/fer.scene");
    let document = SceneDocument::read(&path).unwrap();
    Scene { objects: 300, ..document.scene().clone() }
}

const PLANES: [Overlay; 1] = [Overlay::Planes];

pub(crate) fn switches(gpu: &Gpu) {
    let mut session = session(letters(), "bsp");
    steps(&mut session, 3);
    let all = View::of_scene(session.world().unwrap().scene()).with_structure(&PLANES);
    let drawn = draw(gpu, &session, &all, [320, 200]);
    for (part, without, least) in [
        ("objects", all.with(Row::Objects, false), 0.005),
        ("sources", all.with(Row::Sources, false), 0.005),
        ("obstacles", all.with(Row::Obstacles, false), 0.05),
        ("planes", all.with_structure(&[]), 0.1),
        ("shading", all.with(Row::Shading, false), 0.002),
    ] {
        let share = changed(&drawn, &draw(gpu, &session, &without, [320, 200]), 4);
        assert!(share > least, "{part}: {share}");
    }
    assert_eq!(changed(&drawn, &draw(gpu, &session, &all, [320, 200]), 0), 0.0);
}

pub(crate) fn same_picture(gpu: &Gpu) {
    let mut session = session(letters(), "brute-force");
    steps(&mut session, 2);
    let options = View::of_scene(session.world().unwrap().scene()).with_structure(&PLANES);
    let brute_force = draw(gpu, &session, &options, [160, 100]);
    session.set_algorithm(row("sap-matrix")).unwrap();
    let sap_matrix = draw(gpu, &session, &options, [160, 100]);
    assert_eq!(changed(&brute_force, &sap_matrix, 0), 0.0);
    session.set_algorithm(row("bsp")).unwrap();
    found_here(&mut session).unwrap();
    assert!(changed(&brute_force, &draw(gpu, &session, &options, [160, 100]), 4) > 0.1);
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
    let options = View::of_scene(session.world().unwrap().scene()).with_structure(&PLANES);
    let picture = draw(gpu, &session, &options, [240, 180]);
    assert_like_snapshot(&picture, "small_scene", 12, 0.005);
}

/// Each part of the structure changes a plausible share of the picture.
pub(crate) fn structure(gpu: &Gpu) {
    let scene = Scene { objects: 20, ..crowded() };
    let mut session = Session::new("shown", &scene, &SHOWN, clock(), None).unwrap();
    steps(&mut session, 1);
    let plain = View::of_scene(&scene).with(Row::Objects, false);
    let bare = draw(gpu, &session, &plain, [320, 200]);
    for (part, least, most) in [
        (Overlay::TreeBoxes, 0.03, 0.6),
        (Overlay::Endpoints, 0.01, 0.3),
        (Overlay::Curve, 0.01, 0.3),
    ] {
        let with = plain.with_structure(&[part]);
        let share = changed(&bare, &draw(gpu, &session, &with, [320, 200]), 4);
        assert!((least..most).contains(&share), "{part:?}: {share}");
    }
    session.set_algorithm(row("brute-force")).unwrap();
    let all = plain.with_structure(&Overlay::ALL);
    assert_eq!(changed(&bare, &draw(gpu, &session, &all, [320, 200]), 0), 0.0);
}
