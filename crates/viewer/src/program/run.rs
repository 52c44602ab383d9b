//! The program in a window or without one.

use super::{opening, without_window};
use crate::app::{self, Display, WindowError};
use crate::cli::Arguments;
use crate::console;
use crate::failure::Failure;
use crate::format::counted;
use crate::platform::Platform;
use broadphase::inspect::Overlay;
use measure::{
    AllocationCount, Clock, Exit, MonotonicClock, RunId, handle_requests_to_end,
    report_file_size_limit,
};

/// Runs the program. `allocations` counts the process' heap allocations. Returns how the process is to [`end`](measure::end): a
/// simulation may still be at work.
pub fn run(arguments: &Arguments, allocations: AllocationCount) -> Exit {
    report_file_size_limit();
    // Unsaved edits of a window are in a file already.
    handle_requests_to_end(|| measure::end(Exit::Stopped));
    let outcome = run_input(arguments, allocations);
    outcome.unwrap_or_else(|failure| {
        console::note(format_args!("error: {failure}"));
        failure.exit
    })
}

fn run_input(arguments: &Arguments, allocations: AllocationCount) -> Result<Exit, Failure> {
    RunId::check_clock()?;
    // Leaked: sessions on any thread use it until the program ends.
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
    let platform = Platform::system(clock);
    let opened = opening::open(arguments, platform.files)?;
    let input = &opened.input;
    for line in opened.note.iter().chain(&input.warnings) {
        console::note(line);
    }
    let case = opening::case(arguments, input)?;
    let threads = arguments.threads as usize;
    let mut pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    if arguments.headless {
        // So one thread needs no other, which the system may refuse.
        pool = pool.use_current_thread();
    }
    pool.build_global().map_err(|e| {
        Failure::running(format!("cannot start {}: {e}", counted(threads, "thread")))
    })?;
    if arguments.headless {
        return without_window::run(arguments, case, clock, allocations);
    }
    let display = Display::open();
    let start = opening::start(arguments, &opened, &case, platform)?;
    match display.and_then(|display| app::run(display, start, clock)) {
        Ok(()) => Ok(Exit::Ok),
        Err(WindowError::Broken(fault)) => Err(Failure::running(fault)),
        Err(missing) => {
            console::note(format_args!("No window: {missing}"));
            console::note("Running the scene without one:");
            if arguments.view.names(Overlay::Matrix) {
                console::note("the picture has no matrix");
            }
            without_window::run(arguments, case, clock, allocations)
        }
    }
}
