//! Signals, the end of a process, and the exit codes that the project's programs share.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::register;
use sim::remove_unfinished;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time between two checks for a request to end.
const PAUSE: Duration = Duration::from_millis(50);

/// How a program ends. Where several codes apply, the greatest is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// All went well.
    #[default]
    Ok = 0,
    /// A failure while running, such as a panic of an algorithm.
    Running = 1,
    /// A wrong command line.
    Usage = 2,
    /// A bad input file.
    BadInput = 3,
    /// An algorithm gave wrong pairs.
    Disagreement = 4,
    /// A regression against a baseline.
    Regression = 5,
    /// Ctrl-C: 128 and the number of the signal.
    Stopped = 130,
}

impl Exit {
    /// The number that the process returns.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Makes a write beyond the limit on the length of files (`ulimit -f`) fail with an error, which names the
/// file. The system would end the process, and leave the file as it is.
pub fn report_file_size_limit() {
    // With any handler of its signal, the write fails. Without one, all is as it would be without this.
    #[cfg(unix)]
    let _ = register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Calls `handler` at Ctrl-C and at requests to end (SIGTERM, SIGHUP), on a thread of its own. Where the system refuses the
/// thread or a handler, they end the process as they do by default.
///
/// A SIGHUP that is ignored at the start stays so: `nohup` ignores it, for runs that go on after a logout.
pub fn handle_requests_to_end(mut handler: impl FnMut() + Send + 'static) {
    let mut requests = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    requests.extend(Some(signal_hook::consts::SIGHUP).filter(|signal| !is_ignored(*signal)));
    let is_asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_asked);
    let wait = move || {
        loop {
            if flag.swap(false, Ordering::Relaxed) {
                handler();
            }
            std::thread::sleep(PAUSE);
        }
    };
    // First: without the thread, a set handler would swallow the signals.
    if std::thread::Builder::new().spawn(wait).is_ok() {
        for signal in requests {
            let _ = register(signal, Arc::clone(&is_asked));
        }
    }
}

/// Whether the process ignores `signal`: without `unsafe`, known on Linux only.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Ends the process, while other threads may be at work. Its temporary files are removed.
///
/// It skips what libraries do at an exit: graphics drivers free what threads draw with, and what those of a pool free
/// as they end.
pub fn end(exit: Exit) -> ! {
    let _until_the_end = remove_unfinished();
    // A failure cannot be reported any more.
    let _ = std::io::stdout().flush();
    let code = i32::from(exit.code());
    signal_hook::low_level::exit(code)
}
