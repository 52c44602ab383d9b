//! The measuring command line: list, run, verify, record, compare; plot, report, thesis, speed, atlas,
//! capacity.
//!
//! Exit codes: 0 ok, 1 failure while running, 2 usage, 3 bad input file, 4 algorithms disagree,
//! 5 regression against a baseline, 130 stopped by Ctrl-C.

mod cli;
mod commands;
mod console;
mod failure;
mod page_files;
#[cfg(target_os = "linux")]
mod perf;
mod progress;
#[doc(hidden)]
pub mod reading;
mod registry;
mod study;

use clap::Parser;
use cli::Cli;
use failure::Failure;
use measure::{
    AllocationCount, Exit, HeapProbe, Instruments, MonotonicClock, RunId, end,
    handle_requests_to_end, report_file_size_limit,
};
use sim::printable;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(not(target_os = "linux"))]
mod perf {
    pub(crate) fn open() -> (Option<Box<dyn measure::HardwareCounters>>, String) {
        (None, "none: they are read on Linux only".to_owned())
    }
}

/// What every command gets from the process.
struct Process {
    /// How it was called.
    command_line: Vec<String>,
    /// It starts when it is first read.
    clock: LazyLock<MonotonicClock>,
    /// The number of heap allocations, if the allocator counts them.
    allocations: Option<AllocationCount>,
    /// Bytes of the heap, if the allocator counts them.
    heap: Option<HeapProbe>,
    /// Set by Ctrl-C.
    stop: &'static AtomicBool,
}

impl Process {
    /// The instruments without the counters of the processor.
    fn instruments(&self) -> Instruments<'_> {
        Instruments { heap: self.heap, ..Instruments::new(&*self.clock, self.allocations) }
    }
}

/// Runs the command line `arguments`, the program's name first. `allocations` and `heap` count what
/// the process has allocated, if the binary's allocator does. Returns how the process is to [`end`].
pub fn run(
    arguments: Vec<OsString>,
    allocations: Option<AllocationCount>,
    heap: Option<HeapProbe>,
) -> Exit {
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // It quotes arguments, whose control characters are escaped.
            let shown = arguments.iter().map(|a| printable(&a.to_string_lossy()).into_owned());
            let error = Cli::try_parse_from(shown).err().unwrap_or(error);
            // Help goes to standard output, errors to standard error. A failure to print cannot be
            // reported.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Ok };
        }
    };
    report_file_size_limit();
    measure::work_on_this_thread();
    let process = Process {
        command_line: command_line(&arguments),
        clock: LazyLock::new(MonotonicClock::new),
        allocations,
        heap,
        stop: install_handler(),
    };
    // The panic hook has printed the message.
    let checked =
        || RunId::check_clock().map_err(Failure::from).and_then(|()| cli.command.run(&process));
    let result =
        catch_unwind(AssertUnwindSafe(checked)).unwrap_or(Err(Failure::Reported(Exit::Running)));
    match result {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            console::report(&failure);
            failure.exit()
        }
    }
}

/// The command line with the program's name instead of its path, which says nothing elsewhere.
fn command_line(arguments: &[OsString]) -> Vec<String> {
    let program = env!("CARGO_PKG_NAME").to_owned();
    let rest = arguments.iter().skip(1).map(|a| a.to_string_lossy().into_owned());
    std::iter::once(program).chain(rest).collect()
}

/// Set by Ctrl-C and requests to end (SIGTERM, SIGHUP).
static STOP: AtomicBool = AtomicBool::new(false);

/// Time to end in order, of what checks the flag. An algorithm's update does not.
const GRACE: Duration = Duration::from_millis(700);

/// Installs the handler of Ctrl-C and requests to end: it sets the flag that this returns, and ends the process after [`GRACE`]. What is on the
/// disk then can be resumed, as after any other kill.
fn install_handler() -> &'static AtomicBool {
    let handler = || {
        STOP.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        console::error("stopped");
        end(Exit::Stopped);
    };
    handle_requests_to_end(handler);
    &STOP
}
