//! A checksum in files.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

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
