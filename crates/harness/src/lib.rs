//! The measuring command line: list, run, verify, record; plot, report, thesis.
//!
//! Exit codes: 0 ok, 1 failure while running, 2 usage, 3 bad input file, 4 algorithms disagree.

mod cli;
mod commands;
mod console;
mod failure;
mod figures;
mod machine_sheet;
mod page_files;

use clap::Parser;
use cli::{Cli, Command};
use failure::Failure;
use measure::AllocationCount;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Runs the command line `arguments`, the program's name first. `allocations` counts what the
/// process has allocated, if the binary's allocator does.
pub fn run(arguments: Vec<OsString>, allocations: Option<AllocationCount>) -> ExitCode {
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to standard output, errors to standard error. Nobody is left to be told
            // where that fails.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { failure::USAGE } else { 0 });
        }
    };
    let command_line = command_line(&arguments);
    let dispatch = || match cli.command {
        Command::List(options) => commands::list::list(&options),
        Command::Run(options) => commands::run::run(&options, command_line, allocations),
        Command::Verify(options) => commands::verify::verify(&options),
        Command::Record(options) => commands::record::record(&options),
        Command::Plot(options) => commands::plot::plot(&options),
        Command::Report(options) => commands::report::report(&options),
        Command::Thesis(options) => commands::thesis::thesis(&options, command_line, allocations),
    };
    // What panicked has said so itself.
    let result = catch_unwind(AssertUnwindSafe(dispatch))
        .unwrap_or(Err(Failure::Reported { code: failure::RUNNING }));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.exit_code())
        }
    }
}

/// What was called: the program without the folder that it lies in, which says nothing elsewhere.
fn command_line(arguments: &[OsString]) -> Vec<String> {
    let program = env!("CARGO_PKG_NAME").to_owned();
    let rest = arguments.iter().skip(1).map(|a| a.to_string_lossy().into_owned());
    std::iter::once(program).chain(rest).collect()
}
