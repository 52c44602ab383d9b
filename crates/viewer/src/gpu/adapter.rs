//! Names of graphics adapters.

use std::fmt;

/// The name and kind of an adapter, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// The driver's name for it.
    pub name: String,
    /// The graphics API in use: Vulkan, OpenGL, Metal, ...
    pub backend: String,
    /// Discrete GPU, integrated GPU, software, ...
    pub kind: &'static str,
    /// Whether the CPU draws. Anti-aliasing then costs half of the frame rate.
    pub software: bool,
}

impl AdapterSummary {
    pub(crate) fn of(info: &wgpu::AdapterInfo) -> Self {
        // OpenGL reports no type of a device; its software renderers are recognised by name.
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
