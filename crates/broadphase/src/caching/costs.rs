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

/// The cost of a policy, in the units of [`COSTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Outlook {
    /// A frame on average, builds included.
    pub(super) mean: f32,
    /// A frame soon after a build.
    pub(super) running: f32,
    /// A build.
    pub(super) build: f32,
}

/// Costs in nanoseconds on one thread. Only their ratios matter, and these differ little between processors.
/// Fitted to full searches and cached frames of 60 cells of the atlas (seed 1), on a 2.5 GHz Xeon with AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// A full search: per object, per listing in a column, per pair tested in a sweep, and per pair found.
    pub(crate) object: f32,
    pub(crate) listing: f32,
    pub(crate) sweep_test: f32,
    pub(crate) pair: f32,
    /// Check of whether an object escaped.
    pub(crate) check: f32,
    /// Exact test of a candidate pair.
    pub(crate) test: f32,
    /// Copy of a pair of resting objects.
    pub(crate) copy: f32,
    /// Search for an escaped object, in build costs per object.
    pub(crate) escaped: f32,
    /// Per column that holds an escaped object.
    pub(crate) column: f32,
    /// Insertion of an escaped object, in build costs per object.
    pub(crate) insert: f32,
    /// Repeated sort of an inserted object, in full-search costs per object.
    pub(crate) inserted: f32,
    /// A build without its search, per object: fat AABBs, sorted columns.
    pub(crate) build: f32,
    /// Calculation of one fat AABB.
    pub(crate) inflate: f32,
    /// Check of whether a candidate pair stays, in an insertion.
    pub(crate) retain: f32,
}

impl Costs {
    /// Cost of the search for `number` escaped objects in some columns. `each` is the cost of a build per
    /// object.
    pub(crate) fn of_escaped(&self, number: f32, each: f32, columns: f32) -> f32 {
        number * self.escaped * each + self.column * touched(number, columns)
    }

    /// Cost of the insertion of `number` objects. `each` is the cost of a build per object.
    pub(crate) fn of_insertion(&self, number: f32, each: f32, columns: f32) -> f32 {
        number * self.insert * each + self.column * touched(number, columns)
    }
}

/// The approximate number of columns that `number` objects touch.
fn touched(number: f32, columns: f32) -> f32 {
    number * columns / (number + columns).max(1.0)
}

/// The measured costs.
pub(crate) const COSTS: Costs = Costs {
    object: 21.0,
    listing: 26.0,
    sweep_test: 0.45,
    pair: 4.3,
    check: 1.6,
    test: 2.7,
    copy: 0.5,
    escaped: 2.5,
    column: 800.0,
    insert: 2.4,
    inserted: 1.5,
    build: 25.0,
    inflate: 8.0,
    retain: 2.5,
};
