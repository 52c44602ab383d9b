//! Files that grow by whole pieces.

use super::csv_lines::csv_lines;
use super::error::{OutputError, io_error};
use super::written::{Written, content_of};
use crate::input::GrowingHash;
use same_file::Handle;
use sim::{open_regular, refuse_irregular, refuse_link};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Attempts to take a lock before another process is assumed to hold it, and the pause between two:
/// half a second in all.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// A file that takes a piece completely or not at all, as far as the process can ensure it.
#[derive(Debug)]
pub(super) struct WholeFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole pieces.
    whole: u64,
    /// The hash of a table that is written.
    content: GrowingHash,
}

impl WholeFile {
    /// Opens a file to be written on from its end.
    pub(super) fn open_at_end(path: PathBuf) -> Result<Self, OutputError> {
        Self::uncut(path)?.at_end()
    }

    /// Opens a file to be written on from its end, and keeps other runs from writing into it as long
    /// as it is open, unless the file system has no locks.
    pub(super) fn open_locked(path: PathBuf) -> Result<Self, OutputError> {
        let file = Self::uncut(path)?;
        lock(&file.file, &file.path)?;
        // Before the lock is held, another run may be writing on.
        file.at_end()
    }

    fn at_end(mut self) -> Result<Self, OutputError> {
        self.whole = self.file.seek(SeekFrom::End(0)).map_err(io_error("read", &self.path))?;
        Ok(self)
    }

    fn uncut(path: PathBuf) -> Result<Self, OutputError> {
        let open = || {
            refuse_link(&path)?;
            refuse_irregular(&path)?;
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)
        };
        let file = open().map_err(io_error("write", &path))?;
        Ok(Self { path, file, whole: 0, content: GrowingHash::default() })
    }

    /// Goes on with a table of a complete run, if it is as it `was` written.
    pub(super) fn go_on(self, was: Written, run_id: &str) -> Result<Self, OutputError> {
        let content = content_of(&self.path)?;
        match Written::new(&content, run_id) == was {
            true => Ok(Self { content, ..self }),
            false => Err(OutputError::Altered(self.path)),
        }
    }

    /// Begins a table with its header. What follows is [`put`](Self::put) over what is there.
    pub(super) fn begin(mut self, columns: &[&str]) -> Result<Self, OutputError> {
        self.file.rewind().map_err(io_error("read", &self.path))?;
        self.whole = 0;
        let header = csv_lines([columns]).map_err(io_error("set rows for", &self.path))?;
        self.put(&header)?;
        Ok(self)
    }

    /// Puts a piece behind the whole ones. If the file goes on with it, it stays as it is. Otherwise what follows is
    /// replaced.
    pub(super) fn put(&mut self, piece: &[u8]) -> Result<(), OutputError> {
        let mut there = Vec::new();
        let read = (&self.file).take(piece.len() as u64).read_to_end(&mut there);
        read.map_err(io_error("read", &self.path))?;
        if there != piece {
            self.cut()?;
            return self.append(piece);
        }
        self.whole += piece.len() as u64;
        self.content.add(piece);
        Ok(())
    }

    /// Removes what follows the whole pieces.
    pub(super) fn cut(&mut self) -> Result<(), OutputError> {
        let end = self.file.set_len(self.whole);
        let end = end.and_then(|()| self.file.seek(SeekFrom::Start(self.whole)));
        end.map(drop).map_err(io_error("write", &self.path))
    }

    /// The number of ends of lines.
    pub(super) fn line_ends(&self) -> Result<u64, OutputError> {
        let count = || {
            let bytes = BufReader::new(open_regular(&self.path)?).bytes();
            bytes.map(|byte| Ok(u64::from(byte? == b'\n'))).sum::<io::Result<u64>>()
        };
        count().map_err(io_error("read", &self.path))
    }

    /// Hands a piece to the system, at once: a process killed before or after leaves no part of it.
    fn append(&mut self, piece: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(piece).map_err(|error| {
            // A full disk takes a part, which is cut off again. An error of that adds nothing.
            let _ = self.cut();
            io_error("write", &self.path)(error)
        })?;
        self.whole += piece.len() as u64;
        self.content.add(piece);
        Ok(())
    }

    /// Fails unless the path still names this file, with all that was written. Otherwise rows would go
    /// to a file without a name, or behind a gap.
    pub(super) fn check(&self) -> Result<(), OutputError> {
        let is_same = || -> io::Result<bool> {
            let own = Handle::from_file(self.file.try_clone()?)?;
            Ok(own == Handle::from_file(open_regular(&self.path)?)?
                && self.file.metadata()?.len() == self.whole)
        };
        match is_same() {
            Ok(true) => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io_error("read", &self.path)(error))
            }
            _ => Err(OutputError::Changed(self.path.clone())),
        }
    }

    /// Waits until the system has put everything on the disk.
    pub(super) fn sync(&self) -> Result<(), OutputError> {
        self.file.sync_data().map_err(io_error("write", &self.path))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.whole
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Length and hash of a table.
    pub(super) fn written(&self, run_id: &str) -> Written {
        Written::new(&self.content, run_id)
    }
}

/// Keeps other processes that lock an open file or folder out of it as long as it is open, unless the file system has
/// no locks.
fn lock(file: &File, path: &Path) -> Result<(), OutputError> {
    // A run that was just killed holds its lock for a moment longer, and so does a program that
    // it was about to start.
    for _ in 0..ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(()),
        }
    }
    Err(OutputError::InUse(path.to_owned()))
}

/// Keeps other processes that take it out of a folder as long as it exists, where the system can lock folders.
#[derive(Debug)]
pub struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    /// Takes the lock.
    ///
    /// # Errors
    ///
    /// Where another process holds it.
    pub fn take(folder: &Path) -> Result<Self, OutputError> {
        // Windows opens no folder as a file.
        let opened = File::open(folder).ok();
        opened.as_ref().map_or(Ok(()), |file| lock(file, folder))?;
        Ok(Self { _folder: opened })
    }
}
