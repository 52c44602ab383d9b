//! What the forms of sources and obstacles have in common.

use super::super::named;
use super::super::number_field::{NumberField, Typed, short};
use super::editor::{Editor, Listing};
use egui::{Button, Response, ScrollArea, Ui, vec2};
use glam::Vec3;
use std::ops::RangeInclusive;

/// Height of a list in points: five rows.
const LIST_HEIGHT: f32 = 100.0;

/// Width of the words before fields in points.
const LABEL_WIDTH: f32 = 52.0;

/// A list of `rows` rows, of which only those are laid out that are seen. `text` gives what a row
/// says, and more of it for the pointer. Returns the row that was clicked.
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
            let (text, more) = text(row);
            let size = vec2(ui.available_width(), row_height);
            let button = Button::selectable(selected == Some(row), text).truncate().min_size(size);
            if ui.add(button).on_hover_text(more).clicked() {
                clicked = Some(row);
            }
        }
    });
    clicked
}

/// What is to be done with an element of a list.
pub(super) enum Decision<K, T> {
    Apply(K, T),
    New(T),
    Delete(K),
}

/// The buttons under the form of an `element`, and what was typed there in vain. A button that
/// makes no sense says why. `fresh` makes a new element, like one that is selected.
pub(super) fn decide<K: Copy + PartialOrd, T: Copy + PartialEq>(
    ui: &mut Ui,
    element: &str,
    editor: &mut Editor<K, T>,
    list: &(impl Listing<K, T> + ?Sized),
    undeletable: Option<&str>,
    fresh: impl FnOnce(Option<T>) -> T,
) -> Option<Decision<K, T>> {
    let selected = editor.selected();
    let unchanged = selected.is_some_and(|selected| selected.draft == selected.known);
    let none = selected.is_none().then(|| format!("No {element} is selected in the list"));
    let nothing_to_apply = unchanged.then(|| "Nothing has been changed".to_owned());
    let undeletable = undeletable.map(str::to_owned);
    let [mut apply, mut new, mut delete] = [false; 3];
    ui.columns(3, |columns| {
        let mut offer = |place: usize, word: &str, obstacle: Option<String>, meaning: &str| {
            let ui = &mut columns[place];
            let button = wide_button(ui, word, obstacle.is_none()).on_hover_text(meaning);
            let button = named(button, &format!("{word} {element}"));
            button.on_disabled_hover_text(obstacle.unwrap_or_default()).clicked()
        };
        apply = offer(0, "Apply", none.clone().or(nothing_to_apply), "Change the running scene so");
        let meaning = "Another one: as typed above; or, where nothing was, beside the selected one";
        new = offer(1, "New", None, meaning);
        delete = offer(2, "Delete", none.or(undeletable), "Take it out of the running scene");
    });
    editor.tell(ui);
    match selected {
        _ if new => {
            let typed = selected.filter(|_| !unchanged).map(|selected| selected.draft);
            let asked = typed.unwrap_or_else(|| fresh(selected.map(|s| s.known)));
            editor.await_new(list, asked);
            Some(Decision::New(asked))
        }
        Some(selected) if apply => Some(Decision::Apply(selected.key, selected.draft)),
        Some(selected) if delete => {
            editor.let_go();
            Some(Decision::Delete(selected.key))
        }
        _ => None,
    }
}

/// A button over the whole width.
pub(super) fn wide_button(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let button = Button::new(text).truncate();
    ui.add_enabled_ui(enabled, |ui| ui.add_sized(size, button)).inner
}

/// A row of three fields under one word. `fixed` is the axis along which nothing can be typed, and
/// why.
pub(super) fn vector(
    ui: &mut Ui,
    word: &str,
    what: &str,
    vector: &mut Vec3,
    (range, speed): (RangeInclusive<f32>, f64),
    fixed: Option<(usize, &str)>,
    typed: &mut Typed,
) {
    labelled(ui, word, |ui| {
        let gaps = 2.0 * ui.spacing().item_spacing.x;
        let width = ((ui.available_width() - gaps) / 3.0).floor();
        for (index, (axis, prefix)) in
            [("x", "x "), ("y", "y "), ("z", "z ")].into_iter().enumerate()
        {
            let name = format!("{what} {} {axis}", word.to_lowercase());
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

/// A row that begins with a word.
pub(super) fn labelled(ui: &mut Ui, word: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let size = vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(word);
        });
        contents(ui);
    });
}

/// How much a point of dragging shifts something, in units: a scene is some hundred points wide.
pub(super) fn drag_speed(scene: &sim::Scene) -> f64 {
    let widest = scene.bounds().size().max_element();
    if widest > 0.0 { f64::from(widest) / 200.0 } else { 0.01 }
}

/// Numbers beside each other, short.
pub(super) fn numbers(values: impl IntoIterator<Item = f32>, between: &str) -> String {
    values.into_iter().map(short).collect::<Vec<_>>().join(between)
}
