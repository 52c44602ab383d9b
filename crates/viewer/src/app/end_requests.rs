//! Requests to end the program, such as Ctrl-C.

use super::event_loop::News;
use measure::end_stopped;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use winit::event_loop::EventLoopProxy;

/// How long an open window may save what would be lost. It waits for its simulation up to three times, three seconds
/// each.
const GRACE: Duration = Duration::from_secs(15);

/// Passes the first request to the window, which saves what would be lost. The process ends at once at the second one,
/// and without a window.
#[derive(Clone, Debug, Default)]
pub struct EndRequests {
    window: Arc<Mutex<Option<EventLoopProxy<News>>>>,
}

impl EndRequests {
    /// Passes the next request to this window.
    pub(super) fn pass_to(&self, window: EventLoopProxy<News>) {
        *self.window.lock().unwrap_or_else(PoisonError::into_inner) = Some(window);
    }

    /// Ends the program, on another thread than the window's.
    pub fn end(&self) {
        let window = self.window.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A closed window takes no events.
        if window.is_none_or(|window| window.send_event(News::EndRequested).is_err()) {
            end_stopped();
        }
        let late = thread::Builder::new().spawn(|| {
            thread::sleep(GRACE);
            end_stopped();
        });
        if late.is_err() {
            end_stopped();
        }
    }
}
