//! The scene's own texture: drawn only when its picture changes, copied under the panels.

use crate::scene_renderer::{Antialiasing, SceneRenderer, SceneView, Target, Viewport};
use egui::{Color32, Rgba};

/// Draws the scene's part of a surface.
///
/// Typing in a panel redraws the panels only, however many spheres there are: the scene is kept in
/// a texture as large as its part of the window. If a surface cannot be copied into, the scene is
/// drawn on it directly, every time.
///
/// Around the copied scene the surface is cleared in the colour of panels. Where the CPU draws, that takes much less time than
/// to paint it: a picture with all algorithms compared took 48 ms instead of 74.
pub(super) struct SceneTexture {
    renderer: SceneRenderer,
    format: wgpu::TextureFormat,
    copies: bool,
    kept: Option<wgpu::Texture>,
}

impl SceneTexture {
    /// For surfaces of a format; `copies` states whether they can be copied into.
    pub(super) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        antialiasing: Antialiasing,
        copies: bool,
    ) -> Self {
        let renderer = SceneRenderer::new(device, format, antialiasing);
        Self { renderer, format, copies, kept: None }
    }

    /// Whether a surface may be cleared: not where the scene stays on it.
    pub(super) fn clears(&self) -> bool {
        self.copies
    }

    /// Encodes the clearing of a surface, before the scene is copied to it.
    pub(super) fn clear(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        surface: &wgpu::Texture,
        color: Color32,
    ) {
        if self.copies {
            clear(encoder, surface, color);
        }
    }

    /// Drops the texture if its part has another size. Returns whether the scene must be redrawn.
    pub(super) fn fit(&mut self, part: Viewport) -> bool {
        let size = |texture: &wgpu::Texture| (texture.width(), texture.height());
        self.kept.take_if(|kept| size(kept) != (part.width, part.height));
        self.kept.is_none()
    }

    /// Encodes the drawing of the scene, if it is given, and its copy to its part of the surface.
    pub(super) fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        surface: &wgpu::Texture,
        part: Viewport,
        scene: Option<&SceneView<'_>>,
    ) {
        if !self.copies {
            let view = surface.create_view(&Default::default());
            let size = [surface.width(), surface.height()];
            let target = Target { view: &view, size, viewport: part };
            if let Some(scene) = scene {
                self.renderer.render(device, queue, encoder, &target, scene);
            }
            return;
        }
        let kept = self.kept.get_or_insert_with(|| texture(device, self.format, part));
        if let Some(scene) = scene {
            let view = kept.create_view(&Default::default());
            let target = Target::whole(&view, [part.width, part.height]);
            self.renderer.render(device, queue, encoder, &target, scene);
        }
        let mut destination = surface.as_image_copy();
        destination.origin = wgpu::Origin3d { x: part.x, y: part.y, z: 0 };
        encoder.copy_texture_to_texture(kept.as_image_copy(), destination, kept.size());
    }
}

/// Encodes the clearing of a surface.
fn clear(encoder: &mut wgpu::CommandEncoder, surface: &wgpu::Texture, color: Color32) {
    let [r, g, b, a] = if surface.format().is_srgb() {
        Rgba::from(color).to_array()
    } else {
        color.to_normalized_gamma_f32()
    }
    .map(f64::from);
    let view = surface.create_view(&Default::default());
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("clear"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    });
}

fn texture(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    Viewport { width, height, .. }: Viewport,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("scene"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
