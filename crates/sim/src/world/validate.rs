//! Turns an edit into a change, if a scene file could describe the result.

use super::change::Change;
use super::edit::{Edit, EditError};
use super::elements::Elements;
use crate::scene::{Action, LayerTarget, Scene, SceneDocument, Source};

impl Elements {
    /// The change that an edit makes, if a scene file could describe the result.
    pub(super) fn change(&mut self, edit: &Edit) -> Result<Change, EditError> {
        let recipe = self.recipe();
        let mut sources = recipe.sources.clone();
        let (mut events, mut layers) = (recipe.events.clone(), recipe.layers.clone());
        let mut bodies = recipe.generated_bodies.clone();
        let mut numbers = self.numbers().to_vec();
        match *edit {
            Edit::NewSource(source) => {
                sources.push(source);
                let sources = check_sources(sources)?;
                numbers.push(self.take_number());
                Ok(Change::Sources { sources, numbers, events, layers, bodies })
            }
            Edit::SetSource { number, source } => {
                sources[self.index_of(number)?] = source;
                let sources = check_sources(sources)?;
                Ok(Change::Sources { sources, numbers, events, layers, bodies })
            }
            Edit::DeleteSource { number } => {
                let index = self.index_of(number)?;
                // Sources that events have removed hold no objects, so they do not count.
                if sources.len() == 1 || self.listed().len() == 1 {
                    return Err(EditError::LastSource(number));
                }
                sources.remove(index);
                numbers.remove(index);
                let sources = check_sources(sources)?;
                events.retain_mut(|event| match &mut event.action {
                    Action::RemoveSource(source) => stays(source, index),
                    Action::Hold { .. } => true,
                });
                layers.retain_mut(|rule| match &mut rule.target {
                    LayerTarget::Source(source) => stays(source, index),
                    LayerTarget::Balls | LayerTarget::Bodies => true,
                });
                bodies.retain_mut(|rule| stays(&mut rule.source, index));
                Ok(Change::Sources { sources, numbers, events, layers, bodies })
            }
            Edit::NewObstacle(obstacle) => {
                let index = recipe.obstacles.len();
                self.check_lines(|lines| lines.obstacles.push(obstacle))?;
                Ok(Change::Obstacles { index, remove: 0, insert: Some(obstacle) })
            }
            Edit::SetObstacle { index, obstacle } => {
                self.check_index(index)?;
                self.check_lines(|lines| lines.obstacles.push(obstacle))?;
                Ok(Change::Obstacles { index, remove: 1, insert: Some(obstacle) })
            }
            Edit::DeleteObstacle { index } => {
                self.check_index(index)?;
                Ok(Change::Obstacles { index, remove: 1, insert: None })
            }
            Edit::Gravity(gravity) => {
                self.check_lines(|lines| lines.gravity = gravity)?;
                Ok(Change::Gravity(gravity))
            }
            Edit::Line(line) => {
                self.check_lines(|lines| lines.line = line)?;
                Ok(Change::Line(line))
            }
            Edit::Driving(driving) => {
                self.check_lines(|lines| lines.driving = driving)?;
                Ok(Change::Driving(driving))
            }
            Edit::Strict(strict) => Ok(Change::Strict(strict)),
        }
    }

    /// The index in the recipe of a listed source.
    fn index_of(&self, number: u32) -> Result<usize, EditError> {
        let index = self.numbers().iter().position(|n| *n == number);
        index.filter(|_| self.listed().contains(&number)).ok_or(EditError::NoSource(number))
    }

    fn check_index(&self, index: usize) -> Result<(), EditError> {
        let count = self.recipe().obstacles.len();
        if index < count { Ok(()) } else { Err(EditError::NoObstacle { index, count }) }
    }

    /// Checks new lines as those of a scene file that has the present sources.
    fn check_lines(&self, add: impl FnOnce(&mut Scene)) -> Result<(), EditError> {
        let mut lines = Scene { sources: self.recipe().sources.clone(), ..Scene::default() };
        add(&mut lines);
        check_scene(&lines).map(|_| ())
    }
}

/// Checks sources as those of a scene file; sets the last share to the remainder of 100.
fn check_sources(sources: Vec<Source>) -> Result<Vec<Source>, EditError> {
    check_scene(&Scene { sources, ..Scene::default() }).map(|scene| scene.sources)
}

/// Checks a scene as that of a scene file: what cannot be saved cannot be an edit either.
fn check_scene(scene: &Scene) -> Result<Scene, EditError> {
    match SceneDocument::from_scene(scene) {
        Ok(document) => Ok(document.scene().clone()),
        Err(error) => Err(EditError::Refused(error.message().to_owned())),
    }
}

/// Whether what names a source, counted from 1, still has it when that of index `removed` is gone. Later sources move up.
fn stays(source: &mut u32, removed: usize) -> bool {
    let removed = removed as u32 + 1;
    let is_removed = *source == removed;
    *source -= u32::from(*source > removed);
    !is_removed
}
