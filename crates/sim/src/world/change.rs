//! Changes of a recipe, and their inverses.

use crate::scene::{
    Action, BodiesRule, Driving, Event, Gravity, LayerRule, LayerTarget, Obstacle, Scene, Source,
};

/// An edit as it is applied. Its inverse is a change too.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    Sources(SourceLists),
    /// Replaces `remove` obstacles, from `index` on, by those of `insert`: at most one each.
    Obstacles {
        index: usize,
        remove: usize,
        insert: Option<Obstacle>,
    },
    Gravity(Gravity),
    Line([f32; 2]),
    Driving(Driving),
    Strict(bool),
}

/// The sources, and all that names them by their places: an edit of one can change the share of another, and the places of those
/// behind it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SourceLists {
    pub(super) sources: Vec<Source>,
    /// The number of each source.
    pub(super) numbers: Vec<u32>,
    pub(super) events: Vec<Event>,
    pub(super) layers: Vec<LayerRule>,
    pub(super) bodies: Vec<BodiesRule>,
}

impl SourceLists {
    /// Removes a source, and what names it.
    pub(super) fn remove(&mut self, index: usize) {
        self.sources.remove(index);
        self.numbers.remove(index);
        let removed = index as u32 + 1;
        let keep = |place: &mut u32| {
            let is_kept = *place != removed;
            *place -= u32::from(*place > removed);
            is_kept
        };
        self.events.retain_mut(|event| match &mut event.action {
            Action::RemoveSource(place) => keep(place),
            Action::Hold { .. } => true,
        });
        self.layers.retain_mut(|rule| match &mut rule.target {
            LayerTarget::Source(place) => keep(place),
            LayerTarget::Balls | LayerTarget::Bodies => true,
        });
        self.bodies.retain_mut(|rule| keep(&mut rule.source));
    }
}

impl Change {
    /// Applies the change; returns its inverse.
    pub(super) fn apply(self, recipe: &mut Scene, numbers: &mut Vec<u32>) -> Change {
        use std::mem::replace;
        match self {
            Change::Sources(lists) => Change::Sources(SourceLists {
                sources: replace(&mut recipe.sources, lists.sources),
                numbers: replace(numbers, lists.numbers),
                events: replace(&mut recipe.events, lists.events),
                layers: replace(&mut recipe.layers, lists.layers),
                bodies: replace(&mut recipe.generated_bodies, lists.bodies),
            }),
            Change::Obstacles { index, remove, insert } => {
                let inserted = usize::from(insert.is_some());
                let removed = recipe.obstacles.splice(index..index + remove, insert).next();
                Change::Obstacles { index, remove: inserted, insert: removed }
            }
            Change::Gravity(gravity) => Change::Gravity(replace(&mut recipe.gravity, gravity)),
            Change::Line(line) => Change::Line(replace(&mut recipe.line, line)),
            Change::Driving(driving) => Change::Driving(replace(&mut recipe.driving, driving)),
            Change::Strict(strict) => Change::Strict(replace(&mut recipe.strict, strict)),
        }
    }
}
