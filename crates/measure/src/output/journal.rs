//! The repetitions of the case that is being measured, which a killed run would lose otherwise.
//!
//! Rows are written when a case is complete, since only then all its checksums have been compared.
//! Until then each repetition that has ended is a line of JSON in it. The first line states how
//! long the CSV files were when the case began: a resumed run cuts them back to that length
//! and writes the rows again from the journal. No row is lost, doubled or cut off.
//!
//! Each line has a hash of its record, of all lines before it, and of the run's name. So a line that is
//! changed, doubled, in another place or of another run is damage, and so is what follows a missing one.
//! Nothing from there on is believed. Where the last lines are missing, their repetitions are measured again.

use super::error::{OutputError, io_error};
use super::whole_file::WholeFile;
use crate::content::hash;
use crate::{Case, FinishedRepetition};
use broadphase::benchmark::mix;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sim::{AtomicFile, LimitedLines, open_regular};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// The longest line that is read, in bytes: more than the most frames of a repetition take.
const MAX_LINE: usize = 1 << 30;

/// Length of each CSV file, in bytes, when the case began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) bytes: Vec<u64>,
}

/// A line.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    /// Of the record and of all lines before it.
    hash: u64,
    /// A [`Checkpoint`] in the first line, an [`Entry`] in the others.
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
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) checkpoint: Checkpoint,
    pub(super) entries: Vec<Entry<FinishedRepetition>>,
    /// The first damaged line, from 1. Neither it nor what follows is among the entries.
    pub(super) damaged: Option<u64>,
    /// Bytes of the lines before it, and the hash of the last of these.
    whole: u64,
    hash: u64,
}

impl Journal {
    /// Begins the journal of a case, in place of the one before: that one stays until this one is
    /// whole.
    pub(super) fn begin(
        path: &Path,
        run_id: &str,
        checkpoint: &Checkpoint,
    ) -> Result<Self, OutputError> {
        let (line, hash) = line_of(hash(run_id.as_bytes()), checkpoint)
            .map_err(io_error("set lines for", path))?;
        let replace = || -> io::Result<()> {
            let mut file = AtomicFile::create(path)?;
            file.write_all(&line)?;
            file.commit()
        };
        replace().map_err(io_error("write", path))?;
        Ok(Self { file: WholeFile::open(path.to_owned(), line.len() as u64)?, hash })
    }

    /// Reads a journal up to the first damaged line; a last line that was cut off is left out.
    pub(super) fn read(path: &Path, run_id: &str) -> Result<Reading, OutputError> {
        let file = open_regular(path).map_err(io_error("read", path))?;
        let mut lines = BufReader::new(LimitedLines::new(file, MAX_LINE));
        let mut line = Vec::new();
        let mut next = |before: u64| -> Result<Option<(u64, Result<_, String>)>, OutputError> {
            line.clear();
            let length = match lines.read_until(b'\n', &mut line) {
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Ok(Some((0, Err(error.to_string()))));
                }
                read => read.map_err(io_error("read", path))?,
            };
            let is_whole = line.ends_with(b"\n");
            Ok(is_whole.then(|| (length as u64, record_of(before, &line))))
        };
        let corrupt =
            |problem: String| OutputError::Corrupt { path: path.to_owned(), line: 1, problem };
        let expected = || corrupt("expected the lengths of the CSV files".to_owned());
        let (whole, first) = next(hash(run_id.as_bytes()))?.ok_or_else(expected)?;
        let (hash, record) = first.map_err(corrupt)?;
        let checkpoint = serde_json::from_str(&record).map_err(|e| corrupt(e.to_string()))?;
        let mut reading = Reading { checkpoint, entries: Vec::new(), damaged: None, whole, hash };
        for number in 2.. {
            let Some((length, line)) = next(reading.hash)? else { break };
            let entry = line.ok().and_then(|(hash, record)| {
                serde_json::from_str(&record).ok().map(|entry| (hash, entry))
            });
            let Some((hash, entry)) = entry else {
                reading.damaged = Some(number);
                break;
            };
            reading.entries.push(entry);
            reading.whole += length;
            reading.hash = hash;
        }
        Ok(reading)
    }

    /// Opens a journal that was read, to append to it. What was not read is cut off.
    pub(super) fn go_on(path: &Path, reading: &Reading) -> Result<Self, OutputError> {
        let file = WholeFile::open(path.to_owned(), reading.whole)?;
        Ok(Self { file, hash: reading.hash })
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

/// The hash and the record of a line, given the hash of the line before; else what is wrong.
fn record_of(before: u64, line: &[u8]) -> Result<(u64, String), String> {
    let line: Line<'_> = serde_json::from_slice(line).map_err(|e| e.to_string())?;
    let record = line.record.get();
    if line.hash == Line::hash(before, record) {
        Ok((line.hash, record.to_owned()))
    } else {
        Err("the line is damaged".to_owned())
    }
}
