//! The folder `unfinished`: finished repetitions and cases of a run that is not complete.
//!
//! Each repetition that has ended is a file, until the rows of its case are complete. Then the rows of the case are a
//! file, until the run is complete. Each appears by a rename. Its first line is a hash of its record, its name and the
//! run's name: a file that was changed, cut off, renamed or taken from another run is damaged, and what it has is
//! measured again.

use super::error::{OutputError, io_error};
use crate::input::{Case, hash};
use crate::process::{available_memory, check_fits};
use crate::rows::FinishedRepetition;
use broadphase::benchmark::mix;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sim::{AtomicFile, open_regular};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Memory that reading takes, in sizes of the file: its bytes in a buffer that may just have doubled, and its frames in
/// lists that may have doubled as well.
const MEMORY: u64 = 5;

/// The rows of a case, as lines of CSV, by the names of their tables.
pub(super) type CaseRows = BTreeMap<String, String>;

/// A repetition, and the case that it belongs to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptRepetition<R> {
    input: String,
    n: usize,
    seed: Option<u64>,
    pub(super) repetition: R,
}

impl<R> KeptRepetition<R> {
    fn of(case: &Case, repetition: R) -> Self {
        Self { input: case.input.clone(), n: case.n, seed: case.seed, repetition }
    }

    pub(super) fn belongs_to(&self, case: &Case) -> bool {
        (&self.input, self.n, self.seed) == (&case.input, case.n, case.seed)
    }
}

impl KeptRepetition<&FinishedRepetition> {
    fn file_name(&self) -> String {
        let Self { input, n, seed, repetition } = self;
        let FinishedRepetition { algorithm, threads, repeat, .. } = repetition;
        let key = format!("{input}\n{n} {seed:?} {algorithm} {threads} {repeat}");
        format!("{REPETITION}{:016x}.json", hash(key.as_bytes()))
    }
}

/// Beginnings of the files' names.
const REPETITION: &str = "repetition-";
const CASE: &str = "case-";

/// Whether a file of the folder is one that a run made, or a temporary one.
fn is_own(name: &str) -> bool {
    is_record(name) || name.starts_with(".unfinished-")
}

fn is_record(name: &str) -> bool {
    name.ends_with(".json") && (name.starts_with(REPETITION) || name.starts_with(CASE))
}

/// The files of a run that is not complete.
#[derive(Debug)]
pub(super) struct KeptFiles {
    folder: PathBuf,
    run_id: String,
    /// Names of the files of repetitions.
    repetitions: Vec<String>,
    /// Number of the next case, from 1.
    next_case: u32,
}

/// The content of the folder when a run is resumed.
#[derive(Debug, Default)]
pub(super) struct KeptContent {
    pub(super) repetitions: Vec<KeptRepetition<FinishedRepetition>>,
    /// Damaged files, which are removed.
    pub(super) damaged: Vec<PathBuf>,
}

impl KeptFiles {
    /// Makes the folder. Files of an earlier run are removed.
    pub(super) fn begin(folder: PathBuf, run_id: &str) -> Result<Self, OutputError> {
        fs::create_dir_all(&folder).map_err(io_error("make the folder", &folder))?;
        let (run_id, repetitions) = (run_id.to_owned(), Vec::new());
        let kept = Self { folder, run_id, repetitions, next_case: 1 };
        kept.clear()?;
        Ok(kept)
    }

    /// Reads what is kept; the rows of each case go to `take_rows`, in the order in which the cases were complete.
    pub(super) fn resume(
        folder: PathBuf,
        run_id: &str,
        mut take_rows: impl FnMut(CaseRows) -> Result<(), OutputError>,
    ) -> Result<(Self, KeptContent), OutputError> {
        let (run_id, repetitions) = (run_id.to_owned(), Vec::new());
        let mut kept = Self { folder, run_id, repetitions, next_case: 1 };
        let mut content = KeptContent::default();
        let mut names = kept.names(is_record)?;
        names.sort();
        for name in names {
            let is_intact = match name.strip_prefix(CASE) {
                Some(number) => {
                    let rows = kept.read(&name)?.map(&mut take_rows).transpose()?;
                    let number = number.trim_end_matches(".json").parse::<u32>();
                    // The name of an intact file is one that a run gave it.
                    rows.iter().for_each(|()| kept.next_case = number.clone().unwrap_or(0) + 1);
                    rows.is_some()
                }
                None => {
                    let repetition = kept.read(&name)?;
                    let is_intact = repetition.is_some();
                    content.repetitions.extend(repetition);
                    kept.repetitions.extend(is_intact.then(|| name.clone()));
                    is_intact
                }
            };
            if !is_intact {
                let path = kept.folder.join(name);
                fs::remove_file(&path).map_err(io_error("remove", &path))?;
                content.damaged.push(path);
            }
        }
        Ok((kept, content))
    }

    /// Keeps a repetition of the case that is being measured. It is handed to the system when this returns.
    pub(super) fn keep_repetition(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        let repetition = KeptRepetition::of(case, repetition);
        let name = repetition.file_name();
        // Not on the disk yet: damage would be noticed.
        self.write(&name, &repetition, AtomicFile::commit_unsynced)?;
        self.repetitions.push(name);
        Ok(())
    }

    /// Keeps the rows of a case in place of its repetitions. They are on the disk when this returns.
    pub(super) fn keep_case(&mut self, rows: &CaseRows) -> Result<(), OutputError> {
        self.write(&format!("{CASE}{:08}.json", self.next_case), rows, AtomicFile::commit)?;
        self.next_case += 1;
        Ok(())
    }

    /// Removes the repetitions of cases whose rows are kept.
    pub(super) fn drop_repetitions(&mut self) -> Result<(), OutputError> {
        self.repetitions.drain(..).try_for_each(|name| remove(&self.folder.join(name)))
    }

    /// Removes the folder, unless it has other files.
    pub(super) fn remove(self) -> Result<(), OutputError> {
        self.clear()?;
        match fs::remove_dir(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => {
                Err(io_error("remove", &self.folder)(error))
            }
            _ => Ok(()),
        }
    }

    fn clear(&self) -> Result<(), OutputError> {
        self.names(is_own)?.iter().try_for_each(|name| remove(&self.folder.join(name)))
    }

    /// The names of the files that `is_wanted`.
    fn names(&self, is_wanted: fn(&str) -> bool) -> Result<Vec<String>, OutputError> {
        let names = || -> io::Result<Vec<String>> {
            let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().into_string().ok());
            fs::read_dir(&self.folder)?.map(name).filter_map(Result::transpose).collect()
        };
        let mut names = names().map_err(io_error("read", &self.folder))?;
        names.retain(|name| is_wanted(name));
        Ok(names)
    }

    fn write(
        &self,
        name: &str,
        record: &impl Serialize,
        commit: fn(AtomicFile) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let path = self.folder.join(name);
        let write = || -> io::Result<()> {
            let record = serde_json::to_vec(record)?;
            let mut file = AtomicFile::create(&path)?;
            writeln!(file, "{:016x}", self.hash(name, &record))?;
            file.write_all(&record)?;
            commit(file)
        };
        write().map_err(io_error("write", &path))
    }

    /// The record of a file; `None` if it is damaged.
    fn read<R: DeserializeOwned>(&self, name: &str) -> Result<Option<R>, OutputError> {
        let path = self.folder.join(name);
        let read = || -> io::Result<Vec<u8>> {
            let file = open_regular(&path)?;
            let length = file.metadata()?.len();
            check_fits(length, MEMORY, available_memory()).map_err(|error| {
                io::Error::other(format!(
                    "{error}; without this file, what it has is measured again"
                ))
            })?;
            let mut bytes = Vec::new();
            // No more than that, even if it grows meanwhile.
            file.take(length).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(io_error("read", &path))?;
        Ok(self.record_of(name, &bytes).and_then(|record| serde_json::from_slice(record).ok()))
    }

    /// The record, if its hash is that of the first line.
    fn record_of<'a>(&self, name: &str, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (first, record) = bytes.split_at_checked(17)?;
        let expected = format!("{:016x}\n", self.hash(name, record));
        (first == expected.as_bytes()).then_some(record)
    }

    fn hash(&self, name: &str, record: &[u8]) -> u64 {
        [self.run_id.as_bytes(), name.as_bytes(), record]
            .iter()
            .fold(0, |total, part| mix(total ^ hash(part)))
    }
}

/// Removes a file that may be missing already.
fn remove(path: &Path) -> Result<(), OutputError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("remove", path)(error))
        }
        _ => Ok(()),
    }
}
