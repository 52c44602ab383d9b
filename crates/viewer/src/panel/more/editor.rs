//! An element that is selected in a list, and the form in which it is changed.

use super::super::number_field::Typed;
use egui::Ui;

/// A list of elements, each known by a key. Keys rise along the list.
pub(super) trait Listing<K, T> {
    fn get(&self, key: K) -> Option<T>;
    fn key_of(&self, value: &T) -> Option<K>;
    fn last_key(&self) -> Option<K>;

    /// Whether an element that was asked for has become this one.
    fn is_as_asked(asked: &T, present: &T) -> bool;
}

/// What is selected, and what was typed for it but not yet applied.
#[derive(Clone, Debug)]
pub(super) struct Editor<K, T> {
    selected: Option<Selected<K, T>>,
    /// A new element that was asked for is selected once it is there.
    awaited: Option<Awaited<K, T>>,
    typed: Typed,
}

/// An element that was asked for. It may be refused: then nothing else is taken for it.
#[derive(Clone, Copy, Debug)]
struct Awaited<K, T> {
    /// The last key when it was asked for.
    behind: Option<K>,
    asked: T,
}

/// A selected element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected<K, T> {
    pub(super) key: K,
    /// As the scene has it.
    pub(super) known: T,
    /// As the form has it.
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

    /// What is typed, where something is selected, and what goes on in its fields.
    pub(super) fn form(&mut self) -> Option<(&mut T, &mut Typed)> {
        self.selected.as_mut().map(|selected| (&mut selected.draft, &mut self.typed))
    }

    /// What was typed for another element is forgotten.
    pub(super) fn select(&mut self, key: K, known: T) {
        *self = Self::default();
        self.selected = Some(Selected { key, known, draft: known });
    }

    /// Tells what was last typed in vain.
    pub(super) fn tell(&self, ui: &mut Ui) {
        self.typed.tell(ui);
    }

    pub(super) fn let_go(&mut self) {
        *self = Self::default();
    }

    /// Selects the element that is asked for once it stands behind all of `list`.
    pub(super) fn await_new(&mut self, list: &(impl Listing<K, T> + ?Sized), asked: T) {
        self.awaited = Some(Awaited { behind: list.last_key(), asked });
    }

    /// Follows the scene.
    ///
    /// What was typed and is not applied stays, whatever happens to the element in the meantime,
    /// until the element goes or another one is selected.
    pub(super) fn follow<L: Listing<K, T> + ?Sized>(&mut self, list: &L) {
        if let Some(Awaited { behind, asked }) = self.awaited
            && let Some(newest) = list.last_key().filter(|key| Some(*key) > behind)
            && let Some(value) = list.get(newest).filter(|value| L::is_as_asked(&asked, value))
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
            // Others went or came before it.
            *key = moved_to;
            return;
        }
        let Some(now) = now else { return self.let_go() };
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

        fn is_as_asked(asked: &char, present: &char) -> bool {
            asked == present
        }
    }

    fn list(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    fn selected(editor: &Editor<usize, char>) -> Option<(usize, char)> {
        editor.selected().map(|selected| (selected.key, selected.draft))
    }

    #[test]
    fn a_form_follows_its_element_and_keeps_what_was_typed() {
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
    fn a_new_element_is_selected_once_it_is_there() {
        let mut editor = Editor::default();
        editor.await_new(&list(""), 'a');
        editor.follow(&list(""));
        assert_eq!(selected(&editor), None);
        editor.follow(&list("a"));
        assert_eq!(selected(&editor), Some((0, 'a')));
        editor.await_new(&list("a"), 'b');
        editor.follow(&list("a"));
        editor.follow(&list("ab"));
        editor.follow(&list("abc"));
        assert_eq!(selected(&editor), Some((1, 'b')));
    }

    #[test]
    fn nothing_else_is_taken_for_a_new_element_that_was_refused() {
        let mut editor = Editor::default();
        editor.select(0, 'a');
        editor.await_new(&list("a"), 'b');
        for now in ["a", "ac", "acd"] {
            editor.follow(&list(now));
            assert_eq!(selected(&editor), Some((0, 'a')), "{now}");
        }
    }
}
