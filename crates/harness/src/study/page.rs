//! A page in Markdown, written from top to bottom.

use super::Files;
use super::statement::{Kind, Statement, Verdict};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, make_folder, write_chart};
use charts::{Axis, Chart, Line, Marks, Panel};
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

/// A page in Markdown, with its charts.
pub(crate) struct Page {
    text: String,
    /// Each with its SVG file, relative to the page.
    charts: Vec<(String, Chart)>,
    /// Lines for the head and for the terminal.
    summary: Vec<String>,
}

impl Page {
    /// Begins with the title, what the page is about, and its results in a list.
    pub(crate) fn new(title: &str, about: &str, summary: Vec<String>) -> Self {
        let mut page = Self { text: format!("# {title}\n\n"), charts: Vec::new(), summary };
        page.paragraph(about);
        page.list(page.summary.clone());
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
        self.text += text.trim_end();
        self.text += "\n\n";
    }

    /// A list; without an item nothing is written.
    pub(crate) fn list(&mut self, items: impl IntoIterator<Item = impl Display>) {
        let lines: String = items.into_iter().map(|item| format!("- {item}\n")).collect();
        if !lines.is_empty() {
            self.paragraph(&lines);
        }
    }

    /// Shows a chart if there is one, as this SVG file. Returns whether there is.
    pub(crate) fn chart(&mut self, caption: &str, file: &str, chart: Option<Chart>) -> bool {
        let is_there = chart.is_some();
        if let Some(chart) = chart {
            self.paragraph(&format!("![{caption}]({file})"));
            self.draw(file, chart);
        }
        is_there
    }

    /// Adds a chart that the page only links to.
    pub(crate) fn draw(&mut self, file: &str, chart: Chart) {
        self.charts.push((file.to_owned(), chart));
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
    fn text(&self) -> String {
        printable(&format!("{}\n", self.text.trim_end())).into_owned()
    }

    /// Writes the page and its charts, and prints its summary unless `quiet`.
    pub(super) fn write(self, files: &Files, quiet: bool) -> Result<(), Failure> {
        make_folder(&files.folder)?;
        let path = files.page();
        let page = PageFile::create(&path, true)?;
        for (file, chart) in &self.charts {
            write_chart(&files.folder.join(file), chart)?;
        }
        page.write(self.text().as_bytes())?;
        match quiet {
            true => Ok(()),
            false => console::print(&format!("{}\n{}\n", self.summary.join("\n"), path.display())),
        }
    }
}

/// A chart of lines; `None` where none has two points.
pub(crate) fn of_lines(x: Axis, y: Axis, lines: Vec<Line>) -> Option<Chart> {
    let is_curve = lines.iter().any(|line| line.points.len() > 1);
    is_curve.then(|| Chart::new(x, y).with(Panel::new(Marks::Lines(lines))))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Asserts that the published pages of a study are those that it writes from their rows today. Returns their charts.
    pub(crate) fn assert_published(
        name: &'static str,
        report: impl Fn(&Files) -> Result<Option<Page>, Failure>,
    ) -> String {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let (mut found, mut charts) = (0, String::new());
        for machine in fs::read_dir(results).unwrap() {
            let files = Files { folder: machine.unwrap().path(), name };
            let Ok(published) = fs::read_to_string(files.page()) else { continue };
            let page = report(&files).unwrap().unwrap();
            let path = files.page();
            assert_eq!(page.text(), published, "{}: --redraw writes it again", path.display());
            charts.extend(page.charts.iter().map(|(_, chart)| chart.svg().unwrap()));
            found += 1;
        }
        assert!(found > 0, "{name} is published");
        charts
    }

    #[test]
    fn page_is_markdown_with_one_empty_line_between_blocks() {
        let mut page = Page::new("Title", "About it.", vec!["a".to_owned(), "b".to_owned()]);
        let chart = Chart::new(Axis::linear("x"), Axis::linear("y"));
        assert!(page.chart("A chart", "c.svg", Some(chart)) && !page.chart("None", "d.svg", None));
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
