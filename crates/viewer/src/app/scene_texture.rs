//! The scene's own texture: drawn only when its picture changes, copied under the panels.

use crate::scene_renderer::{Antialiasing, SceneRenderer, SceneView, Target, Viewport};

/// Draws the scene's part of a surface.
///
/// Typing in a panel redraws the panels only, however many spheres there are: the scene is kept in
/// a texture as large as its part of the window. If a surface cannot be copied into, the scene is
/// drawn on it directly, every time.
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
