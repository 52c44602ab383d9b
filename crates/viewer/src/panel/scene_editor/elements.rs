//! A list of elements of the scene, and the form of the selected one.

use super::form::wide_button;
use crate::panel::widgets::named;
use egui::{Button, ScrollArea, Ui, vec2};
use sim::Edit;

/// Height of a list in points: five rows.
const LIST_HEIGHT: f32 = 100.0;

/// An element of a list of the scene.
pub(super) trait Element: Copy + PartialEq {
    /// Its kind in buttons and messages.
    const NAME: &'static str;

    /// The edit that changes the list.
    fn edit(change: Change<Self>) -> Edit;

    /// Its row in the list.
    fn row(&self, number: u32) -> String;
}

/// A change of a list.
pub(super) enum Change<T> {
    New(T),
    Set(u32, T),
    Delete(u32),
}

/// The selected element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ListSelection {
    /// Its number in the list.
    pub(super) number: Option<u32>,
    /// The length of the list when a new element was requested, which is selected once it is present.
    requested: Option<usize>,
    /// The length of the list when it was last shown.
    length: usize,
}

impl ListSelection {
    /// Ends it where elements are gone from a list whose numbers are places: another one may have the number now.
    pub(super) fn end_if_shorter(&mut self, length: usize) {
        if length < self.length {
            *self = Self::default();
        }
        self.length = length;
    }
}

/// Shows a list with the form of the selected element, and the buttons that change it. `fields` lays the form out, `create`
/// makes a new element. Returns the edit that is asked for.
pub(super) fn show<T: Element>(
    ui: &mut Ui,
    selection: &mut ListSelection,
    list: &[(u32, T)],
    undeletable: Option<&str>,
    fields: impl FnOnce(&mut Ui, u32, &mut T),
    create: impl FnOnce() -> T,
) -> Option<Edit> {
    if selection.requested.is_some_and(|length| list.len() > length) {
        let number = list.last().map(|(number, _)| *number);
        (selection.number, selection.requested) = (number, None);
    }
    rows(ui, selection, list);
    let selected = list.iter().find(|(number, _)| selection.number == Some(*number));
    let mut change = selected.and_then(|(number, element)| {
        let mut typed = *element;
        ui.push_id(*number, |ui| fields(ui, *number, &mut typed));
        (typed != *element).then_some(Change::Set(*number, typed))
    });
    let unselected = selected.is_none().then(|| format!("No {} is selected in the list", T::NAME));
    let undeletable = unselected.or(undeletable.map(str::to_owned));
    ui.columns(2, |columns| {
        let mut offer = |place: usize, label: &str, enabled: bool, meaning: &str| {
            let button = wide_button(&mut columns[place], label, enabled).on_hover_text(meaning);
            let button = named(button, &format!("{label} {}", T::NAME));
            button.on_disabled_hover_text(undeletable.as_deref().unwrap_or_default()).clicked()
        };
        if offer(0, "New", true, "Add one in the middle of the scene") {
            selection.requested = Some(list.len());
            change = Some(Change::New(create()));
        }
        if offer(1, "Delete", undeletable.is_none(), "Remove it from the running scene") {
            change = selection.number.map(Change::Delete);
            *selection = ListSelection::default();
        }
    });
    change.map(T::edit)
}

/// The rows of a list, of which only the visible ones are laid out. A click selects one, a second click none.
fn rows<T: Element>(ui: &mut Ui, selection: &mut ListSelection, list: &[(u32, T)]) {
    let height = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().id_salt(T::NAME).max_height(LIST_HEIGHT);
    area.auto_shrink([false, true]).show_rows(ui, height, list.len(), |ui, rows| {
        for (number, element) in &list[rows] {
            let (text, is_selected) = (element.row(*number), selection.number == Some(*number));
            let size = vec2(ui.available_width(), height);
            let button = Button::selectable(is_selected, &*text).truncate().min_size(size);
            if ui.add(button).on_hover_text(&*text).clicked() {
                selection.number = Some(*number).filter(|_| !is_selected);
                selection.requested = None;
            }
        }
    });
}
