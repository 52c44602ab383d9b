//! Why a row has no figures.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a row has no figures; a text in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Reason {
    /// The algorithm panicked.
    Panicked(Panicked),
    /// The program failed.
    Failed(Failed),
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

/// A fault of a program in a repetition other than wrong pairs; a text in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The repetition, from 0.
    pub repeat: u32,
    /// What went wrong.
    pub message: String,
}

impl Failed {
    /// Reads what `Display` writes.
    fn read(text: &str) -> Option<Self> {
        let (repeat, message) = text.strip_prefix("failed in repetition ")?.split_once(": ")?;
        Some(Self { repeat: repeat.parse().ok()?, message: message.to_owned() })
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { repeat, message } = self;
        write!(f, "failed in repetition {repeat}: {message}")
    }
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
            Reason::Failed(failed) => failed.fmt(f),
            Reason::Other(text) => f.write_str(text),
        }
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        let panicked = Panicked::read(&text).map(Reason::Panicked);
        let failed = || Failed::read(&text).map(Reason::Failed);
        panicked.or_else(failed).unwrap_or(Reason::Other(text))
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
    fn panic_and_failure_are_read_back_from_their_texts() {
        let panicked = Panicked { frame: 3, repeat: 1, message: "a: b".to_owned() };
        let text = "panicked in frame 3 of repetition 1: a: b";
        assert_eq!(panicked.to_string(), text);
        assert_eq!(Reason::from(text.to_owned()), Reason::Panicked(panicked.clone()));
        assert_eq!(Panicked::try_from(text.to_owned()), Ok(panicked));
        let failed = Failed { repeat: 2, message: "a: b".to_owned() };
        assert_eq!(Reason::from(failed.to_string()), Reason::Failed(failed));
        let other = "panicked in frame of no number";
        assert_eq!(Reason::from(other.to_owned()), Reason::Other(other.to_owned()));
    }
}
