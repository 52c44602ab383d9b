//! Editing a world while it runs, and undoing edits.

use super::World;
use super::change::Change;
use super::edit::{Edit, EditError, Undo};
use super::homes::{FREE, Held, stands_inside};
use crate::scene::{Scene, Source};

/// Edits that [`World::undo`] can take back.
const UNDOABLE: usize = 100;

impl World {
    /// Changes the running world at once.
    ///
    /// A source that is new, or whose box was changed, holds from then on the free objects that
    /// stand wholly inside it; those that it held and that do not are free. No object is moved, and
    /// none is given another velocity.
    ///
    /// Shares are those of a scene file: the last source gets what the others leave, whatever the
    /// edit says.
    ///
    /// # Errors
    ///
    /// Where a scene file could not say so, where there is no such source or obstacle, and where
    /// the last source would go. Nothing is changed then.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        let change = self.elements.change(edit)?;
        self.carry_out(*edit, change);
        Ok(())
    }

    /// Keeps all spheres within the first listed source, or no longer: [`Edit::Strict`], which
    /// nothing can be wrong with.
    pub fn set_strict(&mut self, strict: bool) {
        self.carry_out(Edit::Strict(strict), Change::Strict(strict));
    }

    fn carry_out(&mut self, edit: Edit, change: Change) {
        let before: Vec<_> = self.elements.boxes().collect();
        let inverse = self.elements.apply(change.clone());
        if inverse == change {
            // Nobody would understand an undo that is not seen to do anything.
            return;
        }
        let released = self.release(&before);
        let taken = self.take_hold(&before);
        if self.undo.len() == UNDOABLE {
            self.undo.pop_front();
        }
        self.undo.push_back(Undo { edit, inverse, released, taken });
    }

    /// Takes back the last edit, unless there is none; returns what it was, in a few words.
    ///
    /// Sources, obstacles, forces and the [recipe](Self::recipe) are again what they were before
    /// it; what timed events have removed stays removed. An object that the edit set free is held
    /// again if it still stands wholly inside its source, and one that the edit's source took hold
    /// of is free. Positions and velocities are not touched.
    ///
    /// The last hundred edits can be taken back. One that changed nothing is not among them.
    pub fn undo(&mut self) -> Option<String> {
        let Undo { edit, inverse, released, taken } = self.undo.pop_back()?;
        let before: Vec<_> = self.elements.boxes().collect();
        self.elements.apply(inverse);
        self.release(&before);
        for Held { object, source } in taken {
            let home = &mut self.homes[object as usize];
            if *home == source {
                *home = FREE;
            }
        }
        for Held { object, source } in released {
            let object = object as usize;
            let bounds = self.elements.boxes().find(|(number, _)| *number == source);
            if let Some((_, bounds)) = bounds
                && self.homes[object] == FREE
                && stands_inside(self.positions[object], self.radii[object], &bounds)
            {
                self.homes[object] = source;
            }
        }
        Some(edit.to_string())
    }

    /// What [`undo`](Self::undo) would take back, in a few words: "delete source 2".
    pub fn undoable(&self) -> Option<String> {
        self.undo.back().map(|undo| undo.edit.to_string())
    }

    /// The listed sources with their numbers. A number stays with its source for good, and is given
    /// once in a world; the scene's own sources have theirs from 1 in the order of the file.
    pub fn sources(&self) -> impl Iterator<Item = (u32, &Source)> {
        self.elements.sources()
    }

    /// The scene to begin anew from, and to save: as the world was begun, with every edit, but
    /// without what timed events did.
    ///
    /// A source that an event has removed is in it. One that was deleted by an edit is not, nor are
    /// the events that named it; the numbers in the others count its sources from 1.
    pub fn recipe(&self) -> &Scene {
        self.elements.recipe()
    }
}
