//! The content of a table as it was written, by which a changed one is recognised.

use super::error::{OutputError, io_error};
use crate::input::{GrowingHash, hash};
use crate::rows::{Checksum, NumberOrText};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use sim::open_regular;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Length and hash of a table that a run wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    bytes: u64,
    /// Of the content and of the run's name.
    #[serde(deserialize_with = "text_or_number")]
    hash: Checksum,
}

/// Earlier versions wrote a number, which readers of JSON may round.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(number) => Ok(Checksum(number)),
        NumberOrText::Text(text) => text.parse().map_err(D::Error::custom),
    }
}

/// The tables of a run by their paths from the folder of its `machine.json`.
pub type WrittenTables = BTreeMap<String, Written>;

impl Written {
    pub(super) fn new(content: &GrowingHash, run_id: &str) -> Self {
        Self { bytes: content.bytes(), hash: Checksum(content.value() ^ hash(run_id.as_bytes())) }
    }

    /// A whole file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn of_file(path: &Path, run_id: &str) -> Result<Self, OutputError> {
        Ok(Self::new(&content_of(path)?, run_id))
    }

    /// Checks a whole file.
    ///
    /// # Errors
    ///
    /// Where the file is not as it was written, or cannot be read.
    pub fn check(self, path: &Path, run_id: &str) -> Result<(), OutputError> {
        match Self::of_file(path, run_id)? == self {
            true => Ok(()),
            false => Err(OutputError::Altered(path.to_owned())),
        }
    }
}

/// The hash of a file.
pub(super) fn content_of(path: &Path) -> Result<GrowingHash, OutputError> {
    let mut content = GrowingHash::default();
    let read = open_regular(path).and_then(|mut file| io::copy(&mut file, &mut content));
    read.map(|_| content).map_err(io_error("read", path))
}
