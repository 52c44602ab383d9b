//! The scene's own texture, an image under the panels: drawn only when its picture changes.

use crate::gpu::{Gpu, GpuTimer};
use crate::scene_renderer::{Antialiasing, Image, SceneRenderer, SceneView, texture};
use egui::{PaintCallbackInfo, Rect, Shape};
use egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState};

/// Draws the scene into a texture as large as its part of the window. Typing in a panel redraws the panels only, however
/// many spheres there are.
pub(super) struct SceneTexture {
    renderer: SceneRenderer,
    /// Reads the GPU's clock, if it has one.
    timer: GpuTimer,
    panels: RenderState,
    pipeline: wgpu::RenderPipeline,
    drawn: Option<(wgpu::TextureView, Under)>,
}

impl SceneTexture {
    /// A texture for the panels that `panels` paints, on the same device.
    pub(super) fn new(gpu: &Gpu, panels: RenderState) -> Self {
        // Where the CPU draws, four samples a pixel would halve the frame rate.
        let software = gpu.adapter_summary().software;
        let antialiasing = if software { Antialiasing::Off } else { Antialiasing::Msaa4 };
        let format = panels.target_format.remove_srgb_suffix();
        let renderer = SceneRenderer::new(&gpu.device, format, antialiasing);
        let timer = GpuTimer::new(&gpu.device, &gpu.queue);
        let pipeline = Image::pipeline(&gpu.device, panels.target_format);
        Self { renderer, timer, pipeline, panels, drawn: None }
    }

    /// Whether the scene must be drawn for this size.
    pub(super) fn is_lost(&self, size: [u32; 2]) -> bool {
        let size_of = |view: &wgpu::TextureView| [view.texture().width(), view.texture().height()];
        self.drawn.as_ref().is_none_or(|(view, _)| size_of(view) != size)
    }

    /// Draws the scene in this size.
    pub(super) fn draw(&mut self, size: [u32; 2], scene: &SceneView<'_>) {
        let RenderState { device, queue, target_format, .. } = &self.panels;
        if self.is_lost(size) {
            let format = target_format.remove_srgb_suffix();
            let usage =
                wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = texture(device, "scene", size, format, 1, usage);
            let view = texture.create_view(&Default::default());
            let image = Image::new(device, &self.pipeline, &view);
            self.drawn = Some((view, Under(image)));
        }
        let Some((view, _)) = &self.drawn else { return };
        self.timer.submit(device, queue, |encoder| {
            self.renderer.render(device, queue, encoder, view, scene);
        });
    }

    /// The texture in a rectangle of its size.
    pub(super) fn shape(&self, rect: Rect) -> Shape {
        let Some((_, image)) = &self.drawn else { return Shape::Noop };
        Shape::Callback(Callback::new_paint_callback(rect, image.clone()))
    }

    /// Nanoseconds of the GPU for the scenes whose times have arrived since the last call.
    pub(super) fn gpu_ns(&self) -> u64 {
        self.timer.collect()
    }
}

/// An image that egui draws among its shapes.
#[derive(Clone)]
struct Under(Image);

impl CallbackTrait for Under {
    fn paint(
        &self,
        _: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _: &CallbackResources,
    ) {
        self.0.draw(pass);
    }
}
