//! The selected element of a list, and the form that edits it.

use crate::panel::number_field::Typed;
use egui::Ui;

/// A list of elements, each known by a key. Keys rise along the list.
pub(super) trait Listing<K, T> {
    fn get(&self, key: K) -> Option<T>;
    fn key_of(&self, value: &T) -> Option<K>;
    fn last_key(&self) -> Option<K>;

    /// Whether a present element fulfils the request for a new one.
    fn fulfils(present: &T, requested: &T) -> bool;
}

/// The selection, with what was typed for it and not yet applied.
#[derive(Clone, Debug)]
pub(super) struct Editor<K, T> {
    selected: Option<Selected<K, T>>,
    /// A requested element, which is selected once it is present.
    awaited: Option<Awaited<K, T>>,
    typed: Typed,
}

/// A requested element. If it is refused, no other element is taken for it.
#[derive(Clone, Copy, Debug)]
struct Awaited<K, T> {
    /// The last key at the time of the request.
    behind: Option<K>,
    requested: T,
}

/// A selected element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected<K, T> {
    pub(super) key: K,
    /// Its value in the scene.
    pub(super) known: T,
    /// Its value in the form.
    pub(super) draft: T,
}

impl<K, T> Default for Editor<K, T> {
    fn default() -> Self {
        Self { selected: None, awaited: None, typed: Typed::default() }
    }
}

impl<K: Copy + PartialOrd, T: Copy + PartialEq> Editor<K, T> {
    pub(super) fn key(&self) -> Option<K> {
        self.selected.as_ref().map(|selected| selected.key)
    }

    pub(super) fn selected(&self) -> Option<Selected<K, T>> {
        self.selected
    }

    /// The value in the form of the selected element, and the editing state of its fields.
    pub(super) fn form(&mut self) -> Option<(&mut T, &mut Typed)> {
        self.selected.as_mut().map(|selected| (&mut selected.draft, &mut self.typed))
    }

    /// Selects an element; what was typed for another one is dropped.
    pub(super) fn select(&mut self, key: K, known: T) {
        *self = Self::default();
        self.selected = Some(Selected { key, known, draft: known });
    }

    /// Shows why the last text was refused.
    pub(super) fn show_refusal(&self, ui: &mut Ui) {
        self.typed.show_refusal(ui);
    }

    pub(super) fn deselect(&mut self) {
        *self = Self::default();
    }

    /// Selects the requested element once it is present after all of `list`.
    pub(super) fn await_new(&mut self, list: &(impl Listing<K, T> + ?Sized), requested: T) {
        self.awaited = Some(Awaited { behind: list.last_key(), requested });
    }

    /// Takes over changes of the scene.
    ///
    /// What was typed and is not applied stays until the element is deleted or another one is
    /// selected, even if the element changes meanwhile.
    pub(super) fn follow<L: Listing<K, T> + ?Sized>(&mut self, list: &L) {
        if let Some(Awaited { behind, requested }) = self.awaited
            && let Some(newest) = list.last_key().filter(|key| Some(*key) > behind)
            && let Some(value) = list.get(newest).filter(|value| L::fulfils(value, &requested))
        {
            return self.select(newest, value);
        }
        let Some(Selected { key, known, draft }) = &mut self.selected else { return };
        let now = list.get(*key);
        if now == Some(*known) {
            return;
        }
        if now != Some(*draft)
            && let Some(moved_to) = list.key_of(known)
        {
            // Elements before it were deleted or added.
            *key = moved_to;
            return;
        }
        let Some(now) = now else { return self.deselect() };
        if *draft == *known {
            *draft = now;
        }
        *known = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Listing<usize, char> for Vec<char> {
        fn get(&self, key: usize) -> Option<char> {
            <[char]>::get(self, key).copied()
        }

        fn key_of(&self, value: &char) -> Option<usize> {
            self.iter().position(|other| other == value)
        }

        fn last_key(&self) -> Option<usize> {
            self.len().checked_sub(1)
        }

        fn fulfils(present: &char, requested: &char) -> bool {
            present == requested
        }
    }

    fn list(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    fn selected(editor: &Editor<usize, char>) -> Option<(usize, char)> {
        editor.selected().map(|selected| (selected.key, selected.draft))
    }

    #[test]
    fn form_follows_its_element_and_keeps_typed_text() {
        let mut editor = Editor::default();
        editor.select(1, 'b');
        for (now, expected) in [
            ("abc", Some((1, 'b'))),
            ("xabc", Some((2, 'b'))),
            ("bc", Some((0, 'b'))),
            ("Bc", Some((0, 'B'))),
            ("", None),
            ("b", None),
        ] {
            editor.follow(&list(now));
            assert_eq!(selected(&editor), expected, "{now}");
        }
        editor.select(1, 'b');
        *editor.form().unwrap().0 = 't';
        for now in ["abc", "aBc", "atc", "atb"] {
            editor.follow(&list(now));
            assert_eq!(selected(&editor), Some((1, 't')), "{now}");
        }
        editor.follow(&list("aBb"));
        assert_eq!(selected(&editor), Some((1, 'B')), "it had been applied");
    }

    #[test]
    fn requested_element_is_selected_once_present_and_no_other() {
        let mut editor = Editor::default();
        for (before, requested, now, expected) in [
            ("", 'a', vec!["", "a"], (0, 'a')),
            ("a", 'b', vec!["a", "ab", "abc"], (1, 'b')),
            // It is refused.
            ("abc", 'd', vec!["abc", "abce", "abcef"], (1, 'b')),
        ] {
            editor.await_new(&list(before), requested);
            for now in now {
                editor.follow(&list(now));
            }
            assert_eq!(selected(&editor), Some(expected), "{requested}");
        }
    }
}
