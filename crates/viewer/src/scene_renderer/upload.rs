//! Buffers and textures on the GPU.

use wgpu::BufferSlice;

/// Where contents are uploaded to, with the number of buffers and textures created so far.
pub(crate) struct Upload<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) queue: &'a wgpu::Queue,
    pub(crate) created: &'a mut u64,
}

/// A buffer of vertices or instances that grows with its contents and never shrinks.
#[derive(Default)]
pub(crate) struct GrowingBuffer {
    buffer: Option<wgpu::Buffer>,
    items: u32,
}

impl GrowingBuffer {
    /// Replaces the contents.
    pub(crate) fn write<T: bytemuck::Pod>(&mut self, upload: &mut Upload<'_>, items: &[T]) {
        self.items = items.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(items);
        let needed = bytes.len() as u64;
        let buffer = match &mut self.buffer {
            _ if bytes.is_empty() => return,
            Some(buffer) if needed <= buffer.size() => buffer,
            other => {
                *upload.created += 1;
                // In powers of two, so that a slowly growing scene does not create a buffer every
                // frame.
                let most = upload.device.limits().max_buffer_size;
                other.insert(upload.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("growing"),
                    size: needed.next_power_of_two().min(most).max(needed),
                    usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                }))
            }
        };
        upload.queue.write_buffer(buffer, 0, bytes);
    }

    /// The items written last, with their number; `None` without any.
    pub(crate) fn contents(&self) -> Option<(BufferSlice<'_>, u32)> {
        let buffer = self.buffer.as_ref().filter(|_| self.items > 0)?;
        Some((buffer.slice(..), self.items))
    }
}

/// A texture of one level.
pub(crate) fn texture(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
