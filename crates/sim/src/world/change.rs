//! Changes of a recipe, and their inverses.

use crate::scene::{BodiesRule, Driving, Event, Gravity, LayerRule, Obstacle, Scene, Source};

/// An edit as it is applied. Its inverse is a change too.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// Other sources: an edit of one can change the share of another, and the numbers by which
    /// events, layers and generated bodies name them.
    Sources {
        sources: Vec<Source>,
        /// The number of each source.
        numbers: Vec<u32>,
        events: Vec<Event>,
        layers: Vec<LayerRule>,
        bodies: Vec<BodiesRule>,
    },
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

impl Change {
    /// Applies the change; returns its inverse.
    pub(super) fn apply(self, recipe: &mut Scene, numbers: &mut Vec<u32>) -> Change {
        use std::mem::replace;
        match self {
            Change::Sources { sources, numbers: new, events, layers, bodies } => Change::Sources {
                sources: replace(&mut recipe.sources, sources),
                numbers: replace(numbers, new),
                events: replace(&mut recipe.events, events),
                layers: replace(&mut recipe.layers, layers),
                bodies: replace(&mut recipe.generated_bodies, bodies),
            },
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
