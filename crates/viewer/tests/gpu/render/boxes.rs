//! Boxes: their faces, edges, light and depth.

use super::*;

const GREEN: [u8; 4] = [0, 255, 0, 255];

pub(crate) fn instance(center: Vec3, sides: Vec3, color: [u8; 4]) -> BoxInstance {
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

pub(crate) fn outline(gpu: &Gpu) {
    let outlined = [instance(Vec3::ZERO, Vec3::new(1.6, 1.0, 1.2), GREEN)];
    let behind = [instance(Vec3::Y, Vec3::splat(0.3), ORANGE)];
    let scene = SceneView { outlined_boxes: &outlined, solid_boxes: &behind, ..view() };
    let picture = draw(gpu, &scene);
    assert_eq!(middle(&picture), ORANGE, "seen through the box");
    for corner in [Vec3::new(0.8, -0.5, 0.6), Vec3::new(-0.8, 0.5, 0.6)] {
        let at = front().project(corner, SIZE).unwrap();
        let (x, y) = (at.x as u32, at.y as u32);
        // The pixels around the corner.
        let mut near = (x - 2..=x + 2).flat_map(|x| (y - 2..=y + 2).map(move |y| (x, y)));
        let is_seen = near.any(|(x, y)| difference(picture.pixel(x, y), GREEN) < 30);
        assert!(is_seen, "no edge at {corner}");
    }
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
