//! One line of a scene file, as tokens, and checks of their values.

use super::fault::{Fallible, Fault};
use super::numbers::spelling_help;
use super::text::quote;
use narrowphase::shape::LENGTHS;
use std::ops::Range;

/// The largest number of a scene. Squares and products of three such numbers still fit 32 bits, so
/// that a scene which is read can be run.
pub(super) const LARGEST: f32 = 1e12;

/// The smallest radius of an object.
pub(super) const SMALLEST_LENGTH: f32 = 1e-12;

/// A run of characters between blanks.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Where it stands in the whole text.
    pub(super) at: Range<usize>,
}

/// The tokens of one line, taken one after the other.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// End of the line, its line ending not included.
    end: usize,
    next: usize,
    /// Where the last token taken ended: the place of a missing token.
    taken: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens of `text[line]`.
    pub(super) fn new(text: &'a str, line: Range<usize>) -> Self {
        Self { text, end: line.end, next: line.start, taken: line.start }
    }

    /// The next token, if the line has one more.
    pub(super) fn take(&mut self) -> Option<Token<'a>> {
        let blank = [' ', '\t'];
        let rest = &self.text[self.next..self.end];
        let start = self.next + rest.find(|c| !blank.contains(&c))?;
        let length = self.text[start..self.end].find(blank).unwrap_or(self.end - start);
        self.next = start + length;
        self.taken = self.next;
        Some(Token { text: &self.text[start..self.next], at: start..self.next })
    }

    /// Goes on `bytes` behind the start of `token`, which is split there.
    pub(super) fn resume(&mut self, token: &Token<'a>, bytes: usize) {
        self.next = token.at.start + bytes;
        self.taken = self.next;
    }

    /// Where the last token taken ended.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// The next token, which must be there; `expected` describes it.
    pub(super) fn expect(&mut self, expected: &str) -> Fallible<Token<'a>> {
        self.take().ok_or_else(|| {
            let message = format!("expected {expected}, found the end of the line");
            Fault::new(self.taken..self.taken, message, "missing")
        })
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&mut self, words: &[(&str, T)], expected: &str) -> Fallible<T> {
        let token = self.expect(expected)?;
        match words.iter().find(|(word, _)| *word == token.text) {
            Some(&(_, value)) => Ok(value),
            None => Err(token.unexpected(expected, "not one of these")),
        }
    }

    /// A finite number.
    pub(super) fn number(&mut self, what: &'static str) -> Fallible<Number<'a>> {
        self.expect(&format!("a number for {what}"))?.number(what)
    }

    /// A finite number in full precision.
    pub(super) fn exact_number(&mut self, what: &'static str) -> Fallible<f64> {
        let token = self.expect(&format!("a number for {what}"))?;
        let exact = token.text.parse();
        let rounded = token.number(what)?.value;
        Ok(exact.unwrap_or(f64::from(rounded)))
    }

    /// Three finite numbers.
    pub(super) fn vector(&mut self, what: [&'static str; 3]) -> Fallible<[Number<'a>; 3]> {
        Ok([self.number(what[0])?, self.number(what[1])?, self.number(what[2])?])
    }

    /// A whole number from 0 to `most`.
    pub(super) fn integer(&mut self, what: &str, most: u64) -> Fallible<(u64, Range<usize>)> {
        let expected = format!("a whole number for {what}");
        let token = self.expect(&expected)?;
        let digits = token.text.strip_prefix('+').unwrap_or(token.text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(token.misspelled(&expected, "not a whole number of 0 or more", true));
        }
        match digits.parse::<u64>() {
            Ok(value) if value <= most => Ok((value, token.at)),
            _ => Err(token.unexpected(&expected, format!("more than {most}"))),
        }
    }

    /// Whether no token is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.clone().take().is_none()
    }

    /// Where the next token starts, or the line ends.
    pub(super) fn next_token_at(&self) -> usize {
        self.clone().take().map_or(self.taken, |token| token.at.start)
    }

    /// The next of some words that stand in any order, each at most once: the one found is removed from `words`.
    /// `None` where no word is left, and at the end of the line unless a word is `required`.
    pub(super) fn word(
        &mut self,
        words: &mut Vec<&'static str>,
        required: bool,
    ) -> Fallible<Option<Token<'a>>> {
        if words.is_empty() || (!required && self.is_at_end()) {
            return Ok(None);
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let expected = match &quoted[..] {
            [others @ .., last] if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => quoted.concat(),
        };
        let token = self.expect(&expected)?;
        let Some(place) = words.iter().position(|word| *word == token.text) else {
            return Err(token.unexpected(&expected, "not one of these"));
        };
        words.remove(place);
        Ok(Some(token))
    }

    /// The end of the line; `whole` names what comes before it.
    pub(super) fn finish(&mut self, whole: &str) -> Fallible<()> {
        let Some(token) = self.take() else {
            return Ok(());
        };
        let fault = token.unexpected(&format!("the end of the line after {whole}"), "too much");
        Err(if token.text.starts_with('#') {
            fault.help("a comment stands on a line of its own")
        } else {
            fault
        })
    }
}

impl<'a> Token<'a> {
    /// The fault of a token in the place of something else.
    pub(super) fn unexpected(&self, expected: &str, label: impl Into<String>) -> Box<Fault> {
        let message = format!("expected {expected}, found {}", quote(self.text));
        Fault::new(self.at.clone(), message, label)
    }

    /// As [`unexpected`](Self::unexpected) in the place of a number, with help if it was meant as one.
    fn misspelled(&self, expected: &str, label: &str, whole: bool) -> Box<Fault> {
        let fault = self.unexpected(expected, label);
        match spelling_help(self.text, whole) {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    /// The token as a number of at most [`LARGEST`].
    pub(super) fn number(self, what: &'static str) -> Fallible<Number<'a>> {
        match self.text.parse::<f32>() {
            Ok(value) if value.abs() <= LARGEST => Ok(Number { value, what, token: self }),
            // `inf` and `NaN` parse too; only digits can be too large.
            Ok(_) if self.text.contains(|c: char| c.is_ascii_digit()) => {
                let expected = format!("a number for {what} of at most {LARGEST:e}");
                Err(self.unexpected(&expected, format!("beyond {LARGEST:e}")))
            }
            Ok(_) => Err(self.unexpected(&format!("a finite number for {what}"), "not finite")),
            Err(_) => {
                let expected = format!("a number for {what}");
                Err(self.misspelled(&expected, "not a number", false))
            }
        }
    }
}

/// A finite number, its meaning, and where it stands.
#[derive(Debug)]
pub(super) struct Number<'a> {
    pub(super) value: f32,
    pub(super) what: &'static str,
    pub(super) token: Token<'a>,
}

impl Number<'_> {
    /// The value, if it is what it has to be.
    pub(super) fn check(self, holds: impl Fn(f32) -> bool, must: &str) -> Fallible<f32> {
        if holds(self.value) {
            return Ok(self.value);
        }
        let message =
            format!("expected {} to be {must}, found {}", self.what, quote(self.token.text));
        Err(Fault::new(self.token.at, message, format!("must be {must}")))
    }

    pub(super) fn positive(self) -> Fallible<f32> {
        self.check(|v| v > 0.0, "greater than 0")
    }

    /// A length large enough that its cube does not underflow.
    pub(super) fn length(self) -> Fallible<f32> {
        self.check(|v| v >= SMALLEST_LENGTH, &format!("at least {SMALLEST_LENGTH:e}"))
    }

    /// A length of a shape.
    pub(super) fn side(self) -> Fallible<f32> {
        self.check(|v| LENGTHS.contains(&f64::from(v)), "from 1e-9 to 1e9")
    }

    pub(super) fn not_negative(self) -> Fallible<f32> {
        self.check(|v| v >= 0.0, "0 or more")
    }
}
