//! Boxes: their faces, edges, light and depth.

use crate::render::stage::{
    ORANGE, at, brightness, changed, difference, draw, middle, sphere, view,
};
use broadphase::Aabb;
use glam::Vec3;
use viewer::gpu::Gpu;
use viewer::scene_renderer::{BoxInstance, SceneView};

const GREEN: [u8; 4] = [0, 255, 0, 255];

fn instance(center: Vec3, sides: Vec3, color: [u8; 4]) -> BoxInstance {
    let half = 0.5 * sides;
    let bounds = Aabb::new(center - half, center + half);
    BoxInstance { min: bounds.min.to_array(), max: bounds.max.to_array(), color }
}

pub(crate) fn plain_box(gpu: &Gpu) {
    let solid = [instance(Vec3::ZERO, Vec3::new(1.0, 0.5, 0.6), ORANGE)];
    let picture = draw(gpu, &SceneView { solid_boxes: &solid, ..view() });
    let empty = draw(gpu, &view());
    for inside in [Vec3::ZERO, Vec3::new(0.45, -0.25, 0.25), Vec3::new(-0.45, -0.25, -0.25)] {
        assert_eq!(at(&picture, inside), ORANGE, "{inside}");
    }
    for outside in [Vec3::new(0.6, -0.25, 0.0), Vec3::new(0.0, -0.25, 0.4)] {
        assert_eq!(at(&picture, outside), at(&empty, outside), "{outside}");
    }
}

pub(crate) fn faces(gpu: &Gpu) {
    // Seen from below and from the left: its front, its right and its upper face.
    let center = Vec3::new(-0.9, 0.0, -0.7);
    let solid = [instance(center, Vec3::splat(0.8), ORANGE)];
    let scene = SceneView { solid_boxes: &solid, ..view() };
    let plain = draw(gpu, &scene);
    let shaded = draw(gpu, &SceneView { shading: true, ..scene });
    let faces = [Vec3::NEG_Y, Vec3::X, Vec3::Z].map(|normal| center + 0.4 * normal);
    assert!(faces.iter().all(|face| at(&plain, *face) == ORANGE), "one colour");
    let light = faces.map(|face| brightness(at(&shaded, face)));
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!((light[a] - light[b]).abs() > 20, "{light:?}");
    }
    assert!(light[2] > light[1], "the light comes from above: {light:?}");
    let empty = draw(gpu, &view());
    assert_eq!(changed(&plain, &empty), changed(&shaded, &empty), "the same outline");
}

pub(crate) fn depth(gpu: &Gpu) {
    let near = instance(Vec3::new(0.0, -1.0, 0.0), Vec3::splat(0.5), ORANGE);
    let far = instance(Vec3::new(0.0, 1.0, 0.0), Vec3::splat(0.5), GREEN);
    let spheres = [sphere(Vec3::new(0.0, 1.0, 0.0), 0.4, GREEN)];
    for solid_boxes in [[near, far], [far, near]] {
        let scene = SceneView { solid_boxes: &solid_boxes, spheres: &spheres, ..view() };
        assert_eq!(middle(&draw(gpu, &scene)), ORANGE);
    }
}

pub(crate) fn outline(gpu: &Gpu) {
    let outlined = [instance(Vec3::ZERO, Vec3::new(1.6, 1.0, 1.2), GREEN)];
    let behind = [instance(Vec3::Y, Vec3::splat(0.3), ORANGE)];
    let scene = SceneView { outlined_boxes: &outlined, solid_boxes: &behind, ..view() };
    let picture = draw(gpu, &scene);
    assert_eq!(middle(&picture), ORANGE, "seen through the box");
    let corners = [Vec3::new(0.8, -0.5, 0.6), Vec3::new(-0.8, 0.5, 0.6)];
    for corner in corners {
        let seen = viewer_pixels(corner)
            .into_iter()
            .any(|(x, y)| difference(picture.pixel(x, y), GREEN) < 30);
        assert!(seen, "no edge at {corner}");
    }
}

/// The pixels around the projection of a point.
fn viewer_pixels(point: Vec3) -> Vec<(u32, u32)> {
    let seen = crate::render::stage::front().project(point, crate::render::stage::SIZE).unwrap();
    let (x, y) = (seen.x as u32, seen.y as u32);
    (x - 2..=x + 2).flat_map(|x| (y - 2..=y + 2).map(move |y| (x, y))).collect()
}

pub(crate) fn thin(gpu: &Gpu) {
    // A sheet seen edge-on, a segment, a point, and a box much smaller than a pixel.
    for sides in [Vec3::new(1.0, 1.0, 0.0), Vec3::X, Vec3::ZERO, Vec3::splat(1e-4)] {
        let solid = [instance(Vec3::ZERO, sides, ORANGE)];
        let picture = draw(gpu, &SceneView { solid_boxes: &solid, ..view() });
        assert!(changed(&picture, &draw(gpu, &view())) >= 1, "{sides} is not seen");
        assert_eq!(middle(&picture), ORANGE, "{sides}");
    }
}
