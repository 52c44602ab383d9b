//! Costs of the parts of a frame: measured once per operation, and counted in each frame.

/// Known properties of a frame, apart from its boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// Objects, and pairs that overlap.
    pub(super) objects: f32,
    pub(super) pairs: f32,
    /// Cost of a full search.
    pub(super) search: f32,
    /// Columns of a cache.
    pub(super) columns: f32,
}

impl Scene {
    /// Cost of a full search for each object.
    pub(super) fn search_each(&self) -> f32 {
        self.search / self.objects.max(1.0)
    }
}

/// The cost of a policy, in the units of this module.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Outlook {
    /// A frame on average, builds included.
    pub(super) mean: f32,
    /// A frame soon after a build.
    pub(super) running: f32,
    /// A build.
    pub(super) build: f32,
}

// Costs in nanoseconds on one thread. Only their ratios matter, and these differ little between processors.
// Fitted to full searches and cached frames of 60 cells of the atlas (seed 1), on a 2.5 GHz Xeon with AVX2.

/// A full search: per object, per listing in a column, per pair tested in a sweep, and per pair found.
pub(super) const OBJECT: f32 = 21.0;
pub(super) const LISTING: f32 = 26.0;
pub(super) const SWEEP_TEST: f32 = 0.45;
pub(super) const PAIR: f32 = 4.3;
/// Check of whether an object escaped.
const CHECK: f32 = 1.6;
/// Exact test of a candidate pair.
const TEST: f32 = 2.7;
/// Copy of a pair of resting objects.
const COPY: f32 = 0.5;
/// Search for an escaped object, in build costs per object.
const ESCAPED: f32 = 2.5;
/// Per column that holds an escaped object.
const COLUMN: f32 = 800.0;
/// Insertion of an escaped object, in build costs per object.
const INSERT: f32 = 2.4;
/// Repeated sort of an inserted object, in full-search costs per object.
pub(super) const INSERTED: f32 = 1.5;
/// A build without its search, per object: fat AABBs, sorted columns.
pub(super) const BUILD: f32 = 25.0;
/// Calculation of one fat AABB.
pub(super) const INFLATE: f32 = 8.0;
/// Check of whether a candidate pair stays, in an insertion.
pub(super) const RETAIN: f32 = 2.5;

/// Cost of a frame from a cache without escaped objects.
pub(super) fn of_cached(objects: f32, candidates: f32, resting_pairs: f32) -> f32 {
    CHECK * objects + TEST * candidates + COPY * resting_pairs
}

/// Cost of the search for `number` escaped objects in some columns. `each` is the cost of a build per
/// object.
pub(super) fn of_escaped(number: f32, each: f32, columns: f32) -> f32 {
    number * ESCAPED * each + COLUMN * touched(number, columns)
}

/// Cost of the insertion of `number` objects. `each` is the cost of a build per object.
pub(super) fn of_insertion(number: f32, each: f32, columns: f32) -> f32 {
    number * INSERT * each + COLUMN * touched(number, columns)
}

/// The approximate number of columns that `number` objects touch.
fn touched(number: f32, columns: f32) -> f32 {
    number * columns / (number + columns).max(1.0)
}
