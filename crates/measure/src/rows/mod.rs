//! The rows of `frames.csv` and `summary.csv`: a contract with other programs.
//!
//! The fields are the columns, those of the contract first and our own after them.
//! A figure that does not exist is `None`: an empty cell in CSV, `null` in JSON.

mod columns;
mod frame;
mod reason;
mod summary;

pub use columns::columns;
pub use frame::FrameRow;
pub use reason::{Panicked, Reason};
pub use summary::SummaryRow;

use crate::Exit;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Whether a frame counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It only brings the structure and the caches up.
    Warmup,
    /// It counts.
    Measure,
}

/// What became of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured, for a reason that is no fault: too little memory, or time.
    Skipped,
    /// Its pairs were wrong, or it panicked.
    Error,
}

impl Status {
    /// How a program ends because of a row of this status and reason.
    pub fn exit(self, reason: Option<&Reason>) -> Exit {
        match (self, reason) {
            (Status::Ok | Status::Skipped, _) => Exit::Ok,
            (Status::Error, Some(Reason::Panicked(_))) => Exit::Running,
            (Status::Error, _) => Exit::Disagreement,
        }
    }
}

/// A checksum, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(pub u64);

impl std::fmt::Display for Checksum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        if digits.len() != 16 {
            return Err(D::Error::custom("a checksum has 16 digits"));
        }
        u64::from_str_radix(&digits, 16).map(Checksum).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_that_was_cut_off_is_not_read() {
        let written = serde_json::to_string(&Checksum(0x0123)).unwrap();
        assert_eq!(written, "\"0000000000000123\"");
        assert_eq!(serde_json::from_str::<Checksum>(&written).unwrap(), Checksum(0x0123));
        assert!(serde_json::from_str::<Checksum>("\"000000000000012\"").is_err());
    }
}
