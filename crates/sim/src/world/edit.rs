//! Edits of a running world, and undoing them.

use super::World;
use super::elements::{Elements, Recipe};
use super::homes::{FREE, Move};
use crate::scene::{Driving, Gravity, Obstacle, Scene, SceneDocument, Source};
use std::fmt;
use std::sync::Arc;

/// Most edits that [`World::undo`] can undo.
const UNDOABLE: usize = 100;

/// Most bytes of the recipes that it keeps, about: of larger scenes fewer edits can be undone, of any scene one.
const UNDO_BYTES: usize = 256 << 20;

/// An edit of a running world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// Appends a source, under a number not yet used in this world.
    NewSource(Source),
    /// Replaces a listed source.
    SetSource {
        /// The source's number; see [`World::sources`].
        number: u32,
        /// The new source.
        source: Source,
    },
    /// Deletes a listed source, and the timed events that would remove it. Its objects become free.
    DeleteSource {
        /// The source's number; see [`World::sources`].
        number: u32,
    },
    /// Appends an obstacle.
    NewObstacle(Obstacle),
    /// Replaces an obstacle.
    SetObstacle {
        /// Its index in the scene's list.
        index: usize,
        /// The new obstacle.
        obstacle: Obstacle,
    },
    /// Deletes an obstacle; those behind it move up.
    DeleteObstacle {
        /// Its index in the scene's list.
        index: usize,
    },
    /// Sets the gravity.
    Gravity(Gravity),
    /// Sets x and y of the vertical line.
    Line([f32; 2]),
    /// Sets how driven bodies move.
    Driving(Driving),
    /// Sets whether all objects stay within the first listed source.
    Strict(bool),
}

impl fmt::Display for Edit {
    /// A short description; obstacles are counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::NewSource(_) => f.write_str("new source"),
            Edit::SetSource { number, .. } => write!(f, "change source {number}"),
            Edit::DeleteSource { number } => write!(f, "delete source {number}"),
            Edit::NewObstacle(_) => f.write_str("new obstacle"),
            Edit::SetObstacle { index, .. } => write!(f, "change obstacle {}", from_one(*index)),
            Edit::DeleteObstacle { index } => write!(f, "delete obstacle {}", from_one(*index)),
            Edit::Gravity(gravity) => write!(f, "gravity {gravity}"),
            Edit::Line([x, y]) => write!(f, "line at {x}, {y}"),
            Edit::Driving(driving) => write!(f, "driving {driving}"),
            Edit::Strict(true) => f.write_str("objects strictly inside"),
            Edit::Strict(false) => f.write_str("objects not strictly inside"),
        }
    }
}

/// Why an edit was refused, in one line. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No scene file could describe the result.
    #[error("{0}")]
    NoScene(String),
    /// There is no source of this number.
    #[error("there is no source {0} (it may have been deleted, or removed by a timed event)")]
    NoSource(u32),
    /// The only listed source would be deleted.
    #[error("source {0} cannot be deleted: a scene needs at least one source")]
    LastSource(u32),
    /// There is no obstacle of this index.
    #[error("there is no obstacle {}: the scene has {count}", from_one(*index))]
    NoObstacle {
        /// The index in the scene's list.
        index: usize,
        /// How many obstacles there are.
        count: usize,
    },
}

fn from_one(index: usize) -> usize {
    index.saturating_add(1)
}

/// Most edits of a recipe of so many bytes that can be undone.
fn undoable(bytes: usize) -> usize {
    (UNDO_BYTES / bytes).clamp(1, UNDOABLE)
}

/// An edit that can be undone.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    edit: Edit,
    /// Counted from 1.
    number: u64,
    /// The recipe before the edit.
    recipe: Arc<Recipe>,
    /// Objects that the edit released, or that a source took hold of.
    moves: Vec<Move>,
}

impl Elements {
    /// The recipe after an edit, if a scene file could describe it.
    fn edited(&self, edit: &Edit) -> Result<Recipe, EditError> {
        let mut recipe = (*self.recipe).clone();
        let Recipe { scene, numbers } = &mut recipe;
        let mut new_lines = Scene::default();
        match *edit {
            Edit::NewSource(source) => {
                scene.sources.push(source);
                numbers.push(self.next_number);
            }
            Edit::SetSource { number, source } => scene.sources[self.index_of(number)?] = source,
            Edit::DeleteSource { number } => {
                let index = self.index_of(number)?;
                // Sources that events have removed hold no objects, so they do not count.
                if self.sources().count() == 1 {
                    return Err(EditError::LastSource(number));
                }
                recipe.remove_source(index);
            }
            Edit::NewObstacle(obstacle) => {
                scene.obstacles.push(obstacle);
                new_lines.obstacles.push(obstacle);
            }
            Edit::SetObstacle { index, obstacle } => {
                scene.obstacles[self.checked(index)?] = obstacle;
                new_lines.obstacles.push(obstacle);
            }
            Edit::DeleteObstacle { index } => {
                scene.obstacles.remove(self.checked(index)?);
            }
            Edit::Gravity(gravity) => scene.gravity = gravity,
            Edit::Line(line) => scene.line = line,
            Edit::Driving(driving) => scene.driving = driving,
            Edit::Strict(strict) => scene.strict = strict,
        }
        let Scene { gravity, line, driving, .. } = recipe.scene;
        // New lines are checked as those of a file that has the sources, too: all lines of a large scene would take long.
        let sources = recipe.scene.sources.clone();
        let document =
            SceneDocument::from_scene(&Scene { sources, gravity, line, driving, ..new_lines })
                .map_err(|error| EditError::NoScene(error.message().to_owned()))?;
        // The last share is the remainder of 100.
        recipe.scene.sources.clone_from(&document.scene().sources);
        Ok(recipe)
    }

    /// The index in the recipe of a listed source.
    fn index_of(&self, number: u32) -> Result<usize, EditError> {
        let index = self.recipe.numbers.binary_search(&number).ok();
        index.filter(|_| self.source(number).is_some()).ok_or(EditError::NoSource(number))
    }

    /// The index of an obstacle, if there is one.
    fn checked(&self, index: usize) -> Result<usize, EditError> {
        let count = self.scene().obstacles.len();
        if index < count { Ok(index) } else { Err(EditError::NoObstacle { index, count }) }
    }
}

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
        let recipe = self.elements.edited(edit)?;
        if recipe == *self.elements.recipe {
            // An undo without a visible effect would only confuse.
            return Ok(());
        }
        let before: Vec<_> = self.elements.boxes().collect();
        let recipe = self.set_recipe(Arc::new(recipe));
        let moves = self.settle(&before, true);
        let excess = (self.undo.len() + 1).saturating_sub(undoable(recipe.bytes()));
        self.undo.drain(..excess);
        self.edits += 1;
        self.undo.push_back(Undo { edit: *edit, number: self.edits, recipe, moves });
        Ok(())
    }

    /// Changes sources, obstacles or forces. Returns the recipe before.
    pub(super) fn set_recipe(&mut self, recipe: Arc<Recipe>) -> Arc<Recipe> {
        let before = self.elements.set_recipe(recipe);
        if let Some(bodies) = &mut self.bodies {
            bodies.set_obstacles(&self.elements.scene().obstacles, &self.objects.layers);
        }
        before
    }

    /// Undoes the last edit, if there is one; returns its description.
    ///
    /// Sources, obstacles, forces and the [recipe](Self::recipe) are again what they were before it; sources
    /// that timed events have removed stay removed. An object that the edit released is held again if it is
    /// still wholly inside its source. One that the edit's source took hold of is free. Positions and
    /// velocities do not change.
    ///
    /// The last hundred edits that changed something can be undone. Each keeps a copy of the recipe before it, of 256 MiB in all:
    /// fewer edits of a scene of more than about 10,000 bodies.
    pub fn undo(&mut self) -> Option<String> {
        let Undo { edit, recipe, moves, .. } = self.undo.pop_back()?;
        let before: Vec<_> = self.elements.boxes().collect();
        self.set_recipe(recipe);
        self.settle(&before, false);
        for Move { object, from, to } in moves {
            let object = object as usize;
            let again = self.elements.source(from);
            let may_return = from == FREE
                || again.is_some_and(|source| self.is_inside(object, &source.bounds()));
            if self.objects.homes[object] == to && may_return {
                self.objects.homes[object] = from;
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
        &self.elements.recipe.scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undone_edits_are_bounded_in_number_and_bytes() {
        let bounds = [1 << 10, 3 << 20, 64 << 20, usize::MAX].map(undoable);
        assert_eq!(bounds, [100, 85, 4, 1]);
        let ball = crate::scene::Ball::default();
        let balls = Scene { balls: vec![ball; 1 << 20], ..Scene::default() };
        assert!(undoable(Elements::new(&balls).recipe.bytes()) < 10);
    }
}
