//! Pictures of one size, with panels painted over the scene.

use super::{Fetched, Offscreen, OffscreenError, Picture, unread};
use crate::gpu::Gpu;
use crate::scene_renderer::SceneView;
use egui::{Pos2, RawInput, Rect, Ui, ViewportId, vec2};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

/// Layouts until panels are where they stay: egui learns the size of an area by laying it out.
const LAYOUTS: usize = 3;

/// Draws pictures of one size.
pub struct Studio {
    offscreen: Offscreen,
    context: egui::Context,
    renderer: Renderer,
    /// Seconds on the clock of the panels: each layout is a second later, so that nothing is still fading in.
    time: f64,
}

impl Studio {
    /// For pictures of that many pixels.
    ///
    /// # Errors
    ///
    /// If the adapter does not support this size.
    pub fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<Self, OffscreenError> {
        let offscreen = Offscreen::new(gpu, width, height)?;
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let renderer = Renderer::new(&gpu.device, offscreen.texture.format(), options);
        Ok(Self { offscreen, context: egui::Context::default(), renderer, time: 0.0 })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.offscreen.size()
    }

    /// Draws a scene.
    pub fn draw(&mut self, scene: &SceneView<'_>) -> Fetched {
        self.offscreen.submit(scene);
        self.offscreen.fetch()
    }

    /// Waits until a picture is drawn.
    ///
    /// # Errors
    ///
    /// If the device has reported a fault, now or earlier.
    pub fn finish(&self, picture: &Fetched) -> Result<Picture, OffscreenError> {
        self.offscreen.finish()?;
        picture.try_recv().unwrap_or_else(|e| Err(unread(&e)))
    }

    /// Draws a scene, and panels over it with this number of pixels per point.
    pub fn draw_with_panels(
        &mut self,
        scene: &SceneView<'_>,
        dark: bool,
        pixels_per_point: f32,
        panels: impl FnMut(&mut Ui),
    ) -> Fetched {
        self.offscreen.submit(scene);
        self.context.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        let output = self.lay_out(pixels_per_point, panels);
        let triangles = self.context.tessellate(output.shapes, pixels_per_point);
        let Self { offscreen, renderer, .. } = self;
        let descriptor = ScreenDescriptor { size_in_pixels: offscreen.size(), pixels_per_point };
        offscreen.submit_by(|device, queue, encoder, target| {
            renderer.update_buffers(device, queue, encoder, &triangles, &descriptor);
            let mut pass = begin_pass(encoder, target);
            renderer.render(&mut pass, &triangles, &descriptor);
        });
        offscreen.fetch()
    }

    /// Lays out the panels and uploads their textures.
    fn lay_out(&mut self, scale: f32, mut panels: impl FnMut(&mut Ui)) -> egui::FullOutput {
        let [width, height] = self.size().map(|side| side as f32 / scale);
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(width, height))),
            ..RawInput::default()
        };
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(scale);
        let mut output = egui::FullOutput::default();
        for _ in 0..LAYOUTS {
            self.time += 1.0;
            input.time = Some(self.time);
            output = self.context.run_ui(input.clone(), &mut panels);
            let Gpu { device, queue, .. } = &self.offscreen.gpu;
            for (id, deltas) in &output.textures_delta.set {
                for delta in deltas {
                    self.renderer.update_texture(device, queue, *id, delta);
                }
            }
            // egui reports deltas that are dropped before they are cleared.
            output.textures_delta.clear();
        }
        output
    }
}

/// A pass that paints over the target.
fn begin_pass(
    encoder: &mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
) -> wgpu::RenderPass<'static> {
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("panels of a picture"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    });
    pass.forget_lifetime()
}
