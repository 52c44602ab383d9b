//! Editing a world while it runs, and undoing edits.

use super::World;
use super::change::Change;
use super::edit::{Edit, EditError, Undo};
use super::homes::{FREE, Held};
use crate::scene::{Scene, Source};

/// Most edits that [`World::undo`] can undo.
const UNDOABLE: usize = 100;

impl World {
    /// Changes the running world at once.
    ///
    /// A source that is new, or whose box changed, takes hold of the free objects wholly inside it, and
    /// releases those that are not. Positions and velocities do not change.
    ///
    /// Shares are those of a scene file: the last source gets the remainder of 100, whatever the edit says.
    ///
    /// # Errors
    ///
    /// If no scene file could describe the result, if there is no such source or obstacle, or if the last
    /// source would be deleted. Nothing is changed then.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        let change = self.elements.change(edit)?;
        self.apply(*edit, change);
        Ok(())
    }

    fn apply(&mut self, edit: Edit, change: Change) {
        let before: Vec<_> = self.elements.boxes().collect();
        let inverse = self.change_elements(change.clone());
        if inverse == change {
            // An undo without a visible effect would only confuse.
            return;
        }
        let released = self.release(&before);
        let taken = self.take_hold(&before);
        if self.undo.len() == UNDOABLE {
            self.undo.pop_front();
        }
        self.edits += 1;
        self.undo.push_back(Undo { edit, number: self.edits, inverse, released, taken });
    }

    /// Changes sources, obstacles or forces. Returns the inverse change.
    fn change_elements(&mut self, change: Change) -> Change {
        let inverse = self.elements.apply(change);
        if let Some(bodies) = &mut self.bodies {
            bodies.set_obstacles(&self.elements.scene().obstacles, &self.layers);
        }
        inverse
    }

    /// Undoes the last edit, if there is one; returns its description.
    ///
    /// Sources, obstacles, forces and the [recipe](Self::recipe) are again what they were before it; sources
    /// that timed events have removed stay removed. An object that the edit released is held again if it is
    /// still wholly inside its source. One that the edit's source took hold of is free. Positions and
    /// velocities do not change.
    ///
    /// The last hundred edits that changed something can be undone.
    pub fn undo(&mut self) -> Option<String> {
        let Undo { edit, inverse, released, taken, .. } = self.undo.pop_back()?;
        let before: Vec<_> = self.elements.boxes().collect();
        self.change_elements(inverse);
        self.release(&before);
        for Held { object, source } in taken {
            let home = &mut self.homes[object as usize];
            if *home == source {
                *home = FREE;
            }
        }
        for Held { object, source } in released {
            let object = object as usize;
            if self.homes[object] == FREE
                && let Some(again) = self.elements.source(source)
                && self.is_inside(object, &again.bounds())
            {
                self.homes[object] = source;
            }
        }
        Some(edit.to_string())
    }

    /// The edit that [`undo`](Self::undo) would undo: "delete source 2".
    pub fn undoable(&self) -> Option<String> {
        self.undo.back().map(|undo| undo.edit.to_string())
    }

    /// The number of the edit that [`undo`](Self::undo) would undo, counted from 1: later edits have larger ones. 0 if there
    /// is none.
    pub fn last_edit(&self) -> u64 {
        self.undo.back().map_or(0, |undo| undo.number)
    }

    /// The listed sources with their numbers. A number stays with its source, and is given once in a world;
    /// the scene's own sources have theirs from 1 in the order of the file.
    pub fn sources(&self) -> impl Iterator<Item = (u32, &Source)> {
        self.elements.sources()
    }

    /// The scene to restart from and to save: the initial one with every edit, but without the effects of
    /// timed events.
    ///
    /// A source that an event has removed is in it. One that was deleted by an edit is not, nor are
    /// the events that named it; the numbers in the others count its sources from 1.
    pub fn recipe(&self) -> &Scene {
        self.elements.recipe()
    }
}
