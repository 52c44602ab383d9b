//! Draws a scene into any texture: spheres, bodies or boxes, obstacles, splitting planes, lines.
//!
//! It uses no window, thread, file or clock, and only features of WebGL2. So the same code draws
//! into a window, a picture file and a browser's canvas. One pass draws, in this order: the
//! objects, the background where no object covers it, the translucent rectangles from back to
//! front, and all lines. Only objects occlude.

mod attachments;
mod background;
mod bodies;
mod boxes;
mod globals;
mod gpu_buffer;
mod icosphere;
mod lines;
mod pipeline;
mod quads;
mod shape_mesh;
mod small;
mod spheres;
mod target;
mod theme;
mod view;

pub use shape_mesh::{MeshVertex, ShapeMesh};
pub use target::{Target, Viewport};
pub use theme::{Color, Theme};
pub use view::{
    BodiesView, BodyInstance, BoxInstance, Haze, Pane, Plane, SceneView, Segment, SphereInstance,
    WireBox,
};

use attachments::Attachments;
use background::Background;
use bodies::Bodies;
use boxes::Boxes;
use globals::Globals;
use lines::Lines;
use pipeline::PipelineMaker;
use quads::Quads;
use small::PixelSize;
use spheres::Spheres;

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

/// Draws scenes. All buffers are reused and only grow: a steady frame creates none.
pub struct SceneRenderer {
    globals: Globals,
    spheres: Spheres,
    bodies: Bodies,
    boxes: Boxes,
    background: Background,
    quads: Quads,
    lines: Lines,
    attachments: Attachments,
    samples: u32,
}

impl SceneRenderer {
    /// A renderer for targets of one format.
    ///
    /// An sRGB format and its plain counterpart give the same picture; the plain one costs a pass
    /// less.
    pub fn new(
        device: &wgpu::Device,
        target_format: wgpu::TextureFormat,
        antialiasing: Antialiasing,
    ) -> Self {
        let globals = Globals::new(device);
        let samples = antialiasing.samples();
        let (attachments, format) = Attachments::new(device, target_format, samples);
        let maker = PipelineMaker { device, globals: &globals, format, samples };
        Self {
            spheres: Spheres::new(&maker),
            bodies: Bodies::new(&maker),
            boxes: Boxes::new(&maker),
            background: Background::new(&maker),
            quads: Quads::new(&maker),
            lines: Lines::new(&maker),
            attachments,
            globals,
            samples,
        }
    }

    /// Uploads the scene and encodes its drawing over the target's contents.
    ///
    /// A target or viewport without area is not changed.
    pub fn render(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &Target<'_>,
        scene: &SceneView<'_>,
    ) {
        let viewport = target.viewport.within(target.size);
        if viewport.width == 0 || viewport.height == 0 {
            return;
        }
        self.globals.write(queue, scene, viewport);
        // Cut out by the fragment shader, an edge has no samples of its own to be smooth.
        let simplified = scene.simplified && self.samples == 1;
        let sizes = simplified.then(|| PixelSize::new(scene, viewport));
        self.spheres.prepare(device, queue, scene, sizes.as_ref());
        self.bodies.prepare(device, queue, scene);
        self.boxes.prepare(device, queue, scene, sizes.as_ref());
        self.quads.prepare(device, queue, scene);
        self.lines.prepare(device, queue, scene);
        self.attachments.fit(device, target.size);
        self.draw(encoder, target.view, viewport, scene.theme);
        self.attachments.present(encoder, target.view);
    }

    /// The number of buffers and textures created so far, for tests that a steady frame creates
    /// none.
    pub fn gpu_allocations(&self) -> u64 {
        self.attachments.created()
            + self.spheres.created()
            + self.bodies.created()
            + self.boxes.created()
            + self.quads.created()
            + self.lines.created()
    }

    fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        viewport: Viewport,
        theme: &Theme,
    ) {
        let Some(attached) = self.attachments.current() else {
            return;
        };
        let picture = attached.picture.as_ref().map_or(target, |picture| &picture.view);
        let [r, g, b] = theme.background_bottom.map(|channel| f64::from(channel) / 255.0);
        let color = wgpu::RenderPassColorAttachment {
            view: attached.samples.as_ref().unwrap_or(picture),
            depth_slice: None,
            resolve_target: attached.samples.is_some().then_some(picture),
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
        let [x, y, width, height] =
            [viewport.x, viewport.y, viewport.width, viewport.height].map(|v| v as f32);
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        // Lines extend beyond the viewport by their width, which only the scissor rectangle cuts
        // off.
        pass.set_scissor_rect(viewport.x, viewport.y, viewport.width, viewport.height);
        pass.set_bind_group(0, &self.globals.bind_group, &[]);
        self.spheres.draw(&mut pass);
        self.bodies.draw(&mut pass);
        self.boxes.draw(&mut pass);
        self.background.draw(&mut pass);
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
