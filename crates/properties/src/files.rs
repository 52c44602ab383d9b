//! Files for readers that take a path.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

thread_local! {
    /// A folder of this thread, made once: a fuzzer checks a property millions of times.
    static FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder can be made");
}

/// The path of a file of this thread. It may be there from an earlier call.
pub(crate) fn path(name: &str) -> PathBuf {
    FOLDER.with(|folder| folder.path().join(name))
}

/// A folder of this thread, made where it is missing.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = path(name);
    std::fs::create_dir_all(&path).expect("a temporary folder can be made");
    path
}

/// Writes a file of this thread, in place of an earlier one.
pub(crate) fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    replace(&path, bytes);
    path
}

/// Writes a file, in place of an earlier one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("a temporary file can be written");
}
