//! Objects of a few pixels: one triangle around each, out of which the fragment shader cuts the shape.
//!
//! Where the CPU draws, a triangle costs nearly the same whether it covers one pixel or ten. Meshes
//! have 10 visible triangles for a sphere of 20, and 6 for a box.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::upload::{GrowingBuffer, Upload};
use super::view::SceneView;

/// The sizes and depths of objects in a picture.
pub(crate) struct PixelSize {
    /// The product with a point (and 1) is its depth, in units of the scene.
    depth: Vec4,
    /// The side of a pixel at depth 1.
    pixel: f32,
}

impl PixelSize {
    /// For a picture of that height in pixels.
    pub(crate) fn new(scene: &SceneView<'_>, height: u32) -> Self {
        // The height of the picture at depth 1 is 2 / `scale`.
        let scale = scene.camera.projection(1.0).y_axis.y;
        let pixel = 2.0 / (scale * height as f32);
        Self { depth: -scene.camera.view().row(2), pixel }
    }

    /// Distance of a point from the eye along the view.
    fn depth(&self, point: Vec3) -> f32 {
        self.depth.xyz().dot(point) + self.depth.w
    }

    /// Whether a ball has at most a radius in pixels. One behind the eye has not.
    pub(crate) fn is_within(&self, pixels: f32, center: Vec3, radius: f32) -> bool {
        radius <= pixels * self.pixel * self.depth(center)
    }
}

/// The small objects of one kind, and the other ones.
pub(crate) struct Small<T> {
    /// Plain and lit.
    pipelines: [wgpu::RenderPipeline; 2],
    vertices: GrowingBuffer,
    /// Each small object as the three vertices of its triangle. Instances of a single triangle take
    /// longer where the CPU draws.
    small: Vec<[T; 3]>,
    others: Vec<T>,
}

impl<T: bytemuck::Pod> Small<T> {
    /// For the attributes of `T`, with the shader of a recipe and its entry points for plain and for lit objects.
    pub(crate) fn new(
        maker: &PipelineMaker<'_>,
        recipe: Recipe<'_>,
        attributes: &[wgpu::VertexAttribute],
        entries: [[&str; 2]; 2],
    ) -> Self {
        let per_vertex = per_instance::<T>(attributes).map(|layout| wgpu::VertexBufferLayout {
            step_mode: wgpu::VertexStepMode::Vertex,
            ..layout
        });
        let recipe = Recipe { buffers: &[per_vertex], cull_back_faces: false, ..recipe };
        Self {
            pipelines: maker.plain_and_lit(recipe, entries),
            vertices: GrowingBuffer::default(),
            small: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Uploads the small objects, as `small` returns them. Returns the objects that are not small; all of them if `sizes` is
    /// `None`.
    pub(crate) fn split<'a>(
        &'a mut self,
        upload: &mut Upload<'_>,
        objects: &'a [T],
        sizes: Option<&PixelSize>,
        small: impl Fn(&PixelSize, &T) -> Option<T>,
    ) -> &'a [T] {
        self.small.clear();
        self.others.clear();
        if let Some(sizes) = sizes {
            for object in objects {
                match small(sizes, object) {
                    Some(small) => self.small.push([small; 3]),
                    None => self.others.push(*object),
                }
            }
        }
        self.vertices.write(upload, &self.small);
        if sizes.is_some() { &self.others } else { objects }
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, shading: bool) {
        if let Some((vertices, number)) = self.vertices.contents() {
            pass.set_pipeline(&self.pipelines[usize::from(shading)]);
            pass.set_vertex_buffer(0, vertices);
            pass.draw(0..3 * number, 0..1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::OrbitCamera;
    use crate::scene_renderer::Theme;
    use glam::Vec2;

    #[test]
    fn sizes_in_pixels_are_those_of_the_projection() {
        let camera = OrbitCamera::default();
        let scene = SceneView::new(camera, &Theme::DARK);
        let size = Vec2::new(1280.0, 720.0);
        let sizes = PixelSize::new(&scene, 720);
        let up = camera.view().row(1).xyz();
        for center in [Vec3::ZERO, Vec3::new(0.5, -0.9, 0.7)] {
            let ends = [center, center + 0.02 * up].map(|p| camera.project(p, size).unwrap());
            let pixels = ends[0].distance(ends[1]);
            assert!(sizes.is_within(1.01 * pixels, center, 0.02), "{pixels}");
            assert!(!sizes.is_within(0.99 * pixels, center, 0.02), "{pixels}");
        }
        let behind = camera.eye() + (camera.eye() - camera.target);
        assert!(!sizes.is_within(1e3, behind, 0.0) && !sizes.is_within(1e3, Vec3::NAN, 0.02));
    }
}
