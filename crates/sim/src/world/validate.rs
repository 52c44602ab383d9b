//! Turns an edit into a change, if a scene file could describe the result.

use super::change::{Change, SourceLists};
use super::edit::{Edit, EditError};
use super::elements::Elements;
use crate::scene::{Scene, SceneDocument};

impl Elements {
    /// The change that an edit makes, if a scene file could describe the result.
    pub(super) fn change(&self, edit: &Edit) -> Result<Change, EditError> {
        let mut lists = self.source_lists();
        // New lines are checked as those of a file that has the sources, too.
        let mut lines = Scene::default();
        let other = match *edit {
            Edit::NewSource(source) => {
                lists.sources.push(source);
                lists.numbers.push(self.next_number());
                None
            }
            Edit::SetSource { number, source } => {
                lists.sources[self.index_of(number)?] = source;
                None
            }
            Edit::DeleteSource { number } => {
                let index = self.index_of(number)?;
                // Sources that events have removed hold no objects, so they do not count.
                if self.listed().len() == 1 {
                    return Err(EditError::LastSource(number));
                }
                lists.remove(index);
                None
            }
            Edit::NewObstacle(obstacle) => {
                lines.obstacles.push(obstacle);
                let index = self.recipe().obstacles.len();
                Some(Change::Obstacles { index, remove: 0, insert: Some(obstacle) })
            }
            Edit::SetObstacle { index, obstacle } => {
                lines.obstacles.push(obstacle);
                let index = self.checked(index)?;
                Some(Change::Obstacles { index, remove: 1, insert: Some(obstacle) })
            }
            Edit::DeleteObstacle { index } => {
                let index = self.checked(index)?;
                Some(Change::Obstacles { index, remove: 1, insert: None })
            }
            Edit::Gravity(gravity) => {
                lines.gravity = gravity;
                Some(Change::Gravity(gravity))
            }
            Edit::Line(line) => {
                lines.line = line;
                Some(Change::Line(line))
            }
            Edit::Driving(driving) => {
                lines.driving = driving;
                Some(Change::Driving(driving))
            }
            Edit::Strict(strict) => Some(Change::Strict(strict)),
        };
        lines.sources.clone_from(&lists.sources);
        let document = SceneDocument::from_scene(&lines)
            .map_err(|error| EditError::Refused(error.message().to_owned()))?;
        // The last share is the remainder of 100.
        lists.sources.clone_from(&document.scene().sources);
        Ok(other.unwrap_or(Change::Sources(lists)))
    }

    fn source_lists(&self) -> SourceLists {
        let recipe = self.recipe();
        SourceLists {
            sources: recipe.sources.clone(),
            numbers: self.numbers().to_vec(),
            events: recipe.events.clone(),
            layers: recipe.layers.clone(),
            bodies: recipe.generated_bodies.clone(),
        }
    }

    /// The index in the recipe of a listed source.
    fn index_of(&self, number: u32) -> Result<usize, EditError> {
        let index = self.numbers().binary_search(&number).ok();
        index.filter(|_| self.source(number).is_some()).ok_or(EditError::NoSource(number))
    }

    /// The index of an obstacle, if there is one.
    fn checked(&self, index: usize) -> Result<usize, EditError> {
        let count = self.recipe().obstacles.len();
        if index < count { Ok(index) } else { Err(EditError::NoObstacle { index, count }) }
    }
}
