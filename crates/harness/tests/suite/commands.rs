//! The program, called from tests.

use std::fs;
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

/// Runs a command in a folder, and kills it when it `is_time`. On a busy machine it may end first: then it begins again,
/// without the folder `out`.
pub(crate) fn kill_when(folder: &Path, arguments: &str, out: &str, is_time: impl Fn() -> bool) {
    for _ in 0..100 {
        let mut child = command(folder, arguments).stdout(Stdio::null()).spawn().unwrap();
        while !is_time() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            return;
        }
        fs::remove_dir_all(folder.join(out)).unwrap();
    }
    panic!("`{arguments}` was never killed in time");
}
