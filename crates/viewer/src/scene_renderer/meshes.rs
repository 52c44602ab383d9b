//! Meshes on the GPU, one after the other in one buffer.

use super::shape_mesh::{MeshVertex, ShapeMesh};
use std::ops::Range;
use wgpu::util::DeviceExt;
use wgpu::{BufferSlice, BufferUsages};

pub(crate) struct Meshes {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// The part of `indices` for each mesh.
    ranges: Vec<Range<u32>>,
}

impl Meshes {
    pub(crate) fn upload(device: &wgpu::Device, meshes: &[ShapeMesh]) -> Self {
        let (mut vertices, mut indices) = (Vec::new(), Vec::<[u32; 3]>::new());
        let mut ranges = Vec::with_capacity(meshes.len());
        for mesh in meshes {
            let first = vertices.len() as u32;
            let start = 3 * indices.len() as u32;
            vertices.extend_from_slice(&mesh.vertices);
            indices.extend(mesh.triangles.iter().map(|of| of.map(|index| first + index)));
            ranges.push(start..3 * indices.len() as u32);
        }
        let create = |contents: &[u8], usage| {
            let label = Some("meshes");
            let descriptor = wgpu::util::BufferInitDescriptor { label, contents, usage };
            device.create_buffer_init(&descriptor)
        };
        Self {
            vertices: create(bytemuck::cast_slice(&vertices), BufferUsages::VERTEX),
            indices: create(bytemuck::cast_slice(&indices), BufferUsages::INDEX),
            ranges,
        }
    }

    /// The layout of the vertices, with attributes for position and normal.
    pub(crate) fn layout(
        attributes: &[wgpu::VertexAttribute],
    ) -> Option<wgpu::VertexBufferLayout<'_>> {
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<MeshVertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes,
        })
    }

    /// Draws one mesh for each of some instances.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        instances: BufferSlice<'_>,
        of_mesh: impl Iterator<Item = (usize, Range<u32>)>,
    ) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, instances);
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        for (mesh, instances) in of_mesh.filter(|(_, instances)| !instances.is_empty()) {
            pass.draw_indexed(self.ranges[mesh].clone(), 0, instances);
        }
    }
}
