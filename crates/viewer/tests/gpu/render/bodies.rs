//! Bodies: their pose, the light on them, and what hides what of all kinds of objects.

use super::*;
use crate::render::boxes::instance;
use narrowphase::{Pose, Shape};
use std::ops::Range;
use std::sync::Arc;

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

/// One body, of the first mesh or of the second one.
struct One {
    meshes: Arc<[ShapeMesh]>,
    instances: [BodyInstance; 1],
    of_mesh: [Range<u32>; 2],
}

impl One {
    fn new(meshes: Arc<[ShapeMesh]>, mesh: u32, body: BodyInstance) -> Self {
        let ends = [1 - mesh, 1];
        Self { meshes, instances: [body], of_mesh: [0..ends[0], ends[0]..1] }
    }

    fn view(&self) -> SceneView<'_> {
        let Self { meshes, instances, of_mesh } = self;
        let of_mesh = &of_mesh[..meshes.len()];
        SceneView { bodies: Some(BodiesView { meshes, instances, of_mesh }), ..view() }
    }
}

/// A box with sides 1, 2 and 4 times the scale.
fn cuboid(position: Vec3, scale: f32, rotation: Quat) -> One {
    One::new(meshes(), 0, body(position, scale, rotation))
}

pub(crate) fn pose(gpu: &Gpu) {
    // The longest side along x, the shortest along z.
    let rotation = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let picture = draw(gpu, &cuboid(Vec3::new(0.2, 0.0, 0.3), 0.3, rotation).view());
    let empty = draw(gpu, &view());
    let front = |x: f32, z: f32| Vec3::new(0.2 + x, -0.3, 0.3 + z);
    for (x, z) in [(0.0, 0.0), (0.55, 0.12), (-0.55, -0.12)] {
        assert_eq!(at(&picture, front(x, z)), ORANGE, "{x} {z}");
    }
    for (x, z) in [(0.66, 0.0), (0.0, 0.22), (0.0, -0.22), (-0.66, 0.0)] {
        assert_eq!(at(&picture, front(x, z)), at(&empty, front(x, z)), "{x} {z}");
    }
    // A scene whose bodies are all balls has no mesh.
    let (meshes, none): (Arc<[ShapeMesh]>, _) = (Arc::new([ShapeMesh::default()]), 0..0);
    let of_mesh = std::slice::from_ref(&none);
    let bodies = BodiesView { meshes: &meshes, instances: &[], of_mesh };
    assert_eq!(changed(&draw(gpu, &SceneView { bodies: Some(bodies), ..view() }), &empty), 0);
}

/// An L, which no rotation but the right one maps onto itself.
pub(crate) fn rotation(gpu: &Gpu) {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let parts = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0)]
        .map(|(x, z)| (&cube, Pose { position: DVec3::new(x, 0.0, z), ..Pose::IDENTITY }));
    let meshes = Arc::new([ShapeMesh::of(&Shape::compound(&parts).unwrap())]);
    let turned = Quat::from_rotation_y(std::f32::consts::FRAC_PI_6);
    let picture = draw(gpu, &One::new(meshes, 0, body(Vec3::ZERO, 0.3, turned)).view());
    let empty = draw(gpu, &view());
    // The end of the long arm is at (1.55, -0.25) from the centre of mass, in x and z of the body's frame.
    let arm = 0.3 * Vec3::new(1.217, -0.5, -0.991);
    assert_eq!(at(&picture, arm), ORANGE);
    // The same by the inverse rotation, and on the other side.
    for beside in [0.3 * Vec3::new(1.467, -0.5, 0.558), arm * Vec3::new(-1.0, 1.0, -1.0)] {
        assert_eq!(at(&picture, beside), at(&empty, beside), "{beside}");
    }
}

/// Boxes and bodies seen from below and from the left: their front, their right and their upper face.
pub(crate) fn faces(gpu: &Gpu) {
    let center = Vec3::new(-0.9, 0.0, -0.7);
    let solid = [instance(center, Vec3::new(0.3, 0.6, 1.2), ORANGE)];
    let body = cuboid(center, 0.3, Quat::IDENTITY);
    let empty = draw(gpu, &view());
    for scene in [SceneView { solid_boxes: &solid, ..view() }, body.view()] {
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
        assert_eq!(changed(&plain, &empty), changed(&shaded, &empty), "the same outline");
    }
}

pub(crate) fn round(gpu: &Gpu) {
    let capsule = One::new(meshes(), 1, body(Vec3::ZERO, 1.0, Quat::from_rotation_x(1.5)));
    let shaded = draw(gpu, &SceneView { shading: true, ..capsule.view() });
    // The light falls off along its round side, without a jump.
    let light: Vec<i32> = (0..9)
        .map(|i| brightness(at(&shaded, Vec3::new(-0.4 + 0.1 * i as f32, -0.3, 0.0))))
        .collect();
    assert!(light[0] > light[8] + 60, "{light:?}");
    assert!(light.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 90), "{light:?}");
}

/// The nearer one of a body, a box and a sphere hides the others, whatever is drawn first.
pub(crate) fn depth(gpu: &Gpu) {
    for near in 0..3 {
        let place = |kind: usize| Vec3::Y * if kind == near { -1.0 } else { 1.0 };
        let color = |kind: usize| if kind == near { ORANGE } else { GREEN };
        let mut one = cuboid(place(0), 0.2, Quat::IDENTITY);
        one.instances[0].color = color(0);
        let behind = Vec3::Y * 2.0;
        let mut boxes = [(behind, GREEN), (place(1), color(1))]
            .map(|(at, color)| instance(at, Vec3::splat(0.5), color));
        let mut spheres =
            [(behind, GREEN), (place(2), color(2))].map(|(at, color)| sphere(at, 0.3, color));
        for _ in 0..2 {
            let scene = SceneView { solid_boxes: &boxes, spheres: &spheres, ..one.view() };
            assert_eq!(middle(&draw(gpu, &scene)), ORANGE, "{near}");
            boxes.reverse();
            spheres.reverse();
        }
    }
}

pub(crate) fn steady(gpu: &Gpu) {
    let mut offscreen = Offscreen::new(gpu, 32, 32).unwrap();
    let instances = vec![body(Vec3::ZERO, 0.1, Quat::IDENTITY); 100];
    let [first, second] = [meshes(), meshes()];
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
    let bodies = BodiesView { meshes: &second, ..bodies };
    offscreen.submit(&SceneView { bodies: Some(bodies), ..scene });
    assert_eq!(offscreen.gpu_allocations(), before + 2);
}

pub(crate) fn lines_over(gpu: &Gpu) {
    let one = cuboid(Vec3::ZERO, 0.3, Quat::IDENTITY);
    let (a, b) = ([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
    let segments = [Segment { a, b, color: GREEN, width: 4.0 }];
    let inside = draw(gpu, &SceneView { segments: &segments, ..one.view() });
    assert_eq!(middle(&inside), ORANGE, "a line inside is hidden");
    let over = draw(gpu, &SceneView { over_objects: &segments, ..one.view() });
    assert_eq!(middle(&over), GREEN);
}
