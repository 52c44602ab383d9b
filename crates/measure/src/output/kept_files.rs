//! The folder `unfinished`: finished repetitions and cases of a run that is not complete.
//!
//! Each repetition that has ended is a file, until the rows of its case are complete. Then the rows of the case are a
//! file, until the run is complete. Each appears by a rename. It has lines of JSON, the last line is a hash of them, of its
//! name and of the run's name: a file that was changed, cut off, renamed or taken from another run is damaged, and what it
//! has is measured again.

use super::error::{OutputError, io_error};
use crate::input::{Case, GrowingHash, hash};
use crate::process::{available_memory, check_fits};
use crate::rows::FinishedRepetition;
use serde::{Deserialize, Serialize};
use sim::{AtomicFile, open_regular};
use std::borrow::Borrow;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Memory that reading a repetition takes, in sizes of its file: its bytes in a buffer that may just have doubled, and its
/// frames in lists that may have doubled as well.
const MEMORY: u64 = 5;

/// Bytes of the last line of a file.
const HASH_BYTES: u64 = 17;

/// Rows for the table of this name, as lines of CSV.
pub(super) type CaseRows = (String, String);

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

impl<R: Borrow<FinishedRepetition>> KeptRepetition<R> {
    fn file_name(&self) -> String {
        let Self { input, n, seed, repetition } = self;
        let FinishedRepetition { algorithm, threads, repeat, .. } = repetition.borrow();
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

/// A file that is being written.
#[derive(Debug)]
struct KeptFile {
    path: PathBuf,
    file: AtomicFile,
    hash: GrowingHash,
}

impl KeptFile {
    fn add(&mut self, record: &impl Serialize) -> Result<(), OutputError> {
        let mut write = || -> io::Result<()> {
            let mut line = serde_json::to_vec(record)?;
            line.push(b'\n');
            self.hash.add(&line);
            self.file.write_all(&line)
        };
        write().map_err(io_error("write", &self.path))
    }

    fn commit(self, commit: fn(AtomicFile) -> io::Result<()>) -> Result<(), OutputError> {
        let Self { path, mut file, hash } = self;
        let end = writeln!(file, "{:016x}", hash.value()).and_then(|()| commit(file));
        end.map_err(io_error("write", &path))
    }
}

/// The files of a run that is not complete.
#[derive(Debug)]
pub(super) struct KeptFiles {
    folder: PathBuf,
    run_id: String,
    /// Names of the files of repetitions, of cases that are being measured.
    repetitions: Vec<String>,
    /// The rows of these cases so far.
    case: Option<KeptFile>,
    /// Number of the next case, from 1.
    next_case: u32,
}

/// The content of the folder when a run is resumed.
#[derive(Debug, Default)]
pub(super) struct KeptContent {
    /// Names of the files of cases, in the order in which the cases were complete.
    pub(super) cases: Vec<String>,
    pub(super) repetitions: Vec<KeptRepetition<FinishedRepetition>>,
    /// Names of damaged files.
    pub(super) damaged: Vec<String>,
}

impl KeptContent {
    /// Whether a case is damaged.
    pub(super) fn has_damaged_case(&self) -> bool {
        self.damaged.iter().any(|name| name.starts_with(CASE))
    }
}

impl KeptFiles {
    /// Whether a folder has what a run keeps.
    pub(super) fn are_in(folder: &Path) -> Result<bool, OutputError> {
        match folder.is_dir() {
            true => Ok(!Self::at(folder.to_owned(), "").names(is_record)?.is_empty()),
            false => Ok(false),
        }
    }

    /// Makes the folder. Files of an earlier run are removed.
    pub(super) fn begin(folder: PathBuf, run_id: &str) -> Result<Self, OutputError> {
        let kept = Self::made(folder, run_id)?;
        kept.clear()?;
        Ok(kept)
    }

    /// Reads and checks what is kept. Nothing is changed, apart from a missing folder, which is made.
    pub(super) fn resume(
        folder: PathBuf,
        run_id: &str,
    ) -> Result<(Self, KeptContent), OutputError> {
        let mut kept = Self::made(folder, run_id)?;
        let mut content = KeptContent::default();
        let mut names = kept.names(is_record)?;
        names.sort();
        for name in names {
            let Some(number) = name.strip_prefix(CASE) else {
                match kept.repetition(&name)? {
                    Some(repetition) => content.repetitions.push(repetition),
                    None => content.damaged.push(name),
                }
                continue;
            };
            if kept.open(&name, 0)?.is_none() {
                content.damaged.push(name);
                continue;
            }
            // The name of an intact file is one that a run gave it.
            kept.next_case = number.trim_end_matches(".json").parse().unwrap_or(0) + 1;
            content.cases.push(name);
        }
        Ok((kept, content))
    }

    fn made(folder: PathBuf, run_id: &str) -> Result<Self, OutputError> {
        fs::create_dir_all(&folder).map_err(io_error("make the folder", &folder))?;
        Ok(Self::at(folder, run_id))
    }

    fn at(folder: PathBuf, run_id: &str) -> Self {
        let run_id = run_id.to_owned();
        Self { folder, run_id, repetitions: Vec::new(), case: None, next_case: 1 }
    }

    /// Keeps a repetition of a case that is being measured. It is handed to the system when this returns.
    pub(super) fn keep_repetition(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        let repetition = KeptRepetition::of(case, repetition);
        let mut file = self.create(&repetition.file_name())?;
        file.add(&repetition)?;
        // Not on the disk yet: damage would be noticed.
        file.commit(AtomicFile::commit_unsynced)?;
        self.note(&repetition);
        Ok(())
    }

    /// Notes a repetition of a case that is being measured: it is removed when the rows of the case are kept.
    pub(super) fn note(&mut self, repetition: &KeptRepetition<impl Borrow<FinishedRepetition>>) {
        self.repetitions.push(repetition.file_name());
    }

    /// Adds rows of a case that is being measured. They are kept when all are there.
    pub(super) fn add_rows(&mut self, rows: &CaseRows) -> Result<(), OutputError> {
        let file = match self.case.take() {
            Some(file) => file,
            None => self.create(&self.case_name())?,
        };
        self.case.insert(file).add(rows)
    }

    /// Whether there are rows that are not kept yet.
    pub(super) fn has_new_rows(&self) -> bool {
        self.case.is_some()
    }

    /// Keeps the rows that were added. They are on the disk when this returns, as far as the system can assure that. Returns
    /// the name of their file, if there are rows.
    pub(super) fn keep_case(&mut self) -> Result<Option<String>, OutputError> {
        let Some(file) = self.case.take() else { return Ok(None) };
        file.commit(AtomicFile::commit)?;
        // Not every system can open a folder, or sync it.
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        let name = self.case_name();
        self.next_case += 1;
        Ok(Some(name))
    }

    fn case_name(&self) -> String {
        format!("{CASE}{:08}.json", self.next_case)
    }

    /// Hands the rows of an intact case to `take`, piece by piece.
    pub(super) fn rows(
        &self,
        case: &str,
        mut take: impl FnMut(CaseRows) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let path = self.path(case);
        let Some(file) = self.open(case, 0)? else { return Err(OutputError::Changed(path)) };
        serde_json::Deserializer::from_reader(file)
            .into_iter()
            .try_for_each(|rows| take(rows.map_err(|error| io_error("read", &path)(error.into()))?))
    }

    /// Removes the repetitions of cases whose rows are kept.
    pub(super) fn drop_repetitions(&mut self) -> Result<(), OutputError> {
        std::mem::take(&mut self.repetitions).iter().try_for_each(|name| self.remove_file(name))
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
        self.names(is_own)?.iter().try_for_each(|name| self.remove_file(name))
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

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Removes a file that may be missing already.
    pub(super) fn remove_file(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io_error("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    fn create(&self, name: &str) -> Result<KeptFile, OutputError> {
        let path = self.path(name);
        let file = AtomicFile::create(&path).map_err(io_error("write", &path))?;
        Ok(KeptFile { path, file, hash: self.hash(name) })
    }

    /// The repetition of a file; `None` if it is damaged.
    fn repetition(
        &self,
        name: &str,
    ) -> Result<Option<KeptRepetition<FinishedRepetition>>, OutputError> {
        let file = self.open(name, MEMORY)?;
        Ok(file.and_then(|file| serde_json::from_reader(file).ok()))
    }

    /// The lines of a file but the last, if that is their hash. Reading them takes `times` as much memory as the file.
    fn open(&self, name: &str, times: u64) -> Result<Option<impl Read>, OutputError> {
        let path = self.path(name);
        let open = || -> io::Result<_> {
            let mut file = open_regular(&path)?;
            let length = file.metadata()?.len();
            check_fits(length, times, available_memory()).map_err(|error| {
                io::Error::other(format!(
                    "{error}; without this file, what it has is measured again"
                ))
            })?;
            let Some(records) = length.checked_sub(HASH_BYTES) else { return Ok(None) };
            let mut hash = self.hash(name);
            io::copy(&mut Read::by_ref(&mut file).take(records), &mut hash)?;
            let mut last = Vec::new();
            Read::by_ref(&mut file).take(HASH_BYTES).read_to_end(&mut last)?;
            file.rewind()?;
            let is_intact = last == format!("{:016x}\n", hash.value()).as_bytes();
            Ok(is_intact.then(|| BufReader::new(file).take(records)))
        };
        open().map_err(io_error("read", &path))
    }

    /// The hash of a file without records.
    fn hash(&self, name: &str) -> GrowingHash {
        let mut hash = GrowingHash::default();
        hash.add(format!("{}\n{name}\n", self.run_id).as_bytes());
        hash
    }
}
