//! Why a row has no figures.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a row has no figures; a text in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Reason {
    /// The algorithm panicked.
    Panicked(Panicked),
    /// Anything else: it was skipped, or its pairs are wrong.
    Other(String),
}

/// A panic of an algorithm in a repetition; a text in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Panicked {
    /// The frame, from 0.
    pub frame: u32,
    /// The repetition, from 0.
    pub repeat: u32,
    /// What the panic said.
    pub message: String,
}

impl Panicked {
    /// Reads what `Display` writes.
    fn read(text: &str) -> Option<Self> {
        let (frame, rest) =
            text.strip_prefix("panicked in frame ")?.split_once(" of repetition ")?;
        let (repeat, message) = rest.split_once(": ")?;
        let (frame, repeat) = (frame.parse().ok()?, repeat.parse().ok()?);
        Some(Self { frame, repeat, message: message.to_owned() })
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, repeat, message } = self;
        write!(f, "panicked in frame {frame} of repetition {repeat}: {message}")
    }
}

impl TryFrom<String> for Panicked {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::read(&text).ok_or_else(|| {
            format!("expected `panicked in frame F of repetition R: MESSAGE`, found `{text}`")
        })
    }
}

impl From<Panicked> for String {
    fn from(panicked: Panicked) -> Self {
        panicked.to_string()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Panicked(panicked) => panicked.fmt(f),
            Reason::Other(text) => f.write_str(text),
        }
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Panicked::read(&text).map_or(Reason::Other(text), Reason::Panicked)
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_is_read_back_from_its_text() {
        let panicked = Panicked { frame: 3, repeat: 1, message: "a: b".to_owned() };
        let text = "panicked in frame 3 of repetition 1: a: b";
        assert_eq!(panicked.to_string(), text);
        assert_eq!(Reason::from(text.to_owned()), Reason::Panicked(panicked.clone()));
        assert_eq!(Panicked::try_from(text.to_owned()), Ok(panicked));
        let other = "panicked in frame of no number";
        assert_eq!(Reason::from(other.to_owned()), Reason::Other(other.to_owned()));
    }
}
