//! Standard output and standard error.

use crate::failure::Failure;
use measure::InputError;
use report::ResultFolder;
use sim::printable;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Writes to standard output. A reader that has gone (`| head`) has seen what it wanted. On a terminal,
/// control characters are escaped; other readers get names as they are.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { printable(text) } else { text.into() };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| Failure::Running(format!("cannot write the output: {e}"))),
    }
}

/// Writes a line to standard error. Control characters, which the name of a file may have, are escaped.
pub(crate) fn note(line: &str) {
    write_line(&printable(line));
}

/// Writes a line to standard error, colours included.
fn write_line(line: &str) {
    // A failure here cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a warning to standard error.
pub(crate) fn warn(warning: &impl std::fmt::Display) {
    note(&format!("warning: {warning}"));
}

/// Warns of runs of which rows are missing, on standard error and on their pages.
pub(crate) fn warn_unfinished(sources: &mut [ResultFolder]) {
    for warning in sources.iter_mut().filter_map(ResultFolder::note_unfinished) {
        note(&format!("warning: {warning}"));
    }
}

/// Writes an error to standard error.
pub(crate) fn error(message: &str) {
    note(&format!("error: {message}"));
}

/// Reports a failure on standard error.
pub(crate) fn report(failure: &Failure) {
    match failure {
        // It shows the line, in colours where they can be seen.
        Failure::BadInput(InputError::Scene(fault)) => {
            write_line(fault.render(io::stderr().is_terminal()).trim_end());
        }
        Failure::Reported(_) => {}
        other => error(&other.to_string()),
    }
    if matches!(failure, Failure::Usage(_) | Failure::Case(_) | Failure::Shard(_)) {
        note("\nFor more information, try '--help'.");
    }
}

/// Prints how a run that failed can be completed.
pub(crate) fn note_resume(folder: Option<&Path>, force: bool) {
    let folder = folder.map(|f| format!(" --out {}", f.display())).unwrap_or_default();
    let instead = if force { " in place of --force" } else { "" };
    note(&format!(
        "what is done is kept: the same command with{folder} --resume{instead} completes the run"
    ));
}
