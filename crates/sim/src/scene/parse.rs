//! From the text of a scene file to its scene and the places of its elements.

use super::check::fill_last_share;
use super::fault::{Fallible, Fault};
use super::fields::{Fields, Mark};
use super::lines::{KINDS, Kind};
use super::model::Scene;
use super::text::{first_line, line_number, quote};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Most warnings that are stored; further ones are only counted.
const WARNINGS: usize = 100;

/// The scene of a file, and the lines that describe it.
#[derive(Default)]
pub(super) struct Parsed<'a> {
    pub(super) text: &'a str,
    pub(super) scene: Scene,
    /// In the order of the file.
    pub(super) elements: Vec<Element>,
    pub(super) warnings: Vec<Fault>,
    further_warnings: usize,
    /// Places of settings and of subjects that a file gives once.
    keys: HashMap<String, Range<usize>>,
}

/// A line that gives an element of the scene. The n-th line of a list's kind describes the n-th entry of the list.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: &'static Kind,
    /// The line with its ending.
    pub(super) line: Range<usize>,
    /// From its first token to its last.
    pub(super) span: Range<usize>,
    pub(super) marks: Vec<(Mark, Range<usize>)>,
}

impl Element {
    /// The place of the last token with a role; where there is none, the whole line.
    pub(super) fn at(&self, wanted: Mark) -> Range<usize> {
        let marked = self.marks.iter().rfind(|(mark, _)| *mark == wanted);
        marked.map_or(self.span.clone(), |(_, at)| at.clone())
    }
}

/// Reads a whole file.
pub(super) fn parse(text: &str) -> Fallible<Parsed<'_>> {
    let mut parsed = Parsed { text, ..Parsed::default() };
    let mut start = first_line(text);
    for line in text[start..].split_inclusive('\n') {
        let end = start + line.len();
        parsed.line(start..end)?;
        start = end;
    }
    fill_last_share(&mut parsed.scene.sources);
    let warnings = parsed.check()?;
    parsed.warn(warnings);
    // In the order of the file.
    parsed.warnings.sort_by_key(|fault| fault.at.start);
    if let (1.., Some(last)) = (parsed.further_warnings, parsed.warnings.last_mut()) {
        last.message += &format!(" (and {} more below)", parsed.further_warnings);
    }
    Ok(parsed)
}

impl Parsed<'_> {
    fn line(&mut self, line: Range<usize>) -> Fallible<()> {
        let content = &self.text[line.clone()];
        let ended = content.strip_suffix("\r\n").or_else(|| content.strip_suffix('\n'));
        let end = line.start + ended.unwrap_or(content).len();
        let mut fields = Fields::reading(self.text, line.start..end);
        let Some(first) = fields.take() else { return Ok(()) };
        let start = fields.last.start;
        // Blanks may follow `#!`.
        let head = match first {
            "#!" => Cow::Owned(format!("#!{}", fields.take().unwrap_or_default())),
            _ => Cow::Borrowed(first),
        };
        let place = start..fields.last.end;
        let Some(kind) = KINDS.iter().find(|kind| kind.head == head) else {
            if head.starts_with("#!") {
                self.warn(vec![unknown_directive(place, &head)]);
            } else if !head.starts_with('#') {
                let expected = "`i` (a source), `p` (an obstacle), `s` or `#`";
                return Err(fields.unexpected(expected, "no element of a scene"));
            }
            return Ok(());
        };
        (kind.fields)(&mut self.scene, &mut fields)?;
        let span = start..fields.last.end;
        if let Some(token) = fields.take() {
            let expected = format!("the end of the line after `{head}` and its values");
            let help = token.starts_with('#').then_some("a comment stands on a line of its own");
            return Err(fields.unexpected(expected, "too much").with_help(help));
        }
        let Fields { key, marks, warnings, .. } = fields;
        self.warn(warnings);
        if let Some((key, at)) = key {
            self.once(format!("{} {key}", kind.head), at)?;
        } else if kind.once {
            self.once(kind.head.to_owned(), place)?;
        }
        self.elements.push(Element { kind, line, span, marks });
        Ok(())
    }

    /// Refuses what the file gave before.
    fn once(&mut self, key: String, at: Range<usize>) -> Fallible<()> {
        let Some(earlier) = self.keys.get(&key) else {
            self.keys.insert(key, at);
            return Ok(());
        };
        let [first, again] = [earlier, &at].map(|place| line_number(self.text, place.start));
        let message = format!(
            "expected `{key}` once in the file, found it on line {first} and again on line {again}"
        );
        Err(Fault::new(at, message, "given again"))
    }

    fn warn(&mut self, faults: Vec<Fault>) {
        let room = WARNINGS - self.warnings.len();
        self.further_warnings += faults.len().saturating_sub(room);
        self.warnings.extend(faults.into_iter().take(room));
    }
}

fn unknown_directive(at: Range<usize>, head: &str) -> Fault {
    let message = format!("unknown directive {}", quote(head));
    let known: Vec<_> = KINDS.iter().filter_map(|kind| kind.head.strip_prefix("#!")).collect();
    let help = format!("the known directives are {}", known.join(", "));
    *Fault::new(at, message, "ignored, like a comment").with_help(Some(help))
}
