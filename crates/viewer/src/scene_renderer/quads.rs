//! Translucent rectangles, drawn from back to front.

use broadphase::{Aabb, Axis};
use glam::Vec3;

use super::gpu_buffer::GrowingBuffer;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::theme::Color;
use super::view::{SceneView, is_drawable, sides};

const SHADER: &str = concat!(
    include_str!("../../../../shaders/globals.wgsl"),
    include_str!("../../../../shaders/quad.wgsl")
);

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
    fn new(bounds: Aabb, normal: Axis, color: Color, glass: f32) -> Option<Self> {
        let [side_u, side_v] = sides(bounds, normal);
        is_drawable(bounds).then_some(Self { corner: bounds.min, side_u, side_v, color, glass })
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
        let shader = maker.shader("quad", SHADER);
        let attributes = wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Unorm8x4, 4 => Float32
        ];
        let pipeline = maker.pipeline(&Recipe {
            label: "quad",
            shader: &shader,
            vertex: "vs_main",
            fragment: "fs_main",
            buffers: &[per_instance::<Quad>(&attributes)],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            cull_back_faces: false,
            translucent: true,
        });
        let instances = GrowingBuffer::new(maker.device, "quads");
        Self { pipeline, instances, sorted: Vec::new() }
    }

    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &SceneView<'_>,
    ) {
        let theme = scene.theme;
        let panes = scene.panes.iter().filter_map(|pane| {
            let color = if pane.selected { theme.selected_pane } else { theme.pane };
            Quad::new(pane.bounds, pane.normal, color, 1.0)
        });
        let planes = scene.planes.iter().filter_map(|plane| {
            Quad::new(plane.bounds, plane.normal, plane.color(theme, plane.alpha), 0.0)
        });
        self.sorted.clear();
        self.sorted.extend(panes.chain(planes));
        // By their middles. Intersecting rectangles have no correct order; those of a tree or an
        // obstacle only meet at edges, and the fills are faint.
        let eye = scene.camera.eye();
        let distance = |quad: &Quad| quad.center().distance_squared(eye);
        self.sorted.sort_unstable_by(|a, b| distance(b).total_cmp(&distance(a)));
        self.instances.write(device, queue, &self.sorted);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.instances.items() == 0 {
            return;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, self.instances.slice());
        pass.draw(0..4, 0..self.instances.items());
    }

    pub(crate) fn created(&self) -> u64 {
        self.instances.created()
    }
}
