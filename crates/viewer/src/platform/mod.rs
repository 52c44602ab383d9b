//! The system that the window runs on: a clock, threads, files and dialogs.
//!
//! [`System`] is a desktop, `Browser` a page: each implements the four traits.
//!
//! Three write to the disk without it: `measure` the tables of a measurement, the run without a window its table and
//! pictures, and `app/autosave.rs` its locks.

#[cfg(target_family = "wasm")]
mod browser;
mod dialogs;
mod files;
#[cfg(not(target_family = "wasm"))]
mod native_dialogs;
mod threads;

#[cfg(target_family = "wasm")]
pub use browser::Browser;
pub use dialogs::{Answer, Dialogs, Question};
pub use files::Files;
pub use threads::Threads;

use measure::Clock;

/// A clock, threads, files and dialogs.
#[derive(Clone, Copy)]
pub struct Platform {
    /// Times of steps and pictures.
    pub clock: &'static dyn Clock,
    /// Threads for work that the window does not wait for.
    pub threads: &'static dyn Threads,
    /// Scenes, settings, pictures and charts.
    pub files: &'static dyn Files,
    /// The dialogs that choose a file.
    pub dialogs: &'static dyn Dialogs,
}

/// Threads, files and dialogs of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct System;

#[cfg(test)]
pub(crate) mod double;
