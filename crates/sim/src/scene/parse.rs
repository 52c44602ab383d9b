//! From the text of a scene file to its scene and the places of its elements.

use super::check::check;
use super::fault::{Fallible, Fault};
use super::fields::{Fields, Mark};
use super::lines::{KINDS, Kind};
use super::model::Scene;
use super::reader::Reader;
use super::text::{first_line, line_number, quote};
use std::collections::HashMap;
use std::ops::Range;

/// Most warnings that are stored; further ones are only counted.
const WARNINGS: usize = 100;

/// The scene of a file, and the lines that describe it.
pub(super) struct Parsed {
    pub(super) scene: Scene,
    /// In the order of the file.
    pub(super) elements: Vec<Element>,
    pub(super) warnings: Vec<Fault>,
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
pub(super) fn parse(text: &str) -> Fallible<Parsed> {
    let parsed = Parsed { scene: Scene::default(), elements: Vec::new(), warnings: Vec::new() };
    let mut parser = Parser { text, parsed, further_warnings: 0, keys: HashMap::new() };
    let mut start = first_line(text);
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
        parser.line(start..end)?;
        start = end;
    }
    let mut warnings = check(text, &mut parser.parsed)?;
    parser.warn(&mut warnings);
    let Parser { mut parsed, further_warnings, .. } = parser;
    // In the order of the file.
    parsed.warnings.sort_by_key(|fault| fault.at.start);
    if further_warnings > 0
        && let Some(last) = parsed.warnings.last_mut()
    {
        last.message += &format!(" (and {further_warnings} more below)");
    }
    Ok(parsed)
}

struct Parser<'a> {
    text: &'a str,
    parsed: Parsed,
    further_warnings: usize,
    /// Places of settings and of subjects that a file gives once.
    keys: HashMap<String, Range<usize>>,
}

impl Parser<'_> {
    fn line(&mut self, line: Range<usize>) -> Fallible<()> {
        let content = &self.text[line.clone()];
        let ended = content.strip_suffix("\r\n").or_else(|| content.strip_suffix('\n'));
        let content = ended.unwrap_or(content);
        let mut reader = Reader::new(self.text, line.start..line.start + content.len());
        let Some(mut name) = reader.take() else {
            return Ok(());
        };
        let start = reader.last().start;
        let is_directive = name.starts_with("#!");
        if is_directive {
            reader.split("#!".len());
            name = reader.take().unwrap_or_default();
        }
        let found = KINDS.iter().find(|kind| match kind.head().strip_prefix("#!") {
            Some(directive) => is_directive && directive == name,
            None => !is_directive && kind.head() == name,
        });
        let head = start..reader.last().end;
        let Some(kind) = found else {
            if is_directive {
                self.warn(&mut vec![unknown_directive(head, name)]);
            } else if !name.starts_with('#') {
                let expected = "`i` (a source), `p` (an obstacle), `s` or `#`";
                return Err(reader.unexpected(expected, "no element of a scene"));
            }
            return Ok(());
        };
        let mut fields = Fields::Read(reader);
        kind.read(&mut self.parsed.scene, &mut fields)?;
        let Fields::Read(mut reader) = fields else { return Ok(()) };
        let span = start..reader.last().end;
        reader.finish(kind.head())?;
        self.warn(&mut reader.warnings);
        if let Some((key, at)) = reader.key {
            self.once(format!("{} {key}", kind.head()), at)?;
        } else if kind.is_setting() {
            self.once(kind.head().to_owned(), head)?;
        }
        self.parsed.elements.push(Element { kind, line, span, marks: reader.marks });
        Ok(())
    }

    /// Refuses what the file gave before.
    fn once(&mut self, key: String, at: Range<usize>) -> Fallible<()> {
        let Some(earlier) = self.keys.get(&key) else {
            self.keys.insert(key, at);
            return Ok(());
        };
        let message = format!(
            "expected `{}` once in the file, found it on line {} and again on line {}",
            key,
            line_number(self.text, earlier.start),
            line_number(self.text, at.start),
        );
        let fault = Fault::new(at, message, "given again");
        Err(fault.other(earlier.clone(), "given for the first time here"))
    }

    fn warn(&mut self, faults: &mut Vec<Fault>) {
        let room = WARNINGS - self.parsed.warnings.len();
        self.further_warnings += faults.len().saturating_sub(room);
        self.parsed.warnings.extend(faults.drain(..).take(room));
    }
}

fn unknown_directive(at: Range<usize>, name: &str) -> Fault {
    let message = format!("unknown directive {}", quote(&format!("#!{name}")));
    let known: Vec<_> = KINDS.iter().filter_map(|kind| kind.head().strip_prefix("#!")).collect();
    let help = format!("the known directives are {}", known.join(", "));
    *Fault::new(at, message, "ignored, like a comment").help(help)
}
