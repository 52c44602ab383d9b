//! Objects of a few pixels: one triangle around each, out of which the fragment shader cuts the shape.
//!
//! Where the CPU draws, a triangle costs nearly the same whether it covers one pixel or ten. Meshes
//! have 10 visible triangles for a sphere of 20, and 6 for a box.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::gpu_buffer::GrowingBuffer;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::target::Viewport;
use super::view::SceneView;

/// The sizes and depths of objects in a picture.
pub(crate) struct PixelSize {
    /// The product with a point (and 1) is its distance from each side of what is seen, positive inside.
    sides: [Vec4; 4],
    /// The product with a point (and 1) is its depth, in units of the scene.
    depth: Vec4,
    /// The side of a pixel at depth 1.
    pixel: f32,
}

impl PixelSize {
    pub(crate) fn new(scene: &SceneView<'_>, viewport: Viewport) -> Self {
        // The height of the picture at depth 1 is 2 / `scale`.
        let scale = scene.camera.projection(1.0).y_axis.y;
        let pixel = 2.0 / (scale * viewport.height as f32);
        let clip = scene.camera.view_projection(viewport.width as f32 / viewport.height as f32);
        let sides = [clip.row(0), -clip.row(0), clip.row(1), -clip.row(1)].map(|row| {
            let side = clip.row(3) + row;
            side / side.xyz().length()
        });
        Self { sides, depth: -scene.camera.view().row(2), pixel }
    }

    /// Distance of a point from the eye along the view.
    pub(crate) fn depth(&self, point: Vec3) -> f32 {
        self.depth.xyz().dot(point) + self.depth.w
    }

    /// Whether a part of a ball may be in the picture. One that is not a number is not.
    pub(crate) fn is_seen(&self, center: Vec3, radius: f32) -> bool {
        self.sides.iter().all(|side| side.xyz().dot(center) + side.w >= -radius)
    }

    /// Whether a ball has at most a radius in pixels. One behind the eye has not.
    pub(crate) fn is_within(&self, pixels: f32, center: Vec3, radius: f32) -> bool {
        radius <= pixels * self.pixel * self.depth(center)
    }
}

/// The small objects of one kind, and the other ones.
pub(crate) struct Small<T> {
    shaded: wgpu::RenderPipeline,
    plain: wgpu::RenderPipeline,
    vertices: GrowingBuffer,
    /// Each small object as the three vertices of its triangle. Instances of a single triangle take
    /// longer where the CPU draws.
    small: Vec<[T; 3]>,
    others: Vec<T>,
}

impl<T: bytemuck::Pod> Small<T> {
    /// For the attributes of `T`. The names are the shader's entry points for a vertex and a fragment of
    /// lit and of plain objects.
    pub(crate) fn new(
        maker: &PipelineMaker<'_>,
        label: &'static str,
        shader: &wgpu::ShaderModule,
        attributes: &[wgpu::VertexAttribute],
        [shaded, plain]: [[&str; 2]; 2],
    ) -> Self {
        let per_vertex = per_instance::<T>(attributes).map(|layout| wgpu::VertexBufferLayout {
            step_mode: wgpu::VertexStepMode::Vertex,
            ..layout
        });
        let pipeline = |[vertex, fragment]: [&str; 2]| {
            maker.pipeline(&Recipe {
                label,
                shader,
                vertex,
                fragment,
                buffers: std::slice::from_ref(&per_vertex),
                topology: wgpu::PrimitiveTopology::TriangleList,
                cull_back_faces: false,
                translucent: false,
            })
        };
        Self {
            shaded: pipeline(shaded),
            plain: pipeline(plain),
            vertices: GrowingBuffer::new(maker.device, label),
            small: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Uploads the small objects, as `small` returns them. Returns the other ones, for which it
    /// returns none; all of them without `sizes`.
    pub(crate) fn split<'a>(
        &'a mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
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
        self.vertices.write(device, queue, &self.small);
        if sizes.is_some() { &self.others } else { objects }
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, shading: bool) {
        if self.vertices.items() > 0 {
            pass.set_pipeline(if shading { &self.shaded } else { &self.plain });
            pass.set_vertex_buffer(0, self.vertices.slice());
            pass.draw(0..3 * self.vertices.items(), 0..1);
        }
    }

    pub(crate) fn created(&self) -> u64 {
        self.vertices.created()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::OrbitCamera;
    use crate::scene_renderer::Theme;
    use glam::Vec2;

    #[test]
    fn balls_are_seen_as_far_as_the_picture_goes() {
        let camera = OrbitCamera::default();
        let size = Vec2::new(1280.0, 720.0);
        let viewport = Viewport { x: 0, y: 0, width: 1280, height: 720 };
        let sizes = PixelSize::new(&SceneView::new(camera, &Theme::DARK), viewport);
        for pixel in [Vec2::new(0.0, 300.0), Vec2::new(1280.0, 10.0), Vec2::new(9.0, 720.0)] {
            for along in [0.5, 3.0, 40.0] {
                let ray = camera.ray_through(pixel, size);
                let inside = camera.ray_through(pixel.lerp(0.5 * size, 0.01), size);
                let outside = camera.ray_through(pixel.lerp(0.5 * size, -0.01), size);
                let [edge, inside, outside] =
                    [ray, inside, outside].map(|ray| ray.origin + along * ray.direction);
                assert!(sizes.is_seen(inside, 0.0) && !sizes.is_seen(outside, 0.0), "{pixel}");
                let reach = outside.distance(edge);
                assert!(sizes.is_seen(outside, reach), "{pixel} {along}");
                assert!(!sizes.is_seen(camera.eye() - (edge - camera.eye()), 0.1 * along));
            }
        }
        assert!(!sizes.is_seen(Vec3::NAN, 1.0));
    }

    #[test]
    fn sizes_in_pixels_are_those_of_the_projection() {
        let camera = OrbitCamera::default();
        let scene = SceneView::new(camera, &Theme::DARK);
        let size = Vec2::new(1280.0, 720.0);
        let viewport = Viewport { x: 0, y: 0, width: 1280, height: 720 };
        let sizes = PixelSize::new(&scene, viewport);
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
