//! Files that are read: regular ones only, and no more of them than can be held.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
///
/// Where it is no regular file or cannot be read. It is checked before it is opened: opening a pipe
/// waits for its writer, and a device may have no end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check(&fs::metadata(path)?)?;
    File::open(path)
}

/// Refuses to write into what is there but is no regular file: opening a pipe waits for its reader.
///
/// # Errors
///
/// Where it is a folder or no regular file.
pub fn refuse_irregular(path: &Path) -> io::Result<()> {
    // What cannot be inspected cannot be opened either.
    fs::metadata(path).map_or(Ok(()), |metadata| check(&metadata))
}

fn check(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok(())
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// As [`open_regular`], and where it is longer.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Not by its length: the file may grow meanwhile.
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Reads text whose lines have at most `most` bytes each. Longer ones are an error, before they fill
/// the memory.
#[derive(Debug)]
pub struct LimitedLines<R> {
    reader: R,
    most: usize,
    /// Bytes of the line so far.
    length: usize,
}

impl<R: Read> LimitedLines<R> {
    /// Limits the lines of `reader`.
    pub fn new(reader: R, most: usize) -> Self {
        Self { reader, most, length: 0 }
    }
}

impl<R: Read> Read for LimitedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        for piece in buffer[..read].split_inclusive(|byte| *byte == b'\n') {
            self.length += piece.len();
            if self.length > self.most {
                let message = format!("a line has more than {} bytes", self.most);
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            if piece.ends_with(b"\n") {
                self.length = 0;
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_limited_length_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"four").unwrap();
        assert_eq!(read_regular(&path, 4).unwrap(), b"four");
        let reason = |path: &Path, most| read_regular(path, most).unwrap_err().to_string();
        assert_eq!(reason(&path, 3), "it has more than 3 bytes");
        assert_eq!(reason(folder.path(), 3), "it is a folder");
        if cfg!(unix) {
            assert_eq!(reason(Path::new("/dev/zero"), 3), "it is no regular file");
            assert!(refuse_irregular(Path::new("/dev/null")).is_err());
        }
        assert!(refuse_irregular(folder.path()).is_err());
        assert!(refuse_irregular(&path).is_ok());
        assert!(refuse_irregular(&folder.path().join("missing")).is_ok());
    }

    #[test]
    fn long_line_is_an_error_wherever_reads_end() {
        let read = |text: &[u8]| {
            let mut all = Vec::new();
            // Two bytes at a time.
            let pieces =
                text.chunks(2).fold(Box::new(io::empty()) as Box<dyn Read>, |before, piece| {
                    Box::new(before.chain(piece))
                });
            LimitedLines::new(pieces, 4).read_to_end(&mut all).map(|_| all)
        };
        for text in [&b""[..], b"abc\nabc\nabc", b"\n\n\n\n\n\n", b"abcd"] {
            assert_eq!(read(text).unwrap(), text);
        }
        for text in [&b"abcde"[..], b"a\nabcd\n", b"abc\nabcdef\n"] {
            assert_eq!(read(text).unwrap_err().to_string(), "a line has more than 4 bytes");
        }
    }
}
