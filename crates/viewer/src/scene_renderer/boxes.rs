//! Objects that are boxes: three faces or twelve edges, drawn once for every instance. Small solid
//! ones are drawn without faces.

use glam::Vec3;
use wgpu::util::DeviceExt;

use super::gpu_buffer::GrowingBuffer;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::small::{PixelSize, Small};
use super::view::{BoxInstance, SceneView};

const SHADER: &str = concat!(
    include_str!("../../../../shaders/globals.wgsl"),
    include_str!("../../../../shaders/matt.wgsl"),
    include_str!("../../../../shaders/box.wgsl")
);

/// Two triangles for each of the three faces that the eye can see.
const INDICES: [u16; 18] = [0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7, 8, 9, 10, 10, 9, 11];

/// Half of the longest diagonal of a small box in pixels. Its picture is the same but for its depth,
/// which is that of its centre. Measured: at 7, drawing takes 0.7 of the time, at 3 the half.
const MAX_PIXELS: f32 = 6.0;

/// Both ends of the twelve edges.
const EDGE_ENDS: u32 = 24;

pub(crate) struct Boxes {
    shaded: wgpu::RenderPipeline,
    plain: wgpu::RenderPipeline,
    edges: wgpu::RenderPipeline,
    indices: wgpu::Buffer,
    solid: GrowingBuffer,
    small: Small<BoxInstance>,
    outlined: GrowingBuffer,
    /// The setting of the last frame.
    shading: bool,
}

impl Boxes {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let device = maker.device;
        let shader = maker.shader("box", SHADER);
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4];
        let pipeline = |vertex, topology| {
            maker.pipeline(&Recipe {
                label: "box",
                shader: &shader,
                vertex,
                fragment: "fs_main",
                buffers: &[per_instance::<BoxInstance>(&attributes)],
                topology,
                // The faces are chosen in the shader, and their winding depends on the side.
                cull_back_faces: false,
                translucent: false,
            })
        };
        let triangles = wgpu::PrimitiveTopology::TriangleList;
        Self {
            shaded: pipeline("vs_shaded", triangles),
            plain: pipeline("vs_plain", triangles),
            edges: pipeline("vs_edge", wgpu::PrimitiveTopology::LineList),
            indices: device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("box indices"),
                contents: bytemuck::cast_slice(&INDICES),
                usage: wgpu::BufferUsages::INDEX,
            }),
            solid: GrowingBuffer::new(device, "solid boxes"),
            small: Small::new(
                maker,
                "small boxes",
                &shader,
                &attributes,
                [["vs_small_shaded", "fs_small"], ["vs_small_plain", "fs_small"]],
            ),
            outlined: GrowingBuffer::new(device, "outlined boxes"),
            shading: true,
        }
    }

    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &SceneView<'_>,
        sizes: Option<&PixelSize>,
    ) {
        let others = self.small.split(device, queue, scene.solid_boxes, sizes, |sizes, solid| {
            let [low, high] = [solid.min, solid.max].map(Vec3::from);
            let half_diagonal = 0.5 * (high - low);
            let center = low + half_diagonal;
            sizes.is_within(MAX_PIXELS, center, half_diagonal.length()).then_some(*solid)
        });
        self.solid.write(device, queue, others);
        self.outlined.write(device, queue, scene.outlined_boxes);
        self.shading = scene.shading;
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.small.draw(pass, self.shading);
        if self.solid.items() > 0 {
            pass.set_pipeline(if self.shading { &self.shaded } else { &self.plain });
            pass.set_vertex_buffer(0, self.solid.slice());
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed(0..INDICES.len() as u32, 0, 0..self.solid.items());
        }
        if self.outlined.items() > 0 {
            pass.set_pipeline(&self.edges);
            pass.set_vertex_buffer(0, self.outlined.slice());
            pass.draw(0..EDGE_ENDS, 0..self.outlined.items());
        }
    }

    pub(crate) fn created(&self) -> u64 {
        self.solid.created() + self.small.created() + self.outlined.created()
    }
}
