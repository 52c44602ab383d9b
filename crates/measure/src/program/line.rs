//! The line that a program prints for a frame.

use crate::rows::Checksum;

/// `NANOSECONDS PAIRS CHECKSUM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameLine {
    /// Nanoseconds of update and search.
    pub(crate) ns: u64,
    /// Overlapping pairs.
    pub(crate) pairs: u64,
    pub(crate) checksum: Checksum,
}

/// Most characters of a wrong line that are quoted.
const QUOTED: usize = 60;

impl FrameLine {
    /// Reads a line: three fields, separated by blanks.
    pub(crate) fn read(line: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(line).ok();
        text.and_then(Self::parse).ok_or_else(|| {
            let found = String::from_utf8_lossy(line);
            let quoted: String = found.trim_end().escape_debug().take(QUOTED).collect();
            format!(
                "expected `NANOSECONDS PAIRS CHECKSUM`, the checksum in 16 hexadecimal digits, found \
                 `{quoted}`"
            )
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split_ascii_whitespace();
        let line = Self {
            ns: fields.next()?.parse().ok()?,
            pairs: fields.next()?.parse().ok()?,
            checksum: fields.next()?.parse().ok()?,
        };
        fields.next().is_none().then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_has_time_pairs_and_checksum_or_is_quoted_in_part() {
        let line = FrameLine { ns: 12_500, pairs: 3, checksum: Checksum(0xdc16) };
        for text in ["12500 3 000000000000DC16\n", " 12500\t3 000000000000dc16 \r\n"] {
            assert_eq!(FrameLine::read(text.as_bytes()), Ok(line), "{text:?}");
        }
        for (text, quoted) in [
            ("1 2", "`1 2`"),
            ("1 2 dc16", "`1 2 dc16`"),
            ("-1 2 000000000000dc16", "`-1 2"),
            ("1 2 000000000000dc16 4", "dc16 4`"),
            ("1 2 +00000000000dc16", "`1 2 +"),
            ("a\x1b[31m\n", "`a\\u{1b}[31m`"),
            (&"x".repeat(200), &format!("`{}`", "x".repeat(QUOTED))),
        ] {
            let refusal = FrameLine::read(text.as_bytes()).unwrap_err();
            assert!(refusal.contains(quoted), "{text:?}: {refusal}");
        }
        assert!(FrameLine::read(b"1 2 \xff").unwrap_err().contains("found `1 2 "));
    }
}
