//! The input of a search of many worlds, its check, and its filter.

use crate::pair::retain_from;
use crate::{Aabb, Layer, Limits, Pair};
use std::ops::Range;

/// The boxes of many worlds, and what their pairs are filtered by.
///
/// Ids are local to a world. With `s` shared shapes, these are 0 to `s - 1` in every world, and its own shapes
/// follow from `s` on, in the order of their boxes.
///
/// ```
/// use broadphase::{Aabb, Pair, WorldBoxes, WorldPairs, Worlds, glam::Vec3};
///
/// let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.6);
/// // Two worlds, of two shapes and of one, above a common ground.
/// let (boxes, ground) = ([at(0.0), at(1.0), at(5.0)], [Aabb::around_sphere(Vec3::X, 2.0)]);
/// let mut pairs = WorldPairs::default();
/// Worlds::default().find_pairs(&WorldBoxes::new(&boxes, &[0, 2, 3]).shared(&ground), &mut pairs)?;
/// let mut first = pairs.of(0).to_vec();
/// first.sort();
/// assert_eq!(first, [Pair::new(0, 1), Pair::new(0, 2), Pair::new(1, 2)]);
/// assert_eq!(pairs.of(1), []);
/// # Ok::<(), broadphase::WorldsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WorldBoxes<'a> {
    boxes: &'a [Aabb],
    starts: &'a [u32],
    pub(super) shared: &'a [Aabb],
    layers: &'a [Layer],
    kinds: &'a [u32],
    excluded: &'a [&'a [Pair]],
    limits: Limits<'a>,
}

/// The fault of refused [`WorldBoxes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldsError {
    /// `starts` does not begin with 0.
    #[error("starts: expected 0 first, then the end of each world")]
    FirstStart,
    /// A world ends before it begins.
    #[error("starts: world {world} ends before it begins; expected starts that never fall")]
    FallingStart {
        /// The world.
        world: usize,
    },
    /// The last world does not end at the number of boxes.
    #[error("starts: the last world ends at {end}; expected {boxes}, the number of boxes")]
    LastStart {
        /// The end of the last world.
        end: u32,
        /// The number of boxes.
        boxes: usize,
    },
    /// More shapes than ids.
    #[error("{shared} shared shapes: with those of the largest world, expected at most 2^32 - 1")]
    TooManyShapes {
        /// The number of shared shapes.
        shared: usize,
    },
    /// The number of layers is wrong.
    #[error(
        "{found} layers; expected {expected}, of the shared shapes, then of the boxes; or none"
    )]
    LayerCount {
        /// Layers given.
        found: usize,
        /// Shared shapes and boxes.
        expected: usize,
    },
    /// The number of kinds is wrong.
    #[error("{found} kinds; expected {expected}, one for each world; or none")]
    KindCount {
        /// Kinds given.
        found: usize,
        /// Worlds.
        expected: usize,
    },
    /// A world's kind has no list of excluded pairs.
    #[error(
        "world {world} has kind {kind}; expected less than {kinds}, the lists of excluded pairs"
    )]
    UnknownKind {
        /// The world.
        world: usize,
        /// Its kind.
        kind: u32,
        /// The number of lists.
        kinds: usize,
    },
    /// An excluded pair is not in ascending order, or names a shape that no world has.
    #[error("excluded pair {position} of kind {kind}; expected ascending pairs a < b < {shapes}")]
    ExcludedPair {
        /// The kind.
        kind: usize,
        /// The position in its list.
        position: usize,
        /// Shared shapes and those of the largest world.
        shapes: usize,
    },
}

impl<'a> WorldBoxes<'a> {
    /// The boxes of all worlds, world after world. `starts` has the position of each world's first box, then the
    /// number of boxes: one element more than there are worlds. Boxes are finite or empty
    /// (see [`check_boxes`](crate::check_boxes)).
    pub fn new(boxes: &'a [Aabb], starts: &'a [u32]) -> Self {
        let limits = Limits::NONE;
        Self { boxes, starts, shared: &[], layers: &[], kinds: &[], excluded: &[], limits }
    }

    /// With shapes that are in all worlds. Two of them are never reported as a pair: it would be the same in every
    /// world.
    #[must_use]
    pub fn shared(self, shared: &'a [Aabb]) -> Self {
        Self { shared, ..self }
    }

    /// With the layers of the shared shapes, then those of the boxes.
    #[must_use]
    pub fn layered(self, layers: &'a [Layer]) -> Self {
        Self { layers, ..self }
    }

    /// With the kind of each world, which selects its list of excluded pairs. Without kinds, all have kind 0.
    #[must_use]
    pub fn kinds(self, kinds: &'a [u32]) -> Self {
        Self { kinds, ..self }
    }

    /// With the pairs that are never reported: for each kind of worlds an ascending list of local ids, which may name
    /// shared shapes.
    #[must_use]
    pub fn excluded(self, excluded: &'a [&'a [Pair]]) -> Self {
        Self { excluded, ..self }
    }

    /// Within limits. A bound counts the pairs of all worlds.
    #[must_use]
    pub fn within(self, limits: Limits<'a>) -> Self {
        Self { limits, ..self }
    }

    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The boxes of a world, without shared ones.
    #[inline]
    pub(super) fn of(&self, world: usize) -> &'a [Aabb] {
        &self.boxes[self.range(world)]
    }

    #[inline]
    fn range(&self, world: usize) -> Range<usize> {
        self.starts[world] as usize..self.starts[world + 1] as usize
    }

    /// The number of boxes of consecutive worlds.
    pub(super) fn count(&self, worlds: &Range<usize>) -> usize {
        (self.starts[worlds.end] - self.starts[worlds.start]) as usize
    }

    /// One of `parts` parts of consecutive worlds with about equally many boxes.
    pub(super) fn part(&self, worlds: &Range<usize>, part: usize, parts: usize) -> Range<usize> {
        let (first, count) = (self.starts[worlds.start] as usize, self.count(worlds));
        let cut = |part: usize| {
            let target = first + count * part / parts;
            let before = |start: &u32| (*start as usize) < target;
            worlds.start + self.starts[worlds.clone()].partition_point(before)
        };
        cut(part)..if part + 1 == parts { worlds.end } else { cut(part + 1) }
    }

    /// The layers of a world's own shapes.
    pub(super) fn own_layers(&self, world: usize) -> &'a [Layer] {
        let own = self.layers.get(self.shared.len()..).unwrap_or_default();
        own.get(self.range(world)).unwrap_or_default()
    }

    /// The filter of a world's pairs.
    #[inline]
    pub(super) fn filter(&self, world: usize) -> Filter<'a> {
        let kind = self.kinds.get(world).map_or(0, |kind| *kind as usize);
        Filter {
            shared: if self.layers.is_empty() { &[] } else { &self.layers[..self.shared.len()] },
            own: self.own_layers(world),
            excluded: self.excluded.get(kind).copied().unwrap_or_default(),
            limits: self.limits,
        }
    }

    /// Refuses what the search cannot rely on.
    pub(super) fn check(&self) -> Result<(), WorldsError> {
        let starts = self.starts;
        if starts.first() != Some(&0) {
            return Err(WorldsError::FirstStart);
        }
        if let Some(world) = starts.windows(2).position(|ends| ends[1] < ends[0]) {
            return Err(WorldsError::FallingStart { world });
        }
        let (end, boxes) = (starts[starts.len() - 1], self.boxes.len());
        if end as usize != boxes {
            return Err(WorldsError::LastStart { end, boxes });
        }
        let largest = starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        let (shared, shapes) = (self.shared.len(), self.shared.len() + largest as usize);
        if u32::try_from(shapes).is_err() {
            return Err(WorldsError::TooManyShapes { shared });
        }
        let (found, expected) = (self.layers.len(), shared + boxes);
        if ![0, expected].contains(&found) {
            return Err(WorldsError::LayerCount { found, expected });
        }
        self.check_excluded(shapes)
    }

    /// The part of the check that is about kinds and excluded pairs.
    fn check_excluded(&self, shapes: usize) -> Result<(), WorldsError> {
        let (found, expected, kinds) = (self.kinds.len(), self.worlds(), self.excluded.len());
        if ![0, expected].contains(&found) {
            return Err(WorldsError::KindCount { found, expected });
        }
        let is_unknown = |kind: &u32| *kind as usize >= kinds;
        if let Some(world) = self.kinds.iter().position(is_unknown) {
            return Err(WorldsError::UnknownKind { world, kind: self.kinds[world], kinds });
        }
        for (kind, pairs) in self.excluded.iter().enumerate() {
            let is_bad = |(position, pair): (usize, &Pair)| {
                let rises = position == 0 || pairs[position - 1] < *pair;
                !rises || pair.a >= pair.b || pair.b as usize >= shapes
            };
            if let Some(position) = pairs.iter().enumerate().position(is_bad) {
                return Err(WorldsError::ExcludedPair { kind, position, shapes });
            }
        }
        Ok(())
    }
}

/// The filter of a world's pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter<'a> {
    /// Layers of the shared shapes and of the world's own; both empty if there are none.
    shared: &'a [Layer],
    own: &'a [Layer],
    /// Ascending.
    pub(super) excluded: &'a [Pair],
    pub(super) limits: Limits<'a>,
}

impl Filter<'_> {
    /// Appends the pairs that it admits, and counts them; none once the search is stopped.
    #[inline(always)]
    pub(super) fn append(&self, found: impl Iterator<Item = Pair>, pairs: &mut Vec<Pair>) {
        if self.limits.is_stopped() {
            return;
        }
        let first = pairs.len();
        if self.excluded.is_empty() && self.own.is_empty() {
            pairs.extend(found);
        } else {
            pairs.extend(found.filter(|pair| self.admits(pair)));
        }
        self.limits.count(pairs.len() - first);
    }

    fn admits(&self, pair: &Pair) -> bool {
        let layer = |id: u32| match (id as usize).checked_sub(self.shared.len()) {
            Some(own) => self.own[own],
            None => self.shared[id as usize],
        };
        let meet = self.own.is_empty() || layer(pair.a).meets(layer(pair.b));
        meet && self.excluded.binary_search(pair).is_err()
    }

    /// Removes the pairs from position `first` on that are excluded.
    pub(super) fn drop_excluded(&self, pairs: &mut Vec<Pair>, first: usize) {
        if !self.excluded.is_empty() {
            retain_from(pairs, first, |pair| self.excluded.binary_search(pair).is_err());
        }
    }
}
