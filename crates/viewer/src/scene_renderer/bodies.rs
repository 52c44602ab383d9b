//! Bodies: one mesh for each shape, drawn once for every instance.

use std::ops::Range;
use std::sync::Arc;

use super::meshes::Meshes;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::shape_mesh::ShapeMesh;
use super::upload::{GrowingBuffer, Upload};
use super::view::{BodyInstance, SceneView};

pub(crate) struct Bodies {
    /// Plain and lit.
    pipelines: [wgpu::RenderPipeline; 2],
    /// Of the last scene with bodies, with their source: the same allocation is not uploaded again.
    meshes: Option<(Arc<[ShapeMesh]>, Meshes)>,
    instances: GrowingBuffer,
    /// All instances, and the part of them for each mesh.
    sorted: Vec<BodyInstance>,
    of_mesh: Vec<Range<u32>>,
}

impl Bodies {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let vertex = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
        let instance = wgpu::vertex_attr_array![2 => Float32x4, 3 => Float32x4, 4 => Unorm8x4];
        let shader = maker.shader("body", include_str!("../../../../shaders/body.wgsl"));
        let buffers = [Meshes::layout(&vertex), per_instance::<BodyInstance>(&instance)];
        let recipe = Recipe { cull_back_faces: true, ..Recipe::opaque(&shader, &buffers) };
        Self {
            pipelines: maker
                .plain_and_lit(recipe, [["vs_plain", "fs_main"], ["vs_shaded", "fs_main"]]),
            meshes: None,
            instances: GrowingBuffer::default(),
            sorted: Vec::new(),
            of_mesh: Vec::new(),
        }
    }

    pub(crate) fn prepare(&mut self, upload: &mut Upload<'_>, scene: &SceneView<'_>) {
        self.sorted.clear();
        self.of_mesh.clear();
        if let Some(bodies) = scene.bodies {
            let is_uploaded = |(source, _): &(_, _)| Arc::ptr_eq(source, bodies.meshes);
            if !self.meshes.as_ref().is_some_and(is_uploaded) {
                let meshes = Meshes::upload(upload.device, bodies.meshes);
                self.meshes = Some((bodies.meshes.clone(), meshes));
                // Vertices and indices.
                *upload.created += 2;
            }
            for instances in bodies.of_mesh {
                let first = self.sorted.len() as u32;
                self.sorted.extend_from_slice(instances);
                self.of_mesh.push(first..self.sorted.len() as u32);
            }
        }
        self.instances.write(upload, &self.sorted);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneView<'_>) {
        // Without any, the buffers of the meshes may be empty too.
        if let (Some((_, meshes)), Some((instances, _))) = (&self.meshes, self.instances.contents())
        {
            pass.set_pipeline(&self.pipelines[usize::from(scene.shading)]);
            meshes.draw(pass, instances, self.of_mesh.iter().cloned().enumerate());
        }
    }
}
