//! Why there is no graphics device, and what to do about it.

/// Why the GPU cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No driver offers an adapter that fits the window.
    #[error("no graphics adapter found; {} ({reason})", install_hint())]
    NoAdapter {
        /// The message of the backends.
        reason: String,
    },
    /// The adapter gives no device.
    #[error("the graphics adapter {adapter} gives no device; update its driver ({reason})")]
    NoDevice {
        /// The adapter's summary.
        adapter: String,
        /// The message of the driver.
        reason: String,
    },
}

/// Advice on how to get a driver on this platform.
fn install_hint() -> &'static str {
    if cfg!(target_os = "linux") {
        "install a Vulkan driver, on Debian or Ubuntu: apt-get install mesa-vulkan-drivers"
    } else if cfg!(target_family = "wasm") {
        "use a browser with WebGPU or WebGL2 switched on"
    } else {
        "install or update the graphics driver"
    }
}
