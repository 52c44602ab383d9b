//! Translucent rectangles, drawn from back to front.

use glam::Vec3;

use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::theme::Color;
use super::upload::{GrowingBuffer, Upload};
use super::view::{Rectangle, SceneView, is_drawable, sides};

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Quad {
    corner: Vec3,
    side_u: Vec3,
    side_v: Vec3,
    color: Color,
    glass: f32,
}

impl Quad {
    fn of(rectangle: &Rectangle) -> Self {
        let Rectangle { bounds, normal, fill: color, is_glass, .. } = *rectangle;
        let [side_u, side_v] = sides(bounds, normal);
        let glass = f32::from(u8::from(is_glass));
        Self { corner: bounds.min, side_u, side_v, color, glass }
    }

    fn center(&self) -> Vec3 {
        self.corner + (self.side_u + self.side_v) * 0.5
    }
}

pub(crate) struct Quads {
    pipeline: wgpu::RenderPipeline,
    instances: GrowingBuffer,
    sorted: Vec<Quad>,
}

impl Quads {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("quad", include_str!("../../../../shaders/quad.wgsl"));
        let attributes = wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Unorm8x4, 4 => Float32
        ];
        let buffers = [per_instance::<Quad>(&attributes)];
        let recipe = Recipe::translucent(&shader, &buffers);
        let pipeline = maker.pipeline(recipe, "vs_main", "fs_main");
        Self { pipeline, instances: GrowingBuffer::default(), sorted: Vec::new() }
    }

    pub(crate) fn prepare(&mut self, upload: &mut Upload<'_>, scene: &SceneView<'_>) {
        let drawable = scene.rectangles.iter().filter(|of| is_drawable(of.bounds));
        self.sorted.clear();
        self.sorted.extend(drawable.map(Quad::of));
        // By their middles. Intersecting rectangles have no correct order; those of a tree or an
        // obstacle only meet at edges, and the fills are faint.
        let eye = scene.camera.eye();
        let distance = |quad: &Quad| quad.center().distance_squared(eye);
        self.sorted.sort_unstable_by(|a, b| distance(b).total_cmp(&distance(a)));
        self.instances.write(upload, &self.sorted);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some((instances, number)) = self.instances.contents() {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, instances);
            pass.draw(0..4, 0..number);
        }
    }
}
