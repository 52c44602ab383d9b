//! The window system's event loop, and the events that other threads send to it.

use super::error::WindowError;
use crate::one_line::one_line;
use crate::platform::Answer;
use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Arc;
use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;

/// Libraries of the window, as the paths of their sources name them: `dpi` is winit's.
const LIBRARIES: [&str; 3] = ["winit-", "dpi-", "wgpu-"];

/// An event from another thread.
#[derive(Debug)]
pub(super) enum News {
    /// There is a new snapshot.
    Snapshot,
    /// A file dialog was answered.
    Answer(Answer),
    /// Files are dragged over the window that cannot be dropped.
    Undroppable(String),
}

/// Opens the event loop. If some of its libraries are missing, winit panics instead of failing.
pub(super) fn open() -> Result<EventLoop<News>, WindowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| EventLoop::with_user_event().build()));
    std::panic::set_hook(hook);
    match opened {
        Ok(opened) => opened.map_err(|e| WindowError::NoDisplay(without_origin(&e.to_string()))),
        Err(payload) => Err(WindowError::NoDisplay(text_of(&*payload))),
    }
}

/// Runs the event loop until the window is closed.
///
/// # Errors
///
/// What failed, a panic included: winit panics where the connection to the display breaks. The state of `app` is still to be
/// saved then. Where Xlib finds its connection broken between two events, it ends the process instead.
pub(super) fn run(
    event_loop: EventLoop<News>,
    app: &mut impl ApplicationHandler<News>,
) -> Result<(), String> {
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
    let ran = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(app)));
    std::panic::set_hook(Box::new(move |panic| hook(panic)));
    match ran {
        Ok(ended) => ended.map_err(|e| without_origin(&e.to_string())),
        Err(payload) => Err(format!("the window failed: {}", text_of(&*payload))),
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
