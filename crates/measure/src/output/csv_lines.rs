//! CSV as RFC 4180 has it.

use csv::{Terminator, Writer, WriterBuilder};
use serde::Serialize;
use std::io::{self, Write};

/// A writer of rows without a header.
pub(super) fn csv_writer<W: Write>(writer: W) -> Writer<W> {
    WriterBuilder::new().has_headers(false).terminator(Terminator::CRLF).from_writer(writer)
}

/// Rows as lines of CSV.
pub(super) fn csv_lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> io::Result<String> {
    let mut writer = csv_writer(Vec::new());
    rows.into_iter().try_for_each(|row| writer.serialize(row))?;
    let lines = writer.into_inner().map_err(|error| error.into_error())?;
    String::from_utf8(lines).map_err(io::Error::other)
}
