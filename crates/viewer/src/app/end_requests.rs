//! Requests to end the program, such as Ctrl-C.

use super::event_loop::News;
use measure::{Exit, end};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use winit::event_loop::EventLoopProxy;

/// How long a window may save what would be lost. It waits for its simulation up to three times, three seconds each.
const GRACE: Duration = Duration::from_secs(15);

/// Requests within this time are one: a logout sends SIGHUP once from the terminal and once from its shell.
const ONE_REQUEST: Duration = Duration::from_secs(1);

/// Passes the first request to the window, which saves what would be lost. The process ends at once at the next one,
/// and without a window.
#[derive(Clone, Debug, Default)]
pub struct EndRequests {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    NoWindow,
    Window(EventLoopProxy<News>),
    /// The window saves, since this time.
    Ending(Instant),
}

impl EndRequests {
    /// Passes the next request to this window.
    pub(super) fn pass_to(&self, window: EventLoopProxy<News>) {
        self.set(State::Window(window));
    }

    /// There is no window any more, and nothing to save.
    pub(super) fn window_is_gone(&self) {
        self.set(State::NoWindow);
    }

    fn set(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Ends the program, on another thread than the window's.
    pub fn end(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::NoWindow => end(Exit::Stopped),
            State::Window(window) => {
                // A closed window takes no events: it is saving already.
                let _ = window.send_event(News::EndRequested);
                *state = State::Ending(Instant::now());
            }
            State::Ending(since) if since.elapsed() < ONE_REQUEST => return,
            State::Ending(_) => end(Exit::Stopped),
        }
        drop(state);
        let late = thread::Builder::new().spawn(|| {
            thread::sleep(GRACE);
            end(Exit::Stopped);
        });
        if late.is_err() {
            end(Exit::Stopped);
        }
    }
}
