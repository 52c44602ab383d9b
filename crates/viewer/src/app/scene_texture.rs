//! The scene's own texture, an image under the panels: drawn only when its picture changes.

use crate::gpu::{Gpu, GpuTimer};
use crate::scene_renderer::{Antialiasing, SceneRenderer, SceneView, Target};
use egui::{Color32, Mesh, Pos2, Rect, Shape, TextureId};
use egui_wgpu::RenderState;

/// The format of a texture whose colours egui takes as they are.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Draws the scene into a texture as large as its part of the window. Typing in a panel redraws the panels only, however
/// many spheres there are.
pub(super) struct SceneTexture {
    renderer: SceneRenderer,
    /// Reads the GPU's clock, if it has one.
    timer: Option<GpuTimer>,
    panels: RenderState,
    drawn: Option<(wgpu::Texture, TextureId)>,
}

impl SceneTexture {
    /// A texture for the panels that `panels` paints, on the same device.
    pub(super) fn new(gpu: &Gpu, panels: RenderState) -> Self {
        // Where the CPU draws, four samples a pixel would halve the frame rate.
        let software = gpu.adapter_summary().software;
        let antialiasing = if software { Antialiasing::Off } else { Antialiasing::Msaa4 };
        let renderer = SceneRenderer::new(&gpu.device, FORMAT, antialiasing);
        let timer = GpuTimer::new(&gpu.device, &gpu.queue);
        Self { renderer, timer, panels, drawn: None }
    }

    /// Whether the scene must be drawn for this size.
    pub(super) fn is_lost(&self, size: [u32; 2]) -> bool {
        self.drawn.as_ref().is_none_or(|(texture, _)| [texture.width(), texture.height()] != size)
    }

    /// Draws the scene in this size.
    pub(super) fn draw(&mut self, size: [u32; 2], scene: &SceneView<'_>) {
        if self.is_lost(size) {
            self.resize(size);
        }
        let Some((texture, _)) = &self.drawn else { return };
        let RenderState { device, queue, .. } = &self.panels;
        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(timer) = &mut self.timer {
            timer.begin(&mut encoder);
        }
        let view = texture.create_view(&Default::default());
        let target = Target::whole(&view, size);
        self.renderer.render(device, queue, &mut encoder, &target, scene);
        if let Some(timer) = &mut self.timer {
            timer.end(&mut encoder);
        }
        queue.submit([encoder.finish()]);
        if let Some(timer) = &mut self.timer {
            timer.submitted();
        }
    }

    fn resize(&mut self, [width, height]: [u32; 2]) {
        let RenderState { device, renderer, .. } = &self.panels;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("scene"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        let (mut renderer, filter) = (renderer.write(), wgpu::FilterMode::Nearest);
        let id = match self.drawn.take() {
            None => renderer.register_native_texture(device, &view, filter),
            Some((_, id)) => {
                renderer.update_egui_texture_from_wgpu_texture(device, &view, filter, id);
                id
            }
        };
        self.drawn = Some((texture, id));
    }

    /// The texture in a rectangle, without soft edges.
    pub(super) fn shape(&self, rect: Rect) -> Shape {
        let Some((_, id)) = &self.drawn else { return Shape::Noop };
        let mut mesh = Mesh::with_texture(*id);
        mesh.add_rect_with_uv(
            rect,
            Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0)),
            Color32::WHITE,
        );
        Shape::mesh(mesh)
    }

    /// Nanoseconds of the GPU for the scenes whose times have arrived since the last call.
    pub(super) fn gpu_ns(&mut self) -> u64 {
        self.timer.as_mut().map_or(0, GpuTimer::collect)
    }
}
