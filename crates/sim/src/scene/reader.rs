//! Reads the tokens of a line into the values of its fields.

use super::fault::{Fallible, Fault};
use super::fields::{Bound, LARGEST, Mark, Quoted};
use super::numbers::spelling_help;
use super::text::quote;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

/// The tokens of one line, taken one after the other.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// What is left of the line, without its ending.
    rest: Range<usize>,
    /// The last token taken, or the start of the line.
    last: Range<usize>,
    /// The subject, which no other line of the kind may have, and the token that ends it.
    pub(super) key: Option<(String, Range<usize>)>,
    pub(super) marks: Vec<(Mark, Range<usize>)>,
    pub(super) warnings: Vec<Fault>,
}

impl<'a> Reader<'a> {
    /// The tokens of `text[line]`.
    pub(super) fn new(text: &'a str, line: Range<usize>) -> Self {
        let last = line.start..line.start;
        Self { text, rest: line, last, key: None, marks: Vec::new(), warnings: Vec::new() }
    }

    /// The place of the last token taken.
    pub(super) fn last(&self) -> Range<usize> {
        self.last.clone()
    }

    /// Whether no token is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Takes the next token if it is this word.
    pub(super) fn take_if(&mut self, word: &str) -> bool {
        let is_next = self.peek().is_some_and(|at| &self.text[at] == word);
        is_next && self.take().is_some()
    }

    fn peek(&self) -> Option<Range<usize>> {
        let blank = [' ', '\t'];
        let rest = &self.text[self.rest.clone()];
        let start = rest.find(|c| !blank.contains(&c))?;
        let length = rest[start..].find(blank).unwrap_or(rest.len() - start);
        let start = self.rest.start + start;
        Some(start..start + length)
    }

    /// The next token, if the line has one more.
    pub(super) fn take(&mut self) -> Option<&'a str> {
        self.last = self.peek()?;
        self.rest.start = self.last.end;
        Some(&self.text[self.last.clone()])
    }

    /// Cuts the last token: what follows its first bytes is the next one.
    pub(super) fn split(&mut self, bytes: usize) {
        self.last.end = self.last.start + bytes;
        self.rest.start = self.last.end;
    }

    /// The next token, which must be there.
    fn expect(&mut self, expected: impl Display) -> Fallible<&'a str> {
        self.take().ok_or_else(|| {
            let message = format!("expected {expected}, found the end of the line");
            Fault::new(self.last.end..self.last.end, message, "missing")
        })
    }

    /// The fault of the last token in the place of something else.
    pub(super) fn unexpected(&self, expected: impl Display, label: &str) -> Box<Fault> {
        self.unexpected_at(self.last.clone(), expected, label)
    }

    fn unexpected_at(&self, at: Range<usize>, expected: impl Display, label: &str) -> Box<Fault> {
        let found =
            if at.is_empty() { "nothing".to_owned() } else { quote(&self.text[at.clone()]) };
        Fault::new(at, format!("expected {expected}, found {found}"), label)
    }

    /// As [`unexpected`](Self::unexpected) in the place of a number, with help if it was meant as one.
    fn misspelled(&self, expected: impl Display, label: &str, whole: bool) -> Box<Fault> {
        let fault = self.unexpected(expected, label);
        match spelling_help(&self.text[self.last.clone()], whole) {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    /// The end of a line that begins with `head`.
    pub(super) fn finish(&mut self, head: &str) -> Fallible<()> {
        let Some(token) = self.take() else {
            return Ok(());
        };
        let expected = format_args!("the end of the line after `{head}` and its values");
        let fault = self.unexpected(expected, "too much");
        Err(match token.starts_with('#') {
            true => fault.help("a comment stands on a line of its own"),
            false => fault,
        })
    }

    /// A finite number.
    pub(super) fn number(&mut self, what: impl Display, bound: &Bound) -> Fallible<f32> {
        let expected = format_args!("a number for {what}");
        let token = self.expect(expected)?;
        match token.parse::<f32>() {
            Ok(number) if number.abs() > LARGEST || number.is_nan() => {
                // `inf` and `NaN` parse too; only digits can be too large.
                Err(match token.contains(|c: char| c.is_ascii_digit()) {
                    true => {
                        let expected = format_args!("{expected} of at most {LARGEST:e}");
                        self.unexpected(expected, "too large")
                    }
                    false => {
                        self.unexpected(format_args!("a finite number for {what}"), "not finite")
                    }
                })
            }
            Ok(number) if bound.holds(number) => Ok(number),
            Ok(_) => {
                let must = format!("must be {}", bound.text);
                Err(self.unexpected(format_args!("{what} to be {}", bound.text), &must))
            }
            Err(_) => Err(self.misspelled(expected, "not a number", false)),
        }
    }

    /// A whole number.
    pub(super) fn integer(&mut self, what: &str, range: RangeInclusive<u64>) -> Fallible<u64> {
        let expected = format_args!("a whole number for {what}");
        let token = self.expect(expected)?;
        let digits = token.strip_prefix('+').unwrap_or(token);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.misspelled(expected, "not a whole number of 0 or more", true));
        }
        let number = digits.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (low, high) = range.into_inner();
            let expected = format_args!("a whole number from {low} to {high} for {what}");
            self.unexpected(expected, "out of range")
        })
    }

    /// One of some words, by its index. `None` if a number follows that is allowed in its place.
    pub(super) fn word(
        &mut self,
        words: &[&str],
        or_number: bool,
        note: &str,
    ) -> Fallible<Option<usize>> {
        let expected = format_args!("{}{note}", Quoted(words));
        let (last, rest) = (self.last.clone(), self.rest.clone());
        let token = self.expect(expected)?;
        let found = words.iter().position(|word| *word == token);
        if found.is_some() {
            return Ok(found);
        }
        if !or_number || (token.starts_with(char::is_alphabetic) && token.parse::<f32>().is_err()) {
            return Err(self.unexpected(expected, "not one of these"));
        }
        (self.last, self.rest) = (last, rest);
        Ok(None)
    }

    /// A value with a notation of its own; `parse` fails with the part of a text that is wrong.
    pub(super) fn parsed<T>(
        &mut self,
        expected: &str,
        parse: impl FnOnce(&str) -> Result<T, Range<usize>>,
    ) -> Fallible<T> {
        let token = self.expect(expected)?;
        parse(token).map_err(|part| {
            let at = self.last.start + part.start..self.last.start + part.end;
            self.unexpected_at(at, expected, "not one of these")
        })
    }
}
