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
    /// The search for an escaped object, in relation to the cost of a full search per object; and, in
    /// nanoseconds, what any of them cost together.
    pub(crate) escaped: f32,
    pub(crate) any_escaped: f32,
    /// To insert an escaped object, and to sort one again that was inserted: in relation to the cost of a full
    /// search per object.
    pub(crate) insert: f32,
    pub(crate) inserted: f32,
    /// To make the fat AABB of an object.
    pub(crate) inflate: f32,
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
    any_escaped: 1500.0,
    insert: 4.0,
    inserted: 1.0,
    inflate: 8.0,
};
