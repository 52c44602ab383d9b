//! Bodies: one mesh for each shape, drawn once for every instance.

use std::ops::Range;
use std::sync::Arc;

use wgpu::util::DeviceExt;

use super::gpu_buffer::GrowingBuffer;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::shape_mesh::{MeshVertex, ShapeMesh};
use super::view::{BodyInstance, SceneView};

const SHADER: &str = concat!(
    include_str!("../../../../shaders/globals.wgsl"),
    include_str!("../../../../shaders/matt.wgsl"),
    include_str!("../../../../shaders/body.wgsl")
);

pub(crate) struct Bodies {
    shaded: wgpu::RenderPipeline,
    plain: wgpu::RenderPipeline,
    /// Of the last scene with bodies.
    meshes: Option<Meshes>,
    instances: GrowingBuffer,
    /// The instances of each mesh.
    of_mesh: Vec<Range<u32>>,
    /// The setting of the last frame.
    shading: bool,
    created: u64,
}

/// Meshes on the GPU.
struct Meshes {
    /// What was uploaded. The same allocation is not uploaded again.
    source: Arc<[ShapeMesh]>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// The part of `indices` for each mesh.
    ranges: Vec<Range<u32>>,
}

impl Bodies {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("body", SHADER);
        let vertex = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
        let instance = wgpu::vertex_attr_array![2 => Float32x4, 3 => Float32x4, 4 => Unorm8x4];
        let buffers = [
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<MeshVertex>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &vertex,
            }),
            per_instance::<BodyInstance>(&instance),
        ];
        let pipeline = |vertex| {
            maker.pipeline(&Recipe {
                label: "body",
                shader: &shader,
                vertex,
                fragment: "fs_main",
                buffers: &buffers,
                topology: wgpu::PrimitiveTopology::TriangleList,
                cull_back_faces: true,
                translucent: false,
            })
        };
        Self {
            shaded: pipeline("vs_shaded"),
            plain: pipeline("vs_plain"),
            meshes: None,
            instances: GrowingBuffer::new(maker.device, "bodies"),
            of_mesh: Vec::new(),
            shading: true,
            created: 0,
        }
    }

    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &SceneView<'_>,
    ) {
        self.shading = scene.shading;
        self.of_mesh.clear();
        let Some(bodies) = scene.bodies else { return };
        let is_uploaded = |meshes: &Meshes| Arc::ptr_eq(&meshes.source, bodies.meshes);
        if !self.meshes.as_ref().is_some_and(is_uploaded) {
            self.meshes = Some(Meshes::upload(device, bodies.meshes));
            self.created += 2;
        }
        self.instances.write(device, queue, bodies.instances);
        self.of_mesh.extend_from_slice(bodies.of_mesh);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        // Without any, the buffers may be empty too.
        let is_drawn = self.of_mesh.iter().any(|instances| !instances.is_empty());
        let Some(meshes) = self.meshes.as_ref().filter(|_| is_drawn) else { return };
        pass.set_pipeline(if self.shading { &self.shaded } else { &self.plain });
        pass.set_vertex_buffer(0, meshes.vertices.slice(..));
        pass.set_vertex_buffer(1, self.instances.slice());
        pass.set_index_buffer(meshes.indices.slice(..), wgpu::IndexFormat::Uint32);
        for (indices, instances) in meshes.ranges.iter().zip(&self.of_mesh) {
            if !instances.is_empty() {
                pass.draw_indexed(indices.clone(), 0, instances.clone());
            }
        }
    }

    pub(crate) fn created(&self) -> u64 {
        self.instances.created() + self.created
    }
}

impl Meshes {
    fn upload(device: &wgpu::Device, source: &Arc<[ShapeMesh]>) -> Self {
        let (mut vertices, mut indices) = (Vec::new(), Vec::<[u32; 3]>::new());
        let mut ranges = Vec::with_capacity(source.len());
        for mesh in source.iter() {
            let first = vertices.len() as u32;
            let start = 3 * indices.len() as u32;
            vertices.extend_from_slice(&mesh.vertices);
            indices.extend(mesh.triangles.iter().map(|of| of.map(|index| first + index)));
            ranges.push(start..3 * indices.len() as u32);
        }
        let create = |label, contents: &[u8], usage| {
            let descriptor = wgpu::util::BufferInitDescriptor { label, contents, usage };
            device.create_buffer_init(&descriptor)
        };
        let (corners, triangles) =
            (bytemuck::cast_slice(&vertices), bytemuck::cast_slice(&indices));
        Self {
            source: source.clone(),
            vertices: create(Some("body vertices"), corners, wgpu::BufferUsages::VERTEX),
            indices: create(Some("body indices"), triangles, wgpu::BufferUsages::INDEX),
            ranges,
        }
    }
}
