//! What the parts of a frame cost, measured once, and counted in each frame.

/// Costs in nanoseconds on one thread. Only their ratios matter, and these differ little between processors.
/// Fitted to full searches and cached frames of 60 cells of the atlas (seed 1), on a 2.5 GHz Xeon with AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// A full search: for each object, each listing in a column, each pair tested in a sweep, and each pair
    /// found.
    pub(crate) object: f32,
    pub(crate) listing: f32,
    pub(crate) sweep_test: f32,
    pub(crate) pair: f32,
    /// The same for one sweep along an axis, without columns.
    pub(crate) swept_object: f32,
    pub(crate) swept_test: f32,
    /// The check whether an object escaped.
    pub(crate) check: f32,
    /// The exact test of a candidate pair.
    pub(crate) test: f32,
    /// The copy of a pair of resting objects.
    pub(crate) copy: f32,
    /// The search for an escaped object, in relation to the cost of a build per object; and, in nanoseconds,
    /// what each column costs in which one is.
    pub(crate) escaped: f32,
    pub(crate) column: f32,
    /// To insert an escaped object, in relation to the cost of a build per object; to sort one again that was
    /// inserted, in relation to that of a full search.
    pub(crate) insert: f32,
    pub(crate) inserted: f32,
    /// What a build costs for each object beside the search: fat AABBs, sorted columns; and to make one fat
    /// AABB.
    pub(crate) build: f32,
    pub(crate) inflate: f32,
    /// To find out whether an object rests and take its margin away; and to check again whether a pair is a
    /// candidate.
    pub(crate) tighten: f32,
    pub(crate) retain: f32,
}

impl Costs {
    /// The search for a number of objects in some columns, of boxes of which each costs as much to search
    /// for as `each`: for one that is in a build.
    pub(crate) fn of_escaped(&self, number: f32, each: f32, columns: f32) -> f32 {
        number * self.escaped * each + self.column * touched(number, columns)
    }

    /// To insert a number of objects, and to search for them.
    pub(crate) fn of_insertion(&self, number: f32, each: f32, columns: f32) -> f32 {
        number * self.insert * each + self.column * touched(number, columns)
    }
}

/// How many columns a number of objects touch, about.
fn touched(number: f32, columns: f32) -> f32 {
    number * columns / (number + columns).max(1.0)
}

/// The costs that were measured.
pub(crate) const COSTS: Costs = Costs {
    object: 21.0,
    listing: 26.0,
    sweep_test: 0.45,
    pair: 4.3,
    swept_object: 34.0,
    swept_test: 0.2,
    check: 1.6,
    test: 2.7,
    copy: 0.5,
    escaped: 2.5,
    column: 800.0,
    insert: 2.4,
    inserted: 1.5,
    build: 25.0,
    inflate: 8.0,
    tighten: 3.0,
    retain: 2.5,
};
