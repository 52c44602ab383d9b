//! The display: the window system's event loop, and the graphics device that draws on its windows.

use super::error::WindowError;
use super::scale;
use crate::gpu::Gpu;
use crate::one_line::one_line;
use eframe::UserEvent;
use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Arc;
use winit::application::ApplicationHandler;
use winit::error::EventLoopError;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::platform::run_on_demand::EventLoopExtRunOnDemand as _;
use winit::window::{Window, WindowId};

/// Libraries of the window, as the paths of their sources name them: `dpi` is winit's.
const LIBRARIES: [&str; 6] = ["winit-", "dpi-", "xkbcommon-dl-", "wgpu-", "egui-wgpu-", "eframe-"];

/// A display on which no window is open yet.
pub struct Display {
    pub(super) event_loop: EventLoop<UserEvent>,
    pub(super) gpu: Gpu,
    /// The scale of the monitor.
    pub(super) scale: f64,
}

impl Display {
    /// Connects to the display, and acquires a device that can draw on its windows.
    ///
    /// # Errors
    ///
    /// If there is no display, or it has no window or no adapter.
    pub fn open() -> Result<Self, WindowError> {
        // If some of its libraries are missing, winit panics instead of failing.
        let event_loop = run(|| EventLoop::with_user_event().build());
        let mut event_loop = event_loop.map_err(WindowError::NoDisplay)?;
        let mut probe = Probe { found: None };
        let ran = run(|| event_loop.run_app_on_demand(&mut probe));
        let none = || Err(WindowError::NoWindow(ran.err().unwrap_or_default()));
        let (gpu, scale) = probe.found.take().unwrap_or_else(none)?;
        Ok(Self { event_loop, gpu, scale })
    }

    /// The device, which algorithms may share with the window.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

/// Acquires the device by the surface of a window that is never shown: an adapter may be unable to draw on a display, as
/// most are on a virtual one.
struct Probe {
    found: Option<Result<(Gpu, f64), WindowError>>,
}

impl ApplicationHandler<UserEvent> for Probe {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.found = Some(acquire(event_loop));
        event_loop.exit();
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, _: WindowEvent) {}
}

fn acquire(event_loop: &ActiveEventLoop) -> Result<(Gpu, f64), WindowError> {
    let scale = scale::of_display(event_loop)?;
    let no_window = |e: &dyn std::error::Error| WindowError::NoWindow(one_line(&e.to_string()));
    let hidden = Window::default_attributes().with_visible(false);
    let window = event_loop.create_window(hidden).map_err(|e| no_window(&e))?;
    let instance = Gpu::instance_for_display(Box::new(event_loop.owned_display_handle()));
    let surface = instance.create_surface(window).map_err(|e| no_window(&e))?;
    let gpu = pollster::block_on(Gpu::acquire(instance, Some(&surface)))?;
    if surface.get_capabilities(&gpu.adapter).present_modes.is_empty() {
        return Err(WindowError::NoWindow("the adapter cannot draw on it".to_owned()));
    }
    Ok((gpu, scale))
}

/// Opens an event loop, or runs one until its window is closed.
///
/// # Errors
///
/// The failure of a call, a panic included: winit panics where the connection to the display breaks, egui where the device is lost.
/// Where Xlib finds its connection broken between two events, it ends the process instead.
pub(super) fn run<T>(event_loop: impl FnOnce() -> Result<T, EventLoopError>) -> Result<T, String> {
    let hook: Arc<PanicHook> = std::panic::take_hook().into();
    let of_others = Arc::clone(&hook);
    std::panic::set_hook(Box::new(move |panic| {
        // Panics inside these libraries are not printed here: the caller reports them.
        // A folder of a registry is named after the library and its version.
        let is_of_library =
            |folder: &str| LIBRARIES.iter().any(|library| folder.starts_with(library));
        let is_reported = |file: &str| file.split(['/', '\\']).any(is_of_library);
        if !panic.location().is_some_and(|place| is_reported(place.file())) {
            of_others(panic);
        }
    }));
    let ran = catch_unwind(AssertUnwindSafe(event_loop));
    std::panic::set_hook(Box::new(move |panic| hook(panic)));
    match ran {
        Ok(ended) => ended.map_err(|e| without_origin(&e.to_string())),
        Err(payload) => Err(text_of(&*payload)),
    }
}

type PanicHook = dyn Fn(&PanicHookInfo<'_>) + Sync + Send;

/// The message of a panic, in one line. Of a result that was unwrapped, the error alone.
fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    one_line(text.strip_prefix("called `Result::unwrap()` on an `Err` value: ").unwrap_or(text))
}

/// The message of a winit error, without the place in winit's sources that it begins with.
fn without_origin(text: &str) -> String {
    let text = one_line(text);
    let message = match text.strip_prefix("os error at ") {
        Some(origin_first) => origin_first.split_once(": ").map_or(&*text, |(_, rest)| rest),
        None => &text,
    };
    message.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_system_error_is_reported_without_its_origin() {
        let text = "os error at /src/winit/x11.rs:765:\n neither A nor B: is set.";
        assert_eq!(without_origin(text), "neither A nor B: is set");
        assert_eq!(without_origin("not supported"), "not supported");
    }

    #[test]
    fn panic_of_an_unwrapped_error_is_reported_as_the_error() {
        // A real panic: its wording is that of the standard library.
        let panic = catch_unwind(|| "x".parse::<u32>().unwrap()).unwrap_err();
        assert_eq!(text_of(&*panic), "ParseIntError { kind: InvalidDigit }");
        assert_eq!(text_of(&"another"), "another");
    }
}
