//! Errors and warnings of reading and saving a scene.

use super::diagnostic::Diagnostic;
use super::fault::Fault;
use annotate_snippets::Level;
use std::fmt;
use std::path::PathBuf;

/// Why a scene could not be read, or no file can describe a [`Scene`](super::Scene).
///
/// Displayed over several lines, in the manner of rustc: the message, file, line and column, and
/// the line with a marker below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError(Box<Diagnostic>);

impl SceneError {
    pub(super) fn new(file: &str, text: &str, fault: Fault) -> Self {
        Self(Box::new(Diagnostic::new(file, text, fault)))
    }

    pub(super) fn whole_file(file: &str, message: String) -> Self {
        Self(Box::new(Diagnostic::whole_file(file, message)))
    }

    /// The line, from 1; `None` where the file could not be read at all.
    pub fn line(&self) -> Option<usize> {
        self.0.place.as_ref().map(|place| place.line)
    }

    /// The column in characters, from 1; `None` where the file could not be read at all.
    pub fn column(&self) -> Option<usize> {
        self.0.place.as_ref().map(|place| place.column)
    }

    /// What was expected and what was found, in one line.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The displayed form, with ANSI colours if `color` is set.
    pub fn render(&self, color: bool) -> String {
        self.0.render(Level::ERROR, color)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for SceneError {}

/// Something in a scene file that was ignored; displayed like a [`SceneError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning(Box<Diagnostic>);

impl Warning {
    pub(super) fn new(file: &str, text: &str, fault: Fault) -> Self {
        Self(Box::new(Diagnostic::new(file, text, fault)))
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.0.place.as_ref().map_or(1, |place| place.line)
    }

    /// The column in characters, from 1.
    pub fn column(&self) -> usize {
        self.0.place.as_ref().map_or(1, |place| place.column)
    }

    /// What was ignored, in one line.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.render(Level::WARNING, false))
    }
}

/// Why a scene could not be saved; the file that was there before is untouched.
#[derive(Debug, thiserror::Error)]
#[error("cannot save the scene as {}: {source}", path.display())]
pub struct SaveError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// The system's error.
    pub source: std::io::Error,
}
