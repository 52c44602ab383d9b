//! A user to whom the system refuses threads: one does the work. A number that was asked for is refused with a message.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::process::{Command, Output};

/// An id that has no other rights.
const NOBODY: u32 = 65534;

/// Runs the program for a user whose processes and threads are limited.
fn limited(folder: &Path, limit: u32, arguments: &str) -> Output {
    let limit = format!("--nproc={limit}");
    let mut words = vec!["prlimit", &limit];
    let user = NOBODY.to_string();
    let [uid, gid] = ["reuid", "regid"].map(|id| format!("--{id}={user}"));
    // The limit does not bind the superuser.
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
        words = ["setpriv", &uid, &gid, "--clear-groups"].into_iter().chain(words).collect();
    }
    let mut command = Command::new(words[0]);
    // The user may have no right to enter the folder of the program.
    command.args(&words[1..]).arg("/proc/self/fd/0").args(arguments.split_whitespace());
    command.stdin(File::open(assert_cmd::cargo::cargo_bin!("harness")).unwrap());
    command.current_dir(folder).output().unwrap()
}

#[test]
fn user_without_threads_has_one_or_a_message() {
    let folder = crate::commands::Folder::new();
    let gas = "--boxes gas:300 --frames 3";
    for limit in [1, 3, 40] {
        for command in [
            "list".to_owned(),
            format!("record {gas} --out {limit}.bpt --quiet"),
            format!("verify {limit}.bpt --algorithms auto,bsp --quiet"),
            format!("run {gas} --algorithms auto --repeat 1 --out {limit} --quiet"),
            format!("report {limit} --out {limit}.html"),
        ] {
            let output = limited(folder.path(), limit, &command);
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{limit}: {command}: {}: {error}", output.status);
        }
        let output = limited(folder.path(), limit, &format!("verify {gas} --threads 1,64"));
        let error = String::from_utf8_lossy(&output.stderr);
        let expected = "error: cannot start 64 threads: Resource temporarily unavailable";
        assert!(error.starts_with(expected), "{limit}: {error}");
        assert_eq!(output.status.code(), Some(1), "{limit}: {error}");
    }
}
