//! The window system's event loop, and the events that other threads send to it.

use super::error::WindowError;
use crate::console;
use crate::one_line::one_line;
use crate::platform::Answer;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::WindowId;

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
    /// The program is to end.
    EndRequested,
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
/// What failed, a panic included: winit panics where the connection to the display breaks. The state of
/// `app` is still to be saved then. Where a library ends the process instead, `save` is called before.
pub(super) fn run<A: ApplicationHandler<News> + 'static>(
    event_loop: EventLoop<News>,
    app: &Rc<RefCell<A>>,
    save: fn(&mut A),
) -> Result<(), String> {
    let at_exit = Rc::clone(app);
    AT_EXIT.set(AtExit(Some(Box::new(move || {
        match at_exit.try_borrow_mut() {
            Ok(mut app) => save(&mut app),
            // The library ended it from within an event.
            Err(_) => {
                console::note("error: the connection to the display broke; nothing could be saved")
            }
        }
    }))));
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
    let mut shared = Shared(Rc::clone(app));
    let ran = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(&mut shared)));
    AT_EXIT.with_borrow_mut(|at_exit| at_exit.0 = None);
    std::panic::set_hook(Box::new(move |panic| hook(panic)));
    match ran {
        Ok(ended) => ended.map_err(|e| without_origin(&e.to_string())),
        Err(payload) => Err(format!("the window failed: {}", text_of(&*payload))),
    }
}

thread_local! {
    /// What is done if a library ends the process during the event loop.
    ///
    /// Where Xlib finds its connection broken between two events, it calls `exit`. This still drops the values of the
    /// calling thread.
    static AT_EXIT: RefCell<AtExit> = const { RefCell::new(AtExit(None)) };
}

/// Calls a function when it is dropped.
struct AtExit(Option<Box<dyn FnOnce()>>);

impl Drop for AtExit {
    fn drop(&mut self) {
        if let Some(act) = self.0.take() {
            act();
        }
    }
}

/// An application that is borrowed during an event only.
struct Shared<A>(Rc<RefCell<A>>);

impl<A: ApplicationHandler<News>> ApplicationHandler<News> for Shared<A> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.0.borrow_mut().resumed(event_loop);
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        self.0.borrow_mut().new_events(event_loop, cause);
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, news: News) {
        self.0.borrow_mut().user_event(event_loop, news);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        self.0.borrow_mut().window_event(event_loop, id, event);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.0.borrow_mut().about_to_wait(event_loop);
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
