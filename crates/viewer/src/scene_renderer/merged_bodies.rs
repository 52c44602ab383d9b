//! All bodies as one mesh, placed by the CPU.
//!
//! Where the CPU draws, an instance takes longer than its triangles: it is a draw call of its own. Bodies out of sight
//! are left out, and those of a few pixels have fewer triangles. Where a GPU draws, this mesh is empty.

use glam::{Quat, Vec3};

use super::BodyMesh;
use super::gpu_buffer::GrowingBuffer;
use super::pipeline::{PipelineMaker, Recipe};
use super::small::PixelSize;
use super::theme::Color;
use super::view::{BodyInstance, SceneView};

/// Largest bounding radius, in pixels, of a body with few triangles. Up to it a round side of six corners looks round.
const MAX_PIXELS: f32 = 12.0;

/// A corner of a triangle in the world.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct MergedVertex {
    position: Vec3,
    /// Of 32,767: a unit vector, and the share of the haze.
    normal_haze: [i16; 4],
    color: Color,
}

pub(crate) struct MergedBodies {
    shaded: wgpu::RenderPipeline,
    plain: wgpu::RenderPipeline,
    vertices: GrowingBuffer,
    indices: GrowingBuffer,
    corners: Vec<MergedVertex>,
    triangles: Vec<[u32; 3]>,
}

impl MergedBodies {
    /// `shader` is that of the bodies.
    pub(crate) fn new(maker: &PipelineMaker<'_>, shader: &wgpu::ShaderModule) -> Self {
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm16x4, 4 => Unorm8x4];
        let buffers = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<MergedVertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let pipeline = |vertex| {
            maker.pipeline(&Recipe {
                label: "merged bodies",
                shader,
                vertex,
                fragment: "fs_main",
                buffers: &buffers,
                topology: wgpu::PrimitiveTopology::TriangleList,
                cull_back_faces: true,
                translucent: false,
            })
        };
        Self {
            shaded: pipeline("vs_merged_shaded"),
            plain: pipeline("vs_merged_plain"),
            vertices: GrowingBuffer::new(maker.device, "merged bodies"),
            indices: GrowingBuffer::indices(maker.device, "merged bodies' triangles"),
            corners: Vec::new(),
            triangles: Vec::new(),
        }
    }

    /// Places the bodies that are seen; none without `sizes`.
    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &SceneView<'_>,
        sizes: Option<&PixelSize>,
    ) {
        self.corners.clear();
        self.triangles.clear();
        if let (Some(bodies), Some(sizes)) = (scene.bodies, sizes) {
            for (mesh, instances) in bodies.meshes.iter().zip(bodies.of_mesh) {
                for body in &bodies.instances[instances.start as usize..instances.end as usize] {
                    self.place(mesh, body, scene, sizes);
                }
            }
        }
        self.vertices.write(device, queue, &self.corners);
        self.indices.write(device, queue, &self.triangles);
    }

    fn place(
        &mut self,
        mesh: &BodyMesh,
        body: &BodyInstance,
        scene: &SceneView<'_>,
        sizes: &PixelSize,
    ) {
        let BodyInstance { position, scale, rotation, color } = *body;
        let (origin, rotation) = (Vec3::from(position), Quat::from_array(rotation));
        let radius = mesh.radius * scale;
        if !sizes.is_seen(origin, radius) {
            return;
        }
        let is_small = sizes.is_within(MAX_PIXELS, origin, radius);
        let drawn = if is_small { &mesh.coarse } else { &mesh.fine };
        let haze = scene.haze.map_or(0.0, |haze| haze.at(sizes.depth(origin)));
        let whole = |share: f32| (share * 32_767.0).round() as i16;
        let first = self.corners.len() as u32;
        self.corners.extend(drawn.vertices.iter().map(|vertex| {
            let normal = rotation * vertex.normal;
            MergedVertex {
                position: origin + rotation * (vertex.position * scale),
                normal_haze: [normal.x, normal.y, normal.z, haze].map(whole),
                color,
            }
        }));
        let triangles = drawn.triangles.iter();
        self.triangles.extend(triangles.map(|corners| corners.map(|corner| first + corner)));
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, shading: bool) {
        if self.indices.items() == 0 {
            return;
        }
        pass.set_pipeline(if shading { &self.shaded } else { &self.plain });
        pass.set_vertex_buffer(0, self.vertices.slice());
        pass.set_index_buffer(self.indices.slice(), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..3 * self.indices.items(), 0, 0..1);
    }

    pub(crate) fn created(&self) -> u64 {
        self.vertices.created() + self.indices.created()
    }
}
