//! The fields of a line: described once, read and written alike.

use super::fault::{Fallible, Fault};
use super::model::is_shape_name;
use super::text::{quote, shortest_number, spelling_help};
use glam::Vec3;
use narrowphase::shape::LENGTHS;
use std::fmt::{self, Display};
use std::mem::{discriminant, take};
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// The largest number of a scene. Squares and products of three such numbers still fit 32 bits, so
/// that a scene which is read can be run.
const LARGEST: f64 = 1e12_f32 as f64;

/// The smallest radius of an object: a length of which the cube does not underflow.
const SMALLEST_LENGTH: f64 = 1e-12_f32 as f64;

pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

const ABOVE_0: f64 = f32::from_bits(1) as f64;

/// The range of a number, and how messages describe it. The bounds are `f64`, since no `f32` is 1e-9.
#[derive(Clone, Copy)]
pub(super) struct Bound(pub(super) f64, pub(super) f64, pub(super) &'static str);

impl Bound {
    pub(super) fn holds(&self, value: impl Into<f64>) -> bool {
        (self.0..=self.1).contains(&value.into())
    }
}

pub(super) const ANY: Bound = Bound(-LARGEST, LARGEST, "a number");
pub(super) const NOT_NEGATIVE: Bound = Bound(0.0, LARGEST, "0 or more");
pub(super) const POSITIVE: Bound = Bound(ABOVE_0, LARGEST, "greater than 0");
pub(super) const TIME_STEP: Bound = Bound(ABOVE_0, 1.0, "greater than 0, at most 1");
pub(super) const UP_TO_1: Bound = Bound(0.0, 1.0, "within 0 and 1");
pub(super) const SHARE: Bound = Bound(0.0, 100.0, "within 0 and 100");
/// A camera that looks straight down has no direction up.
pub(super) const PITCH: Bound = Bound(-89.0, 89.0, "within -89 and 89");
pub(super) const RADIUS: Bound = Bound(SMALLEST_LENGTH, LARGEST, "at least 1e-12");
pub(super) const DENSITY: Bound = Bound(SMALLEST_LENGTH, LARGEST, "within 1e-12 and 1e12");
/// A length of a shape.
pub(super) const SIDE: Bound = Bound(*LENGTHS.start(), *LENGTHS.end(), "from 1e-9 to 1e9");

/// The role of a token in checks of the whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The name that a shape gets.
    NewShape,
    /// The share of a source.
    Share,
    /// The number of a source.
    Source,
    /// The number of a placed body.
    Body,
    /// The word that says what a shape is.
    Form,
    /// The name of a shape.
    Shape,
    /// The name of a compound.
    Compound,
    /// The name of a shape that is no compound.
    Convex,
    /// The scale of a body.
    Scale,
    /// The word that says that a body moves.
    Mover,
}

/// Takes the fields of a value.
pub(super) type TakeFields<T> = fn(&mut T, &mut Fields<'_>) -> Fallible<()>;

/// Takes the fields of a line in their order: reading sets the values, writing only writes them.
///
/// Values are what they were until they are read, so that a field which is not there keeps its default.
#[derive(Default)]
pub(super) struct Fields<'a> {
    /// The whole text; nothing in writing.
    text: &'a str,
    /// The rest of the line, without its ending.
    rest: Range<usize>,
    /// The last token or vector, or the start of the line.
    pub(super) last: Range<usize>,
    /// The three numbers of the last vector.
    pub(super) places: [Range<usize>; 3],
    /// Words of this line that stand in any order: those that it has, and others that it may have.
    taken: Vec<&'static str>,
    left: Vec<&'static str>,
    /// The text that is written, empty if there is to be no line; `None` in reading.
    pub(super) written: Option<String>,
    /// In writing, which entry of a list.
    pub(super) index: usize,
    /// Whether two blanks precede the next field that is written.
    pub(super) is_apart: bool,
    /// The subject, which no other line of the kind may have, and the token that ends it.
    pub(super) key: Option<(String, Range<usize>)>,
    pub(super) marks: Vec<(Mark, Range<usize>)>,
    pub(super) warnings: Vec<Fault>,
}

impl<'a> Fields<'a> {
    /// The fields of a line to write, which begins with `head`.
    pub(super) fn writing(head: &str, index: usize) -> Self {
        Self { written: Some(head.to_owned()), index, ..Self::default() }
    }

    /// The fields of `text[line]`.
    pub(super) fn reading(text: &'a str, line: Range<usize>) -> Self {
        Self { text, last: line.start..line.start, rest: line, ..Self::default() }
    }

    fn next_place(&self) -> Option<Range<usize>> {
        let blank = [' ', '\t'];
        let rest = &self.text[self.rest.clone()];
        let start = rest.find(|c| !blank.contains(&c))?;
        let length = rest[start..].find(blank).unwrap_or(rest.len() - start);
        let start = self.rest.start + start;
        Some(start..start + length)
    }

    fn peek(&self) -> Option<&'a str> {
        self.next_place().map(|at| &self.text[at])
    }

    /// The next token, if the line has one more.
    pub(super) fn take(&mut self) -> Option<&'a str> {
        self.last = self.next_place()?;
        self.rest.start = self.last.end;
        Some(&self.text[self.last.clone()])
    }

    /// Takes the next token if it is this word.
    pub(super) fn take_if(&mut self, word: &str) -> bool {
        self.peek() == Some(word) && self.take().is_some()
    }

    /// The fault of the last token in the place of something else.
    pub(super) fn unexpected(&self, expected: impl Display, label: &str) -> Box<Fault> {
        self.unexpected_part(0..self.last.len(), expected, label)
    }

    /// The fault of a part of the last token.
    fn unexpected_part(
        &self,
        part: Range<usize>,
        expected: impl Display,
        label: &str,
    ) -> Box<Fault> {
        let at = self.last.start + part.start..self.last.start + part.end;
        let found = if at.is_empty() { "nothing" } else { &quote(&self.text[at.clone()]) };
        Fault::new(at, format!("expected {expected}, found {found}"), label)
    }

    /// The next token, which messages call `expected`; in writing none, but `text` is written.
    fn token(
        &mut self,
        expected: impl Display,
        text: impl FnOnce() -> String,
    ) -> Fallible<Option<&'a str>> {
        let Some(line) = &mut self.written else {
            let token = self.take().map(Some);
            return token.ok_or_else(|| {
                let message = format!("expected {expected}, found the end of the line");
                Fault::new(self.last.end..self.last.end, message, "missing")
            });
        };
        *line += if take(&mut self.is_apart) { "  " } else { " " };
        *line += &text();
        Ok(None)
    }

    /// A number; `what` names it in messages.
    pub(super) fn number(
        &mut self,
        value: &mut f32,
        what: impl Display,
        bound: &Bound,
    ) -> Fallible<()> {
        let expected = format_args!("a number for {what}");
        let Some(token) = self.token(expected, || shortest_number(*value))? else { return Ok(()) };
        let Ok(number) = token.parse::<f32>() else {
            let fault = self.unexpected(expected, "not a number");
            return Err(fault.with_help(spelling_help(token, false)));
        };
        if bound.holds(number) {
            *value = number;
            return Ok(());
        }
        Err(if ANY.holds(number) {
            let must = format!("must be {}", bound.2);
            self.unexpected(format_args!("{what} to be {}", bound.2), &must)
        } else if token.contains(|c: char| c.is_ascii_digit()) {
            self.unexpected(format_args!("{expected} of at most 1e12"), "too large")
        } else {
            // `inf` and `NaN` parse too.
            self.unexpected(format_args!("a finite number for {what}"), "not finite")
        })
    }

    /// Three numbers; messages name them `what x`, `what y` and `what z`. What follows is set apart.
    pub(super) fn vector(&mut self, vector: &mut Vec3, what: &str, bound: &Bound) -> Fallible<()> {
        for (axis, name) in AXES.into_iter().enumerate() {
            self.number(&mut vector[axis], format_args!("{what} {name}"), bound)?;
            self.places[axis] = self.last.clone();
        }
        self.last.start = self.places[0].start;
        self.gap();
        Ok(())
    }

    /// A whole number.
    pub(super) fn integer<T: FromStr + Display + PartialOrd>(
        &mut self,
        value: &mut T,
        what: &str,
        range: RangeInclusive<T>,
    ) -> Fallible<()> {
        let expected = format_args!("a whole number for {what}");
        let Some(token) = self.token(expected, || value.to_string())? else { return Ok(()) };
        let digits = token.strip_prefix('+').unwrap_or(token);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let fault = self.unexpected(expected, "not a whole number of 0 or more");
            return Err(fault.with_help(spelling_help(token, true)));
        }
        *value = digits.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let (low, high) = range.into_inner();
            let expected = format_args!("a whole number from {low} to {high} for {what}");
            self.unexpected(expected, "out of range")
        })?;
        Ok(())
    }

    /// One of some words, by its index; `true` marks the one that is to be written. `None` if none is, and if a number
    /// follows that is allowed in its place. Messages append `note` to the words.
    pub(super) fn word(
        &mut self,
        words: &[(&str, bool)],
        or_number: bool,
        note: &str,
    ) -> Fallible<Option<usize>> {
        let written = words.iter().position(|(_, is_written)| *is_written);
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let is_word = |next: &str| {
            names.contains(&next)
                || next.starts_with(char::is_alphabetic) && next.parse::<f32>().is_err()
        };
        let is_number = or_number && self.peek().is_some_and(|next| !is_word(next));
        if is_number || self.written.is_some() && written.is_none() {
            return Ok(None);
        }
        let expected = format_args!("{}{note}", quoted(&names));
        let text = || written.map(|index| names[index].to_owned()).unwrap_or_default();
        let Some(token) = self.token(expected, text)? else { return Ok(written) };
        let read = names.iter().position(|name| *name == token);
        read.map(Some).ok_or_else(|| self.unexpected(expected, "not one of these"))
    }

    /// A word for no, or one for yes; messages append `note` to the words.
    pub(super) fn either(
        &mut self,
        value: &mut bool,
        [no, yes]: [&str; 2],
        note: &str,
    ) -> Fallible<()> {
        *value = self.word(&[(no, !*value), (yes, *value)], false, note)? == Some(1);
        Ok(())
    }

    /// The word of an enum's variant; `number` is the variant of a number in place of a word. The variant's own values
    /// follow as fields.
    pub(super) fn variant<T: Clone>(
        &mut self,
        value: &mut T,
        variants: &[(&str, T)],
        number: Option<T>,
        note: &str,
    ) -> Fallible<()> {
        let is_value = |variant: &T| discriminant(variant) == discriminant(value);
        let words: Vec<_> = variants.iter().map(|(word, of)| (*word, is_value(of))).collect();
        let index = self.word(&words, number.is_some(), note)?;
        let chosen = index.map(|index| variants[index].1.clone()).or(number);
        if let Some(chosen) = chosen.filter(|chosen| !is_value(chosen)) {
            *value = chosen;
        }
        Ok(())
    }

    /// A value with a notation of its own; `parse` fails with the part of a text that is wrong.
    pub(super) fn parsed<T>(
        &mut self,
        value: &mut T,
        text: impl FnOnce(&T) -> String,
        expected: &str,
        parse: impl FnOnce(&str) -> Result<T, Range<usize>>,
    ) -> Fallible<()> {
        let Some(token) = self.token(expected, || text(value))? else { return Ok(()) };
        let wrong = |part| self.unexpected_part(part, expected, "not one of these");
        *value = parse(token).map_err(wrong)?;
        Ok(())
    }

    /// The name of a shape.
    pub(super) fn name(&mut self, name: &mut String, what: &str, mark: Mark) -> Fallible<()> {
        let expected = format!("{what}, 1 to 40 letters, digits, `-` or `_`, no number");
        let parse = |text: &str| is_shape_name(text).then(|| text.to_owned()).ok_or(0..text.len());
        self.parsed(name, String::clone, &expected, parse)?;
        self.mark(mark);
        Ok(())
    }

    /// The rest of a line as a list; `each` takes the fields of an entry and knows the earlier ones.
    pub(super) fn list<T: Default>(
        &mut self,
        list: &mut Vec<T>,
        what: &str,
        counts: RangeInclusive<usize>,
        each: impl Fn(&mut Self, &mut T, &[T]) -> Fallible<()>,
    ) -> Fallible<()> {
        let start = self.last.end;
        let mut count = 0;
        while self.more(count < list.len()) {
            if count == list.len() {
                list.push(T::default());
            }
            let (earlier, rest) = list.split_at_mut(count);
            each(self, &mut rest[0], earlier)?;
            self.gap();
            count += 1;
        }
        if counts.contains(&count) || self.written.is_some() {
            return Ok(());
        }
        let (low, high) = counts.into_inner();
        let message = format!("expected {low} to {high} {what}, found {count}");
        Err(Fault::new(start..self.last.end, message, "refused"))
    }

    /// Words in any order, each at most once, that `pass` takes by [`option`](Self::option).
    pub(super) fn in_any_order(
        &mut self,
        required: bool,
        mut pass: impl FnMut(&mut Self) -> Fallible<()>,
    ) -> Fallible<()> {
        loop {
            let end = self.last.end;
            self.left.clear();
            pass(self)?;
            if self.written.is_some() {
                return Ok(());
            } else if self.last.end == end {
                break;
            }
        }
        let is_missing = required && self.taken.is_empty();
        if self.left.is_empty() || !(is_missing || self.more(true)) {
            return Ok(());
        }
        let left = take(&mut self.left);
        self.token(quoted(&left), String::new)?;
        Err(self.unexpected(quoted(&left), "not one of these"))
    }

    /// Whether a word is there, which is then taken; in writing, whether it is `given`.
    pub(super) fn option(&mut self, word: &'static str, given: bool) -> bool {
        let has_word = match &mut self.written {
            Some(line) if given => {
                *line += &format!("  {word}");
                self.is_apart = false;
                true
            }
            Some(_) => false,
            None => !self.taken.contains(&word) && self.take_if(word),
        };
        if has_word {
            self.taken.push(word);
        } else if !self.taken.contains(&word) {
            self.left.push(word);
        }
        has_word
    }

    /// Whether fields follow that may be missing: in writing, whether they are `given`.
    fn more(&self, given: bool) -> bool {
        if self.written.is_some() { given } else { self.peek().is_some() }
    }

    /// Fields that may be missing; in writing they are there if `given`.
    pub(super) fn if_given(
        &mut self,
        given: bool,
        fields: impl FnOnce(&mut Self) -> Fallible<()>,
    ) -> Fallible<()> {
        if self.more(given) { fields(self) } else { Ok(()) }
    }

    /// A line without fields, which is there if `value` is set.
    pub(super) fn presence(&mut self, value: &mut bool) -> Fallible<()> {
        match &mut self.written {
            None => *value = true,
            Some(line) if !*value => line.clear(),
            Some(_) => {}
        }
        Ok(())
    }

    /// Sets the next field apart from the last one.
    pub(super) fn gap(&mut self) {
        self.is_apart = true;
    }

    /// Says what the line is about, so that no other line of its kind may be about the same.
    pub(super) fn key(&mut self, key: impl Display) {
        self.key = Some((key.to_string(), self.last.clone()));
    }

    /// Gives the last token a role.
    pub(super) fn mark(&mut self, mark: Mark) {
        self.marks.push((mark, self.last.clone()));
    }

    /// Refuses the last token or vector unless `holds`.
    pub(super) fn check(&self, holds: bool, expected: impl Display, label: &str) -> Fallible<()> {
        if holds || self.written.is_some() {
            return Ok(());
        }
        Err(self.unexpected(expected, label))
    }

    /// Warns of a value that is not used as it stands. Returns whether it is read, and so has to change.
    pub(super) fn warn(&mut self, at: Range<usize>, message: &str, label: &str) -> bool {
        self.warnings.push(*Fault::new(at, message, label));
        self.written.is_none()
    }
}

/// Words in quotes, as `a`, `b` or `c`.
pub(super) fn quoted(words: &[&str]) -> impl Display {
    fmt::from_fn(|f| {
        for (index, word) in words.iter().enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == words.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}`{word}`")?;
        }
        Ok(())
    })
}
