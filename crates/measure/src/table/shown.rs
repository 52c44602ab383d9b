//! Tables for reading: the terminal and pages show the same cells.

use crate::rows::Status;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

/// A rule below the header, and no others.
pub const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Rows that are named for a reason that they share; more are counted.
const MAX_NAMED: usize = 3;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The heading of its column.
    pub heading: String,
    /// For reading.
    pub text: String,
    /// The number by which rows are sorted; `None` where the figure does not apply, and of words.
    pub value: Option<f64>,
    /// Whether it is a figure, though one that does not apply.
    pub is_figure: bool,
}

impl Shown {
    /// A cell of words.
    pub fn words(heading: &str, text: impl Into<String>) -> Self {
        let (heading, text) = (heading.to_owned(), text.into());
        Self { heading, text, value: None, is_figure: false }
    }

    /// A cell with a figure, or a dash.
    pub fn figure(heading: &str, value: Option<f64>, form: impl FnOnce(f64) -> String) -> Self {
        let text = value.map_or_else(|| "-".to_owned(), form);
        Self { heading: heading.to_owned(), text, value, is_figure: true }
    }
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownRow {
    /// The algorithm or method that it is about, which one of its cells has; empty where no row is marked.
    pub name: String,
    /// The name in words that distinguish it from all rows of the table, for a reason below the table.
    pub full_name: String,
    /// One for each column.
    pub cells: Vec<Shown>,
    /// Whether it is the fastest.
    pub is_fastest: bool,
    /// Its status and the reason why it has no figures, if it has none.
    pub fault: Option<(Status, String)>,
}

/// A table. Each row has the same columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownTable {
    /// What its rows have in common.
    pub heading: String,
    /// The rows in their order.
    pub rows: Vec<ShownRow>,
}

impl ShownTable {
    /// The table as text: the heading, the rows, where `*` marks the fastest, and the reasons of those without figures.
    pub fn text(&self) -> String {
        let Some(first) = self.rows.first() else { return String::new() };
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_header(first.cells.iter().map(|cell| &cell.heading));
        for row in &self.rows {
            let marked = |cell: &Shown| match row.is_fastest && cell.text == row.name {
                true => format!("{} *", cell.text),
                false => cell.text.clone(),
            };
            table.add_row(row.cells.iter().map(marked));
        }
        for (index, _) in first.cells.iter().enumerate().filter(|(_, cell)| cell.is_figure) {
            if let Some(column) = table.column_mut(index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let heading = if self.heading.is_empty() { "" } else { &format!("{}\n", self.heading) };
        format!("{heading}{table}\n{}", self.faults())
    }

    /// A line for each reason why rows have no figures.
    fn faults(&self) -> String {
        let mut faults: Vec<(&(Status, String), Vec<&str>)> = Vec::new();
        for row in &self.rows {
            let Some(fault) = &row.fault else { continue };
            match faults.iter_mut().find(|(other, _)| *other == fault) {
                Some((_, names)) => names.push(&row.full_name),
                None => faults.push((fault, vec![&row.full_name])),
            }
        }
        let line = |((status, reason), names): (&(Status, String), Vec<&str>)| {
            let named = names[..names.len().min(MAX_NAMED)].join(", ");
            match names.len().saturating_sub(MAX_NAMED) {
                0 => format!("{named} {status}: {reason}\n"),
                others => format!("{named} and {others} others {status}: {reason}\n"),
            }
        };
        faults.into_iter().map(line).collect()
    }
}

/// The tables one below the other, and the line that explains the mark of the fastest if a row has it.
pub(super) fn texts(tables: &[ShownTable], fastest: &str) -> String {
    let text = tables.iter().map(ShownTable::text).collect::<Vec<_>>().join("\n");
    let is_marked = tables.iter().flat_map(|table| &table.rows).any(|row| row.is_fastest);
    if is_marked { format!("{text}* {fastest}\n") } else { text }
}
