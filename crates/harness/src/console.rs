//! Standard output and standard error.

use crate::failure::Failure;
use std::io::{self, ErrorKind, Write};

/// Writes to standard output. A reader that has gone (`| head`) has seen what it wanted.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| Failure::Running(format!("cannot write the output: {e}"))),
    }
}

/// Writes a line to standard error.
pub(crate) fn note(line: &str) {
    // A failure here cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes an error to standard error.
pub(crate) fn error(message: &str) {
    note(&format!("error: {message}"));
}
