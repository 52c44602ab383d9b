//! Signals, the end of a process, and the exit codes that the project's programs share.

use sim::remove_unfinished;
use std::io::Write;

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
    let _ = signal_hook::flag::register(
        signal_hook::consts::SIGXFSZ,
        std::sync::Arc::<std::sync::atomic::AtomicBool>::default(),
    );
}

/// Calls `handler` at Ctrl-C and at requests to end (SIGTERM, SIGHUP), on a thread of its own. Where the system refuses the
/// thread or a handler, they end the process as they do by default.
///
/// A SIGHUP that is ignored at the start stays so: `nohup` ignores it, for runs that go on after a logout.
pub fn handle_requests_to_end(mut handler: impl FnMut() + Send + 'static) {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        let requests = [SIGINT, SIGTERM, SIGHUP];
        let requests = requests.iter().filter(|&&signal| signal != SIGHUP || !is_ignored(signal));
        let requests: Vec<_> = requests.copied().collect();
        let (handles, handled) = std::sync::mpsc::channel::<()>();
        // Set by the thread itself: without it, a set handler would swallow the signals.
        let handle = move || {
            let signals = Signals::new(requests);
            drop(handles);
            signals.into_iter().for_each(|mut signals| signals.forever().for_each(|_| handler()));
        };
        if std::thread::Builder::new().spawn(handle).is_ok() {
            // Until the handlers are set.
            let _ = handled.recv();
        }
    }
    #[cfg(windows)]
    let _ = ctrlc::set_handler(move || handler());
    // A page gets no signals.
    #[cfg(not(any(unix, windows)))]
    let _ = &mut handler;
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
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code)
}
