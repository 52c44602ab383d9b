//! Bodies: their faces, light, pose and depth.

use crate::render::stage::{ORANGE, at, brightness, changed, draw, front, middle, sphere, view};
use glam::{DVec3, Quat, Vec3};
use narrowphase::{Pose, Shape};
use std::slice;
use std::sync::Arc;
use viewer::gpu::Gpu;
use viewer::offscreen::Offscreen;
use viewer::scene_renderer::{BodiesView, BodyInstance, SceneView, Segment, ShapeMesh};

const GREEN: [u8; 4] = [0, 255, 0, 255];

fn meshes() -> Arc<[ShapeMesh]> {
    let box_124 = Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap();
    let capsule = Shape::capsule(0.5, 1.0).unwrap();
    [box_124, capsule].iter().map(ShapeMesh::of).collect()
}

fn body(position: Vec3, scale: f32, rotation: Quat) -> BodyInstance {
    let (position, rotation) = (position.to_array(), rotation.to_array());
    BodyInstance { position, scale, rotation, color: ORANGE }
}

pub(crate) fn pose(gpu: &Gpu) {
    let meshes = meshes();
    // The longest side along x, the shortest along z.
    let rotation = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let instances = [body(Vec3::new(0.2, 0.0, 0.3), 0.3, rotation)];
    let of_mesh = [0..1, 1..1];
    let bodies = BodiesView { meshes: &meshes, instances: &instances, of_mesh: &of_mesh };
    let picture = draw(gpu, &SceneView { bodies: Some(bodies), ..view() });
    let empty = draw(gpu, &view());
    let front = |x: f32, z: f32| Vec3::new(0.2 + x, -0.3, 0.3 + z);
    for (x, z) in [(0.0, 0.0), (0.55, 0.12), (-0.55, -0.12)] {
        assert_eq!(at(&picture, front(x, z)), ORANGE, "{x} {z}");
    }
    for (x, z) in [(0.66, 0.0), (0.0, 0.22), (0.0, -0.22), (-0.66, 0.0)] {
        assert_eq!(at(&picture, front(x, z)), at(&empty, front(x, z)), "{x} {z}");
    }
}

/// An L, which no rotation but the right one maps onto itself.
pub(crate) fn rotation(gpu: &Gpu) {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let at_place = |x: f64, z: f64| {
        let position = DVec3::new(x, 0.0, z);
        (&cube, Pose { position, ..Pose::IDENTITY })
    };
    let parts = [at_place(0.0, 0.0), at_place(1.0, 0.0), at_place(2.0, 0.0), at_place(0.0, 1.0)];
    let meshes: Arc<[ShapeMesh]> =
        [Shape::compound(&parts).unwrap()].iter().map(ShapeMesh::of).collect();
    let turned = Quat::from_rotation_y(std::f32::consts::FRAC_PI_6);
    let instances = [body(Vec3::ZERO, 0.3, turned)];
    let of_mesh = 0..1;
    let bodies =
        BodiesView { meshes: &meshes, instances: &instances, of_mesh: slice::from_ref(&of_mesh) };
    let picture = draw(gpu, &SceneView { bodies: Some(bodies), ..view() });
    let empty = draw(gpu, &view());
    // The end of the long arm is at (1.55, -0.25) from the centre of mass, in x and z of the body's frame.
    let arm = 0.3 * Vec3::new(1.217, -0.5, -0.991);
    assert_eq!(at(&picture, arm), ORANGE);
    // The same by the inverse rotation, and on the other side.
    for beside in [0.3 * Vec3::new(1.467, -0.5, 0.558), arm * Vec3::new(-1.0, 1.0, -1.0)] {
        assert_eq!(at(&picture, beside), at(&empty, beside), "{beside}");
    }
}

/// As of a scene whose bodies are all balls.
pub(crate) fn no_mesh(gpu: &Gpu) {
    let meshes: Arc<[ShapeMesh]> = Arc::new([ShapeMesh::default()]);
    let of_mesh = 0..0;
    let bodies = BodiesView { meshes: &meshes, instances: &[], of_mesh: slice::from_ref(&of_mesh) };
    let picture = draw(gpu, &SceneView { bodies: Some(bodies), ..view() });
    assert_eq!(changed(&picture, &draw(gpu, &view())), 0);
}

pub(crate) fn faces(gpu: &Gpu) {
    let meshes = meshes();
    // Its front, its right and its upper face are seen.
    let center = Vec3::new(-0.9, 0.0, -0.7);
    let instances = [body(center, 0.3, Quat::IDENTITY)];
    let of_mesh = 0..1;
    let bodies =
        BodiesView { meshes: &meshes, instances: &instances, of_mesh: slice::from_ref(&of_mesh) };
    let scene = SceneView { bodies: Some(bodies), ..view() };
    let plain = draw(gpu, &scene);
    let shaded = draw(gpu, &SceneView { shading: true, ..scene });
    let sides = [Vec3::NEG_Y * 0.3, Vec3::X * 0.15, Vec3::Z * 0.6].map(|side| center + side);
    assert!(sides.iter().all(|side| at(&plain, *side) == ORANGE), "one colour");
    let light = sides.map(|side| brightness(at(&shaded, side)));
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!((light[a] - light[b]).abs() > 20, "{light:?}");
    }
    assert!(light[2] > light[1], "the light comes from above: {light:?}");
    // A face is even.
    let near = at(&shaded, center + Vec3::new(0.08, -0.3, 0.3));
    assert_eq!(near, at(&shaded, center + Vec3::new(-0.08, -0.3, -0.3)));
    let empty = draw(gpu, &view());
    assert_eq!(changed(&plain, &empty), changed(&shaded, &empty), "the same outline");
}

pub(crate) fn round(gpu: &Gpu) {
    let meshes = meshes();
    let instances = [body(Vec3::ZERO, 1.0, Quat::from_rotation_x(1.5))];
    let of_mesh = [0..0, 0..1];
    let bodies = BodiesView { meshes: &meshes, instances: &instances, of_mesh: &of_mesh };
    let shaded = draw(gpu, &SceneView { bodies: Some(bodies), shading: true, ..view() });
    // The light falls off along its round side, without a jump.
    let light: Vec<i32> = (0..9)
        .map(|i| brightness(at(&shaded, Vec3::new(-0.4 + 0.1 * i as f32, -0.3, 0.0))))
        .collect();
    assert!(light[0] > light[8] + 60, "{light:?}");
    assert!(light.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 90), "{light:?}");
}

pub(crate) fn depth(gpu: &Gpu) {
    let meshes = meshes();
    let of_mesh = [0..1, 1..1];
    for (y, expected) in [(-1.0, ORANGE), (1.0, GREEN)] {
        let instances = [body(Vec3::Y * y, 0.2, Quat::IDENTITY)];
        let spheres = [sphere(Vec3::ZERO, 0.3, GREEN)];
        let bodies = BodiesView { meshes: &meshes, instances: &instances, of_mesh: &of_mesh };
        let scene = SceneView { bodies: Some(bodies), spheres: &spheres, ..view() };
        assert_eq!(middle(&draw(gpu, &scene)), expected);
    }
}

pub(crate) fn steady(gpu: &Gpu) {
    let mut offscreen = Offscreen::new(gpu, 32, 32).unwrap();
    let instances = vec![body(Vec3::ZERO, 0.1, Quat::IDENTITY); 100];
    let first = meshes();
    let of_mesh = [0..40, 40..100];
    let bodies = BodiesView { meshes: &first, instances: &instances, of_mesh: &of_mesh };
    let scene = SceneView { camera: front(), bodies: Some(bodies), ..view() };
    offscreen.draw(&scene).unwrap();
    let before = offscreen.gpu_allocations();
    for _ in 0..3 {
        offscreen.submit(&scene);
        offscreen.submit(&SceneView { bodies: None, ..scene });
    }
    offscreen.finish().unwrap();
    assert_eq!(offscreen.gpu_allocations(), before);
    // Other meshes are uploaded: vertices and indices.
    let second = meshes();
    let bodies = BodiesView { meshes: &second, ..bodies };
    offscreen.submit(&SceneView { bodies: Some(bodies), ..scene });
    assert_eq!(offscreen.gpu_allocations(), before + 2);
}

pub(crate) fn lines_over(gpu: &Gpu) {
    let meshes = meshes();
    let instances = [body(Vec3::ZERO, 0.3, Quat::IDENTITY)];
    let of_mesh = 0..1;
    let bodies =
        BodiesView { meshes: &meshes, instances: &instances, of_mesh: slice::from_ref(&of_mesh) };
    let (a, b) = ([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
    let segments = [Segment { a, b, color: GREEN, width: 4.0 }];
    let scene = SceneView { bodies: Some(bodies), ..view() };
    let inside = draw(gpu, &SceneView { segments: &segments, ..scene });
    assert_eq!(middle(&inside), ORANGE, "a line inside is hidden");
    let over = draw(gpu, &SceneView { over_objects: &segments, ..scene });
    assert_eq!(middle(&over), GREEN);
}
