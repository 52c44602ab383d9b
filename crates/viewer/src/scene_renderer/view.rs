//! The contents of a frame, as plain borrowed data.

use std::sync::Arc;

use broadphase::{Aabb, Axis};
use glam::Vec3;
use sim::scene::Triangles;

use super::shape_mesh::ShapeMesh;
use super::theme::{Color, Theme};
use crate::camera::OrbitCamera;

/// Everything visible in a frame. Nothing is kept from one frame to the next, except the
/// meshes of bodies while they are the same.
#[derive(Clone, Copy, Debug)]
pub struct SceneView<'a> {
    /// The camera.
    pub camera: OrbitCamera,
    /// Colours of everything that has none of its own.
    pub theme: &'a Theme,
    /// Fading with depth; `None` leaves all colours as they are.
    pub haze: Option<Haze>,
    /// Physical pixels per point, in which the widths of lines are given.
    pub pixels_per_point: f32,
    /// Objects that are spheres.
    pub spheres: &'a [SphereInstance],
    /// Objects of other shapes, if there are any.
    pub bodies: Option<BodiesView<'a>>,
    /// The mesh of the spheres.
    pub triangles: Triangles,
    /// Whether objects are lit, or have plain colours.
    pub shading: bool,
    /// Whether objects of a few pixels are drawn as one triangle each, with a shape of the same area. It is faster
    /// where the CPU draws. There, bodies are also drawn as one mesh, those of a few pixels with fewer triangles. With
    /// several samples a pixel it changes nothing.
    pub simplified: bool,
    /// Objects that are boxes, solid.
    pub solid_boxes: &'a [BoxInstance],
    /// Objects that are boxes, drawn as their edges of one pixel.
    pub outlined_boxes: &'a [BoxInstance],
    /// Boxes drawn as their twelve edges: sources, cells, bounds.
    pub boxes: &'a [WireBox],
    /// Obstacles, and splitting planes of a tree.
    pub rectangles: &'a [Rectangle],
    /// Any further lines.
    pub segments: &'a [Segment],
    /// Lines that no object hides.
    pub over_objects: &'a [Segment],
}

impl<'a> SceneView<'a> {
    /// An empty scene, for `SceneView { spheres, ..SceneView::new(..) }`.
    pub fn new(camera: OrbitCamera, theme: &'a Theme) -> Self {
        Self {
            camera,
            theme,
            haze: None,
            pixels_per_point: 1.0,
            spheres: &[],
            bodies: None,
            triangles: Triangles::Twenty,
            shading: true,
            simplified: false,
            solid_boxes: &[],
            outlined_boxes: &[],
            boxes: &[],
            rectangles: &[],
            segments: &[],
            over_objects: &[],
        }
    }
}

/// Fading of colours into the background with depth, the distance from the eye along the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Haze {
    /// Depth at which the fading begins.
    pub near: f32,
    /// Depth at which it ends.
    pub far: f32,
    /// The share of the background at its end, 0 to 1.
    pub amount: f32,
}

impl Haze {
    /// Haze from the front of `bounds` to its back, as the camera sees it. `None` for an empty or
    /// unbounded box.
    pub fn across(bounds: Aabb, camera: &OrbitCamera, amount: f32) -> Option<Self> {
        let radius = bounds.size().length() / 2.0;
        if bounds.is_empty() || !radius.is_finite() {
            return None;
        }
        let middle = camera.depth(bounds.center());
        let near = (middle - radius).max(0.0);
        Some(Self { near, far: (middle + radius).max(near), amount })
    }
}

/// A sphere as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct SphereInstance {
    /// Its centre.
    pub center: [f32; 3],
    /// Its radius.
    pub radius: f32,
    /// Its colour; always opaque.
    pub color: Color,
}

/// Bodies, and the meshes of their shapes.
#[derive(Clone, Copy, Debug)]
pub struct BodiesView<'a> {
    /// Uploaded once: another scene has another allocation.
    pub meshes: &'a Arc<[ShapeMesh]>,
    /// The bodies of each mesh.
    pub of_mesh: &'a [Vec<BodyInstance>],
}

/// A body as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BodyInstance {
    /// Where the origin of its shape is.
    pub position: [f32; 3],
    /// The factor of the shape's lengths.
    pub scale: f32,
    /// A unit quaternion: x, y, z, w.
    pub rotation: [f32; 4],
    /// Its colour; always opaque.
    pub color: Color,
}

/// An object's box as the GPU reads it. It must be finite and not empty.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BoxInstance {
    /// Its lowest corner.
    pub min: [f32; 3],
    /// Its highest corner.
    pub max: [f32; 3],
    /// Its colour; always opaque.
    pub color: Color,
}

/// A line segment as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Segment {
    /// One end.
    pub a: [f32; 3],
    /// The other end.
    pub b: [f32; 3],
    /// Its colour.
    pub color: Color,
    /// Its width in points.
    pub width: f32,
}

/// A box drawn as its edges. Empty or infinite ones are not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WireBox {
    /// The box.
    pub bounds: Aabb,
    /// Colour of its edges.
    pub color: Color,
    /// Their width in points.
    pub width: f32,
}

/// A translucent rectangle with edges: an obstacle, or a splitting plane bounded by its cell. Empty or infinite ones are not
/// drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The rectangle as a box without thickness along its normal.
    pub bounds: Aabb,
    /// The axis that it is normal to.
    pub normal: Axis,
    /// Its colour.
    pub fill: Color,
    /// Whether it shines as a pane of glass, or is evenly tinted.
    pub is_glass: bool,
    /// Colour of its edges.
    pub edge: Color,
    /// Their width in points.
    pub width: f32,
}

/// The two sides of an axis-aligned rectangle.
pub(crate) fn sides(bounds: Aabb, normal: Axis) -> [Vec3; 2] {
    let size = bounds.size();
    [normal.next(), normal.next().next()].map(|axis| {
        let mut side = Vec3::ZERO;
        side[axis.index()] = size[axis.index()];
        side
    })
}

/// Whether a box is finite and not empty.
pub(crate) fn is_drawable(bounds: Aabb) -> bool {
    !bounds.is_empty() && bounds.min.is_finite() && bounds.max.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn haze_spans_the_box_and_begins_before_the_eye() {
        let bounds = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);
        let mut camera = OrbitCamera::default();
        let haze = Haze::across(bounds, &camera, 0.5).unwrap();
        assert!((haze.far - haze.near - 2.0 * 3.0_f32.sqrt()).abs() < 1e-4);
        camera.zoom(1000.0);
        assert_eq!(Haze::across(bounds, &camera, 0.5).unwrap().near, 0.0);
        assert_eq!(Haze::across(Aabb::EMPTY, &camera, 0.5), None);
    }
}
