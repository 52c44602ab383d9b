//! The folder `unfinished`: finished repetitions and cases of a run that is not complete.
//!
//! Each repetition that has ended is a file, and so are the rows of each case that is done. Such a file appears by a rename:
//! JSON, and in a last line a hash of it, of the file's name and of the run's name. A file that was changed, cut off,
//! renamed or taken from another run is damaged, and what it has is measured again.

use super::error::{OutputError, io_error};
use super::folder_lock::FolderLock;
use super::run_output::write_file;
use crate::input::{Case, GrowingHash, hash};
use crate::process::{available_memory, check_fits};
use crate::rows::{FinishedRepetition, Labels};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sim::{AtomicFile, open_regular, refuse_link};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

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

/// A repetition, and the cell that it belongs to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptRepetition<'a> {
    pub(super) labels: Labels,
    pub(super) repetition: Cow<'a, FinishedRepetition>,
}

impl KeptRepetition<'_> {
    pub(super) fn belongs_to(&self, case: &Case) -> bool {
        let Labels { input, n, seed, .. } = &self.labels;
        (input, *n, *seed) == (&case.input, case.n as u64, case.seed)
    }
}

/// The rows of a case that is done, as lines of CSV.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptCase {
    pub(super) rows: String,
    /// Names of the repetitions whose frames are rows, in the order of these rows.
    pub(super) repetitions: Vec<String>,
}

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
    folder: PathBuf,
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
    pub(super) cases: Vec<KeptCase>,
    /// Repetitions of other cases.
    pub(super) begun: Vec<KeptRepetition<'static>>,
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

    pub(super) fn folder(&self) -> &Path {
        &self.folder
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
            if self.json(&name)?.is_some() {
                begun.insert(name);
            } else {
                content.damaged.push(name);
            }
        }
        for name in cases {
            let case = self.read::<KeptCase>(&name)?;
            match case.filter(|case| case.repetitions.iter().all(|name| begun.contains(name))) {
                Some(case) => {
                    for its in &case.repetitions {
                        begun.remove(its);
                    }
                    content.cases.push(case);
                    // The name of an intact file is one that a run gave it.
                    let number = name.trim_start_matches(CASE).trim_end_matches(".json");
                    self.cases = number.parse().unwrap_or(0);
                }
                None => content.damaged.push(name),
            }
        }
        for name in begun {
            content.begun.extend(self.read(&name)?);
        }
        Ok(content)
    }

    /// Keeps a repetition of a case that is being measured. It is handed to the system when this returns.
    pub(super) fn keep_repetition(&self, kept: &KeptRepetition<'_>) -> Result<(), OutputError> {
        let name = repetition_file(&kept.labels, kept.repetition.repeat);
        // Not on the disk yet: damage would be noticed.
        self.write(&name, kept, AtomicFile::commit_unsynced)
    }

    /// Keeps the rows of a case. They are on the disk when this returns, as far as the system can assure that.
    pub(super) fn keep_case(&mut self, case: &KeptCase) -> Result<(), OutputError> {
        self.cases += 1;
        self.write(&format!("{CASE}{:08}.json", self.cases), case, AtomicFile::commit)?;
        // Not every system can open a folder, or sync it.
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// A repetition that was kept.
    pub(super) fn repetition(&self, name: &str) -> Result<KeptRepetition<'static>, OutputError> {
        self.read(name)?.ok_or_else(|| {
            let damaged = io::Error::other("it is damaged: --resume measures it again");
            io_error("read", &self.path(name))(damaged)
        })
    }

    /// Removes all that is kept.
    pub(super) fn clear(&self) -> Result<(), OutputError> {
        self.names(is_own)?.iter().try_for_each(|name| self.remove(name))
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path(name);
        fs::remove_file(&path).map_err(io_error("remove", &path))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
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

    fn write(
        &self,
        name: &str,
        record: &impl Serialize,
        commit: fn(AtomicFile) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let path = self.path(name);
        let json = serde_json::to_vec(record);
        let mut text = json.map_err(|error| io_error("set", &path)(error.into()))?;
        text.extend(self.hash(name, &text));
        write_file(&path, &text, commit)
    }

    /// The record of a file; `None` if it is damaged.
    fn read<R: DeserializeOwned>(&self, name: &str) -> Result<Option<R>, OutputError> {
        Ok(self.json(name)?.and_then(|json| serde_json::from_slice(&json).ok()))
    }

    /// The JSON of a file; `None` if it is damaged.
    fn json(&self, name: &str) -> Result<Option<Vec<u8>>, OutputError> {
        let path = self.path(name);
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
        let Some(end) = text.len().checked_sub(HASH_BYTES) else { return Ok(None) };
        let hash = text.split_off(end);
        Ok((hash == self.hash(name, &text)).then_some(text))
    }

    /// The last line of a file.
    fn hash(&self, name: &str, json: &[u8]) -> Vec<u8> {
        let mut hash = GrowingHash::default();
        hash.add(format!("{}\n{name}\n", self.run_id).as_bytes());
        hash.add(json);
        format!("\n{:016x}\n", hash.value()).into_bytes()
    }
}

impl Drop for KeptFiles {
    /// Removes the folder if it is empty: the run is complete, or has kept nothing.
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}
