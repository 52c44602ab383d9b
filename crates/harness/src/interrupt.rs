//! Ctrl-C: ends within a second, and keeps what is done.

use crate::console;
use crate::failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Time to end in order. What is still at work then is a piece that cannot be asked: an algorithm's
/// update, the placing of a million objects.
const GRACE: Duration = Duration::from_millis(700);

/// From here on Ctrl-C sets the flag that this returns, and ends the process where nobody heeds it.
/// Whatever is on the disk then can be gone on with, as after any other kill.
pub(crate) fn heed() -> &'static AtomicBool {
    let handler = || {
        STOP.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        console::error("stopped");
        std::process::exit(failure::STOPPED.into());
    };
    // Where there are no signals to be had, Ctrl-C ends the process as it always did.
    let _ = ctrlc::set_handler(handler);
    &STOP
}
