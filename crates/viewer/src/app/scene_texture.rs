//! The scene's own texture: drawn only when the scene looks different, painted with the panels.

use crate::scene_renderer::{Antialiasing, SceneRenderer, SceneView, Target};
use egui::TextureId;
use wgpu::FilterMode;

/// What egui paints as it is: display-encoded colours.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A texture as large as the part of the window that is left to the scene.
///
/// While someone types in a panel, only the panels are drawn anew, however many spheres there are.
pub(super) struct SceneTexture {
    renderer: SceneRenderer,
    id: TextureId,
    view: wgpu::TextureView,
    size: [u32; 2],
    /// It holds the scene as it was drawn last.
    drawn: bool,
}

impl SceneTexture {
    pub(super) fn new(
        device: &wgpu::Device,
        painter: &mut egui_wgpu::Renderer,
        antialiasing: Antialiasing,
    ) -> Self {
        let view = texture(device, [1, 1]);
        Self {
            renderer: SceneRenderer::new(device, FORMAT, antialiasing),
            id: painter.register_native_texture(device, &view, FilterMode::Nearest),
            view,
            size: [1, 1],
            drawn: false,
        }
    }

    /// By which egui knows it.
    pub(super) fn id(&self) -> TextureId {
        self.id
    }

    /// Makes it this large; says whether it now has nothing to show.
    pub(super) fn fit(
        &mut self,
        device: &wgpu::Device,
        painter: &mut egui_wgpu::Renderer,
        size: [u32; 2],
    ) -> bool {
        if self.size != size {
            self.size = size;
            self.view = texture(device, size);
            self.drawn = false;
            painter.update_egui_texture_from_wgpu_texture(
                device,
                &self.view,
                FilterMode::Nearest,
                self.id,
            );
        }
        !self.drawn
    }

    /// Encodes the drawing of a scene.
    pub(super) fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneView<'_>,
    ) {
        let target = Target::whole(&self.view, self.size);
        self.renderer.render(device, queue, encoder, &target, scene);
        self.drawn = true;
    }
}

fn texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::TextureView {
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
    texture.create_view(&Default::default())
}
