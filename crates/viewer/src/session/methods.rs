//! The methods of the stages after the search.

use narrowphase::narrow::{self, NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{self, VOLUMES, VolumeKind};
use sim::Scene;

/// The tests of the candidates of a world of bodies. The motion does not depend on them.
#[derive(Clone, Copy, Debug)]
pub struct Methods {
    /// Lets candidates pass or rejects them.
    pub volume: &'static VolumeKind,
    /// Tests those that pass.
    pub narrow: &'static NarrowPhaseKind,
}

impl Methods {
    /// The methods with these ids; the default where there is none.
    pub fn of_ids(volume: &str, narrow: &str) -> Self {
        let default = Self::default();
        Self {
            volume: volume::find(volume).unwrap_or(default.volume),
            narrow: narrow::find(narrow).unwrap_or(default.narrow),
        }
    }

    /// These methods; in a scene in which a bounding volume keeps driven bodies from moving, with that volume.
    pub fn of_scene(self, scene: &Scene) -> Self {
        Self { volume: scene.driving.rule.volume().unwrap_or(self.volume), ..self }
    }
}

/// `obb` and `gjk+cached`: exact for all shapes, compounds included, and fast for most.
impl Default for Methods {
    fn default() -> Self {
        Self {
            volume: volume::find("obb").unwrap_or(&VOLUMES[0]),
            narrow: narrow::find("gjk+cached").unwrap_or(&NARROW_PHASES[0]),
        }
    }
}

impl PartialEq for Methods {
    fn eq(&self, other: &Self) -> bool {
        self.volume.id == other.volume.id && self.narrow.id == other.narrow.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_ids_are_those_of_the_defaults() {
        let ids = |methods: Methods| (methods.volume.id, methods.narrow.id);
        assert_eq!(ids(Methods::default()), ("obb", "gjk+cached"));
        assert_eq!(ids(Methods::of_ids("dop14", "sat")), ("dop14", "sat"));
        assert_eq!(ids(Methods::of_ids("fog", "")), ("obb", "gjk+cached"));
    }
}
