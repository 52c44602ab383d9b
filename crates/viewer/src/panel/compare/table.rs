//! The table of algorithms: a tick box, figures and a bar for each, sorted by any figure.

use super::rows::{COLUMNS, MEDIAN, Row};
use crate::panel::algorithm::variant_name;
use crate::panel::command::Command;
use crate::panel::plot::{self, Axis, Scale};
use crate::panel::widgets::{named, small_figure};
use crate::simulation;
use broadphase::registry::{Algorithm, Kind};
use egui::{
    Align, Button, Checkbox, Grid, Label, Layout, Rect, RichText, ScrollArea, Sense, Stroke, Ui,
    vec2,
};

/// Width of a figure in characters, and with the gap after it in points.
const WIDTH: usize = 8;
const FIGURE: f32 = 64.0;

/// Minimum widths of names and bars in points.
const MIN_NAME: f32 = 96.0;
const MIN_BAR: f32 = 40.0;

/// Width of names from which algorithms of a family differ, and the columns that go before it.
const LEGIBLE_NAME: f32 = 150.0;
const FIRST_COLUMNS: usize = 4;

/// Width beside a name: tick box, and a sample of its line.
const BESIDE_NAME: f32 = 52.0;

/// Indentation of variants in points.
const INDENT: f32 = 14.0;

/// Tooltip of a dash.
const UNKNOWN: &str =
    "It has not searched this step: the compared algorithms search those that are taken";

/// Tooltip of a tick box.
const TICK_MEANING: &str = "Let it search the same boxes, to be compared. It is dropped once it takes 100 times \
                            as long as the driving algorithm, and at least 50 ms a step";

/// The order in which the rows are listed: by a figure, the lowest first, or else as in the list of algorithms. It stays
/// while the pointer is over the table: no row moves away from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    column: Option<usize>,
    /// The ids of the algorithms as they are listed; none after the choice of a column.
    listed: Vec<&'static str>,
}

impl Order {
    fn sort_by(&mut self, column: Option<usize>) {
        *self = Self { column, listed: Vec::new() };
    }

    /// The order by the median.
    pub(super) fn by_median() -> Self {
        Self { column: Some(MEDIAN), listed: Vec::new() }
    }

    /// Lists the rows as their figures say, whatever was listed before.
    pub(super) fn sort_anew(&mut self) {
        self.listed.clear();
    }

    /// The rows in this order, which is kept where it `stays`: those that take part first, and those without a figure after
    /// others.
    fn of<'a, 'b>(&mut self, rows: &'a [Row<'b>], stays: bool) -> Vec<&'a Row<'b>> {
        let mut sorted: Vec<&Row<'_>> = rows.iter().collect();
        // Stable: equal rows keep the registry's order, in which variants follow their family.
        sorted.sort_by_key(|row| Kind::ALL.iter().position(|kind| *kind == row.algorithm.kind));
        if let Some(column) = self.column {
            let figure = |row: &Row<'_>| row.figures[column].unwrap_or(f64::INFINITY);
            sorted.sort_by(|a, b| figure(a).total_cmp(&figure(b)));
        }
        sorted.sort_by_key(|row| !row.takes_part() && row.figures[MEDIAN].is_none());
        if stays && !self.listed.is_empty() {
            let place = |row: &&Row<'_>| {
                self.listed.iter().position(|id| *id == row.algorithm.id).unwrap_or(usize::MAX)
            };
            sorted.sort_by_key(place);
        }
        self.listed = sorted.iter().map(|row| row.algorithm.id).collect();
        sorted
    }

    /// The column that bars show.
    pub(super) fn bars(&self) -> usize {
        self.column.unwrap_or(MEDIAN)
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
    let spare = ui.available_width() - BESIDE_NAME - MIN_BAR;
    let fit = |name: f32| ((spare - name) / FIGURE) as usize;
    let number = fit(LEGIBLE_NAME).max(fit(MIN_NAME).min(FIRST_COLUMNS)).clamp(1, COLUMNS.len());
    let spare = (spare - FIGURE * number as f32).max(MIN_NAME);
    // The rest of a wide table is for names and bars.
    let name_width = spare.min(LEGIBLE_NAME + 0.2 * (spare - LEGIBLE_NAME).max(0.0));
    let bar_width = MIN_BAR + spare - name_width;
    let bars = order.bars();
    let values: Vec<f64> = rows.iter().filter_map(|row| row.figures[bars]).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let axis = Axis::new(scale, least, values.into_iter().fold(0.0, f64::max));
    let area = ScrollArea::both().id_salt("algorithms").auto_shrink([false, false]);
    area.min_scrolled_height(0.0).show(ui, |ui| {
        let grid = Grid::new("algorithms").num_columns(2 + number).striped(true);
        grid.spacing([6.0, 2.0]).show(ui, |ui| {
            head(ui, order, None, "algorithm", "The order of the list of algorithms");
            ui.label("");
            for (place, column) in COLUMNS.iter().enumerate().take(number) {
                head(ui, order, Some(place), column.name, column.meaning);
            }
            ui.end_row();
            let mut above = None;
            for row in sorted {
                let family = row.algorithm.family;
                let variant = row.algorithm.variant.filter(|_| above == Some(family));
                name(ui, row, variant, rows, name_width, commands);
                bar(ui, row, bars, axis, bar_width);
                let has_figures = row.figures[MEDIAN].is_some();
                if row.takes_part() || has_figures || row.remark.is_some() {
                    (0..number).for_each(|column| figure(ui, row, column, rows));
                }
                if let Some(remark) = row.remark.as_ref().filter(|_| !has_figures) {
                    ui.add(Label::new(RichText::new(remark).weak()).extend());
                }
                ui.end_row();
                above = Some(family);
            }
        });
    });
}

/// The name of a column, with a mark where the rows are sorted by it. A click on it sorts.
fn head(ui: &mut Ui, order: &mut Order, column: Option<usize>, name: &str, meaning: &str) {
    let mark = if order.column == column { "^" } else { "" };
    let width = if column.is_some() { WIDTH } else { 0 };
    let text = small_figure(format!("{:>width$}", format!("{name}{mark}"))).weak();
    let button = named(ui.add(Button::new(text).frame(false)), &format!("Sort by {name}"));
    if button.on_hover_text(meaning).clicked() {
        order.sort_by(column);
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
            let ends = [place.left_center(), place.right_center()];
            plot::line(ui.painter(), &ends, row.dash, Stroke::new(2.5, row.color));
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
fn bar(ui: &mut Ui, row: &Row<'_>, column: usize, axis: Axis, width: f32) {
    let (place, _) = ui.allocate_exact_size(vec2(width, 12.0), Sense::hover());
    let Some(value) = row.figures[column] else { return };
    let phases = row.phases.filter(|_| column == MEDIAN && axis.is_linear());
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
fn figure(ui: &mut Ui, row: &Row<'_>, column: usize, rows: &[Row<'_>]) {
    let Some(figure) = row.figures[column] else {
        ui.label(small_figure(format!("{:>WIDTH$}", "–"))).on_hover_text(UNKNOWN);
        return;
    };
    let in_words = COLUMNS[column].in_words;
    let text = in_words(figure);
    let of_others = || rows.iter().filter_map(|row| row.figures[column]);
    // Figures that look equal are equally good.
    let is_lowest = of_others().all(|other| other >= figure || in_words(other) == text);
    let shown = small_figure(format!("{text:>WIDTH$}"));
    let shown = if is_lowest && of_others().count() > 1 { shown.strong() } else { shown };
    ui.label(shown).on_hover_text(row.in_words());
}
