//! Getting at a GPU: instance, adapter, device, and what to say when there is none.
//!
//! Acquisition is asynchronous, as a browser needs it; [`Gpu::headless`] blocks, for programs and
//! tests without a window.

mod timer;

pub use timer::GpuTimer;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A device that is ready to draw, and where its faults are kept.
///
/// By default wgpu panics on an error that nobody awaits: a destroyed window or a lost driver would
/// take the program down from within a draw call. Here such an error is recorded instead, and the
/// owner of the frame loop looks at [`Gpu::fault`] once a frame.
#[derive(Debug)]
pub struct Gpu {
    /// What made the adapter; surfaces are made by it too.
    pub instance: wgpu::Instance,
    /// The chosen adapter.
    pub adapter: wgpu::Adapter,
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes finished commands.
    pub queue: wgpu::Queue,
    faults: Faults,
}

impl Gpu {
    /// An instance for drawing without a window; obeys the `WGPU_*` environment variables.
    pub fn instance_without_display() -> wgpu::Instance {
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env())
    }

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
    /// When there is no adapter, or it refuses a device.
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

        // Asking for no more than WebGL2 gives keeps the renderer fit for it: what goes beyond
        // fails here already, not only in a browser.
        let offered = adapter.limits();
        let limits = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            ..wgpu::Limits::downlevel_webgl2_defaults().using_resolution(offered)
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("viewer"),
            required_limits: limits,
            // The only feature beyond WebGL2, and nothing depends on it.
            required_features: adapter.features() & GpuTimer::FEATURES,
            ..Default::default()
        };
        let (device, queue) =
            adapter.request_device(&descriptor).await.map_err(|e| GpuError::NoDevice {
                adapter: AdapterSummary::of(&adapter.get_info()).to_string(),
                reason: one_line(&e.to_string()),
            })?;

        let faults = Faults::default();
        faults.listen_to(&device);
        Ok(Self { instance, adapter, device, queue, faults })
    }

    /// A device for drawing without a window. Blocks until it is there.
    ///
    /// # Errors
    ///
    /// When there is no adapter, or it refuses a device.
    pub fn headless() -> Result<Self, GpuError> {
        pollster::block_on(Self::acquire(Self::instance_without_display(), None))
    }

    /// Which adapter this is.
    pub fn adapter_summary(&self) -> AdapterSummary {
        AdapterSummary::of(&self.adapter.get_info())
    }

    /// The first fault since the start, if any; after one, pictures can no longer be trusted.
    pub fn fault(&self) -> Option<String> {
        self.faults.first()
    }

    /// A handle to the recorded faults that outlives the borrow of the device.
    pub fn faults(&self) -> Faults {
        self.faults.clone()
    }
}

/// Faults that the device reported outside of any call: validation errors, a lost device.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<Option<String>>>);

impl Faults {
    /// The first fault that was recorded; later ones are mostly its consequences.
    pub fn first(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record(&self, fault: String) {
        log::error!("{fault}");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }

    fn listen_to(&self, device: &wgpu::Device) {
        let faults = self.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            faults.record(format!("graphics error: {}", one_line(&error.to_string())));
        }));
        let faults = self.clone();
        device.set_device_lost_callback(move |reason, message| {
            // Our own dropping of the device is reported here too.
            if reason != wgpu::DeviceLostReason::Destroyed {
                faults.record(format!("the graphics device was lost: {}", one_line(&message)));
            }
        });
    }
}

/// What a user wants to know about an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Its name, as the driver gives it.
    pub name: String,
    /// The programming interface that is used: Vulkan, OpenGL, Metal, ...
    pub backend: String,
    /// Discrete GPU, integrated GPU, software, ...
    pub kind: &'static str,
    /// Whether the CPU does the drawing; then anti-aliasing is better left off.
    pub software: bool,
}

impl AdapterSummary {
    fn of(info: &wgpu::AdapterInfo) -> Self {
        // OpenGL does not tell the type of a device, but the software ones are known by name.
        let known_by_name = ["llvmpipe", "softpipe", "swiftshader"]
            .iter()
            .any(|known| info.name.to_lowercase().contains(known));
        let software = info.device_type == wgpu::DeviceType::Cpu || known_by_name;
        let kind = match info.device_type {
            _ if software => "software",
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu | wgpu::DeviceType::Other => "unknown kind",
        };
        let backend = match info.backend {
            wgpu::Backend::Vulkan => "Vulkan".to_owned(),
            wgpu::Backend::Gl => "OpenGL".to_owned(),
            wgpu::Backend::Metal => "Metal".to_owned(),
            wgpu::Backend::Dx12 => "Direct3D 12".to_owned(),
            wgpu::Backend::BrowserWebGpu => "WebGPU".to_owned(),
            other => other.to_string(),
        };
        Self { name: info.name.clone(), backend, kind, software }
    }
}

impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}, {}]", self.name, self.backend, self.kind)
    }
}

/// Why nothing can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No driver offers an adapter, or none that fits the window.
    #[error("no graphics adapter found; {} ({reason})", install_hint())]
    NoAdapter {
        /// What the backends said.
        reason: String,
    },
    /// The adapter is there, but gives no device.
    #[error("the graphics adapter {adapter} gives no device; update its driver ({reason})")]
    NoDevice {
        /// The adapter's summary.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
}

/// How to get a driver on this platform.
fn install_hint() -> &'static str {
    if cfg!(target_os = "linux") {
        "install a Vulkan driver, on Debian or Ubuntu: apt-get install mesa-vulkan-drivers"
    } else if cfg!(target_family = "wasm") {
        "use a browser with WebGPU or WebGL2 switched on"
    } else {
        "install or update the graphics driver"
    }
}

/// Backends explain themselves over several indented lines; an error here is one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_adapter_is_told_in_one_line_with_the_remedy() {
        let text = GpuError::NoAdapter { reason: one_line("nothing\n  at all") }.to_string();
        assert!(text.ends_with("(nothing at all)"), "{text}");
        assert_eq!(text.lines().count(), 1);
        if cfg!(target_os = "linux") {
            assert!(text.contains("apt-get install mesa-vulkan-drivers"), "{text}");
        }
    }

    #[test]
    fn the_first_fault_is_kept_and_seen_by_every_handle() {
        let faults = Faults::default();
        let other = faults.clone();
        assert_eq!(other.first(), None);
        faults.record("cause".to_owned());
        faults.record("consequence".to_owned());
        assert_eq!(other.first().as_deref(), Some("cause"));
    }
}
