//! Columns that are sorted by a click on their name.

use crate::panel::widgets::{named, small_figure};
use egui::{Button, Ui};
use std::cmp::Ordering;

/// How rows are sorted by one of the columns `C`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sorting<C> {
    pub(super) column: C,
    pub(super) descending: bool,
}

impl<C: Copy + PartialEq> Sorting<C> {
    /// Sorts by a column, or by the same one in the other direction.
    pub(super) fn click(&mut self, column: C) {
        let descending = self.column == column && !self.descending;
        *self = Self { column, descending };
    }

    /// The order of two rows by their figures in the column. Rows without a figure are last in both directions.
    pub(super) fn by_figure<T>(
        self,
        a: Option<T>,
        b: Option<T>,
        compare: impl FnOnce(&T, &T) -> Ordering,
    ) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) if self.descending => compare(&b, &a),
            (Some(a), Some(b)) => compare(&a, &b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }

    /// The name of a column, with a mark of the direction. A click on it sorts; `action` is the name of that: "Sort by ms".
    pub(super) fn head(
        &mut self,
        ui: &mut Ui,
        column: C,
        [action, name]: [&str; 2],
        width: usize,
        meaning: &str,
    ) {
        let mark = match (self.column == column, self.descending) {
            (true, true) => "v",
            (true, false) => "^",
            (false, _) => "",
        };
        let text = small_figure(format!("{:>width$}", format!("{name}{mark}"))).weak();
        let button = named(ui.add(Button::new(text).frame(false)), &format!("{action} {name}"));
        if button.on_hover_text(format!("{meaning}. Click to sort")).clicked() {
            self.click(column);
        }
    }
}
