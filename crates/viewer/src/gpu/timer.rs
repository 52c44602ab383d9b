//! GPU time of pictures, by the GPU's own clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wgpu::util::DownloadBuffer;

/// Reads the GPU's clock before and after each picture. The times arrive one or two pictures later.
pub struct GpuTimer {
    /// `None` if the device has no clock to read.
    timestamps: Option<Timestamps>,
    /// Nanoseconds that have arrived.
    sum_ns: Arc<AtomicU64>,
}

/// The two timestamps of the last picture.
struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    period_ns: f64,
}

impl GpuTimer {
    /// The features that an adapter must offer.
    pub const FEATURES: wgpu::Features =
        wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

    /// A timer of a device.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let timestamps = device.features().contains(Self::FEATURES).then(|| Timestamps {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("picture"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: 2 * size_of::<u64>() as u64,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            period_ns: f64::from(queue.get_timestamp_period()),
        });
        Self { timestamps, sum_ns: Arc::default() }
    }

    /// Submits what `draw` encodes, with a timestamp before and one after it.
    pub fn submit(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        draw: impl FnOnce(&mut wgpu::CommandEncoder),
    ) {
        let mut encoder = device.create_command_encoder(&Default::default());
        let Some(Timestamps { queries, resolved, period_ns }) = &self.timestamps else {
            draw(&mut encoder);
            queue.submit([encoder.finish()]);
            return;
        };
        encoder.write_timestamp(queries, 0);
        draw(&mut encoder);
        encoder.write_timestamp(queries, 1);
        encoder.resolve_query_set(queries, 0..2, resolved, 0);
        queue.submit([encoder.finish()]);
        let (sum_ns, period_ns) = (Arc::clone(&self.sum_ns), *period_ns);
        DownloadBuffer::read_buffer(device, queue, &resolved.slice(..), move |bytes| {
            // A lost device has none.
            let Ok(bytes) = bytes else { return };
            let [begin, end]: [u64; 2] = bytemuck::pod_read_unaligned(&bytes);
            let ns = end.saturating_sub(begin) as f64 * period_ns;
            sum_ns.fetch_add(ns as u64, Ordering::Relaxed);
        });
    }

    /// Nanoseconds of the pictures whose times have arrived since the last call. Times arrive when the device is polled, as
    /// by each submission.
    pub fn collect(&self) -> u64 {
        self.sum_ns.swap(0, Ordering::Relaxed)
    }
}
