//! The window's surface: how it presents, and its next texture.

use crate::gpu::Gpu;
use std::sync::Arc;
use wgpu::CurrentSurfaceTexture;
use winit::window::Window;

/// A surface with its configuration.
pub(super) struct Surface {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The longest side of a texture.
    limit: u32,
    /// Present modes that the surface offers.
    present_modes: Vec<wgpu::PresentMode>,
    /// Whether textures can be copied into it.
    copies: bool,
    /// It must be configured before the next frame.
    outdated: bool,
    /// It had no texture for the last picture.
    owes_picture: bool,
}

/// A texture of the surface, to be drawn on and presented.
pub(super) struct Canvas {
    pub(super) texture: wgpu::SurfaceTexture,
}

impl Surface {
    /// Configures a window's surface. `None` if the adapter cannot draw on it.
    pub(super) fn configured(
        surface: wgpu::Surface<'static>,
        gpu: &Gpu,
        window: &Window,
        vsync: bool,
    ) -> Option<Self> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let size = window.inner_size();
        let [width, height] = drawable([size.width.max(1), size.height.max(1)], limit);
        let mut config = surface.get_default_config(&gpu.adapter, width, height)?;
        let capabilities = surface.get_capabilities(&gpu.adapter);
        // egui blends sRGB-encoded colours. An sRGB format would blend linear ones, which looks
        // wrong.
        let plain = capabilities.formats.into_iter().find(|format| {
            matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
        });
        config.format = plain.unwrap_or(config.format);
        let present_modes = capabilities.present_modes;
        config.present_mode = present_mode(&present_modes, vsync);
        // Low latency behind the mouse. Where the CPU draws, frames in advance would be slow ones.
        config.desired_maximum_frame_latency = 1;
        let copies = capabilities.usages.contains(wgpu::TextureUsages::COPY_DST);
        if copies {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        surface.configure(&gpu.device, &config);
        let (outdated, owes_picture) = (false, false);
        Some(Self { surface, config, limit, present_modes, copies, outdated, owes_picture })
    }

    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Whether textures can be copied into it.
    pub(super) fn copies(&self) -> bool {
        self.copies
    }

    /// Width and height in pixels: those of the window, or of its upper left part if it exceeds the largest texture.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        [self.config.width, self.config.height] = drawable([width, height], self.limit);
        self.outdated = true;
    }

    pub(super) fn set_vsync(&mut self, vsync: bool) {
        self.config.present_mode = present_mode(&self.present_modes, vsync);
        self.outdated = true;
    }

    /// The present mode in use, in words.
    pub(super) fn present_mode(&self) -> &'static str {
        match self.config.present_mode {
            wgpu::PresentMode::Fifo => "Fifo: waits for the screen",
            wgpu::PresentMode::FifoRelaxed => "FifoRelaxed: waits for the screen, unless late",
            wgpu::PresentMode::Immediate => "Immediate: does not wait",
            wgpu::PresentMode::Mailbox => "Mailbox: does not wait, shows whole pictures",
            _ => "chosen by the system",
        }
    }

    /// Whether it had no texture for the last picture.
    pub(super) fn owes_picture(&self) -> bool {
        self.owes_picture
    }

    /// The next texture, if there is one now.
    pub(super) fn acquire(&mut self, gpu: &Gpu, window: &Arc<Window>) -> Option<Canvas> {
        if self.size().contains(&0) {
            return None;
        }
        if std::mem::take(&mut self.outdated) {
            self.surface.configure(&gpu.device, &self.config);
        }
        let canvas = self.next_canvas(gpu, window);
        self.owes_picture = canvas.is_none();
        canvas
    }

    fn next_canvas(&mut self, gpu: &Gpu, window: &Arc<Window>) -> Option<Canvas> {
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => Some(Canvas { texture }),
            CurrentSurfaceTexture::Suboptimal(texture) => {
                self.outdated = true;
                Some(Canvas { texture })
            }
            CurrentSurfaceTexture::Outdated => {
                self.outdated = true;
                None
            }
            CurrentSurfaceTexture::Lost => {
                // The window still exists: a new surface replaces the lost one.
                if let Ok(surface) = gpu.instance.create_surface(window.clone()) {
                    self.surface = surface;
                }
                self.outdated = true;
                None
            }
            // A validation error is recorded as a fault, which ends the app.
            CurrentSurfaceTexture::Timeout
            | CurrentSurfaceTexture::Occluded
            | CurrentSurfaceTexture::Validation => None,
        }
    }
}

/// The part of a window's size that a texture can have.
fn drawable(window: [u32; 2], limit: u32) -> [u32; 2] {
    window.map(|side| side.min(limit))
}

/// Every surface offers Fifo. Of the modes without waiting, Immediate tears and Mailbox does not.
fn present_mode(offered: &[wgpu::PresentMode], vsync: bool) -> wgpu::PresentMode {
    use wgpu::PresentMode::{Fifo, Immediate, Mailbox};
    let wanted: &[_] = if vsync { &[] } else { &[Immediate, Mailbox] };
    wanted.iter().find(|mode| offered.contains(mode)).copied().unwrap_or(Fifo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::PresentMode::{Fifo, Immediate, Mailbox};

    #[test]
    fn window_beyond_the_largest_texture_is_drawn_in_part() {
        assert_eq!(drawable([1280, 720], 16_384), [1280, 720]);
        assert_eq!(drawable([16_900, 900], 16_384), [16_384, 900]);
        assert_eq!(drawable([3840, 2160], 2048), [2048, 2048]);
        assert_eq!(drawable([0, 1], 2048), [0, 1], "a minimised window stays hidden");
    }

    #[test]
    fn vertical_sync_is_switched_off_where_the_surface_can() {
        for offered in [&[Fifo][..], &[Fifo, Mailbox], &[Fifo, Mailbox, Immediate]] {
            assert_eq!(present_mode(offered, true), Fifo);
            assert_eq!(present_mode(offered, false), *offered.last().unwrap());
        }
    }
}
