//! The content of a table as it was written, by which a changed one is recognised.

use crate::input::{GrowingHash, hash};
use crate::rows::{Checksum, NumberOrText, RowError};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use sim::open_regular;
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

impl Written {
    pub(super) fn new(content: &GrowingHash, run_id: &str) -> Self {
        Self { bytes: content.bytes(), hash: Checksum(content.value() ^ hash(run_id.as_bytes())) }
    }

    /// A whole file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn of_file(path: &Path, run_id: &str) -> Result<Self, RowError> {
        let mut content = GrowingHash::default();
        let read = open_regular(path).and_then(|mut file| io::copy(&mut file, &mut content));
        read.map(|_| Self::new(&content, run_id)).map_err(|error| RowError::Unreadable {
            path: path.to_owned(),
            problem: error.to_string(),
        })
    }

    /// Checks a whole file.
    ///
    /// # Errors
    ///
    /// Where the file is not as it was written, or cannot be read.
    pub fn check(self, path: &Path, run_id: &str) -> Result<(), RowError> {
        match Self::of_file(path, run_id)? == self {
            true => Ok(()),
            false => Err(RowError::Altered(path.to_owned())),
        }
    }
}
