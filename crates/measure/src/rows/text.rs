//! Labels, seeds and checksums that every reader of a table keeps as they are: pandas, R and spreadsheets convert each field by its look.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::num::ParseIntError;

/// Words that stand for no text: missing, infinite or logical values.
const NO_TEXTS: [&str; 11] =
    ["", "na", "n/a", "nan", "null", "none", "inf", "infinity", "true", "false", "<na>"];

/// Months in dates, also by their first letters.
const MONTHS: &str =
    "january february march april may june july august september october november december";

/// The name of a file as a label. One that would be read as a number (`1e5`, `5%`, `$5`), a date (`MAR1`), a missing value
/// or a formula becomes a path, `./1e5`.
pub(crate) fn label(name: String) -> String {
    let plain = name.trim().trim_start_matches(['+', '-']).to_ascii_lowercase();
    let is_mark = |c: char| " .,:+-_'%()$€£¥".contains(c);
    let body = plain.trim_start_matches(is_mark);
    let begins_with = |is: fn(&char) -> bool| body.chars().next().is_some_and(|c| is(&c));
    let is_of_number = |word: &str| {
        let has_its_letters = word.chars().all(|c| "abcdefxp".contains(c));
        begins_with(char::is_ascii_digit)
            && (has_its_letters || ["am", "pm", "t", "z"].contains(&word))
    };
    let is_month = |word: &str| word.len() >= 3 && MONTHS.split(' ').any(|m| m.starts_with(word));
    let mut words = body.split(|c: char| !c.is_ascii_lowercase()).filter(|word| !word.is_empty());
    let is_number_or_date = begins_with(char::is_ascii_alphanumeric)
        && body.contains(|c: char| c.is_ascii_digit())
        && body.chars().all(|c| c.is_ascii_alphanumeric() || c == '/' || is_mark(c))
        && words.all(|word| is_of_number(word) || is_month(word));
    let is_formula = name.starts_with(['=', '+', '-', '@', '#']);
    let is_logical = ["T", "F"].contains(&name.as_str());
    match is_number_or_date || is_formula || is_logical || NO_TEXTS.contains(&plain.as_str()) {
        true => format!("./{name}"),
        false => name,
    }
}

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

impl std::str::FromStr for Checksum {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Earlier versions and external programs write the digits alone.
        let digits = text.strip_prefix('x').unwrap_or(text);
        // A sign would be read as part of the number.
        let is_whole = digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let value = if is_whole { u64::from_str_radix(digits, 16).ok() } else { None };
        value.map(Checksum).ok_or("a checksum has 16 hexadecimal digits")
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

/// The largest number that all readers hold exactly.
const MAX_EXACT: u64 = 1 << 53;

/// A seed in files: a number; beyond 2^53, which many readers round, a text with an `s` before its digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0..=MAX_EXACT => serializer.serialize_u64(self.0),
            large => serializer.collect_str(&format_args!("s{large}")),
        }
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Ok(Self(number)),
            NumberOrText::Text(text) => parse_seed(&text).map(Self).map_err(D::Error::custom),
        }
    }
}

/// Parses a seed as a number, or as tables have it.
///
/// # Errors
///
/// Where it is neither.
pub fn parse_seed(text: &str) -> Result<u64, ParseIntError> {
    text.strip_prefix('s').unwrap_or(text).parse()
}

/// A value that was a number in earlier versions, and is a text where readers would round it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a text")]
pub(crate) enum NumberOrText {
    Number(u64),
    Text(String),
}

/// The form of an optional seed: `#[serde(with = "seed_form")]`.
pub mod seed_form {
    use super::{Deserialize, Deserializer, Seed, Serialize, Serializer};

    /// Writes a [`Seed`], if there is one.
    ///
    /// # Errors
    ///
    /// As the serializer.
    pub fn serialize<S: Serializer>(seed: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        seed.map(Seed).serialize(serializer)
    }

    /// Reads what [`serialize`] writes, and the plain numbers of earlier versions.
    ///
    /// # Errors
    ///
    /// Where it is no seed.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        Ok(Option::<Seed>::deserialize(deserializer)?.map(|seed| seed.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_that_reads_as_no_text_becomes_a_path() {
        let numbers =
            "1e5|091e731892578660|0x1p3|.5|-3|1_000|2026-03-04|1/2|12:30|5%|$5|5 €|(5)|5 pm";
        let dates = "MAR1|1-sept-26|May 5|2026-03-04T12:30Z";
        let others = "inf|-Inf|NaN|NA|null|None|TRUE|F|=1+1|@a|#N/A|";
        for name in [numbers, dates, others].iter().flat_map(|names| names.split('|')) {
            assert_eq!(label(name.to_owned()), format!("./{name}"));
        }
        let texts = "random.scene|3balls.scene|./1e5|../5|a/1e5|nancy|terdiman|r2|t1|may|mars1";
        for name in texts.split('|') {
            assert_eq!(label(name.to_owned()), name);
        }
    }
}
