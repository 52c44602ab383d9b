//! Files that are read: regular ones only, and no more of them than can be held.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
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

/// Bytes by which files of packers are recognised.
const START: u64 = 7;

/// Opens a regular file that is text or a trace: [`open_regular`] that refuses what a packer has written.
///
/// # Errors
///
/// As [`open_regular`], and where the file is compressed. The error has the command that unpacks it.
pub fn open_unpacked(path: &Path) -> io::Result<File> {
    let mut file = open_regular(path)?;
    let mut start = Vec::new();
    file.by_ref().take(START).read_to_end(&mut start)?;
    file.rewind()?;
    refuse_packed(path, &start)?;
    Ok(file)
}

/// Refuses what a packer has written, by its first bytes.
///
/// # Errors
///
/// Where it is compressed. The error has the command that unpacks it.
pub fn refuse_packed(path: &Path, start: &[u8]) -> io::Result<()> {
    let Some((packer, command)) = packer_of(start) else { return Ok(()) };
    let path = path.display();
    let reason = format!("it is compressed by {packer}: unpack it first with `{command} {path}`");
    Err(io::Error::other(reason))
}

/// The packer whose files begin like this, and the command that unpacks them.
fn packer_of(start: &[u8]) -> Option<(&'static str, &'static str)> {
    Some(match start {
        [0x1f, 0x8b, ..] => ("gzip", "gunzip"),
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y'] => ("bzip2", "bunzip2"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("xz", "unxz"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => ("zstd", "unzstd"),
        [b'P', b'K', 3, 4, ..] => ("zip", "unzip"),
        _ => return None,
    })
}

/// Refuses to write into what is there but is no regular file: opening a pipe waits for its reader.
///
/// # Errors
///
/// Where it is a folder or no regular file.
pub fn refuse_irregular(path: &Path) -> io::Result<()> {
    // A file that cannot be inspected cannot be opened either.
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
/// As [`open_unpacked`], and where it is longer.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Not by its length: the file may grow meanwhile.
    open_unpacked(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
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
        for (start, command) in [
            (&b"\x1f\x8b\x08\0"[..], "gzip: unpack it first with `gunzip "),
            (b"BZh91AY&SY", "bzip2: unpack it first with `bunzip2 "),
            (b"\xfd7zXZ\0\0", "xz: unpack it first with `unxz "),
            (b"\x28\xb5\x2f\xfd$", "zstd: unpack it first with `unzstd "),
            (b"PK\x03\x04", "zip: unpack it first with `unzip "),
        ] {
            fs::write(&path, start).unwrap();
            let refusal = reason(&path, 99);
            assert_eq!(refusal, format!("it is compressed by {command}{}`", path.display()));
        }
        for text in [&b""[..], b"B", b"BZh91", b"PK", b"i -1"] {
            fs::write(&path, text).unwrap();
            assert_eq!(read_regular(&path, 99).unwrap(), text);
        }
        assert!(refuse_irregular(folder.path()).is_err());
        assert!(refuse_irregular(&path).is_ok());
        assert!(refuse_irregular(&folder.path().join("missing")).is_ok());
    }
}
