//! A folder that one process writes at a time.

use super::error::OutputError;
use same_file::Handle;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// Attempts to take a lock before another process is assumed to hold it, and the pause between two:
/// half a second in all.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// Keeps other processes that take it out of a folder as long as it exists, unless the file system has no locks.
#[derive(Debug)]
pub struct FolderLock {
    _file: Option<File>,
}

impl FolderLock {
    /// Takes the lock.
    ///
    /// # Errors
    ///
    /// Where another process holds it.
    pub fn take(folder: &Path) -> Result<Self, OutputError> {
        // Windows opens no folder as a file.
        let path = if cfg!(windows) { &folder.join(".unfinished-lock") } else { folder };
        let opened = if cfg!(windows) { File::create(path) } else { File::open(path) };
        let Ok(file) = opened else { return Ok(Self { _file: None }) };
        // A run that was just killed holds its lock for a moment longer, and so does a program that
        // it was about to start.
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                // The run that held it may have removed the folder.
                Ok(()) if !is_at(&file, path) => break,
                Err(TryLockError::Error(_)) | Ok(()) => return Ok(Self { _file: Some(file) }),
            }
        }
        Err(OutputError::InUse(folder.to_owned()))
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let own = file.try_clone().and_then(Handle::from_file);
    own.and_then(|own| Ok(own == Handle::from_path(path)?)).unwrap_or(false)
}
