//! Files that are inputs: hashes of their content, and whether they stay as they are while they are measured.

use super::error::InputError;
use broadphase::benchmark::mix;
use sim::open_regular;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes of a block.
const BLOCK: u64 = 1 << 20;

/// A hash of bytes. It does not resist deliberate collisions.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    // Whole words without a loop over their bytes: each run hashes its program, of 50 MB and more.
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
    pub(crate) fn add(&mut self, piece: &[u8]) {
        for &byte in piece {
            self.word = self.word << 8 | u64::from(byte);
            self.bytes += 1;
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

/// A hash of a whole file.
pub(crate) fn file_hash(path: &Path) -> io::Result<u64> {
    let mut file = open_regular(path)?;
    let mut total = 0;
    let mut block = Vec::new();
    while {
        block.clear();
        Read::by_ref(&mut file).take(BLOCK).read_to_end(&mut block)? > 0
    } {
        total = mix(total ^ hash(&block));
    }
    Ok(total)
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
        Self { path, was }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a file that has changed since it was named; `name` is how the user calls it.
    pub(crate) fn check(&self, name: &str) -> Result<(), InputError> {
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
    use std::fs::{self, Metadata};

    #[test]
    fn content_of_a_file_decides_and_not_its_place_or_time() {
        let folder = tempfile::tempdir().unwrap();
        let length = 3 * BLOCK as usize + 5;
        let hash_of = |name: &str, bytes: &[u8]| {
            fs::write(folder.path().join(name), bytes).unwrap();
            file_hash(&folder.path().join(name)).unwrap()
        };
        let mut bytes = vec![0; length];
        let before = hash_of("a.bpt", &bytes);
        assert_eq!(hash_of("copy.bpt", &bytes), before);
        let block = BLOCK as usize;
        for at in [0, block - 1, block, 2 * block + 77, length - 1] {
            bytes[at] = 1;
            assert_ne!(hash_of("b.bpt", &bytes), before, "byte {at}");
            bytes[at] = 0;
        }
        bytes.push(0);
        assert_ne!(hash_of("b.bpt", &bytes), before, "a byte more");
    }

    #[test]
    fn growing_hash_depends_on_every_byte_and_not_on_pieces() {
        let bytes = b"12345678abcdefgh\0x";
        let of = |pieces: &[&[u8]]| {
            let mut hash = GrowingHash::default();
            pieces.iter().for_each(|piece| hash.add(piece));
            hash.value()
        };
        let whole = of(&[bytes]);
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
        // The number of the removed file may be given to this one.
        #[cfg(unix)]
        assert!(!is_unchanged(&|| {
            let was = fs::metadata(&path).unwrap();
            let modified = was.modified().unwrap();
            // The clock of the file system may be slow: until it shows another time.
            let is_same =
                |now: &Metadata| now.created().is_ok_and(|c| Some(c) == was.created().ok());
            loop {
                fs::remove_file(&path).unwrap();
                fs::write(&path, b"two").unwrap();
                if !is_same(&fs::metadata(&path).unwrap()) {
                    break;
                }
            }
            fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        }));
        assert!(!is_unchanged(&|| {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }));
    }
}
