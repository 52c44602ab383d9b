//! Draws a scene into any texture: spheres, bodies or boxes, obstacles, splitting planes, lines.
//!
//! It uses no window, thread, file or clock, and only features of WebGL2. So the same code draws
//! into a window, a picture file and a browser's canvas. One pass draws, in this order: the
//! objects, the background where no object covers it, the translucent rectangles from back to
//! front, and all lines. Only objects occlude.

mod bodies;
mod boxes;
mod globals;
mod icosphere;
mod image;
mod lines;
mod meshes;
mod pipeline;
mod quads;
mod shape_mesh;
mod small;
mod spheres;
mod theme;
mod upload;
mod view;

pub use image::Image;
pub use shape_mesh::{MeshVertex, ShapeMesh};
pub use theme::{Color, Theme};
pub(crate) use upload::texture;
pub use view::{
    BodiesView, BodyInstance, BoxInstance, Haze, Rectangle, SceneView, Segment, SphereInstance,
    WireBox,
};

use bodies::Bodies;
use boxes::Boxes;
use globals::Globals;
use lines::Lines;
use pipeline::{DEPTH_FORMAT, PipelineMaker, Recipe};
use quads::Quads;
use small::PixelSize;
use spheres::Spheres;
use upload::Upload;

/// Anti-aliasing of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Antialiasing {
    /// One sample a pixel.
    Off,
    /// Four samples a pixel. It costs a GPU little, and doubles the time where the CPU draws.
    Msaa4,
}

impl Antialiasing {
    fn samples(self) -> u32 {
        match self {
            Antialiasing::Off => 1,
            Antialiasing::Msaa4 => 4,
        }
    }
}

/// The textures that a pass needs besides its target, for targets of one size.
struct Attachments {
    size: [u32; 2],
    depth: wgpu::TextureView,
    samples: Option<wgpu::TextureView>,
}

/// Draws scenes. All buffers are reused and only grow: a steady frame creates none.
pub struct SceneRenderer {
    globals: Globals,
    spheres: Spheres,
    bodies: Bodies,
    boxes: Boxes,
    background: wgpu::RenderPipeline,
    quads: Quads,
    lines: Lines,
    format: wgpu::TextureFormat,
    samples: u32,
    attachments: Option<Attachments>,
    /// Buffers and textures created so far.
    created: u64,
}

impl SceneRenderer {
    /// A renderer for targets of one format, which must not encode to sRGB: the shaders do.
    pub fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        antialiasing: Antialiasing,
    ) -> Self {
        let globals = Globals::new(device);
        let samples = antialiasing.samples();
        let maker = PipelineMaker { device, globals: &globals, format, samples };
        let source = include_str!("../../../../shaders/background.wgsl");
        let background = maker.shader("background", source);
        Self {
            spheres: Spheres::new(&maker),
            bodies: Bodies::new(&maker),
            boxes: Boxes::new(&maker),
            background: maker.pipeline(Recipe::opaque(&background, &[]), "vs_main", "fs_main"),
            quads: Quads::new(&maker),
            lines: Lines::new(&maker),
            globals,
            format,
            samples,
            attachments: None,
            created: 0,
        }
    }

    /// Uploads the scene and encodes its drawing over all of the target.
    pub fn render(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        scene: &SceneView<'_>,
    ) {
        let size = [target.texture().width(), target.texture().height()];
        self.globals.write(queue, scene, size);
        // Cut out by the fragment shader, an edge has no samples of its own to be smooth.
        let simplified = scene.simplified && self.samples == 1;
        let sizes = simplified.then(|| PixelSize::new(scene, size[1]));
        let upload = &mut Upload { device, queue, created: &mut self.created };
        self.spheres.prepare(upload, scene, sizes.as_ref());
        self.bodies.prepare(upload, scene);
        self.boxes.prepare(upload, scene, sizes.as_ref());
        self.quads.prepare(upload, scene);
        self.lines.prepare(upload, scene);
        self.draw(device, encoder, target, size, scene);
    }

    /// The number of buffers and textures created so far, for tests that a steady frame creates
    /// none.
    pub fn gpu_allocations(&self) -> u64 {
        self.created
    }

    fn draw(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        scene: &SceneView<'_>,
    ) {
        let (format, count) = (self.format, self.samples);
        let attached = match &mut self.attachments {
            Some(attached) if attached.size == size => attached,
            other => {
                self.created += 1 + u64::from(count > 1);
                let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
                let view = |label, format| {
                    texture(device, label, size, format, count, usage)
                        .create_view(&Default::default())
                };
                let depth = view("depth", DEPTH_FORMAT);
                let samples = (count > 1).then(|| view("samples", format));
                other.insert(Attachments { size, depth, samples })
            }
        };
        let [r, g, b] = scene.theme.background_bottom.map(|channel| f64::from(channel) / 255.0);
        let color = wgpu::RenderPassColorAttachment {
            view: attached.samples.as_ref().unwrap_or(target),
            depth_slice: None,
            resolve_target: attached.samples.is_some().then_some(target),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                // Samples are not needed once they are resolved.
                store: match attached.samples {
                    Some(_) => wgpu::StoreOp::Discard,
                    None => wgpu::StoreOp::Store,
                },
            },
        };
        let depth = wgpu::RenderPassDepthStencilAttachment {
            view: &attached.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(depth),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals.bind_group, &[]);
        self.spheres.draw(&mut pass, scene);
        self.bodies.draw(&mut pass, scene);
        self.boxes.draw(&mut pass, scene);
        pass.set_pipeline(&self.background);
        pass.draw(0..3, 0..1);
        self.quads.draw(&mut pass);
        self.lines.draw(&mut pass);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_have_the_sizes_in_the_shaders() {
        assert_eq!(size_of::<SphereInstance>(), 20);
        assert_eq!(size_of::<BodyInstance>(), 36);
        assert_eq!(size_of::<MeshVertex>(), 24);
        assert_eq!(size_of::<BoxInstance>(), 28);
        assert_eq!(size_of::<Segment>(), 32);
    }
}
