//! From an edit to the change that it makes, if a scene file could say it.

use super::change::Change;
use super::edit::{Edit, EditError};
use super::elements::Elements;
use crate::scene::{Action, Event, LayerRule, Scene, SceneDocument, Source, Whose};

impl Elements {
    /// What an edit comes to, if it is one that a scene file could say.
    pub(super) fn change(&mut self, edit: &Edit) -> Result<Change, EditError> {
        let recipe = self.recipe();
        let mut sources = recipe.sources.clone();
        let (events, layers) = (recipe.events.clone(), recipe.layers.clone());
        let mut numbers = self.numbers().to_vec();
        match *edit {
            Edit::NewSource(source) => {
                sources.push(source);
                let sources = judge_sources(sources)?;
                numbers.push(self.take_number());
                Ok(Change::Sources { sources, numbers, events, layers })
            }
            Edit::SetSource { number, source } => {
                sources[self.place_of(number)?] = source;
                let sources = judge_sources(sources)?;
                Ok(Change::Sources { sources, numbers, events, layers })
            }
            Edit::DeleteSource { number } => {
                let place = self.place_of(number)?;
                // What events have removed is of no use to the objects that are there.
                if sources.len() == 1 || self.listed().len() == 1 {
                    return Err(EditError::LastSource(number));
                }
                sources.remove(place);
                numbers.remove(place);
                let sources = judge_sources(sources)?;
                let events = without_source(&events, place);
                let layers = layers_without_source(&layers, place);
                Ok(Change::Sources { sources, numbers, events, layers })
            }
            Edit::NewObstacle(obstacle) => {
                let index = recipe.obstacles.len();
                self.judge(|lines| lines.obstacles.push(obstacle))?;
                Ok(Change::Obstacles { index, remove: 0, insert: Some(obstacle) })
            }
            Edit::SetObstacle { index, obstacle } => {
                self.check_index(index)?;
                self.judge(|lines| lines.obstacles.push(obstacle))?;
                Ok(Change::Obstacles { index, remove: 1, insert: Some(obstacle) })
            }
            Edit::DeleteObstacle { index } => {
                self.check_index(index)?;
                Ok(Change::Obstacles { index, remove: 1, insert: None })
            }
            Edit::Gravity(gravity) => Ok(Change::Gravity(gravity)),
            Edit::Line(line) => {
                self.judge(|lines| lines.line = line)?;
                Ok(Change::Line(line))
            }
            Edit::Strict(strict) => Ok(Change::Strict(strict)),
        }
    }

    /// The place in the recipe of a listed source.
    fn place_of(&self, number: u32) -> Result<usize, EditError> {
        let place = self.numbers().iter().position(|n| *n == number);
        place.filter(|_| self.listed().contains(&number)).ok_or(EditError::NoSource(number))
    }

    fn check_index(&self, index: usize) -> Result<(), EditError> {
        let count = self.recipe().obstacles.len();
        if index < count { Ok(()) } else { Err(EditError::NoObstacle { index, count }) }
    }

    /// Judges new lines as a scene file's, beside the sources that there are.
    fn judge(&self, add: impl FnOnce(&mut Scene)) -> Result<(), EditError> {
        let mut lines = Scene { sources: self.recipe().sources.clone(), ..Scene::default() };
        add(&mut lines);
        judge(&lines).map(|_| ())
    }
}

/// Judges sources as a scene file's; gives the last the share that the others leave.
fn judge_sources(sources: Vec<Source>) -> Result<Vec<Source>, EditError> {
    judge(&Scene { sources, ..Scene::default() }).map(|scene| scene.sources)
}

/// Judges a scene as a scene file's: what cannot be saved cannot be an edit either.
fn judge(scene: &Scene) -> Result<Scene, EditError> {
    match SceneDocument::from_scene(scene) {
        Ok(document) => Ok(document.scene().clone()),
        Err(error) => Err(EditError::Refused(error.message().to_owned())),
    }
}

/// The events of a recipe that loses the source at a place.
fn without_source(events: &[Event], place: usize) -> Vec<Event> {
    let deleted = place as u32 + 1;
    let adjusted = |event: &Event| match event.action {
        Action::RemoveSource(source) if source == deleted => None,
        Action::RemoveSource(source) if source > deleted => {
            Some(Event { action: Action::RemoveSource(source - 1), ..*event })
        }
        _ => Some(*event),
    };
    events.iter().filter_map(adjusted).collect()
}

/// The layers of a recipe that loses the source at a place.
fn layers_without_source(layers: &[LayerRule], place: usize) -> Vec<LayerRule> {
    let deleted = place as u32 + 1;
    let adjusted = |rule: &LayerRule| match rule.whose {
        Whose::Source(source) if source == deleted => None,
        Whose::Source(source) if source > deleted => {
            Some(LayerRule { whose: Whose::Source(source - 1), ..*rule })
        }
        _ => Some(*rule),
    };
    layers.iter().filter_map(adjusted).collect()
}
