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
}
