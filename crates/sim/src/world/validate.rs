//! Turns an edit into a change, if a scene file could describe the result.

use super::change::Change;
use super::edit::{Edit, EditError};
use super::elements::Elements;
use crate::scene::{
    Action, BodiesRule, Event, LayerRule, LayerTarget, Scene, SceneDocument, Source,
};

impl Elements {
    /// The change that an edit makes, if a scene file could describe the result.
    pub(super) fn change(&mut self, edit: &Edit) -> Result<Change, EditError> {
        let recipe = self.recipe();
        let mut sources = recipe.sources.clone();
        let (events, layers) = (recipe.events.clone(), recipe.layers.clone());
        let bodies = recipe.generated_bodies.clone();
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
                let events = without_source(&events, index);
                let layers = layers_without_source(&layers, index);
                let bodies = bodies_without_source(bodies, index);
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

/// The events of a recipe without the source at this index.
fn without_source(events: &[Event], index: usize) -> Vec<Event> {
    let removed = index as u32 + 1;
    let adjusted = |event: &Event| match event.action {
        Action::RemoveSource(source) if source == removed => None,
        Action::RemoveSource(source) if source > removed => {
            Some(Event { action: Action::RemoveSource(source - 1), ..*event })
        }
        _ => Some(*event),
    };
    events.iter().filter_map(adjusted).collect()
}

/// The layers of a recipe without the source at this index.
fn layers_without_source(layers: &[LayerRule], index: usize) -> Vec<LayerRule> {
    let removed = index as u32 + 1;
    let adjusted = |rule: &LayerRule| match rule.target {
        LayerTarget::Source(source) if source == removed => None,
        LayerTarget::Source(source) if source > removed => {
            Some(LayerRule { target: LayerTarget::Source(source - 1), ..*rule })
        }
        _ => Some(*rule),
    };
    layers.iter().filter_map(adjusted).collect()
}

/// The generated bodies of a recipe without the source at this index.
fn bodies_without_source(mut rules: Vec<BodiesRule>, index: usize) -> Vec<BodiesRule> {
    let removed = index as u32 + 1;
    rules.retain(|rule| rule.source != removed);
    for rule in rules.iter_mut().filter(|rule| rule.source > removed) {
        rule.source -= 1;
    }
    rules
}
