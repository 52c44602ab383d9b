//! The fields of a line: described once, read and written alike.

use super::bodies::is_shape_name;
use super::fault::{Fallible, Fault};
use super::numbers::shortest_number;
use super::reader::Reader;
use glam::Vec3;
use narrowphase::shape::LENGTHS;
use std::fmt::{self, Display};
use std::mem::discriminant;
use std::ops::{Range, RangeInclusive};

/// The largest number of a scene. Squares and products of three such numbers still fit 32 bits, so
/// that a scene which is read can be run.
pub(super) const LARGEST: f32 = 1e12;

/// The smallest radius of an object.
pub(super) const SMALLEST_LENGTH: f32 = 1e-12;

/// The range of a number, and how messages describe it. The bounds are `f64`, since no `f32` is 1e-9.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) text: &'static str,
}

impl Bound {
    pub(super) const fn new(low: f64, high: f64, text: &'static str) -> Self {
        Self { low, high, text }
    }

    pub(super) fn holds(&self, value: f32) -> bool {
        (self.low..=self.high).contains(&value.into())
    }
}

const MAX: f64 = LARGEST as f64;
const ABOVE_0: f64 = f32::from_bits(1) as f64;

pub(super) const ANY: Bound = Bound::new(-MAX, MAX, "a number");
pub(super) const NOT_NEGATIVE: Bound = Bound::new(0.0, MAX, "0 or more");
pub(super) const POSITIVE: Bound = Bound::new(ABOVE_0, MAX, "greater than 0");
pub(super) const TIME_STEP: Bound = Bound::new(ABOVE_0, 1.0, "greater than 0, at most 1");
pub(super) const UP_TO_1: Bound = Bound::new(0.0, 1.0, "within 0 and 1");
pub(super) const SHARE: Bound = Bound::new(0.0, 100.0, "within 0 and 100");
/// A camera that looks straight down has no direction up.
pub(super) const PITCH: Bound = Bound::new(-89.0, 89.0, "within -89 and 89");
/// A length of which the cube does not underflow.
pub(super) const RADIUS: Bound = Bound::new(SMALLEST_LENGTH as f64, MAX, "at least 1e-12");
pub(super) const DENSITY: Bound = Bound::new(SMALLEST_LENGTH as f64, MAX, "within 1e-12 and 1e12");
/// A length of a shape.
pub(super) const SIDE: Bound = Bound::new(*LENGTHS.start(), *LENGTHS.end(), "from 1e-9 to 1e9");

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

/// Takes the fields of a line in their order: reading sets the values, writing only writes them.
///
/// Values are what they were until they are read, so that a field which is not there keeps its default.
pub(super) enum Fields<'a> {
    Read(Reader<'a>),
    Write(Writer),
}

/// A line as it is written.
pub(super) struct Writer {
    /// Empty if there is to be no line.
    pub(super) line: String,
    /// Blanks in front of the next field.
    blanks: &'static str,
}

impl Writer {
    /// A line that begins with `head`.
    pub(super) fn new(head: &str) -> Self {
        Self { line: head.to_owned(), blanks: " " }
    }

    fn push(&mut self, field: &str) {
        self.line += self.blanks;
        self.line += field;
        self.blanks = " ";
    }
}

impl Fields<'_> {
    /// A finite number; `what` names it in messages.
    pub(super) fn number(
        &mut self,
        value: &mut f32,
        what: impl Display,
        bound: &Bound,
    ) -> Fallible<()> {
        match self {
            Self::Read(reader) => *value = reader.number(what, bound)?,
            Self::Write(writer) => writer.push(&shortest_number(*value)),
        }
        Ok(())
    }

    /// Three numbers, and where they begin; messages name them `what x`, `what y` and `what z`.
    pub(super) fn vector(&mut self, v: &mut Vec3, what: &str, bound: &Bound) -> Fallible<usize> {
        self.number(&mut v.x, format_args!("{what} x"), bound)?;
        let start = self.at().start;
        self.number(&mut v.y, format_args!("{what} y"), bound)?;
        self.number(&mut v.z, format_args!("{what} z"), bound)?;
        Ok(start)
    }

    /// A whole number.
    pub(super) fn integer<T: Copy + Into<u64> + TryFrom<u64>>(
        &mut self,
        value: &mut T,
        what: &str,
        range: RangeInclusive<T>,
    ) -> Fallible<()> {
        let (low, high) = range.into_inner();
        match self {
            Self::Read(reader) => {
                let read = reader.integer(what, low.into()..=high.into())?;
                *value = T::try_from(read).unwrap_or(*value);
            }
            Self::Write(writer) => writer.push(&(*value).into().to_string()),
        }
        Ok(())
    }

    /// A word that is always there; messages append `note` to it.
    pub(super) fn keyword(&mut self, word: &str, note: &str) -> Fallible<()> {
        match self {
            Self::Read(reader) => drop(reader.word(&[word], false, note)?),
            Self::Write(writer) => writer.push(word),
        }
        Ok(())
    }

    /// A word for no, or one for yes; messages append `note` to the words.
    pub(super) fn either(
        &mut self,
        value: &mut bool,
        words: [&str; 2],
        note: &str,
    ) -> Fallible<()> {
        match self {
            Self::Read(reader) => *value = reader.word(&words, false, note)? == Some(1),
            Self::Write(writer) => writer.push(words[usize::from(*value)]),
        }
        Ok(())
    }

    /// The word of an enum's variant; `number` is the variant of a number in place of a word. The variant's own values
    /// follow as fields.
    pub(super) fn variant<T: Clone>(
        &mut self,
        value: &mut T,
        words: &[(&str, T)],
        number: Option<T>,
        note: &str,
    ) -> Fallible<()> {
        match self {
            Self::Read(reader) => {
                let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                let index = reader.word(&names, number.is_some(), note)?;
                let chosen = index.map(|index| words[index].1.clone()).or(number);
                *value = chosen.unwrap_or_else(|| value.clone());
            }
            Self::Write(writer) => {
                let mut known = words.iter();
                let known = known.find(|(_, known)| discriminant(known) == discriminant(value));
                known.iter().for_each(|(word, _)| writer.push(word));
            }
        }
        Ok(())
    }

    /// A value with a notation of its own; `parse` fails with the part of a text that is wrong.
    pub(super) fn parsed<T: Display>(
        &mut self,
        value: &mut T,
        expected: &str,
        parse: impl FnOnce(&str) -> Result<T, Range<usize>>,
    ) -> Fallible<()> {
        match self {
            Self::Read(reader) => *value = reader.parsed(expected, parse)?,
            Self::Write(writer) => writer.push(&value.to_string()),
        }
        Ok(())
    }

    /// The name of a shape.
    pub(super) fn name(&mut self, name: &mut String, what: &str, mark: Mark) -> Fallible<()> {
        let expected = format!("{what}, 1 to 40 letters, digits, `-` or `_`, no number");
        self.parsed(name, &expected, |text| match is_shape_name(text) {
            true => Ok(text.to_owned()),
            false => Err(0..text.len()),
        })?;
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
        let start = self.at().end;
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
        let (low, high) = counts.clone().into_inner();
        let message = format_args!("expected {low} to {high} {what}, found {count}");
        self.check_from(start, counts.contains(&count), message)
    }

    /// The next of some words that stand in any order, each at most once; `true` marks those that are to be written. The
    /// word returned is removed.
    pub(super) fn option(
        &mut self,
        required: bool,
        words: &mut Vec<(&'static str, bool)>,
    ) -> Fallible<Option<&'static str>> {
        let index = match self {
            Self::Read(_) if words.is_empty() || !(required || self.more(false)) => None,
            Self::Read(reader) => {
                let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                reader.word(&names, false, "")?
            }
            Self::Write(writer) => {
                writer.blanks = "  ";
                let index = words.iter().position(|(_, is_given)| *is_given);
                index.iter().for_each(|index| writer.push(words[*index].0));
                index
            }
        };
        Ok(index.map(|index| words.remove(index).0))
    }

    /// Whether fields follow that may be missing: in writing, whether they are `given`.
    pub(super) fn more(&self, given: bool) -> bool {
        match self {
            Self::Read(reader) => !reader.is_at_end(),
            Self::Write(_) => given,
        }
    }

    /// A line without fields, which is there if `value` is set.
    pub(super) fn presence(&mut self, value: &mut bool) -> Fallible<()> {
        match self {
            Self::Read(_) => *value = true,
            Self::Write(writer) if !*value => writer.line.clear(),
            Self::Write(_) => {}
        }
        Ok(())
    }

    /// Sets the next field apart from the last one.
    pub(super) fn gap(&mut self) {
        if let Self::Write(writer) = self {
            writer.blanks = "  ";
        }
    }

    /// Whether the next token is a word of older files, which is taken then.
    pub(super) fn outdated(&mut self, word: &str) -> bool {
        match self {
            Self::Read(reader) => reader.take_if(word),
            Self::Write(_) => false,
        }
    }

    /// The place of the last token.
    pub(super) fn at(&self) -> Range<usize> {
        match self {
            Self::Read(reader) => reader.last(),
            Self::Write(_) => 0..0,
        }
    }

    /// Says what the line is about, so that no other line of its kind may be about the same.
    pub(super) fn key(&mut self, key: impl Display) {
        if let Self::Read(reader) = self {
            reader.key = Some((key.to_string(), reader.last()));
        }
    }

    /// Gives the last token a role.
    pub(super) fn mark(&mut self, mark: Mark) {
        if let Self::Read(reader) = self {
            reader.marks.push((mark, reader.last()));
        }
    }

    /// Refuses the last token unless `holds`.
    pub(super) fn check(&self, holds: bool, expected: impl Display, label: &str) -> Fallible<()> {
        match self {
            Self::Read(reader) if !holds => Err(reader.unexpected(expected, label)),
            _ => Ok(()),
        }
    }

    /// Refuses what stands from `start` to the last token unless `holds`.
    pub(super) fn check_from(
        &self,
        start: usize,
        holds: bool,
        message: impl Display,
    ) -> Fallible<()> {
        match self {
            Self::Read(reader) if !holds => {
                Err(Fault::new(start..reader.last().end, message.to_string(), "refused"))
            }
            _ => Ok(()),
        }
    }

    /// Warns of a value that is not used as it stands. Returns whether it is read, and so has to change.
    pub(super) fn warn(&mut self, at: Range<usize>, message: &str, label: &str) -> bool {
        let Self::Read(reader) = self else { return false };
        reader.warnings.push(*Fault::new(at, message, label));
        true
    }
}

/// Words in quotes, as `a`, `b` or `c`.
pub(super) struct Quoted<'a>(pub(super) &'a [&'a str]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.iter().enumerate() {
            let is_last = index + 1 == self.0.len();
            let before = if index == 0 {
                ""
            } else if is_last {
                " or "
            } else {
                ", "
            };
            write!(f, "{before}`{word}`")?;
        }
        Ok(())
    }
}
