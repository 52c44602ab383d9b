//! Values of the objects, shown as their colours.

use super::watch::ColorBy;
use crate::session::Session;

/// A value for each object, shown as its colour.
#[derive(Clone, Debug, Default)]
pub enum Tint {
    /// None.
    #[default]
    Plain,
    /// On a scale from 0 to `top`.
    Scale {
        /// Index = object.
        values: Vec<f32>,
        /// The largest value of the scale, above 0.
        top: f32,
    },
    /// One of several kinds, index = object; `u32::MAX` for none.
    Kind(Vec<u32>),
}

impl Tint {
    pub(super) fn fill(&mut self, session: &Session, color: ColorBy) {
        let world = session.world();
        let inspect = session.structure().inspect();
        match color {
            ColorBy::Plain => *self = Tint::Plain,
            ColorBy::Velocity => {
                self.scale(world.velocities().iter().map(|velocity| velocity.length()));
            }
            ColorBy::Collisions => self.scale(session.heat().iter().copied()),
            ColorBy::Tests => {
                let mut tests = vec![0; world.len()];
                inspect.tests_by_object(&mut tests);
                self.scale(tests.iter().map(|tests| *tests as f32));
            }
            ColorBy::Region => {
                let kinds = self.kinds();
                kinds.resize(world.len(), u32::MAX);
                inspect.region_by_object(kinds);
            }
            ColorBy::Source => {
                let kinds = self.kinds();
                let homes = (0..world.len()).map(|object| world.home(object).unwrap_or(u32::MAX));
                kinds.extend(homes);
            }
        }
    }

    /// Becomes a scale from 0 to the largest value.
    fn scale(&mut self, figures: impl Iterator<Item = f32>) {
        let mut values = match std::mem::take(self) {
            Tint::Scale { values, .. } => values,
            _ => Vec::new(),
        };
        values.clear();
        values.extend(figures);
        let top = values.iter().copied().fold(0.0, f32::max);
        *self = Tint::Scale { values, top: if top > 0.0 { top } else { 1.0 } };
    }

    /// Becomes an empty list of kinds.
    fn kinds(&mut self) -> &mut Vec<u32> {
        if !matches!(self, Tint::Kind(_)) {
            *self = Tint::Kind(Vec::new());
        }
        match self {
            Tint::Kind(kinds) => {
                kinds.clear();
                kinds
            }
            _ => unreachable!("it was just set"),
        }
    }
}
