//! Spheres: one mesh, drawn once for every instance. Small ones are drawn without it.

use std::ops::Range;

use sim::scene::Triangles;
use wgpu::util::DeviceExt;

use super::gpu_buffer::GrowingBuffer;
use super::icosphere::{icosahedron, subdivide};
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::small::{PixelSize, Small};
use super::view::{SceneView, SphereInstance};

const SHADER: &str = concat!(
    include_str!("../../../../shaders/globals.wgsl"),
    include_str!("../../../../shaders/sphere.wgsl")
);

/// Largest radius of a small sphere in pixels. Up to it a disc looks like a mesh.
const MAX_PIXELS: f32 = 4.0;

/// The vertices of the finer mesh, the indices of the coarse one and of the finer one, and where the latter begin.
fn meshes() -> (Vec<glam::Vec3>, Vec<u16>, u32) {
    let coarse = icosahedron();
    let fine = subdivide(&coarse);
    let triangles = [&coarse, &fine].into_iter().flat_map(|mesh| &mesh.triangles);
    let indices = triangles.flatten().copied().collect();
    (fine.vertices, indices, 3 * coarse.triangles.len() as u32)
}

/// The radius of a disc that covers as much as a mesh in a unit sphere, seen from all sides on
/// average: a quarter of the mesh's surface (Cauchy).
fn seen_radius(triangles: Triangles) -> f32 {
    match triangles {
        Triangles::Twenty => 0.8729,
        Triangles::Eighty => 0.9635,
    }
}

pub(crate) struct Spheres {
    shaded: wgpu::RenderPipeline,
    plain: wgpu::RenderPipeline,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// The parts of `indices` for each mesh. Both meshes share the vertices.
    coarse: Range<u32>,
    fine: Range<u32>,
    instances: GrowingBuffer,
    small: Small<SphereInstance>,
    /// The settings of the last frame.
    shading: bool,
    triangles: Triangles,
}

impl Spheres {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let device = maker.device;
        let shader = maker.shader("sphere", SHADER);
        let unit = wgpu::vertex_attr_array![0 => Float32x3];
        let instance = wgpu::vertex_attr_array![1 => Float32x4, 2 => Unorm8x4];
        let buffers = [
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<glam::Vec3>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &unit,
            }),
            per_instance::<SphereInstance>(&instance),
        ];
        let pipeline = |vertex, fragment| {
            maker.pipeline(&Recipe {
                label: "sphere",
                shader: &shader,
                vertex,
                fragment,
                buffers: &buffers,
                topology: wgpu::PrimitiveTopology::TriangleList,
                cull_back_faces: true,
                translucent: false,
            })
        };

        let (vertices, indices, split) = meshes();
        Self {
            shaded: pipeline("vs_shaded", "fs_shaded"),
            plain: pipeline("vs_plain", "fs_plain"),
            vertices: device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("sphere vertices"),
                contents: bytemuck::cast_slice(&vertices),
                usage: wgpu::BufferUsages::VERTEX,
            }),
            indices: device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("sphere indices"),
                contents: bytemuck::cast_slice(&indices),
                usage: wgpu::BufferUsages::INDEX,
            }),
            coarse: 0..split,
            fine: split..indices.len() as u32,
            instances: GrowingBuffer::new(device, "spheres"),
            small: Small::new(
                maker,
                "small spheres",
                &shader,
                &instance,
                [["vs_small", "fs_small_shaded"], ["vs_small", "fs_small_plain"]],
            ),
            shading: true,
            triangles: Triangles::Twenty,
        }
    }

    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &SceneView<'_>,
        sizes: Option<&PixelSize>,
    ) {
        let share = seen_radius(scene.triangles);
        let others = self.small.split(device, queue, scene.spheres, sizes, |sizes, sphere| {
            let radius = share * sphere.radius;
            let is_small = sizes.is_within(MAX_PIXELS, sphere.center.into(), sphere.radius);
            is_small.then_some(SphereInstance { radius, ..*sphere })
        });
        self.instances.write(device, queue, others);
        self.shading = scene.shading;
        self.triangles = scene.triangles;
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.small.draw(pass, self.shading);
        if self.instances.items() == 0 {
            return;
        }
        let range = match self.triangles {
            Triangles::Twenty => &self.coarse,
            Triangles::Eighty => &self.fine,
        };
        pass.set_pipeline(if self.shading { &self.shaded } else { &self.plain });
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, self.instances.slice());
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(range.clone(), 0, 0..self.instances.items());
    }

    pub(crate) fn created(&self) -> u64 {
        self.instances.created() + self.small.created()
    }
}
