//! A checksum in files.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A checksum, written as `x` and 16 hexadecimal digits.
///
/// The letter keeps it a text: pandas, R and spreadsheets read digits alone as a number, and `091e731892578660` as infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum(pub u64);

impl std::fmt::Display for Checksum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "x{:016x}", self.0)
    }
}

/// A text that is no checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a checksum has 16 hexadecimal digits")]
pub struct ChecksumError;

impl std::str::FromStr for Checksum {
    type Err = ChecksumError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Earlier versions and external programs write the digits alone.
        let digits = text.strip_prefix('x').unwrap_or(text);
        // A sign would be read as part of the number.
        let is_whole = digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let value = if is_whole { u64::from_str_radix(digits, 16).ok() } else { None };
        value.map(Checksum).ok_or(ChecksumError)
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
