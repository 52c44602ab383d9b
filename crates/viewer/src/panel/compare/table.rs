//! The table of algorithms: a tick box, figures and a bar for each, sorted by any figure.

use super::palette;
use super::rows::{Column, Row};
use crate::panel::algorithm::variant_name;
use crate::panel::command::Command;
use crate::panel::plot::{Axis, Scale};
use crate::panel::widgets::{named, small_figure};
use crate::simulation;
use broadphase::registry::{Algorithm, Kind};
use egui::{
    Align, Button, Checkbox, Grid, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, vec2,
};
use std::cmp::Ordering;

/// Width of a figure in characters, and with the gap after it in points.
const WIDTH: usize = 8;
const FIGURE: f32 = 64.0;

/// Bounds of the widths of names and bars in points.
const MIN_NAME: f32 = 96.0;
const MAX_NAME: f32 = 190.0;
const MIN_BAR: f32 = 40.0;
const MAX_BAR: f32 = 260.0;

/// Width of names from which algorithms of a family differ, and the columns that go before it.
const LEGIBLE_NAME: f32 = 150.0;
const FIRST_COLUMNS: usize = 4;

/// Width beside a name: tick box, mark of the driving algorithm, and a sample of its line.
const BESIDE_NAME: f32 = 64.0;

/// Indentation of variants in points.
const INDENT: f32 = 14.0;

/// Tooltips of dashes.
const NOT_YET: &str = "Not yet compared";
const NOT_HERE: &str =
    "It did not search this step: the compared algorithms search those that are taken";

/// Tooltip of a tick box.
const TICK_MEANING: &str = "Let it search the same boxes, to be compared. It is dropped once it takes 100 times \
                            as long as the driving algorithm, and at least 50 ms a step";

/// How the rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sorting {
    column: Column,
    descending: bool,
}

impl Sorting {
    /// Sorts by a column, or by the same one in the other direction.
    fn click(&mut self, column: Column) {
        let descending = self.column == column && !self.descending;
        *self = Self { column, descending };
    }

    /// The rows in this order: those that take part first, and those without a figure after others.
    fn sorted<'a, 'b>(self, rows: &'a [Row<'b>]) -> Vec<&'a Row<'b>> {
        let kind = |row: &Row<'_>| Kind::ALL.iter().position(|kind| *kind == row.algorithm.kind);
        let mut sorted: Vec<&Row<'_>> = rows.iter().collect();
        // Stable: equal rows keep the registry's order, in which variants follow their family.
        sorted.sort_by_key(|row| kind(row));
        sorted.sort_by(|a, b| match (self.column.of(a), self.column.of(b)) {
            (Some(a), Some(b)) if self.descending => b.total_cmp(&a),
            (Some(a), Some(b)) => a.total_cmp(&b),
            (None, None) => Ordering::Equal,
            (a, _) => {
                if a.is_some() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        });
        if self.column == Column::Algorithm && self.descending {
            sorted.reverse();
        }
        sorted.sort_by_key(|row| !row.takes_part());
        sorted
    }
}

/// The order in which the rows are listed. It stays while the pointer is over the table: no row moves away from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    sorting: Sorting,
    /// The ids of the algorithms, and what they were sorted by.
    listed: Vec<&'static str>,
    sorted_by: Sorting,
}

impl Order {
    /// The rows in this order, which is kept where it `stays`.
    fn of<'a, 'b>(&mut self, rows: &'a [Row<'b>], stays: bool) -> Vec<&'a Row<'b>> {
        let mut sorted = self.sorting.sorted(rows);
        if stays && self.sorted_by == self.sorting {
            let place = |row: &&Row<'_>| {
                self.listed.iter().position(|id| *id == row.algorithm.id).unwrap_or(usize::MAX)
            };
            sorted.sort_by_key(place);
        }
        self.listed.clear();
        self.listed.extend(sorted.iter().map(|row| row.algorithm.id));
        self.sorted_by = self.sorting;
        sorted
    }

    /// The column that bars show.
    pub(super) fn bars(&self) -> Column {
        match self.sorting.column {
            Column::Algorithm => Column::Median,
            column => column,
        }
    }
}

/// Lays out the table over all of the room.
pub(super) fn show(
    ui: &mut Ui,
    rows: &[Row<'_>],
    order: &mut Order,
    scale: Scale,
    commands: &mut Vec<Command>,
) {
    let is_pointed_at = ui.rect_contains_pointer(ui.max_rect());
    let sorted = order.of(rows, is_pointed_at);
    let shows_work = rows.iter().any(|row| Column::Work.of(row).is_some());
    let spare = ui.available_width() - BESIDE_NAME - MIN_BAR;
    let fit = |name: f32| ((spare - name) / FIGURE) as usize;
    let number = fit(LEGIBLE_NAME).max(fit(MIN_NAME).min(FIRST_COLUMNS));
    let number = number.clamp(1, if shows_work { 8 } else { 7 });
    let columns = &Column::FIGURES[..number];
    let spare = (spare - MIN_NAME - FIGURE * number as f32).max(0.0);
    let name_width = (MIN_NAME + spare).min(MAX_NAME);
    let bar_width = (MIN_BAR + spare - (name_width - MIN_NAME)).min(MAX_BAR);
    let bars = order.bars();
    let values: Vec<f64> = rows.iter().filter_map(|row| bars.of(row)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let axis = Axis::new(scale, least, values.into_iter().fold(0.0, f64::max));
    ScrollArea::both().id_salt("algorithms").auto_shrink([false, false]).show(ui, |ui| {
        let grid = Grid::new("algorithms").num_columns(2 + number).striped(true);
        grid.spacing([6.0, 2.0]).show(ui, |ui| {
            head(ui, &mut order.sorting, Column::Algorithm, 0);
            ui.label("");
            columns.iter().for_each(|column| head(ui, &mut order.sorting, *column, WIDTH));
            ui.end_row();
            let mut above = None;
            for row in sorted {
                let family = row.algorithm.family;
                let variant = row.algorithm.variant.filter(|_| above == Some(family));
                name(ui, row, variant, rows, name_width, commands);
                bar(ui, row, bars, axis, bar_width);
                if row.takes_part() || row.figures.times.is_some() || row.remark.is_some() {
                    columns.iter().for_each(|column| figure(ui, row, *column, rows));
                }
                if let Some(remark) = row.remark.as_ref().filter(|_| row.figures.times.is_none()) {
                    ui.add(Label::new(RichText::new(remark).weak()).extend());
                }
                ui.end_row();
                above = Some(family);
            }
        });
    });
}

/// The name of a column, with a mark of the direction. A click on it sorts.
fn head(ui: &mut Ui, sorting: &mut Sorting, column: Column, width: usize) {
    let mark = match (sorting.column == column, sorting.descending) {
        (true, true) => "v",
        (true, false) => "^",
        (false, _) => "",
    };
    let name = column.name();
    let text = small_figure(format!("{:>width$}", format!("{name}{mark}"))).weak();
    let button = named(ui.add(Button::new(text).frame(false)), &format!("Sort by {name}"));
    if button.on_hover_text(column.meaning()).clicked() {
        sorting.click(column);
    }
}

/// A tick box, a name and a line; a variant below its family is named by its difference.
fn name(
    ui: &mut Ui,
    row: &Row<'_>,
    variant: Option<&'static str>,
    rows: &[Row<'_>],
    width: f32,
    commands: &mut Vec<Command>,
) {
    let Algorithm { id, name, summary, unavailable, .. } = row.algorithm;
    // A row keeps its widgets where it moves.
    ui.push_id(id, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let (text, indent) = match variant {
                None => (name.to_string(), 0.0),
                Some(variant) => (format!("+ {}", variant_name(Some(variant))), INDENT),
            };
            ui.add_space(indent);
            let mut ticked = row.takes_part();
            let fixed = match unavailable {
                Some(reason) => Some(format!("Unavailable: {reason}")),
                None => row.drives.then(|| "It drives the scene: it always takes part".to_owned()),
            };
            let tick = ui.add_enabled(fixed.is_none(), Checkbox::without_text(&mut ticked));
            let tick = named(tick, name).on_hover_text(TICK_MEANING);
            if tick.on_disabled_hover_text(fixed.unwrap_or_default()).changed() {
                commands.push(compared(rows, row, ticked));
            }
            let (place, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            if row.drives {
                ui.painter().circle_filled(place.center(), 3.5, ui.visuals().strong_text_color());
            }
            let text = RichText::new(text);
            let text = if row.drives { text.strong() } else { text };
            let size = vec2(width - indent, ui.spacing().interact_size.y);
            let label = Button::new(text).frame(false).truncate();
            let label =
                ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_width(size.x);
                    ui.add_enabled(unavailable.is_none(), label)
                });
            let label = named(label.inner, &format!("Drive with {name}"));
            let drives =
                if row.drives { "It drives the scene" } else { "Click: it drives the scene" };
            if label.on_hover_text(format!("{name}: {summary}\n{drives}")).clicked() && !row.drives
            {
                commands.push(simulation::Order::Algorithm(row.algorithm).into());
            }
            let (place, _) = ui.allocate_exact_size(vec2(22.0, 10.0), Sense::hover());
            palette::sample(ui.painter(), place, row);
        })
    });
}

/// An order of all ticked algorithms, after one has changed.
fn compared(rows: &[Row<'_>], changed: &Row<'_>, ticked: bool) -> Command {
    let is_ticked = |row: &&Row<'_>| {
        if row.algorithm == changed.algorithm { ticked } else { row.is_compared }
    };
    let rows = rows.iter().filter(is_ticked).map(|row| row.algorithm).collect();
    simulation::Order::Compare(rows).into()
}

/// The bar of a figure. That of the median has a part for each phase, but on a logarithmic axis: parts of a sum have no
/// lengths there.
fn bar(ui: &mut Ui, row: &Row<'_>, column: Column, axis: Axis, width: f32) {
    let (place, _) = ui.allocate_exact_size(vec2(width, 12.0), Sense::hover());
    let Some(value) = column.of(row) else { return };
    let phases = row.figures.phases.filter(|_| column == Column::Median && axis.is_linear());
    let ends = match phases {
        Some(phases) => {
            let parts = phases.iter().scan(0, |sum, (_, ns)| {
                *sum += ns;
                Some(*sum as f64)
            });
            parts.collect()
        }
        None => vec![value],
    };
    let mut left = place.left();
    for (part, end) in ends.iter().enumerate() {
        let right = place.left() + place.width() * axis.share(*end);
        // The last phase has the full colour, those before it are lighter.
        let shade = 0.45_f32.powi((ends.len() - 1 - part) as i32);
        let part = Rect::from_x_y_ranges(left..=right, place.y_range());
        ui.painter().rect_filled(part, 0.0, row.color.gamma_multiply(shade));
        left = right;
    }
}

/// A figure. The lowest of its column stands out.
fn figure(ui: &mut Ui, row: &Row<'_>, column: Column, rows: &[Row<'_>]) {
    let is_time = matches!(
        column,
        Column::Median | Column::Ratio | Column::Percentile | Column::Mean | Column::Slowest
    );
    let Some(figure) = column.of(row) else {
        let hint = if is_time { NOT_YET } else { NOT_HERE };
        ui.label(small_figure(format!("{:>WIDTH$}", "–"))).on_hover_text(hint);
        return;
    };
    let text = column.text(figure);
    let of_others = || rows.iter().filter_map(|row| column.of(row));
    // Figures that look equal are equally good.
    let is_lowest = of_others().all(|other| other >= figure || column.text(other) == text);
    let shown = small_figure(format!("{text:>WIDTH$}"));
    let shown = if is_lowest && of_others().count() > 1 { shown.strong() } else { shown };
    let words = if is_time { row.times_in_words() } else { Some(row.work_in_words()) };
    let label = ui.label(shown);
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        label.on_hover_text(words);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::compared;
    use super::*;

    fn ids(sorting: Sorting, rows: &[Row<'_>]) -> Vec<&'static str> {
        sorting.sorted(rows).iter().map(|row| row.algorithm.id).collect()
    }

    #[test]
    fn rows_taking_part_are_first_and_those_without_a_figure_last() {
        let mut rows = compared([
            ("grid-uniform", &[40]),
            ("bsp", &[30]),
            ("kd-tree", &[20]),
            ("auto", &[10]),
            ("areas", &[]),
        ]);
        (rows[1].is_compared, rows[3].is_compared) = (false, false);
        let mut sorting = Sorting::default();
        assert_eq!(ids(sorting, &rows)[..3], ["grid-uniform", "areas", "kd-tree"]);
        for column in [Column::Median, Column::Ratio, Column::Percentile, Column::Slowest] {
            sorting.click(column);
            let rising = ["kd-tree", "grid-uniform", "areas", "auto", "bsp"];
            assert_eq!(ids(sorting, &rows), rising, "{column:?}");
            sorting.click(column);
            let falling = ["grid-uniform", "kd-tree", "areas", "bsp", "auto"];
            assert_eq!(ids(sorting, &rows), falling, "{column:?}");
        }
    }

    #[test]
    fn no_row_moves_under_the_pointer() {
        let of = |order: &mut Order, rows: &[Row<'_>], stays| -> Vec<&str> {
            order.of(rows, stays).iter().map(|row| row.algorithm.id).collect()
        };
        let rows = compared([("bsp", &[30]), ("kd-tree", &[20]), ("auto", &[10])]);
        let mut order = Order::default();
        let first = of(&mut order, &rows, false);
        order.sorting.click(Column::Median);
        assert_eq!(of(&mut order, &rows, true), ["auto", "kd-tree", "bsp"], "on request");
        let rows = compared([("bsp", &[10]), ("kd-tree", &[20]), ("auto", &[90])]);
        assert_eq!(of(&mut order, &rows, true), ["auto", "kd-tree", "bsp"], "the pointer is there");
        assert_eq!(of(&mut order, &rows, false), ["bsp", "kd-tree", "auto"]);
        order.sorting.click(Column::Algorithm);
        assert_eq!(of(&mut order, &rows, true), first);
    }
}
