//! Parts shared by the forms of sources and obstacles.

use super::editor::{Editor, Listing};
use crate::panel::number_field::{NumberField, Typed, short};
use crate::panel::widgets::named;
use egui::{Button, Response, ScrollArea, Ui, vec2};
use glam::Vec3;
use std::ops::RangeInclusive;

/// Height of a list in points: five rows.
const LIST_HEIGHT: f32 = 100.0;

/// Width of the labels before fields in points.
const LABEL_WIDTH: f32 = 52.0;

/// A list of `rows` rows; only visible rows are laid out. `text` gives a row's text and tooltip.
/// Returns the clicked row.
pub(super) fn list(
    ui: &mut Ui,
    salt: &str,
    rows: usize,
    selected: Option<usize>,
    text: impl Fn(usize) -> (String, String),
) -> Option<usize> {
    let mut clicked = None;
    let row_height = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().id_salt(salt).max_height(LIST_HEIGHT);
    area.auto_shrink([false, true]).show_rows(ui, row_height, rows, |ui, range| {
        for row in range {
            let (text, tooltip) = text(row);
            let size = vec2(ui.available_width(), row_height);
            let button = Button::selectable(selected == Some(row), text).truncate().min_size(size);
            if ui.add(button).on_hover_text(tooltip).clicked() {
                clicked = Some(row);
            }
        }
    });
    clicked
}

/// A requested change of a list.
pub(super) enum Decision<K, T> {
    Apply(K, T),
    New(T),
    Delete(K),
}

/// The buttons under the form of an `element`, and the last refusal. A disabled button gives the
/// reason. `create` makes a new element, modelled on the selected one if there is any.
pub(super) fn decide<K: Copy + PartialOrd, T: Copy + PartialEq>(
    ui: &mut Ui,
    element: &str,
    editor: &mut Editor<K, T>,
    list: &(impl Listing<K, T> + ?Sized),
    undeletable: Option<&str>,
    create: impl FnOnce(Option<T>) -> T,
) -> Option<Decision<K, T>> {
    let selected = editor.selected();
    let unchanged = selected.is_some_and(|selected| selected.draft == selected.known);
    let none = selected.is_none().then(|| format!("No {element} is selected in the list"));
    let nothing_to_apply = unchanged.then(|| "Nothing has been changed".to_owned());
    let undeletable = undeletable.map(str::to_owned);
    let [mut apply, mut new, mut delete] = [false; 3];
    ui.columns(3, |columns| {
        let mut offer = |place: usize, label: &str, reason: Option<String>, meaning: &str| {
            let ui = &mut columns[place];
            let button = wide_button(ui, label, reason.is_none()).on_hover_text(meaning);
            let button = named(button, &format!("{label} {element}"));
            button.on_disabled_hover_text(reason.unwrap_or_default()).clicked()
        };
        apply = offer(
            0,
            "Apply",
            none.clone().or(nothing_to_apply),
            "Apply the form to the running scene",
        );
        let meaning = "Add one: as typed above, or else beside the selected one";
        new = offer(1, "New", None, meaning);
        delete = offer(2, "Delete", none.or(undeletable), "Remove it from the running scene");
    });
    editor.show_refusal(ui);
    match selected {
        _ if new => {
            let typed = selected.filter(|_| !unchanged).map(|selected| selected.draft);
            let requested = typed.unwrap_or_else(|| create(selected.map(|s| s.known)));
            editor.await_new(list, requested);
            Some(Decision::New(requested))
        }
        Some(selected) if apply => Some(Decision::Apply(selected.key, selected.draft)),
        Some(selected) if delete => {
            editor.deselect();
            Some(Decision::Delete(selected.key))
        }
        _ => None,
    }
}

/// A button of the whole width.
pub(super) fn wide_button(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let button = Button::new(text).truncate();
    ui.add_enabled_ui(enabled, |ui| ui.add_sized(size, button)).inner
}

/// A row of three fields under one label. `fixed` is an axis whose field is disabled, with the
/// reason.
pub(super) fn vector(
    ui: &mut Ui,
    label: &str,
    element: &str,
    vector: &mut Vec3,
    (range, speed): (RangeInclusive<f32>, f64),
    fixed: Option<(usize, &str)>,
    typed: &mut Typed,
) {
    labelled(ui, label, |ui| {
        let gaps = 2.0 * ui.spacing().item_spacing.x;
        let width = ((ui.available_width() - gaps) / 3.0).floor();
        for (index, (axis, prefix)) in
            [("x", "x "), ("y", "y "), ("z", "z ")].into_iter().enumerate()
        {
            let name = format!("{element} {} {axis}", label.to_lowercase());
            let reason = fixed.filter(|(axis, _)| *axis == index).map(|(_, reason)| reason);
            ui.add_enabled_ui(reason.is_none(), |ui| {
                let field = NumberField::new(&name, &mut vector[index], range.clone());
                let field = field.prefix(prefix).speed(speed).width(width).show(ui, typed);
                let field = field.on_hover_text("Units: drag, or click and type");
                if let Some(reason) = reason {
                    field.on_disabled_hover_text(reason);
                }
            });
        }
    });
}

/// A row that begins with a label.
pub(super) fn labelled(ui: &mut Ui, label: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let size = vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(label);
        });
        contents(ui);
    });
}

/// Units per point of dragging: a scene is some hundred points wide.
pub(super) fn drag_speed(scene: &sim::Scene) -> f64 {
    let widest = scene.bounds().size().max_element();
    if widest > 0.0 { f64::from(widest) / 200.0 } else { 0.01 }
}

/// Short numbers in a row.
pub(super) fn numbers(values: impl IntoIterator<Item = f32>, between: &str) -> String {
    values.into_iter().map(short).collect::<Vec<_>>().join(between)
}
