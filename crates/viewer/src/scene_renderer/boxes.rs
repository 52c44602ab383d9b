//! Objects that are boxes: three faces or twelve edges, drawn once for every instance. Small solid
//! ones are drawn without faces.

use glam::Vec3;
use wgpu::util::DeviceExt;

use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::small::{PixelSize, Small};
use super::upload::{GrowingBuffer, Upload};
use super::view::{BoxInstance, SceneView};

/// Two triangles for each of the three faces that the eye can see.
const INDICES: [u16; 18] = [0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7, 8, 9, 10, 10, 9, 11];

/// Half of the longest diagonal of a small box in pixels. Its picture is the same but for its depth,
/// which is that of its centre. Measured: at 7, drawing takes 0.7 of the time, at 3 the half.
const MAX_PIXELS: f32 = 6.0;

/// Both ends of the twelve edges.
const EDGE_ENDS: u32 = 24;

pub(crate) struct Boxes {
    /// Plain and lit.
    solid: [wgpu::RenderPipeline; 2],
    edges: wgpu::RenderPipeline,
    indices: wgpu::Buffer,
    instances: GrowingBuffer,
    small: Small<BoxInstance>,
    outlined: GrowingBuffer,
}

impl Boxes {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("box", include_str!("../../../../shaders/box.wgsl"));
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4];
        let buffers = [per_instance::<BoxInstance>(&attributes)];
        // No face is culled: they are chosen in the shader, and their winding depends on the side.
        let solid = Recipe::opaque(&shader, &buffers);
        let edges = Recipe { topology: wgpu::PrimitiveTopology::LineList, ..solid };
        Self {
            solid: maker.plain_and_lit(solid, [["vs_plain", "fs_main"], ["vs_shaded", "fs_main"]]),
            edges: maker.pipeline(edges, "vs_edge", "fs_main"),
            indices: maker.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("box indices"),
                contents: bytemuck::cast_slice(&INDICES),
                usage: wgpu::BufferUsages::INDEX,
            }),
            instances: GrowingBuffer::default(),
            small: Small::new(
                maker,
                solid,
                &attributes,
                [["vs_small_plain", "fs_small"], ["vs_small_shaded", "fs_small"]],
            ),
            outlined: GrowingBuffer::default(),
        }
    }

    pub(crate) fn prepare(
        &mut self,
        upload: &mut Upload<'_>,
        scene: &SceneView<'_>,
        sizes: Option<&PixelSize>,
    ) {
        let others = self.small.split(upload, scene.solid_boxes, sizes, |sizes, solid| {
            let [low, high] = [solid.min, solid.max].map(Vec3::from);
            let half_diagonal = 0.5 * (high - low);
            let center = low + half_diagonal;
            sizes.is_within(MAX_PIXELS, center, half_diagonal.length()).then_some(*solid)
        });
        self.instances.write(upload, others);
        self.outlined.write(upload, scene.outlined_boxes);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneView<'_>) {
        self.small.draw(pass, scene.shading);
        if let Some((instances, number)) = self.instances.contents() {
            pass.set_pipeline(&self.solid[usize::from(scene.shading)]);
            pass.set_vertex_buffer(0, instances);
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed(0..INDICES.len() as u32, 0, 0..number);
        }
        if let Some((instances, number)) = self.outlined.contents() {
            pass.set_pipeline(&self.edges);
            pass.set_vertex_buffer(0, instances);
            pass.draw(0..EDGE_ENDS, 0..number);
        }
    }
}
