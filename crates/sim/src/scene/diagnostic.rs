//! Faults as they are displayed: file, line, column, and the line itself with a marker below.

use super::fault::Fault;
use super::text::{escape, line_number, line_start};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Characters of a line that are shown before its marker, and from its start on.
const SHOWN_BEFORE: usize = 50;
const SHOWN_FROM: usize = 70;

/// A fault with everything needed to display it; it does not borrow the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnostic {
    pub(super) file: String,
    pub(super) message: String,
    /// `None` where the file could not be read at all.
    pub(super) place: Option<Place>,
    pub(super) other: Option<Place>,
    pub(super) help: Option<String>,
}

/// A marked part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
    /// The line around the marker, with control characters escaped.
    excerpt: String,
    /// The marked bytes of the excerpt.
    marker: Range<usize>,
    label: String,
}

impl Diagnostic {
    /// A fault of a file that has no place in its text.
    pub(super) fn whole_file(file: &str, message: String) -> Self {
        Self { file: file.to_owned(), message, place: None, other: None, help: None }
    }

    /// A fault in `text`, the whole file.
    pub(super) fn new(file: &str, text: &str, fault: Fault) -> Self {
        Self {
            file: file.to_owned(),
            message: fault.message,
            place: Some(Place::new(text, fault.at, fault.label)),
            other: fault.other.map(|(at, label)| Place::new(text, at, label)),
            help: fault.help,
        }
    }

    /// Several lines, without a newline at their end; colours are ANSI escapes.
    pub(super) fn render(&self, level: Level<'_>, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let file = escape(&self.file);
        let mut main = Group::with_title(level.primary_title(self.message.as_str()));
        main = match &self.place {
            Some(place) => main.element(place.snippet(Some(&place.label))),
            None => main.element(Origin::path(file.as_str())),
        };
        if let Some(help) = &self.help {
            main = main.element(Level::HELP.message(help.as_str()));
        }
        let mut report = vec![main];
        if let Some(other) = &self.other {
            let title = Level::NOTE.secondary_title(other.label.as_str());
            report.push(Group::with_title(title).element(other.snippet(None)));
        }
        let mut rendered = renderer.render(&report);
        for place in [&self.place, &self.other].into_iter().flatten() {
            place.name_origin(&mut rendered, &file);
        }
        rendered
    }
}

/// Placeholder of `file:line:column` until the report is rendered: the renderer would count the column in the
/// excerpt, which is cut and escaped. It occurs nowhere else, as [`escape`] lets no private-use character
/// through.
const ORIGIN: &str = "\u{e000}";

impl Place {
    fn new(text: &str, at: Range<usize>, label: String) -> Self {
        let start = line_start(text, at.start);
        let line = text[start..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let before = &text[start..at.start];
        let column = before.chars().count() + 1;

        let kept = before.char_indices().rev().take(SHOWN_BEFORE).last();
        let from = kept.map_or(before.len(), |(index, _)| index);
        let after = &line[before.len()..];
        let shown = after.char_indices().nth(SHOWN_FROM).map_or(after.len(), |(index, _)| index);
        let marked = at.len().min(shown);

        let mut excerpt = String::from(if from > 0 { "..." } else { "" });
        excerpt += &escape(&before[from..]);
        let marker = excerpt.len();
        excerpt += &escape(&after[..marked]);
        let marker = marker..excerpt.len();
        excerpt += &escape(&after[marked..shown]);
        excerpt += if shown < after.len() { "..." } else { "" };
        Self { line: line_number(text, at.start), column, excerpt, marker, label }
    }

    fn snippet<'a>(&'a self, label: Option<&'a str>) -> Snippet<'a, Annotation<'a>> {
        let annotation = AnnotationKind::Primary.span(self.marker.clone());
        Snippet::source(self.excerpt.as_str())
            .path(ORIGIN)
            .line_start(self.line)
            .annotation(annotation.label(label))
    }

    /// Replaces the first placeholder by the true origin.
    fn name_origin(&self, rendered: &mut String, file: &str) {
        if let Some(start) = rendered.find(ORIGIN) {
            let from = start + ORIGIN.len();
            let numbers = rendered[from..].find(|c: char| c != ':' && !c.is_ascii_digit());
            let end = numbers.map_or(rendered.len(), |length| from + length);
            rendered.replace_range(start..end, &format!("{file}:{}:{}", self.line, self.column));
        }
    }
}
