//! Ctrl-C and requests to end (SIGTERM, SIGHUP): ends within a second, and keeps what is done. A file that exceeds the
//! limit of the process (SIGXFSZ) is a failed write: `measure::report_file_size_limit`.

use crate::console;
use measure::{Exit, end, handle_requests_to_end};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Set by these signals.
static STOP: AtomicBool = AtomicBool::new(false);

/// Time to end in order, of what checks the flag. An algorithm's update does not.
const GRACE: Duration = Duration::from_millis(700);

/// Installs the handler of these signals: it sets the flag that this returns, and ends the process after [`GRACE`]. What is on the
/// disk then can be resumed, as after any other kill.
pub(crate) fn install_handler() -> &'static AtomicBool {
    let handler = || {
        STOP.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        console::error("stopped");
        end(Exit::Stopped);
    };
    handle_requests_to_end(handler);
    &STOP
}
