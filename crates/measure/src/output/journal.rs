//! The repetitions of the case that is being measured, which a killed run would lose otherwise.
//!
//! Rows are written when a case is complete, since only then all its checksums have been compared.
//! Until then each repetition that has ended is a line of JSON in it. The first line states how
//! long the CSV files were when the case began: a resumed run cuts them back to that length
//! and writes the rows again from the journal. No row is lost, doubled or cut off.

use super::error::{OutputError, io_error};
use super::whole_file::WholeFile;
use crate::{Case, FinishedRepetition};
use serde::{Deserialize, Serialize};
use sim::AtomicFile;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Length of each CSV file, in bytes, when the case began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) bytes: Vec<u64>,
}

/// A line: a repetition, and the case that it belongs to.
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
}

/// The content of a journal.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) checkpoint: Checkpoint,
    pub(super) entries: Vec<Entry<FinishedRepetition>>,
    /// Bytes of whole lines.
    whole: u64,
}

impl Journal {
    /// Begins the journal of a case, in place of the one before: that one stays until this one is
    /// whole.
    pub(super) fn begin(path: &Path, checkpoint: &Checkpoint) -> Result<Self, OutputError> {
        let line = line_of(checkpoint).map_err(io_error("set lines for", path))?;
        let replace = || -> io::Result<()> {
            let mut file = AtomicFile::create(path)?;
            file.write_all(&line)?;
            file.commit()
        };
        replace().map_err(io_error("write", path))?;
        Ok(Self { file: WholeFile::open(path.to_owned(), line.len() as u64)? })
    }

    /// Reads a journal; a last line that was cut off is left out.
    pub(super) fn read(path: &Path) -> Result<Reading, OutputError> {
        let corrupt =
            |line, problem: String| OutputError::Corrupt { path: path.to_owned(), line, problem };
        let file = std::fs::File::open(path).map_err(io_error("read", path))?;
        let mut lines = BufReader::new(file);
        let mut reading: Option<Reading> = None;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(io_error("read", path))?;
            if !line.ends_with(b"\n") {
                break;
            }
            match &mut reading {
                None => {
                    let checkpoint = serde_json::from_slice(&line)
                        .map_err(|e| corrupt(number, e.to_string()))?;
                    reading = Some(Reading { checkpoint, entries: Vec::new(), whole: 0 });
                }
                Some(reading) => {
                    let entry = serde_json::from_slice(&line)
                        .map_err(|e| corrupt(number, e.to_string()))?;
                    reading.entries.push(entry);
                }
            }
            if let Some(reading) = &mut reading {
                reading.whole += length as u64;
            }
        }
        reading.ok_or_else(|| corrupt(1, "expected the lengths of the CSV files".to_owned()))
    }

    /// Opens a journal that was read, to append to it.
    pub(super) fn go_on(path: &Path, reading: &Reading) -> Result<Self, OutputError> {
        Ok(Self { file: WholeFile::open(path.to_owned(), reading.whole)? })
    }

    pub(super) fn append(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
        path: &Path,
    ) -> Result<(), OutputError> {
        let entry = Entry::of(case, repetition);
        self.file.append(&line_of(&entry).map_err(io_error("set lines for", path))?)
    }
}

fn line_of(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}
