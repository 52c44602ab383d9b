//! Hashes of contents, by which files and inputs are compared.

use broadphase::benchmark::mix;
use sim::open_regular;
use std::io::{self, Read, Write};
use std::path::Path;

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Seek, SeekFrom};

    #[test]
    fn content_of_a_file_decides_and_not_its_place_or_time() {
        let folder = tempfile::tempdir().unwrap();
        let length = 3 * BLOCK + 5;
        let hash_of = |name: &str, change: Option<u64>| {
            let path = folder.path().join(name);
            let mut file = File::create(&path).unwrap();
            file.set_len(length).unwrap();
            if let Some(at) = change {
                file.seek(SeekFrom::Start(at)).unwrap();
                file.write_all(&[1]).unwrap();
            }
            // Otherwise the time alone would differ.
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
            file_hash(&path).unwrap()
        };
        let before = hash_of("a.bpt", None);
        for at in [0, BLOCK - 1, BLOCK, 2 * BLOCK + 77, length - 1] {
            assert_ne!(hash_of("b.bpt", Some(at)), before, "byte {at}");
        }
        let [path, copy] = ["a.bpt", "copy.bpt"].map(|name| folder.path().join(name));
        std::fs::copy(&path, &copy).unwrap();
        assert_eq!(file_hash(&copy).unwrap(), before);
        File::options().append(true).open(&copy).unwrap().write_all(&[0]).unwrap();
        assert_ne!(file_hash(&copy).unwrap(), before, "a byte more");
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
}
