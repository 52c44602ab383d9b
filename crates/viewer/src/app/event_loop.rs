//! The window system's event loop, and the events that other threads send to it.

use super::dialogs::Answer;
use super::error::WindowError;
use crate::one_line::one_line;
use std::panic::{AssertUnwindSafe, catch_unwind};
use winit::event_loop::EventLoop;

/// An event from another thread.
#[derive(Debug)]
pub(super) enum News {
    /// There is a new snapshot.
    Snapshot,
    /// A file dialog was answered.
    Answer(Answer),
}

/// Opens the event loop. If some of its libraries are missing, winit panics instead of failing.
pub(super) fn open() -> Result<EventLoop<News>, WindowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| EventLoop::with_user_event().build()));
    std::panic::set_hook(hook);
    match opened {
        Ok(opened) => opened.map_err(|e| WindowError::NoDisplay(without_origin(&e.to_string()))),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(WindowError::NoDisplay(one_line(&text.unwrap_or_default())))
        }
    }
}

/// The message of a winit error, without the place in winit's sources that it begins with.
pub(super) fn without_origin(text: &str) -> String {
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
}
