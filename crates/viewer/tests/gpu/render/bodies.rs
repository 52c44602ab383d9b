//! Bodies: their pose, the light on them, and what hides what of all kinds of objects.

use super::*;
use crate::render::boxes::instance;
use narrowphase::Shape;
use std::sync::Arc;

const GREEN: [u8; 4] = [0, 255, 0, 255];

/// A box with sides 1, 2 and 4.
fn meshes() -> Arc<[ShapeMesh]> {
    [Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap()].iter().map(ShapeMesh::of).collect()
}

fn body(position: Vec3, scale: f32) -> BodyInstance {
    let (position, rotation) = (position.to_array(), Quat::IDENTITY.to_array());
    BodyInstance { position, scale, rotation, color: ORANGE }
}

fn scene<'a>(meshes: &'a Arc<[ShapeMesh]>, of_mesh: &'a [Vec<BodyInstance>]) -> SceneView<'a> {
    SceneView { bodies: Some(BodiesView { meshes, of_mesh }), ..view() }
}

/// A scene whose bodies are all balls has no mesh.
pub(crate) fn balls(gpu: &Gpu) {
    let meshes: Arc<[ShapeMesh]> = Arc::new([ShapeMesh::default()]);
    let picture = draw(gpu, &scene(&meshes, &[vec![]]));
    assert_eq!(changed(&picture, &draw(gpu, &view())), 0);
}

/// Boxes and bodies seen from below and from the left: their front, their right and their upper face.
pub(crate) fn faces(gpu: &Gpu) {
    let center = Vec3::new(-0.9, 0.0, -0.7);
    let solid = [instance(center, Vec3::new(0.3, 0.6, 1.2), ORANGE)];
    let (meshes, of_mesh) = (meshes(), [vec![body(center, 0.3)]]);
    let empty = draw(gpu, &view());
    for scene in [SceneView { solid_boxes: &solid, ..view() }, scene(&meshes, &of_mesh)] {
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

/// The nearer one of a body, a box and a sphere hides the others, whatever is drawn first.
pub(crate) fn depth(gpu: &Gpu) {
    for near in 0..3 {
        let place = |kind: usize| Vec3::Y * if kind == near { -1.0 } else { 1.0 };
        let color = |kind: usize| if kind == near { ORANGE } else { GREEN };
        let of_mesh = [vec![BodyInstance { color: color(0), ..body(place(0), 0.2) }]];
        let meshes = meshes();
        let behind = Vec3::Y * 2.0;
        let mut boxes = [(behind, GREEN), (place(1), color(1))]
            .map(|(at, color)| instance(at, Vec3::splat(0.5), color));
        let mut spheres =
            [(behind, GREEN), (place(2), color(2))].map(|(at, color)| sphere(at, 0.3, color));
        for _ in 0..2 {
            let scene =
                SceneView { solid_boxes: &boxes, spheres: &spheres, ..scene(&meshes, &of_mesh) };
            assert_eq!(middle(&draw(gpu, &scene)), ORANGE, "{near}");
            boxes.reverse();
            spheres.reverse();
        }
    }
}

pub(crate) fn steady(gpu: &Gpu) {
    let mut offscreen = Offscreen::new(gpu, 32, 32).unwrap();
    let of_mesh = [vec![body(Vec3::ZERO, 0.1); 100]];
    let [first, second] = [meshes(), meshes()];
    let all = scene(&first, &of_mesh);
    offscreen.draw(&all).unwrap();
    let before = offscreen.gpu_allocations();
    for _ in 0..3 {
        offscreen.submit(&all);
        offscreen.submit(&SceneView { bodies: None, ..all });
    }
    offscreen.finish().unwrap();
    assert_eq!(offscreen.gpu_allocations(), before);
    // Other meshes are uploaded: vertices and indices.
    offscreen.submit(&scene(&second, &of_mesh));
    assert_eq!(offscreen.gpu_allocations(), before + 2);
}
