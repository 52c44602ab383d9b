//! A page in Markdown, written from top to bottom.

use super::statement::{Kind, Statement, Verdict};
use measure::Machine;
use sim::printable;
use std::fmt::Display;

/// The lines of [`Machine::lines`] on a page, by their names. The others are in `machine.json`.
const OF_MACHINE: [&str; 9] = [
    "processor",
    "cores",
    "graphics",
    "peers",
    "explicit vectors",
    "revision",
    "date",
    "taken up again",
    "command",
];

/// A page in Markdown.
pub(crate) struct Page(String);

impl Page {
    /// Begins with the title, what the page is about, and its results in a list.
    pub(crate) fn new(title: &str, about: &str, summary: &[String]) -> Self {
        let mut page = Self(format!("# {title}\n\n"));
        page.paragraph(about);
        page.list(summary);
        page
    }

    /// A section with what it is about, which may be empty.
    pub(crate) fn section(&mut self, title: &str, about: &str) {
        self.paragraph(&format!("## {title}"));
        if !about.is_empty() {
            self.paragraph(about);
        }
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        self.0 += text.trim_end();
        self.0 += "\n\n";
    }

    /// A list; without an item nothing is written.
    pub(crate) fn list(&mut self, items: impl IntoIterator<Item = impl Display>) {
        let lines: String = items.into_iter().map(|item| format!("- {item}\n")).collect();
        if !lines.is_empty() {
            self.paragraph(&lines);
        }
    }

    /// A chart; `file` is relative to the page.
    pub(crate) fn chart(&mut self, caption: &str, file: &str) {
        self.paragraph(&format!("![{caption}]({file})"));
    }

    /// A table. Each row has one text for each of the header.
    pub(crate) fn table<R: IntoIterator<Item = String>>(
        &mut self,
        header: impl IntoIterator<Item = impl AsRef<str>>,
        rows: impl IntoIterator<Item = R>,
    ) {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let line = |texts: Vec<String>| format!("| {} |\n", texts.join(" | "));
        let header: Vec<String> = header.into_iter().map(|name| cell(name.as_ref())).collect();
        let rule = format!("{}|\n", "|---".repeat(header.len()));
        let of = |row: R| line(row.into_iter().map(|text| cell(&text)).collect());
        let rows: String = rows.into_iter().map(of).collect();
        self.paragraph(&format!("{}{rule}{rows}", line(header)));
    }

    /// The statements that do not hold, then those that are undecided.
    pub(crate) fn missed<'a>(&mut self, statements: impl IntoIterator<Item = &'a Statement>) {
        let of = |s: &&Statement| matches!(s.verdict, Verdict::Missed | Verdict::Undecided);
        let mut missed: Vec<&Statement> = statements.into_iter().filter(of).collect();
        if missed.is_empty() {
            return self.paragraph("None.");
        }
        missed.sort_by_key(|statement| std::cmp::Reverse(statement.verdict));
        self.list(missed.into_iter().map(|Statement { what, verdict, figure, basis }| {
            format!("{}: {what}: {figure}, the goal is {basis}", verdict.word(Kind::Goal))
        }));
    }

    /// A line about the machine. `file` is its `machine.json`, relative to the page.
    pub(crate) fn machine(&mut self, machine: &Machine, file: &str) {
        let lines = machine.lines().into_iter();
        let wanted = lines.filter(|(name, _)| OF_MACHINE.contains(name));
        let text: Vec<String> = wanted.map(|(name, value)| format!("{name} {value}")).collect();
        if !text.is_empty() {
            self.paragraph(&format!("Measured on: {}; [more]({file}).", text.join("; ")));
        }
    }

    /// The whole page. Names from rows may contain characters that change how the text after them is shown.
    pub(crate) fn text(&self) -> String {
        printable(&format!("{}\n", self.0.trim_end())).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_markdown_with_one_empty_line_between_blocks() {
        let mut page = Page::new("Title", "About it.", &["a".to_owned(), "b".to_owned()]);
        page.chart("A chart", "c.svg");
        page.section("Table", "");
        page.table(["x", ""], [["1|2".to_owned(), "3".to_owned()]]);
        page.list([] as [&str; 0]);
        page.paragraph("a\u{202e}b");
        let text = "# Title\n\nAbout it.\n\n- a\n- b\n\n![A chart](c.svg)\n\n## Table\n\n\
                    | x |  |\n|---|---|\n| 1\\|2 | 3 |\n\n\
                    a\\u{202e}b\n";
        assert_eq!(page.text(), text);
    }
}
