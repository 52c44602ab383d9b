//! The program, called from tests.

use predicates::str::contains;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The program in a folder, with arguments separated by blanks.
pub(crate) fn harness(folder: &Path, arguments: &str) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::from_std(command(folder, arguments));
    // A command that is not refused as it should be may run for hours.
    command.timeout(Duration::from_secs(1800));
    command
}

/// The same to be started, and killed.
pub(crate) fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.current_dir(folder).args(shlex::split(arguments).unwrap());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A command that ends with a code, and names the reason on standard error.
#[track_caller]
pub(crate) fn refused(folder: &Path, arguments: impl AsRef<str>, code: i32, reason: &str) {
    let command = harness(folder, arguments.as_ref()).assert().code(code);
    command.stderr(contains(reason.to_owned()));
}

/// A command that succeeds, and prints a text.
#[track_caller]
pub(crate) fn prints(folder: &Path, arguments: impl AsRef<str>, text: &str) {
    let command = harness(folder, arguments.as_ref()).assert().code(0);
    command.stdout(contains(text.to_owned()));
}
