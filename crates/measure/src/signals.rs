//! Signals, and the end of a process that got one.

use crate::Exit;
use sim::remove_unfinished;

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

/// Ends the process after a signal, while other threads are at work. Its temporary files are removed.
pub fn end_stopped() -> ! {
    remove_unfinished();
    let code = i32::from(Exit::Stopped.code());
    // Without what libraries do at an exit: drivers free what other threads draw with.
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code)
}
