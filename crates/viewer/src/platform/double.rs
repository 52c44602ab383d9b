//! A system for tests: files in memory, work that waits until it is let go, and dialogs whose answer is prepared.

use super::{Answer, Dialogs, Files, Platform, Question, Threads};
use measure::{Clock, Input, InputError};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

type Work = Box<dyn FnOnce() + Send>;

/// Each reading of the clock is this much later than the one before, so that waits end.
pub(crate) const TICK_NS: u64 = 1_000_000;

/// The state of such a system.
#[derive(Default)]
pub(crate) struct Double {
    pub(crate) now_ns: AtomicU64,
    pub(crate) files: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
    /// Files and folders within this one cannot be written.
    pub(crate) read_only: Mutex<Option<PathBuf>>,
    /// The input that every path opens, once.
    pub(crate) input: Mutex<Option<Input>>,
    /// It is a page.
    pub(crate) is_page: AtomicBool,
    /// The answer to every question.
    pub(crate) answer: Mutex<Option<PathBuf>>,
    /// No thread can be created, and no dialog be opened.
    pub(crate) is_exhausted: AtomicBool,
    waiting: Mutex<Vec<(String, Work)>>,
}

impl Double {
    /// A system that a test owns for ever.
    pub(crate) fn leaked() -> &'static Self {
        Box::leak(Box::default())
    }

    pub(crate) fn platform(&'static self) -> Platform {
        Platform { clock: self, threads: self, files: self, dialogs: self }
    }

    /// Does the work that was begun. Returns the names of its threads.
    pub(crate) fn let_go(&self) -> Vec<String> {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap());
        let done = waiting.into_iter().map(|(name, work)| {
            work();
            name
        });
        done.collect()
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        let files = self.files.lock().unwrap();
        files.get(path.as_ref()).map(|bytes| String::from_utf8(bytes.clone()).unwrap())
    }

    fn check_threads(&self) -> io::Result<()> {
        if self.is_exhausted.load(SeqCst) { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        let read_only = self.read_only.lock().unwrap();
        let is_within = read_only.as_ref().is_some_and(|folder| path.starts_with(folder));
        if is_within { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }
}

impl Clock for Double {
    fn now_ns(&self) -> u64 {
        self.now_ns.fetch_add(TICK_NS, SeqCst)
    }
}

impl Threads for Double {
    fn spawn(&self, name: &str, work: Work) -> io::Result<()> {
        self.check_threads()?;
        self.waiting.lock().unwrap().push((name.to_owned(), work));
        Ok(())
    }
}

impl Files for Double {
    fn open(&self, path: &Path) -> Result<Input, InputError> {
        if let Some(input) = self.input.lock().unwrap().take() {
            return Ok(input);
        }
        match self.files.lock().unwrap().get(path) {
            Some(bytes) => Input::of_bytes(path, &bytes[..]),
            // The error is that of a file that is not there.
            None => Input::open(path),
        }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let files = self.files.lock().unwrap();
        let bytes = files.get(path).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other("too long"));
        }
        Ok(bytes.clone())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.check(path)?;
        self.files.lock().unwrap().insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.check(folder)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.check(path)?;
        self.files.lock().unwrap().remove(path);
        Ok(())
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.lock().unwrap().contains_key(path)
    }

    fn names(&self, folder: &Path) -> Vec<PathBuf> {
        let files = self.files.lock().unwrap();
        let within = files.keys().filter(|path| path.parent() == Some(folder));
        within.filter_map(|path| path.file_name()).map(PathBuf::from).collect()
    }

    fn address(&self, query: &str) -> Option<String> {
        self.is_page.load(SeqCst).then(|| query.to_owned())
    }
}

impl Dialogs for Double {
    fn ask(
        &self,
        question: Question,
        _: Option<&Path>,
        answer: Box<dyn FnOnce(Answer) + Send>,
    ) -> io::Result<()> {
        self.check_threads()?;
        let chosen = self.answer.lock().unwrap().clone();
        answer(chosen.map_or(Answer::Unavailable, |path| Answer::Chosen(question, path)));
        Ok(())
    }
}
