//! The repetitions of the case that is being measured, which a killed run would lose otherwise.
//!
//! Rows are written when a case is complete, since only then all its checksums have been compared.
//! Until then each repetition that has ended is a line of JSON in it. The first line states the tables
//! when the case began, as `machine.json` does: a resumed run cuts them back to that and writes the rows
//! again from the journal. No row is lost, doubled or cut off. A journal of other tables is of an earlier
//! case: the run was killed after `machine.json` was written.
//!
//! Each line has a hash of its record, of all lines before it, and of the run's name. So a line that is
//! changed, doubled, in another place or of another run is damage, and so is what follows a missing one.
//! Nothing from there on is believed. Where the last lines are missing, their repetitions are measured again.

use super::error::{OutputError, io_error};
use super::whole_file::WholeFile;
use super::written::WrittenTables;
use crate::input::{Case, hash};
use crate::process::check_fits;
use crate::rows::FinishedRepetition;
use broadphase::benchmark::mix;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sim::{AtomicFile, LimitedLines, open_regular};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

/// The longest line that is read, in bytes: more than the most frames of a repetition take.
const MAX_LINE: usize = 1 << 30;

/// Memory that reading takes, in sizes of the file: its longest line in a buffer that may just have doubled, and the
/// frames of all lines, in lists that may have doubled as well.
const MEMORY: u64 = 5;

/// A line.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    /// Of the record and of all lines before it.
    hash: u64,
    /// [`WrittenTables`] in the first line, an [`Entry`] in the others.
    #[serde(borrow)]
    record: &'a RawValue,
}

impl Line<'_> {
    /// The hash of a line, given that of the line before.
    fn hash(before: u64, record: &str) -> u64 {
        mix(before ^ hash(record.as_bytes()))
    }
}

/// The record of a line: a repetition, and the case that it belongs to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry<R> {
    input: String,
    n: usize,
    seed: Option<u64>,
    pub(super) repetition: R,
}

impl<R> Entry<R> {
    fn of(case: &Case, repetition: R) -> Self {
        Self { input: case.input.clone(), n: case.n, seed: case.seed, repetition }
    }

    pub(super) fn belongs_to(&self, case: &Case) -> bool {
        (&self.input, self.n, self.seed) == (&case.input, case.n, case.seed)
    }
}

/// An open journal.
#[derive(Debug)]
pub(super) struct Journal {
    file: WholeFile,
    /// Hash of the last line.
    hash: u64,
}

/// The content of a journal.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// `None` where the first line is damaged, or the file is missing.
    pub(super) tables: Option<WrittenTables>,
    pub(super) entries: Vec<Entry<FinishedRepetition>>,
    /// The first damaged line, from 1. Neither it nor what follows is among the entries.
    pub(super) damaged: Option<u64>,
    /// The end of the lines before it.
    pub(super) end: End,
}

/// The end of the lines that are believed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    /// Bytes up to it.
    bytes: u64,
    /// Hash of the last line.
    hash: u64,
}

impl Reading {
    /// Takes the record of the next line, unless it is of another kind.
    fn take(&mut self, hash: u64, record: &str) -> Option<()> {
        match self.tables {
            None => self.tables = Some(serde_json::from_str(record).ok()?),
            Some(_) => self.entries.push(serde_json::from_str(record).ok()?),
        }
        self.end.hash = hash;
        Some(())
    }
}

impl Journal {
    /// Begins the journal of a case, in place of the one before: that one stays until this one is
    /// whole.
    pub(super) fn begin(
        path: &Path,
        run_id: &str,
        tables: &WrittenTables,
    ) -> Result<Self, OutputError> {
        let (line, hash) =
            line_of(hash(run_id.as_bytes()), tables).map_err(io_error("set lines for", path))?;
        let replace = || -> io::Result<()> {
            let mut file = AtomicFile::create(path)?;
            file.write_all(&line)?;
            file.commit()
        };
        replace().map_err(io_error("write", path))?;
        Ok(Self { file: WholeFile::open(path.to_owned(), line.len() as u64)?, hash })
    }

    /// Reads a journal up to the first damaged line; a last line that was cut off is left out. A missing
    /// journal is damaged from its first line on. One that does not fit into `memory` bytes is refused.
    pub(super) fn read(path: &Path, run_id: &str, memory: u64) -> Result<Reading, OutputError> {
        let mut reading =
            Reading { end: End { bytes: 0, hash: hash(run_id.as_bytes()) }, ..Reading::default() };
        let file = match open_regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                reading.damaged = Some(1);
                return Ok(reading);
            }
            file => file.map_err(io_error("read", path))?,
        };
        let length = file.metadata().map_err(io_error("read", path))?.len();
        check_fits(length, MEMORY, memory).map_err(|error| {
            let error =
                format!("{error}; without this file, the case that was begun is measured again");
            io_error("read", path)(io::Error::other(error))
        })?;
        // No more than that, even if it grows meanwhile.
        let mut lines = BufReader::new(LimitedLines::new(file.take(length), MAX_LINE));
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let record = match lines.read_until(b'\n', &mut line) {
                Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
                read => {
                    read.map_err(io_error("read", path))?;
                    match line.ends_with(b"\n") {
                        true => record_of(reading.end.hash, &line),
                        false if number > 1 => break,
                        false => None,
                    }
                }
            };
            if record.and_then(|(hash, record)| reading.take(hash, record)).is_none() {
                reading.damaged = Some(number);
                break;
            }
            reading.end.bytes += line.len() as u64;
        }
        Ok(reading)
    }

    /// Opens a journal that was read, to append to it. What was not read is cut off.
    pub(super) fn go_on(path: &Path, end: End) -> Result<Self, OutputError> {
        let file = WholeFile::open(path.to_owned(), end.bytes)?;
        Ok(Self { file, hash: end.hash })
    }

    pub(super) fn append(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
        path: &Path,
    ) -> Result<(), OutputError> {
        let entry = Entry::of(case, repetition);
        let (line, hash) = line_of(self.hash, &entry).map_err(io_error("set lines for", path))?;
        self.file.append(&line)?;
        self.hash = hash;
        Ok(())
    }

    /// Fails unless the file still holds what was written.
    pub(super) fn check(&self) -> Result<(), OutputError> {
        self.file.check()
    }
}

/// The line of a record, and its hash, given the hash of the line before.
fn line_of(before: u64, record: &impl Serialize) -> io::Result<(Vec<u8>, u64)> {
    let record = serde_json::value::to_raw_value(record)?;
    let hash = Line::hash(before, record.get());
    let mut line = serde_json::to_vec(&Line { hash, record: &record })?;
    line.push(b'\n');
    Ok((line, hash))
}

/// The hash and the record of a line, given the hash of the line before; `None` where it is damaged.
fn record_of(before: u64, line: &[u8]) -> Option<(u64, &str)> {
    let line: Line<'_> = serde_json::from_slice(line).ok()?;
    let record = line.record.get();
    (line.hash == Line::hash(before, record)).then_some((line.hash, record))
}
