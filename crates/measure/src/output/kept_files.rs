//! The folder `unfinished`: finished repetitions and cases of a run that is not complete.
//!
//! Each repetition that has ended is a file, and so are the rows of each case that is done. Such a file appears by a rename:
//! a line of JSON, rows as CSV, and in a last line a hash of both, of the file's name and of the run's name. A file that was
//! changed, cut off, renamed or taken from another run is damaged, and what it has is measured again.

use super::run_output::write_file;
use super::{OutputError, io_error};
use crate::input::{GrowingHash, hash};
use crate::process::{available_memory, check_fits};
use crate::rows::{Labels, Outcome};
use same_file::Handle;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sim::{AtomicFile, open_regular, refuse_link};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the folder, in that of a run. A complete run has none.
pub const UNFINISHED: &str = "unfinished";

/// Memory that reading a repetition takes, in sizes of its file: its bytes in a buffer that may just have doubled, and its
/// frames in lists that may have doubled as well.
const MEMORY: u64 = 5;

/// Bytes of the last line of a file, and of the line feed before it.
const HASH_BYTES: usize = 18;

/// Beginnings of the files' names.
const REPETITION: &str = "repetition-";
const CASE: &str = "case-";

/// What is kept of a repetition beside its frames: its cell, its number, its nanoseconds, and the result of a cell that it ends.
pub(super) type OfRepetition = (Labels, u32, u64, Option<Outcome>);

/// The content of a file: its first line, and rows as lines of CSV. That of a case are the names of the repetitions whose
/// frames belong to its rows.
pub(super) type Kept<T> = (T, String);

/// The name of the file of a repetition.
pub(super) fn repetition_file(labels: &Labels, repeat: u32) -> String {
    let Labels { input, n, seed, algorithm, threads, .. } = labels;
    let key = format!("{input}\n{n} {seed:?} {algorithm} {threads} {repeat}");
    format!("{REPETITION}{:016x}.json", hash(key.as_bytes()))
}

/// Whether a file of the folder is one that a run made, or a temporary one.
fn is_own(name: &str) -> bool {
    is_record(name) || name.starts_with(".unfinished-")
}

fn is_record(name: &str) -> bool {
    name.ends_with(".json") && (name.starts_with(REPETITION) || name.starts_with(CASE))
}

/// The folder, which no other run writes.
#[derive(Debug)]
pub(super) struct KeptFiles {
    pub(super) folder: PathBuf,
    /// The run's name, once it is known.
    pub(super) run_id: String,
    /// Cases, damaged ones included.
    cases: u32,
    _lock: FolderLock,
}

/// The content of the folder when a run is resumed.
#[derive(Debug, Default)]
pub(super) struct KeptContent {
    /// In the order in which they were done.
    pub(super) cases: Vec<Kept<Vec<String>>>,
    /// Repetitions of other cases.
    pub(super) begun: Vec<Kept<OfRepetition>>,
    /// Names of damaged files. A case of which a repetition is damaged or missing is damaged, too.
    pub(super) damaged: Vec<String>,
}

impl KeptFiles {
    /// Makes the folder, and keeps other runs out of it.
    pub(super) fn open(folder: PathBuf) -> Result<Self, OutputError> {
        refuse_link(&folder).map_err(io_error("write", &folder))?;
        fs::create_dir_all(&folder).map_err(io_error("make the folder", &folder))?;
        let lock = FolderLock::take(&folder)?;
        Ok(Self { folder, run_id: String::new(), cases: 0, _lock: lock })
    }

    /// Whether it has what a run keeps.
    pub(super) fn has_records(&self) -> Result<bool, OutputError> {
        Ok(!self.names(is_record)?.is_empty())
    }

    /// Reads and checks what is kept. Nothing is changed.
    pub(super) fn content(&mut self) -> Result<KeptContent, OutputError> {
        let mut content = KeptContent::default();
        let names = self.names(is_record)?.into_iter();
        let (cases, repetitions): (Vec<_>, Vec<_>) = names.partition(|name| name.starts_with(CASE));
        let mut begun = BTreeSet::new();
        for name in repetitions {
            if self.get::<OfRepetition>(&name)?.is_some() {
                begun.insert(name);
            } else {
                content.damaged.push(name);
            }
        }
        for name in cases {
            let case = self.get::<Vec<String>>(&name)?;
            match case.filter(|(its, _)| its.iter().all(|name| begun.contains(name))) {
                Some(case) => {
                    begun.retain(|name| !case.0.contains(name));
                    content.cases.push(case);
                    // The name of an intact file is one that a run gave it.
                    let number = name.trim_start_matches(CASE).trim_end_matches(".json");
                    self.cases = number.parse().unwrap_or(0);
                }
                None => content.damaged.push(name),
            }
        }
        for name in begun {
            content.begun.extend(self.get(&name)?);
        }
        Ok(content)
    }

    /// Keeps a repetition of a case that is being measured. It is handed to the system when this returns.
    pub(super) fn keep_repetition(&self, of: &OfRepetition, rows: &str) -> Result<(), OutputError> {
        // Not on the disk yet: damage would be noticed.
        self.put(&repetition_file(&of.0, of.1), of, rows, AtomicFile::commit_unsynced)
    }

    /// Keeps the rows of a case. They are on the disk when this returns, as far as the system can assure that.
    pub(super) fn keep_case(
        &mut self,
        repetitions: &[String],
        rows: &str,
    ) -> Result<(), OutputError> {
        self.cases += 1;
        let name = format!("{CASE}{:08}.json", self.cases);
        self.put(&name, &repetitions, rows, AtomicFile::commit)?;
        // Not every system can open a folder, or sync it.
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// The rows of a repetition that was kept.
    pub(super) fn frames(&self, name: &str) -> Result<String, OutputError> {
        let damaged = || io::Error::other("it is damaged: --resume measures it again");
        let kept: Option<Kept<OfRepetition>> = self.get(name)?;
        let (_, rows) = kept.ok_or_else(|| io_error("read", &self.folder.join(name))(damaged()))?;
        Ok(rows)
    }

    /// Removes all that is kept.
    pub(super) fn clear(&self) -> Result<(), OutputError> {
        self.names(is_own)?.iter().try_for_each(|name| self.remove(name))
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), OutputError> {
        let path = self.folder.join(name);
        fs::remove_file(&path).map_err(io_error("remove", &path))
    }

    /// The names of the files that `is_wanted`, in order.
    fn names(&self, is_wanted: fn(&str) -> bool) -> Result<Vec<String>, OutputError> {
        let names = || -> io::Result<Vec<String>> {
            let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().into_string().ok());
            fs::read_dir(&self.folder)?.map(name).filter_map(Result::transpose).collect()
        };
        let mut names = names().map_err(io_error("read", &self.folder))?;
        names.retain(|name| is_wanted(name));
        names.sort();
        Ok(names)
    }

    fn put(
        &self,
        name: &str,
        first: &impl Serialize,
        rows: &str,
        commit: fn(AtomicFile) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let path = self.folder.join(name);
        let json = serde_json::to_string(first);
        let json = json.map_err(|error| io_error("set", &path)(error.into()))?;
        let text = format!("{json}\n{rows}");
        let hash = self.hash(name, text.as_bytes());
        write_file(&path, &(text + &hash), commit)
    }

    /// The content of a file; `None` if it is damaged.
    fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<Kept<T>>, OutputError> {
        let path = self.folder.join(name);
        let read = || -> io::Result<Vec<u8>> {
            let mut file = open_regular(&path)?;
            check_fits(file.metadata()?.len(), MEMORY, available_memory()).map_err(|error| {
                io::Error::other(format!(
                    "{error}; without this file, what it has is measured again"
                ))
            })?;
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            Ok(text)
        };
        let mut text = read().map_err(io_error("read", &path))?;
        let hash = text.split_off(text.len().saturating_sub(HASH_BYTES));
        if hash != self.hash(name, &text).as_bytes() {
            return Ok(None);
        }
        let text = String::from_utf8(text).unwrap_or_default();
        let content = text
            .split_once('\n')
            .and_then(|(json, rows)| Some((serde_json::from_str(json).ok()?, rows.to_owned())));
        Ok(content)
    }

    /// The last line of a file, after a line feed.
    fn hash(&self, name: &str, text: &[u8]) -> String {
        let mut hash = GrowingHash::default();
        hash.add(format!("{}\n{name}\n", self.run_id).as_bytes());
        hash.add(text);
        format!("\n{:016x}\n", hash.value())
    }
}

impl Drop for KeptFiles {
    /// Removes the folder if it is empty: the run is complete, or has kept nothing.
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Attempts to take a lock before another process is assumed to hold it, and the pause between two:
/// half a second in all.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// Keeps other processes that take it out of a folder as long as it exists, unless the file system has no locks.
#[derive(Debug)]
pub struct FolderLock {
    _file: Option<File>,
}

impl FolderLock {
    /// Takes the lock.
    ///
    /// # Errors
    ///
    /// Where another process holds it.
    pub fn take(folder: &Path) -> Result<Self, OutputError> {
        // Windows opens no folder as a file.
        let path = if cfg!(windows) { &folder.join(".unfinished-lock") } else { folder };
        let opened = if cfg!(windows) { File::create(path) } else { File::open(path) };
        let Ok(file) = opened else { return Ok(Self { _file: None }) };
        // A run that was just killed holds its lock for a moment longer, and so does a program that
        // it was about to start.
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                // The run that held it may have removed the folder.
                Ok(()) if !is_at(&file, path) => break,
                Err(TryLockError::Error(_)) | Ok(()) => return Ok(Self { _file: Some(file) }),
            }
        }
        Err(OutputError::InUse(folder.to_owned()))
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let own = file.try_clone().and_then(Handle::from_file);
    own.and_then(|own| Ok(own == Handle::from_path(path)?)).unwrap_or(false)
}
