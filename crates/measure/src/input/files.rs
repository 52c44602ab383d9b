//! Files that are inputs: hashes of their content, and whether they stay as they are while they are measured.

use super::InputError;
use broadphase::benchmark::mix;
use sim::{TraceError, TraceReader, open_regular};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A hash of bytes. It does not resist deliberate collisions.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let hash = words
        .iter()
        .fold(mix(bytes.len() as u64), |hash, word| mix(hash ^ u64::from_be_bytes(*word)));
    if rest.is_empty() {
        return hash;
    }
    mix(hash ^ rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

/// A hash of bytes that come in pieces. It does not depend on how they are divided.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingHash {
    total: u64,
    /// The last eight bytes.
    word: u64,
    bytes: u64,
}

impl GrowingHash {
    /// The hash of a whole file.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        let mut hash = Self::default();
        io::copy(&mut open_regular(path)?, &mut hash)?;
        Ok(hash)
    }

    pub(crate) fn add(&mut self, mut piece: &[u8]) {
        while let Some((&byte, rest)) = piece.split_first() {
            // Whole words without a loop over their bytes: each run hashes its program, of 50 MB and more.
            let word = piece.split_first_chunk().filter(|_| self.bytes.is_multiple_of(8));
            (self.word, piece) = match word {
                Some((word, rest)) => (u64::from_be_bytes(*word), rest),
                None => (self.word << 8 | u64::from(byte), rest),
            };
            self.bytes += if word.is_some() { 8 } else { 1 };
            if self.bytes.is_multiple_of(8) {
                self.total = mix(self.total ^ self.word);
            }
        }
    }

    /// The hash of all pieces so far.
    pub(crate) fn value(&self) -> u64 {
        mix(mix(self.total ^ self.word) ^ self.bytes)
    }

    /// The length of all pieces so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Write for GrowingHash {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.add(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file, and what it was when it was named. Bytes that were overwritten by as many, with the old time set again, are not
/// noticed.
///
/// All repetitions of a case show the same boxes, and run the same programs. A trace that is replaced or
/// overwritten between two of them would look like an algorithm that finds other pairs, and a program that is
/// built again like one whose times vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedFile {
    path: PathBuf,
    /// `None` where there was none.
    was: Option<State>,
    /// Its bytes, if they are in memory: they do not change.
    held: Option<Arc<[u8]>>,
}

/// A file at a moment: device and number on it, when it was made where the system keeps that (it may give the number of a
/// removed file to another one), length, and time of the last change. It is not kept open: a run may have more traces than
/// a process may open files.
type State = ((u64, u64), Option<SystemTime>, u64, Option<SystemTime>);

fn state_of(path: &Path) -> io::Result<State> {
    let metadata = fs::metadata(path)?;
    #[cfg(unix)]
    let number = {
        use std::os::unix::fs::MetadataExt;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let number = (0, 0);
    Ok((number, metadata.created().ok(), metadata.len(), metadata.modified().ok()))
}

impl WatchedFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        let was = state_of(&path).ok();
        Self { path, was, held: None }
    }

    /// A file that is in memory.
    pub(crate) fn held(path: PathBuf, bytes: Arc<[u8]>) -> Self {
        Self { path, was: None, held: Some(bytes) }
    }

    /// Reads it as a trace.
    pub(crate) fn trace(&self) -> Result<TraceReader, TraceError> {
        match &self.held {
            Some(bytes) => TraceReader::of_bytes(&self.path, Arc::clone(bytes)),
            None => TraceReader::open(&self.path),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A hash of its content.
    pub(crate) fn content_hash(&self, name: &str) -> Result<u64, InputError> {
        let mut hash = GrowingHash::default();
        let read = match &self.held {
            Some(bytes) => hash.write_all(bytes),
            None => GrowingHash::of_file(&self.path).map(|of_file| hash = of_file),
        };
        read.map(|()| hash.value()).map_err(|source| InputError::unreadable(name, &source))
    }

    /// Refuses a file that has changed since it was named; `name` is how the user calls it.
    pub(crate) fn check(&self, name: &str) -> Result<(), InputError> {
        if self.held.is_some() {
            return Ok(());
        }
        match (&self.was, state_of(&self.path)) {
            (Some(was), Ok(now)) if *was == now => Ok(()),
            (None, Err(source)) => Err(InputError::unreadable(name, &source)),
            _ => Err(InputError::Unplayable(format!("{name}: the file changed during the run"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn growing_hash_depends_on_every_byte_and_not_on_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = (folder.path().join("a.bpt"), b"12345678abcdefgh\0x");
        fs::write(&path, bytes).unwrap();
        let of = |pieces: &[&[u8]]| {
            let mut hash = GrowingHash::default();
            pieces.iter().for_each(|piece| hash.add(piece));
            hash.value()
        };
        let whole = of(&[bytes]);
        assert_eq!(GrowingHash::of_file(&path).unwrap().value(), whole);
        for at in 0..bytes.len() {
            let mut other = *bytes;
            other[at] ^= 1;
            assert_ne!(of(&[&other]), whole, "byte {at}");
            assert_ne!(of(&[&bytes[..at]]), whole, "the first {at} bytes");
            assert_eq!(of(&[&bytes[..at], b"", &bytes[at..]]), whole, "divided at {at}");
        }
        assert_ne!(of(&[b"\0"]), of(&[b"\0\0"]));
    }

    #[test]
    fn changed_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bpt");
        let is_unchanged = |change: &dyn Fn()| {
            fs::write(&path, b"one").unwrap();
            let file = WatchedFile::new(path.clone());
            change();
            file.check("a.bpt").is_ok()
        };
        assert!(is_unchanged(&|| {}));
        assert!(is_unchanged(&|| fs::hard_link(&path, folder.path().join("link")).unwrap()));
        assert!(!is_unchanged(&|| fs::write(&path, b"longer").unwrap()));
        assert!(!is_unchanged(&|| fs::remove_file(&path).unwrap()));
        assert!(!is_unchanged(&|| {
            let copy = folder.path().join("copy");
            fs::write(&copy, b"one").unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            fs::File::options().write(true).open(&copy).unwrap().set_modified(modified).unwrap();
            fs::rename(&copy, &path).unwrap();
        }));
        assert!(!is_unchanged(&|| {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }));
    }
}
