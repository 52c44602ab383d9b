//! A GPU buffer that grows with its contents and never shrinks.

/// A growing buffer of vertices or instances.
pub(crate) struct GrowingBuffer {
    label: &'static str,
    buffer: wgpu::Buffer,
    items: u32,
    created: u64,
}

impl GrowingBuffer {
    pub(crate) fn new(device: &wgpu::Device, label: &'static str) -> Self {
        Self { label, buffer: create(device, label, 256), items: 0, created: 1 }
    }

    /// Replaces the contents.
    pub(crate) fn write<T: bytemuck::Pod>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        items: &[T],
    ) {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        let needed = bytes.len() as u64;
        if needed > self.buffer.size() {
            // In powers of two, so that a slowly growing scene does not create a buffer every
            // frame.
            let roomy = needed.next_power_of_two().min(device.limits().max_buffer_size);
            self.buffer = create(device, self.label, roomy.max(needed));
            self.created += 1;
        }
        if !bytes.is_empty() {
            queue.write_buffer(&self.buffer, 0, bytes);
        }
        self.items = items.len() as u32;
    }

    /// The number of items written last.
    pub(crate) fn items(&self) -> u32 {
        self.items
    }

    pub(crate) fn slice(&self) -> wgpu::BufferSlice<'_> {
        self.buffer.slice(..)
    }

    /// The number of buffers created so far.
    pub(crate) fn created(&self) -> u64 {
        self.created
    }
}

fn create(device: &wgpu::Device, label: &str, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
