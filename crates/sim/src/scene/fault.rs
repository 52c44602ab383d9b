//! Faults of a scene file: by their places in its text, and as they are displayed.

use super::text::{escape, line_number, line_start};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::fmt;
use std::ops::Range;

/// Characters of a line that are shown before its marker, and from its start on.
const SHOWN_BEFORE: usize = 50;
const SHOWN_FROM: usize = 70;

/// A fault of a file, placed by byte offsets into its text.
#[derive(Debug)]
pub(super) struct Fault {
    /// The bytes to mark; empty where something is missing.
    pub(super) at: Range<usize>,
    /// One line: what was expected, what was found.
    pub(super) message: String,
    /// A few words beside the marker.
    pub(super) label: String,
    /// The advice.
    pub(super) help: Option<String>,
}

/// The result of a step of parsing; boxed, because faults are large and rare.
pub(super) type Fallible<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn new(
        at: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Box<Self> {
        Box::new(Self { at, message: message.into(), label: label.into(), help: None })
    }

    pub(super) fn with_help(mut self: Box<Self>, help: Option<impl Into<String>>) -> Box<Self> {
        self.help = help.map(Into::into);
        self
    }
}

/// An error or a warning about a scene file: why it could not be read, what of it is ignored, or why no file can
/// describe a [`Scene`](super::Scene).
///
/// Displayed over several lines, in the manner of rustc: the message, file, line and column, and
/// the line with a marker below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneDiagnostic {
    /// Line and column.
    place: Option<(usize, usize)>,
    message: String,
    /// Without colours, and with them.
    displayed: [String; 2],
}

impl SceneDiagnostic {
    /// An error of a file that has no place in its text.
    pub(super) fn whole_file(file: &str, message: String) -> Self {
        let origin = Origin::path(escape(file));
        let displayed = render(&[Level::ERROR.primary_title(&*message).element(origin)]);
        Self { place: None, message, displayed }
    }

    /// A fault in `text`, the whole file.
    pub(super) fn new(level: Level<'_>, file: &str, text: &str, fault: Fault) -> Self {
        let place = Place::new(text, &fault.at);
        let main = level.primary_title(&*fault.message).element(place.snippet(&fault.label));
        let help = fault.help.map(|help| Level::HELP.message(help));
        let displayed = render(&[main.elements(help)]).map(|text| place.name_origin(&text, file));
        Self { place: Some((place.line, place.column)), message: fault.message, displayed }
    }

    /// The line, from 1; `None` if the file could not be read at all.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }

    /// The column in characters, from 1; `None` if the file could not be read at all.
    pub fn column(&self) -> Option<usize> {
        self.place.map(|(_, column)| column)
    }

    /// The expected and the found text, or the ignored one, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The displayed form, with ANSI colours if `color` is set.
    pub fn render(&self, color: bool) -> &str {
        &self.displayed[usize::from(color)]
    }
}

impl fmt::Display for SceneDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false))
    }
}

impl std::error::Error for SceneDiagnostic {}

/// Several lines, without a newline at their end: without colours, and with them.
fn render(report: &[Group<'_>]) -> [String; 2] {
    [Renderer::plain(), Renderer::styled()].map(|renderer| renderer.render(report))
}

/// Placeholder of a file's name until the report is rendered: the renderer counts the column in the excerpt, which is
/// cut and escaped. It occurs nowhere else, as [`escape`] lets no private-use character through.
const FILE: &str = "\u{e000}";

/// A marked part of a line.
struct Place {
    /// From 1.
    line: usize,
    /// In characters, from 1.
    column: usize,
    /// The line around the marker, with control characters escaped.
    excerpt: String,
    /// The marked bytes of the excerpt.
    marker: Range<usize>,
}

impl Place {
    fn new(text: &str, at: &Range<usize>) -> Self {
        let start = line_start(text, at.start);
        let line = text[start..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let (before, after) = line.split_at(at.start - start);
        let kept = before.char_indices().rev().take(SHOWN_BEFORE).last();
        let from = kept.map_or(before.len(), |(index, _)| index);
        let shown = after.char_indices().nth(SHOWN_FROM).map_or(after.len(), |(index, _)| index);
        let marked = at.len().min(shown);

        let mut excerpt = String::from(if from > 0 { "..." } else { "" });
        excerpt += &escape(&before[from..]);
        let marker = excerpt.len();
        excerpt += &escape(&after[..marked]);
        let marker = marker..excerpt.len();
        excerpt += &escape(&after[marked..shown]);
        excerpt += if shown < after.len() { "..." } else { "" };
        let column = before.chars().count() + 1;
        Self { line: line_number(text, at.start), column, excerpt, marker }
    }

    fn snippet<'a>(&'a self, label: &'a str) -> Snippet<'a, Annotation<'a>> {
        let annotation = AnnotationKind::Primary.span(self.marker.clone()).label(label);
        Snippet::source(&self.excerpt).path(FILE).line_start(self.line).annotation(annotation)
    }

    /// Puts the true file and column in the place of the first placeholder.
    fn name_origin(&self, rendered: &str, file: &str) -> String {
        let counted = self.excerpt[..self.marker.start].chars().count() + 1;
        let (line, column) = (self.line, self.column);
        let origin = format!("{}:{line}:{column}", escape(file));
        rendered.replacen(&format!("{FILE}:{line}:{counted}"), &origin, 1)
    }
}
