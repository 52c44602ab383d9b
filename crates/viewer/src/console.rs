//! Standard output and standard error.

use sim::printable;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Writes a line to standard error. Control characters, which the name of a file may have, are escaped.
pub(crate) fn note(text: impl Display) {
    // A failure here cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
}

/// Writes to standard output, where a reader that closed it (`| head`) is no failure. On a terminal, control
/// characters are escaped.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { printable(text) } else { text.into() };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
