//! Threads.

use super::System;
use std::io;
use std::thread;

/// Runs work that the window does not wait for.
pub trait Threads: Sync {
    /// Begins some work, and does not wait for it.
    ///
    /// # Errors
    ///
    /// If the system creates no thread; the work is dropped then.
    fn spawn(&self, name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()>;
}

impl Threads for System {
    fn spawn(&self, name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
        thread::Builder::new().name(name.to_owned()).spawn(work).map(|_| ())
    }
}
