//! Spheres: one mesh, drawn once for every instance. Small ones are drawn without it.

use sim::scene::Triangles;

use super::icosphere::{icosahedron, subdivide};
use super::meshes::Meshes;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::shape_mesh::ShapeMesh;
use super::small::{PixelSize, Small};
use super::upload::{GrowingBuffer, Upload};
use super::view::{SceneView, SphereInstance};

/// Largest radius of a small sphere in pixels. Up to it a disc looks like a mesh.
const MAX_PIXELS: f32 = 4.0;

/// The radius of a disc that covers as much as a mesh in a unit sphere, seen from all sides on
/// average: a quarter of the mesh's surface (Cauchy).
fn seen_radius(triangles: Triangles) -> f32 {
    match triangles {
        Triangles::Twenty => 0.8729,
        Triangles::Eighty => 0.9635,
    }
}

pub(crate) struct Spheres {
    /// Plain and lit.
    pipelines: [wgpu::RenderPipeline; 2],
    /// The coarse one, and the finer one.
    meshes: Meshes,
    instances: GrowingBuffer,
    small: Small<SphereInstance>,
}

impl Spheres {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("sphere", include_str!("../../../../shaders/sphere.wgsl"));
        // A vertex of a unit sphere is its own normal.
        let unit = wgpu::vertex_attr_array![0 => Float32x3];
        let instance = wgpu::vertex_attr_array![1 => Float32x4, 2 => Unorm8x4];
        let buffers = [Meshes::layout(&unit), per_instance::<SphereInstance>(&instance)];
        let recipe = Recipe { cull_back_faces: true, ..Recipe::opaque(&shader, &buffers) };
        let coarse = icosahedron();
        let meshes = [subdivide(&coarse), coarse].map(ShapeMesh::of_unit_sphere);
        Self {
            pipelines: maker
                .plain_and_lit(recipe, [["vs_plain", "fs_plain"], ["vs_shaded", "fs_shaded"]]),
            meshes: Meshes::upload(maker.device, &meshes),
            instances: GrowingBuffer::default(),
            small: Small::new(
                maker,
                recipe,
                &instance,
                [["vs_small", "fs_small_plain"], ["vs_small", "fs_small_shaded"]],
            ),
        }
    }

    pub(crate) fn prepare(
        &mut self,
        upload: &mut Upload<'_>,
        scene: &SceneView<'_>,
        sizes: Option<&PixelSize>,
    ) {
        let share = seen_radius(scene.triangles);
        let others = self.small.split(upload, scene.spheres, sizes, |sizes, sphere| {
            let radius = share * sphere.radius;
            let is_small = sizes.is_within(MAX_PIXELS, sphere.center.into(), sphere.radius);
            is_small.then_some(SphereInstance { radius, ..*sphere })
        });
        self.instances.write(upload, others);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneView<'_>) {
        self.small.draw(pass, scene.shading);
        let Some((instances, number)) = self.instances.contents() else { return };
        pass.set_pipeline(&self.pipelines[usize::from(scene.shading)]);
        let mesh = usize::from(scene.triangles == Triangles::Twenty);
        self.meshes.draw(pass, instances, std::iter::once((mesh, 0..number)));
    }
}
