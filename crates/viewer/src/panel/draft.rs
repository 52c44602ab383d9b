//! Values of the scene while they are edited.

/// A value of the scene in a form. What was typed and is not applied stays, whatever becomes of the scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draft<T> {
    /// Its value in the scene.
    pub known: T,
    /// Its value in the form.
    pub typed: T,
}

impl<T: Copy + PartialEq> Draft<T> {
    /// The value of the scene, as yet unchanged.
    pub fn new(known: T) -> Self {
        Self { known, typed: known }
    }

    pub(super) fn is_changed(&self) -> bool {
        self.typed != self.known
    }

    /// Takes over the value of the scene.
    pub(super) fn follow(&mut self, now: T) {
        if !self.is_changed() {
            self.typed = now;
        }
        self.known = now;
    }
}
