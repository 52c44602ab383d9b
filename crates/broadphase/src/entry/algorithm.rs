//! An algorithm entry, and the creation of an instance.

use super::parameter::{Parameter, Values};
use super::{Kind, Settings};
use crate::inspect::{Caption, Overlay, Way};
use crate::{Aabb, BroadPhase};
use bytesize::ByteSize;
use std::fmt;

/// An algorithm entry: one algorithm, or one variant of it.
///
/// A variant has an entry of its own, so that it is tested, measured and compared like any other. Its id
/// is the id of its family, a `+`, and the variant (`bvh-top-down+sah`).
///
/// ```
/// # #[cfg(feature = "families")] {
/// use broadphase::Auto;
/// use broadphase::registry::{Algorithm, Build, Kind, Settings};
///
/// // Held for the build: what a program opened.
/// let device = String::from("a device");
/// let entry = Algorithm {
///     name: "On a device",
///     build: Build::Closure(Box::leak(Box::new(move |_: &Settings| {
///         assert!(!device.is_empty());
///         Box::<Auto>::default() as _
///     }))),
///     ..Algorithm::new("on-a-device", Kind::Other, |_| unreachable!())
/// };
/// assert!(entry.create(&Settings::new(100)).is_ok());
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name on command lines and in tables.
    pub id: &'static str,
    /// Id of the first entry of its family: `bvh-top-down` of `bvh-top-down+sah`.
    pub family: &'static str,
    /// The difference from the first entry of the family: `sah` of `bvh-top-down+sah`.
    pub variant: Option<&'static str>,
    /// Its display name.
    pub name: &'static str,
    /// Its idea, in one line.
    pub summary: &'static str,
    /// The growth of a frame's time with the number n of objects and with its own work.
    pub cost: &'static str,
    /// A hint of what to watch when it is shown at work, as the end of a sentence.
    pub watch_for: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// How it keeps the number of tests low.
    pub kind: Kind,
    /// Whether it is an adapter to another library, measured for comparison.
    pub peer: bool,
    /// Whether it compares boxes by vector instructions, which
    /// [`limit_simd`](crate::benchmark::limit_simd) limits.
    pub vectorised: bool,
    /// Whether the work of a frame depends on the boxes of earlier ones: it keeps pairs, or an arrangement
    /// chosen by them, for the next frame.
    pub keeps_state: bool,
    /// The parts of its structure that it can show, each with its caption.
    pub overlays: &'static [Caption],
    /// How the search of an object goes through its structure; `None` if it goes through regions or lists alone.
    pub way: Option<&'static Way>,
    /// Whether it chooses in each frame between the methods of other algorithms.
    pub chooses: bool,
    /// Whether it searches on one thread, however many its pool has.
    pub single_threaded: bool,
    /// Bytes for `n` objects, pair lists aside: estimated at the default parameters; other values may need less or
    /// more. Measured: 0.7 to 1 of the peak for small boxes in a cube (the test `memory`).
    pub memory: fn(n: u64) -> u64,
    /// The numbers that it is tuned by.
    pub parameters: &'static [Parameter],
    /// The values of its parameters, set by [`with`](Self::with).
    pub values: Values,
    /// Why no instance can be created, as the end of a sentence: `no graphics adapter`. `None` where one can.
    pub unavailable: Option<&'static str>,
    /// How an instance is created.
    pub build: Build,
}

/// Entries are equal if their ids are. A `const` entry may have several addresses, so that these identify nothing.
impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Algorithm {}

/// How an instance is created.
#[derive(Clone, Copy)]
pub enum Build {
    /// By a function.
    Function(fn(&Settings) -> Box<dyn BroadPhase>),
    /// By a closure: it holds what a build needs in addition to the settings, such as a device.
    Closure(&'static (dyn Fn(&Settings) -> Box<dyn BroadPhase> + Sync)),
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Build")
    }
}

impl Algorithm {
    /// An entry without a description, the first of its family, to be completed as a struct. Flags are
    /// false, `overlays` is empty, and `memory` is zero.
    pub const fn new(
        id: &'static str,
        kind: Kind,
        build: fn(&Settings) -> Box<dyn BroadPhase>,
    ) -> Self {
        Self {
            id,
            family: id,
            variant: None,
            name: id,
            summary: "",
            cost: "",
            watch_for: "",
            source: "",
            kind,
            peer: false,
            vectorised: false,
            keeps_state: false,
            overlays: &[],
            way: None,
            chooses: false,
            single_threaded: false,
            memory: |_| 0,
            parameters: &[],
            values: Values::DEFAULTS,
            unavailable: None,
            build: Build::Function(build),
        }
    }

    /// A variant of this entry, which is the first of its family. `id` is the family's id, a `+`, and the
    /// variant. All else is the same until it is replaced.
    ///
    /// # Panics
    ///
    /// If `id` is no longer than the family's id.
    pub const fn variant(
        self,
        id: &'static str,
        build: fn(&Settings) -> Box<dyn BroadPhase>,
    ) -> Self {
        let (_, variant) = id.split_at(self.family.len() + 1);
        Self { id, variant: Some(variant), build: Build::Function(build), ..self }
    }

    /// Whether it can show an overlay.
    pub fn shows(&self, overlay: Overlay) -> bool {
        self.caption(overlay).is_some()
    }

    /// The caption of an overlay, if it can show it.
    pub fn caption(&self, overlay: Overlay) -> Option<&'static Caption> {
        self.overlays.iter().find(|caption| caption.overlay == overlay)
    }

    /// The caption of its regions; the caption of cells if it has no regions.
    pub fn regions(&self) -> &'static Caption {
        self.caption(Overlay::Regions).unwrap_or(&Caption::CELLS)
    }

    /// Whether it tests all pairs.
    pub fn tests_all_pairs(&self) -> bool {
        self.kind == Kind::AllPairs
    }

    /// Creates an instance. A refusal comes before any allocation.
    ///
    /// # Errors
    ///
    /// [`CreateError::Unavailable`] if it has a reason not to run here; [`CreateError::Memory`] if
    /// `settings.objects` objects need more than `settings.memory_limit`.
    pub fn create(&self, settings: &Settings) -> Result<Box<dyn BroadPhase>, CreateError> {
        if let Some(reason) = self.unavailable {
            return Err(CreateError::Unavailable { algorithm: self.id, reason });
        }
        let needed = (self.memory)(settings.objects as u64);
        if needed > settings.memory_limit {
            return Err(CreateError::Memory {
                algorithm: self.id,
                objects: settings.objects,
                needed,
                limit: settings.memory_limit,
            });
        }
        Ok(self.build(settings))
    }

    /// Creates an instance as [`create`](Self::create) does, without its refusals.
    pub fn build(&self, settings: &Settings) -> Box<dyn BroadPhase> {
        let world = if settings.world.is_finite() { settings.world } else { Aabb::EMPTY };
        let settings = Settings { world, values: self.values, ..*settings };
        match self.build {
            Build::Function(build) => build(&settings),
            Build::Closure(build) => build(&settings),
        }
    }
}

/// Why an algorithm was not created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// It does not run here.
    #[error("{algorithm} is unavailable: {reason}")]
    Unavailable {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// Why, as the end of a sentence.
        reason: &'static str,
    },
    /// It needs more memory than its limit.
    #[error(
        "{algorithm} needs {} for {objects} objects, but only {} can be had; \
         take fewer objects or another algorithm",
        ByteSize(*needed).display().si(), ByteSize(*limit).display().si()
    )]
    Memory {
        /// Id of the algorithm.
        algorithm: &'static str,
        /// Expected number of objects.
        objects: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
}
