//! Access to a GPU: instance, adapter, device, and the first fault that it reports outside of any call.
//!
//! Acquisition is asynchronous, as a browser needs it. [`Gpu::headless`] blocks, for programs and
//! tests without a window.

mod adapter;
mod error;
mod timer;

pub use adapter::AdapterSummary;
pub use error::GpuError;
pub use timer::GpuTimer;

use crate::one_line::one_line;
use std::sync::{Arc, OnceLock};

/// A device that is ready to draw, and its recorded faults.
///
/// By default wgpu panics on an uncaptured error: a destroyed window or a lost driver would end the
/// program from within a draw call. Here such an error is recorded instead, and the owner of the
/// frame loop checks [`Gpu::fault`] once a frame.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The instance that the adapter belongs to; it also creates surfaces.
    pub instance: wgpu::Instance,
    /// The chosen adapter.
    pub adapter: wgpu::Adapter,
    /// Creates buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Receives finished commands.
    pub queue: wgpu::Queue,
    /// The first fault; later ones are mostly its consequences.
    fault: Arc<OnceLock<String>>,
}

impl Gpu {
    /// An instance for windows of a display; obeys the `WGPU_*` environment variables.
    ///
    /// Without the display's handle the OpenGL backend cannot present.
    pub fn instance_for_display(
        display: Box<dyn wgpu::wgt::WgpuHasDisplayHandle>,
    ) -> wgpu::Instance {
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(display))
    }

    /// Acquires the best adapter (real ones before software) and its device.
    ///
    /// With a `surface` only adapters that can present to it are considered.
    ///
    /// # Errors
    ///
    /// If there is no adapter, or it refuses a device.
    pub async fn acquire(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            // Sorts discrete before integrated before software, over all backends.
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .map_err(|e| GpuError::NoAdapter { reason: one_line(&e.to_string()) })?;

        let (device, queue) =
            adapter.request_device(&Self::wanted(&adapter)).await.map_err(|e| {
                GpuError::NoDevice {
                    adapter: AdapterSummary::of(&adapter.get_info()).to_string(),
                    reason: one_line(&e.to_string()),
                }
            })?;
        Ok(Self::new(instance, adapter, device, queue))
    }

    /// The device to ask an adapter for.
    pub fn wanted(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        // Limits of WebGL2 keep the renderer fit for browsers: a use beyond them fails here
        // already.
        let offered = adapter.limits();
        let limits = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            ..wgpu::Limits::downlevel_webgl2_defaults().using_resolution(offered)
        };
        wgpu::DeviceDescriptor {
            label: Some("viewer"),
            required_limits: limits,
            // The only feature beyond WebGL2, and nothing depends on it.
            required_features: adapter.features() & GpuTimer::FEATURES,
            ..Default::default()
        }
    }

    /// A device that is there, whose faults are recorded from now on.
    pub fn new(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Self {
        let fault = Arc::<OnceLock<String>>::default();
        let record = |known: &Arc<OnceLock<String>>, fault: String| {
            log::error!("{fault}");
            let _ = known.set(fault);
        };
        let known = Arc::clone(&fault);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            record(&known, format!("graphics error: {}", one_line(&error.to_string())));
        }));
        let known = Arc::clone(&fault);
        device.set_device_lost_callback(move |reason, message| {
            // Dropping the device ourselves is reported here too.
            if reason != wgpu::DeviceLostReason::Destroyed {
                record(&known, format!("the graphics device was lost: {}", one_line(&message)));
            }
        });
        Self { instance, adapter, device, queue, fault }
    }

    /// A device for drawing without a window; obeys the `WGPU_*` environment variables. Blocks until it is acquired.
    ///
    /// # Errors
    ///
    /// If there is no adapter, or it refuses a device.
    pub fn headless() -> Result<Self, GpuError> {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        pollster::block_on(Self::acquire(wgpu::Instance::new(descriptor), None))
    }

    /// The name and kind of the adapter.
    pub fn adapter_summary(&self) -> AdapterSummary {
        AdapterSummary::of(&self.adapter.get_info())
    }

    /// The first fault since the start. After a fault, pictures can no longer be trusted.
    pub fn fault(&self) -> Option<String> {
        self.fault.get().cloned()
    }
}
