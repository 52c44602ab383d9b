//! The scene without a window: drawn into a texture, read back, saved as a PNG file.
//!
//! Three steps, so that a caller can time each: [`Offscreen::submit`] encodes a frame and submits
//! it to the GPU, [`Offscreen::finish`] waits until it is drawn, and [`Offscreen::read`] fetches
//! the pixels. Frames that are only timed need not be read.

mod studio;

pub use studio::Studio;

use crate::gpu::Gpu;
use crate::scene_renderer::{Antialiasing, SceneRenderer, SceneView, texture};
use sim::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// Why a picture cannot be drawn or saved.
#[derive(Debug, thiserror::Error)]
pub enum OffscreenError {
    /// The picture would have no pixels, or more than the adapter supports.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn: this adapter does 1 to {limit} a side"
    )]
    Size {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
        /// The longest side of a texture.
        limit: u32,
    },
    /// The device reported a fault, now or earlier.
    #[error("{0}")]
    Gpu(String),
    /// The file cannot be written.
    #[error("cannot write the picture {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// Rows of RGBA, 8 bits each, sRGB, upper left first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The colour of a pixel.
    ///
    /// # Panics
    ///
    /// If there is no such pixel.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(x < self.width && y < self.height, "no pixel at {x}, {y}");
        let at = 4 * (y as usize * self.width as usize + x as usize);
        [0, 1, 2, 3].map(|channel| self.rgba[at + channel])
    }

    /// Saves it as a PNG file, whole or not at all. An existing file is replaced only if `replaces`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; the error names it.
    pub fn save_png(&self, path: &Path, replaces: bool) -> Result<(), OffscreenError> {
        let write = || {
            let mut file = AtomicFile::create(path)?.replacing(replaces);
            file.write_all(&self.png()?)?;
            file.commit()
        };
        write().map_err(|source| OffscreenError::Write { path: path.to_owned(), source })
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    ///
    /// If it cannot be encoded.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// A texture to draw scenes into, with its renderer and read-back buffer.
pub struct Offscreen {
    gpu: Gpu,
    renderer: SceneRenderer,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    readback: wgpu::Buffer,
}

impl Offscreen {
    /// A target of that many pixels, with smooth edges.
    ///
    /// # Errors
    ///
    /// If the adapter does not support this size.
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self, OffscreenError> {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        Self::with_settings(gpu, width, height, format, Antialiasing::Msaa4)
    }

    /// The same with a choice of format, `Rgba8Unorm` or `Rgba8UnormSrgb`, and of anti-aliasing.
    ///
    /// # Errors
    ///
    /// If the adapter does not support this size.
    pub fn with_settings(
        gpu: &Gpu,
        width: u32,
        height: u32,
        format: wgpu::TextureFormat,
        antialiasing: Antialiasing,
    ) -> Result<Self, OffscreenError> {
        let device = &gpu.device;
        let limit = device.limits().max_texture_dimension_2d;
        if !(1..=limit).contains(&width) || !(1..=limit).contains(&height) {
            return Err(OffscreenError::Size { width, height, limit });
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let texture = texture(device, "offscreen", [width, height], format, 1, usage);
        let readback = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size: u64::from(padded_row(width)) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Ok(Self {
            renderer: SceneRenderer::new(device, format, antialiasing),
            view: texture.create_view(&Default::default()),
            gpu: gpu.clone(),
            texture,
            readback,
        })
    }

    /// Encodes the drawing of a scene and submits it to the GPU, without waiting for it.
    pub fn submit(&mut self, scene: &SceneView<'_>) {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&Default::default());
        self.renderer.render(device, queue, &mut encoder, &self.view, scene);
        queue.submit([encoder.finish()]);
    }

    /// Draws with the caller's renderer, such as a scene with a panel over it, and fetches the
    /// pixels.
    ///
    /// # Errors
    ///
    /// If the device has reported a fault, now or earlier.
    pub fn draw_by(
        &mut self,
        encode: impl FnOnce(&wgpu::Device, &wgpu::Queue, &mut wgpu::CommandEncoder, &wgpu::TextureView),
    ) -> Result<Picture, OffscreenError> {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&Default::default());
        encode(device, queue, &mut encoder, &self.view);
        queue.submit([encoder.finish()]);
        self.read()
    }

    /// Waits until everything submitted is drawn.
    ///
    /// # Errors
    ///
    /// If the device has reported a fault, now or earlier.
    pub fn finish(&self) -> Result<(), OffscreenError> {
        let waited = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        if let Some(fault) = self.gpu.fault() {
            return Err(OffscreenError::Gpu(fault));
        }
        waited.map(drop).map_err(|e| OffscreenError::Gpu(format!("graphics error: {e}")))
    }

    /// Fetches the pixels of the last frame, and waits until it is drawn.
    ///
    /// # Errors
    ///
    /// If the device has reported a fault, now or earlier.
    pub fn read(&mut self) -> Result<Picture, OffscreenError> {
        let [width, height] = self.size();
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.readback,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row(width)),
                    rows_per_image: None,
                },
            },
            self.texture.size(),
        );
        queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        self.readback.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is dropped only if waiting has failed, which is reported below.
            let _ = sender.send(result);
        });
        self.finish()?;
        let fault = |e: &dyn std::fmt::Display| {
            OffscreenError::Gpu(format!("cannot read the picture back: {e}"))
        };
        receiver.try_recv().map_err(|e| fault(&e))?.map_err(|e| fault(&e))?;
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        {
            let mapped = self.readback.get_mapped_range(..).map_err(|e| fault(&e))?;
            for row in mapped.chunks_exact(padded_row(width) as usize) {
                rgba.extend_from_slice(&row[..4 * width as usize]);
            }
        }
        self.readback.unmap();
        Ok(Picture { width, height, rgba })
    }

    /// Draws a scene and fetches the pixels: all three steps.
    ///
    /// # Errors
    ///
    /// If the device has reported a fault, now or earlier.
    pub fn draw(&mut self, scene: &SceneView<'_>) -> Result<Picture, OffscreenError> {
        self.submit(scene);
        self.read()
    }

    fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    /// The number of buffers and textures that the renderer has created; see
    /// [`SceneRenderer::gpu_allocations`].
    pub fn gpu_allocations(&self) -> u64 {
        self.renderer.gpu_allocations()
    }
}

/// Bytes from one row to the next in a buffer that a texture is copied into.
fn padded_row(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
