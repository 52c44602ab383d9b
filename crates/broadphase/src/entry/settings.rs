//! The settings that an algorithm is created with.

use super::parameter::{Parameter, Values};
use crate::Aabb;

/// The settings that an algorithm is created with.
///
/// ```
/// # #[cfg(feature = "families")] {
/// use broadphase::{Aabb, glam::Vec3, registry::Settings};
///
/// let arena = Aabb::around_sphere(Vec3::ZERO, 50.0);
/// let settings = Settings::new(10_000).world(arena).memory_limit(64 << 20);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Expected number of objects: a hint for the structure, and the number that the memory check uses.
    pub objects: usize,
    /// The space that fixed trees divide. If it is not finite, such as [`Aabb::EMPTY`], it is unknown:
    /// the bounds of the first frame that has an object replace it.
    pub world: Aabb,
    /// Upper bound of the algorithm's memory, in bytes.
    pub memory_limit: u64,
    /// The values of the entry's parameters.
    pub(super) values: Values,
}

impl Settings {
    /// Settings for `objects` objects in an unknown space, without a memory limit.
    pub fn new(objects: usize) -> Self {
        Self { objects, world: Aabb::EMPTY, memory_limit: u64::MAX, values: Values::DEFAULTS }
    }

    /// The value of a parameter: that of the [entry](super::Algorithm::with), else the default.
    pub fn value(&self, parameter: &Parameter) -> f64 {
        self.values.get(parameter)
    }

    /// The value of a parameter that only has whole values.
    pub fn count(&self, parameter: &Parameter) -> usize {
        self.value(parameter) as usize
    }

    /// The same settings, for a known space.
    #[must_use]
    pub fn world(self, world: Aabb) -> Self {
        Self { world, ..self }
    }

    /// The same settings, with an upper bound of the algorithm's memory, in bytes.
    #[must_use]
    pub fn memory_limit(self, bytes: u64) -> Self {
        Self { memory_limit: bytes, ..self }
    }
}
