//! The common scene of the tests, and helpers to inspect its picture.

use super::*;
use viewer::camera::OrbitCamera;

pub(crate) const WIDTH: u32 = 320;
pub(crate) const HEIGHT: u32 = 240;
pub(crate) const SIZE: Vec2 = Vec2::new(WIDTH as f32, HEIGHT as f32);
pub(crate) const MIDDLE: Vec2 = Vec2::new(WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0);
pub(crate) const THEME: Theme = Theme::DARK;
pub(crate) const ORANGE: [u8; 4] = [240, 130, 20, 255];

/// A camera on the -y side, so that x points right and z up.
pub(crate) fn front() -> OrbitCamera {
    OrbitCamera::from_pose(CameraPose { yaw: 0.0, pitch: 0.0, distance: 4.0 })
}

pub(crate) fn view() -> SceneView<'static> {
    SceneView { shading: false, ..SceneView::new(front(), &THEME) }
}

pub(crate) fn sphere(center: Vec3, radius: f32, color: [u8; 4]) -> SphereInstance {
    SphereInstance { center: center.to_array(), radius, color }
}

/// A square of side 2 around a point, normal to an axis.
pub(crate) fn square(center: Vec3, normal: Axis) -> Aabb {
    let mut half = Vec3::ONE;
    half[normal.index()] = 0.0;
    Aabb::new(center - half, center + half)
}

pub(crate) fn plane(center: Vec3, normal: Axis, alpha: f32) -> Rectangle {
    let [r, g, b] = THEME.planes[normal.index()];
    let fill = [r, g, b, (255.0 * alpha).round() as u8];
    let bounds = square(center, normal);
    Rectangle { bounds, normal, fill, is_glass: false, edge: fill, width: 1.0 }
}

pub(crate) fn pane(center: Vec3, fill: [u8; 4]) -> Rectangle {
    let (bounds, edge) = (square(center, Axis::Y), THEME.pane_edge);
    Rectangle { bounds, normal: Axis::Y, fill, is_glass: true, edge, width: 1.25 }
}

pub(crate) fn draw(gpu: &Gpu, scene: &SceneView<'_>) -> Picture {
    draw_with(gpu, scene, wgpu::TextureFormat::Rgba8Unorm, Antialiasing::Off)
}

pub(crate) fn draw_with(
    gpu: &Gpu,
    scene: &SceneView<'_>,
    format: wgpu::TextureFormat,
    antialiasing: Antialiasing,
) -> Picture {
    Offscreen::with_settings(gpu, WIDTH, HEIGHT, format, antialiasing)
        .and_then(|mut offscreen| offscreen.draw(scene))
        .unwrap()
}

/// The pixel at the projection of a point of the scene.
pub(crate) fn at(picture: &Picture, point: Vec3) -> [u8; 4] {
    let seen = front().project(point, SIZE).unwrap();
    picture.pixel(seen.x as u32, seen.y as u32)
}

pub(crate) fn middle(picture: &Picture) -> [u8; 4] {
    picture.pixel(MIDDLE.x as u32, MIDDLE.y as u32)
}

pub(crate) fn brightness(pixel: [u8; 4]) -> i32 {
    pixel[..3].iter().map(|&channel| i32::from(channel)).sum()
}

pub(crate) fn difference(a: [u8; 4], b: [u8; 4]) -> i32 {
    (0..4).map(|i| (i32::from(a[i]) - i32::from(b[i])).abs()).max().unwrap()
}

/// The number of pixels that differ by more than 4 in a channel.
pub(crate) fn changed(a: &Picture, b: &Picture) -> usize {
    let pixels = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    pixels.filter(|&(x, y)| difference(a.pixel(x, y), b.pixel(x, y)) > 4).count()
}
