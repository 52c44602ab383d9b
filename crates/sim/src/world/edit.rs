//! Edits of a world while it runs.

use super::World;
use super::change::Change;
use super::homes::{FREE, Held, stands_inside};
use crate::Scene;
use crate::scene::{Gravity, Obstacle, Source};
use std::fmt;

/// Edits that [`World::undo`] can take back.
const UNDOABLE: usize = 100;

/// What a person can change in a running world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// Lists a source behind the others, under a number that none has had in this world.
    NewSource(Source),
    /// Makes a listed source another one.
    SetSource {
        /// The source's number; see [`World::sources`].
        number: u32,
        /// What it becomes.
        source: Source,
    },
    /// Deletes a listed source, and the timed events that would remove it. Its objects are free.
    DeleteSource {
        /// The source's number; see [`World::sources`].
        number: u32,
    },
    /// Adds an obstacle behind the others.
    NewObstacle(Obstacle),
    /// Makes an obstacle another one.
    SetObstacle {
        /// Its index in the scene's list.
        index: usize,
        /// What it becomes.
        obstacle: Obstacle,
    },
    /// Deletes an obstacle; those behind it move up.
    DeleteObstacle {
        /// Its index in the scene's list.
        index: usize,
    },
    /// Another pull along -z.
    Gravity(Gravity),
    /// Another x and y of the vertical line.
    Line([f32; 2]),
    /// Keeps all objects within the first listed source, or no longer.
    Strict(bool),
}

impl fmt::Display for Edit {
    /// A few words for a person; obstacles are counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::NewSource(_) => f.write_str("new source"),
            Edit::SetSource { number, .. } => write!(f, "change source {number}"),
            Edit::DeleteSource { number } => write!(f, "delete source {number}"),
            Edit::NewObstacle(_) => f.write_str("new obstacle"),
            Edit::SetObstacle { index, .. } => write!(f, "change obstacle {}", from_one(*index)),
            Edit::DeleteObstacle { index } => write!(f, "delete obstacle {}", from_one(*index)),
            Edit::Gravity(gravity) => write!(f, "gravity {}", gravity.word()),
            Edit::Line([x, y]) => write!(f, "line at {x}, {y}"),
            Edit::Strict(true) => f.write_str("objects strictly inside"),
            Edit::Strict(false) => f.write_str("objects not strictly inside"),
        }
    }
}

/// Why an edit was refused, in one line for a person. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No scene file could say so: what was expected and what was found.
    #[error("{0}")]
    Refused(String),
    /// It would leave a scene without a source.
    #[error("source {0} cannot be deleted: a scene needs at least one source")]
    LastSource(u32),
    /// No source of this number is listed.
    #[error("there is no source {0} (it may have been deleted, or removed by a timed event)")]
    NoSource(u32),
    /// There are not as many obstacles.
    #[error("there is no obstacle {}: the scene has {count}", from_one(*.index))]
    NoObstacle {
        /// The index that was asked for.
        index: usize,
        /// How many obstacles there are.
        count: usize,
    },
}

fn from_one(index: usize) -> usize {
    index.saturating_add(1)
}

/// An edit that can be taken back.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    edit: Edit,
    inverse: Change,
    /// Spheres that the edit set free.
    released: Vec<Held>,
    /// Free spheres that a source took hold of.
    taken: Vec<Held>,
}

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
