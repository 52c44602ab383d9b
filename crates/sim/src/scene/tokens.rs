//! The tokens of a line.

use super::fault::{Fallible, Fault};
use super::text::quote;
use std::fmt::Display;
use std::ops::Range;

/// The tokens of one line, taken one after the other.
#[derive(Default)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// What is left of the line, without its ending.
    rest: Range<usize>,
    /// The place of the last token taken, or the start of the line.
    pub(super) last: Range<usize>,
}

impl<'a> Tokens<'a> {
    /// The tokens of `text[line]`.
    pub(super) fn new(text: &'a str, line: Range<usize>) -> Self {
        Self { text, last: line.start..line.start, rest: line }
    }

    fn next_place(&self) -> Option<Range<usize>> {
        let blank = [' ', '\t'];
        let rest = &self.text[self.rest.clone()];
        let start = rest.find(|c| !blank.contains(&c))?;
        let length = rest[start..].find(blank).unwrap_or(rest.len() - start);
        let start = self.rest.start + start;
        Some(start..start + length)
    }

    /// The next token, which is not taken.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.next_place().map(|at| &self.text[at])
    }

    /// Takes the next token if it is this word.
    pub(super) fn take_if(&mut self, word: &str) -> bool {
        self.peek() == Some(word) && self.take().is_some()
    }

    /// The next token, if the line has one more.
    pub(super) fn take(&mut self) -> Option<&'a str> {
        self.last = self.next_place()?;
        self.rest.start = self.last.end;
        Some(&self.text[self.last.clone()])
    }

    /// The next token, which must be there.
    pub(super) fn expect(&mut self, expected: impl Display) -> Fallible<&'a str> {
        self.take().ok_or_else(|| {
            let message = format!("expected {expected}, found the end of the line");
            Fault::new(self.last.end..self.last.end, message, "missing")
        })
    }

    /// The fault of the last token in the place of something else.
    pub(super) fn unexpected(&self, expected: impl Display, label: &str) -> Box<Fault> {
        self.unexpected_part(0..self.last.len(), expected, label)
    }

    /// The fault of a part of the last token.
    pub(super) fn unexpected_part(
        &self,
        part: Range<usize>,
        expected: impl Display,
        label: &str,
    ) -> Box<Fault> {
        let at = self.last.start + part.start..self.last.start + part.end;
        let found = if at.is_empty() { "nothing" } else { &quote(&self.text[at.clone()]) };
        Fault::new(at, format!("expected {expected}, found {found}"), label)
    }

    /// The end of a line that begins with `head`.
    pub(super) fn finish(&mut self, head: &str) -> Fallible<()> {
        let Some(token) = self.take() else { return Ok(()) };
        let expected = format_args!("the end of the line after `{head}` and its values");
        let mut fault = self.unexpected(expected, "too much");
        if token.starts_with('#') {
            fault.help = Some("a comment stands on a line of its own".to_owned());
        }
        Err(fault)
    }
}
