//! A list of elements of the scene, and the form of the selected one.

use super::form::wide_button;
use crate::panel::draft::Draft;
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

    /// Whether it fulfils the request for a new one.
    fn fulfils(&self, requested: &Self) -> bool {
        self == requested
    }

    /// Its row in the list.
    fn row(&self, number: u32) -> String;
}

/// A change of a list.
pub(super) enum Change<T> {
    New(T),
    Set(u32, T),
    Delete(u32),
}

/// The selection, with what was typed for it and not yet applied.
#[derive(Clone, Debug)]
pub(super) struct ListSelection<T> {
    /// The number of the selected element, and its form.
    pub(super) selected: Option<(u32, Draft<T>)>,
    /// A requested element, and the last number at the time of the request: it is selected once it is present. If it is
    /// refused, no other element is taken for it.
    requested: Option<(u32, T)>,
}

impl<T> Default for ListSelection<T> {
    fn default() -> Self {
        Self { selected: None, requested: None }
    }
}

impl<T: Copy + PartialEq> ListSelection<T> {
    /// The number of the selected element.
    pub(super) fn number(&self) -> Option<u32> {
        self.selected.map(|(number, _)| number)
    }

    /// Selects an element; what was typed for another one is dropped.
    fn select(&mut self, number: u32, known: T) {
        *self = Self { selected: Some((number, Draft::new(known))), requested: None };
    }

    /// Takes over changes of the scene, whose elements have ascending numbers.
    ///
    /// Typed values that are not applied stay until the element is deleted or another one is selected, even if the element
    /// changes meanwhile.
    fn follow(&mut self, list: &[(u32, T)], fulfils: fn(&T, &T) -> bool) {
        if let Some((last, requested)) = self.requested
            && let Some((newest, value)) = list.last().filter(|(number, _)| *number > last)
            && fulfils(value, &requested)
        {
            return self.select(*newest, *value);
        }
        let Some((number, draft)) = &mut self.selected else { return };
        let now = list.iter().find(|(of, _)| *of == *number).map(|(_, value)| *value);
        if now != Some(draft.known)
            && now != Some(draft.typed)
            && let Some((moved_to, _)) = list.iter().find(|(_, value)| *value == draft.known)
        {
            // Elements before it were deleted or added.
            *number = *moved_to;
            return;
        }
        match now {
            Some(now) => draft.follow(now),
            None => *self = Self::default(),
        }
    }
}

/// Shows a list with the form of the selected element, and the buttons that change it. `fields` lays the form out, `create`
/// makes a new element. Returns the edit that is asked for.
pub(super) fn show<T: Element>(
    ui: &mut Ui,
    selection: &mut ListSelection<T>,
    list: &[(u32, T)],
    undeletable: Option<&str>,
    fields: impl FnOnce(&mut Ui, u32, &mut T),
    create: impl FnOnce() -> T,
) -> Option<Edit> {
    selection.follow(list, T::fulfils);
    rows(ui, selection, list);
    if let Some((number, draft)) = &mut selection.selected {
        ui.push_id(*number, |ui| fields(ui, *number, &mut draft.typed));
    }
    let selected = selection.selected;
    let none = selected.is_none().then(|| format!("No {} is selected in the list", T::NAME));
    let unchanged = selected.is_some_and(|(_, draft)| !draft.is_changed());
    let nothing = unchanged.then(|| "Nothing has been changed".to_owned());
    let undeletable = none.clone().or(undeletable.map(str::to_owned));
    let offers = [
        ("Apply", none.or(nothing), "Apply the form to the running scene"),
        ("New", None, "Add one: as typed above, or else in the middle of the scene"),
        ("Delete", undeletable, "Remove it from the running scene"),
    ];
    let mut clicked = [false; 3];
    ui.columns(3, |columns| {
        for ((ui, (label, reason, meaning)), clicked) in
            columns.iter_mut().zip(offers).zip(&mut clicked)
        {
            let button = wide_button(ui, label, reason.is_none()).on_hover_text(meaning);
            let button = named(button, &format!("{label} {}", T::NAME));
            *clicked = button.on_disabled_hover_text(reason.unwrap_or_default()).clicked();
        }
    });
    let change = match (clicked, selected) {
        ([_, true, _], _) => {
            let new = match selected {
                Some((_, draft)) if draft.is_changed() => draft.typed,
                _ => create(),
            };
            selection.requested = Some((list.last().map_or(0, |(number, _)| *number), new));
            Change::New(new)
        }
        ([true, ..], Some((number, draft))) => Change::Set(number, draft.typed),
        ([.., true], Some((number, _))) => {
            *selection = ListSelection::default();
            Change::Delete(number)
        }
        _ => return None,
    };
    Some(T::edit(change))
}

/// The rows of a list, of which only the visible ones are laid out. A click selects one, a second click none.
fn rows<T: Element>(ui: &mut Ui, selection: &mut ListSelection<T>, list: &[(u32, T)]) {
    let height = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().id_salt(T::NAME).max_height(LIST_HEIGHT);
    area.auto_shrink([false, true]).show_rows(ui, height, list.len(), |ui, rows| {
        for (number, element) in &list[rows] {
            let (text, is_selected) = (element.row(*number), selection.number() == Some(*number));
            let size = vec2(ui.available_width(), height);
            let button = Button::selectable(is_selected, &*text).truncate().min_size(size);
            if ui.add(button).on_hover_text(&*text).clicked() {
                match is_selected {
                    true => *selection = ListSelection::default(),
                    false => selection.select(*number, *element),
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters of a text, numbered from 1.
    fn follow(selection: &mut ListSelection<char>, text: &str) {
        let list: Vec<(u32, char)> = (1..).zip(text.chars()).collect();
        selection.follow(&list, |present, requested| present == requested);
    }

    fn selected(selection: &ListSelection<char>) -> Option<(u32, char)> {
        selection.selected.map(|(number, draft)| (number, draft.typed))
    }

    #[test]
    fn form_follows_its_element_and_keeps_typed_text() {
        let mut selection = ListSelection::default();
        selection.select(2, 'b');
        for (now, expected) in [
            ("abc", Some((2, 'b'))),
            ("xabc", Some((3, 'b'))),
            ("bc", Some((1, 'b'))),
            ("Bc", Some((1, 'B'))),
            ("", None),
            ("b", None),
        ] {
            follow(&mut selection, now);
            assert_eq!(selected(&selection), expected, "{now}");
        }
        selection.select(2, 'b');
        selection.selected.as_mut().unwrap().1.typed = 't';
        for now in ["abc", "aBc", "atc", "atb"] {
            follow(&mut selection, now);
            assert_eq!(selected(&selection), Some((2, 't')), "{now}");
        }
        follow(&mut selection, "aBb");
        assert_eq!(selected(&selection), Some((2, 'B')), "it had been applied");
    }

    #[test]
    fn requested_element_is_selected_once_present_and_no_other() {
        let mut selection = ListSelection::default();
        for (last, requested, now, expected) in [
            (0, 'a', vec!["", "a"], (1, 'a')),
            (1, 'b', vec!["a", "ab", "abc"], (2, 'b')),
            // It is refused.
            (3, 'd', vec!["abc", "abce", "abcef"], (2, 'b')),
        ] {
            selection.requested = Some((last, requested));
            now.into_iter().for_each(|now| follow(&mut selection, now));
            assert_eq!(selected(&selection), Some(expected), "{requested}");
        }
    }
}
