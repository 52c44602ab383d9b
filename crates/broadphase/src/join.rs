//! Pairs of overlapping boxes between two sets.

use crate::columns::JoinedColumns;
use crate::{Aabb, Counters, JoinPair, Limits};

/// Appends all pairs of a box of `a` and a box of `b` that overlap, each once. Boxes of one set are not compared with
/// each other. Closed boxes: those that only touch overlap. An empty box overlaps nothing.
///
/// The boxes are finite or empty; call [`check_boxes`](crate::check_boxes) for each set that comes from outside. A box
/// with a NaN counts as empty.
///
/// The order of the pairs is unspecified. For sets that move, [`Join`] keeps its memory from frame to frame.
///
/// ```
/// use broadphase::{Aabb, JoinPair, glam::Vec3, join};
///
/// let ball = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.5);
/// let (bullets, targets) = ([ball(0.0), ball(5.0)], [ball(4.0), ball(4.5), ball(9.0)]);
/// let mut hits = Vec::new();
/// join(&bullets, &targets, &mut hits);
/// hits.sort_unstable();
/// assert_eq!(hits, [JoinPair { a: 1, b: 0 }, JoinPair { a: 1, b: 1 }]);
/// ```
pub fn join(a: &[Aabb], b: &[Aabb], pairs: &mut Vec<JoinPair>) {
    Join::default().find_pairs(a, b, pairs);
}

/// [`join`] by testing every box with every other: the definition, to compare with. The pairs are sorted.
pub fn join_by_definition(a: &[Aabb], b: &[Aabb], pairs: &mut Vec<JoinPair>) {
    for (i, one) in (0..).zip(a) {
        let touched = (0..).zip(b).filter(|(_, other)| one.overlaps(other));
        pairs.extend(touched.map(|(j, _)| JoinPair { a: i, b: j }));
    }
}

/// [`join`] for sets that move: it keeps memory, and where its columns are. Steady frames hardly allocate.
///
/// Time O(n + t / 16) for n boxes in both sets, and t pairs between the sets that overlap on the sweep axis and share a
/// column. Boxes outside the bounds of the other set cost one test. Memory about 60 bytes a box.
///
/// The columns are those of [`SweepGrid`](crate::algorithms::SweepGrid). In each, both sets are sorted along one axis, the
/// larger on shelves of boxes of similar length. Each box of the smaller is compared with the blocks that it may reach.
#[derive(Clone, Debug, Default)]
pub struct Join(JoinedColumns);

impl Join {
    /// Most bytes of a pair, its place in the list of the caller included, while lists grow; and of a box. For
    /// [`PairLimit::fitting`](crate::PairLimit::fitting).
    pub const BYTES_PER_PAIR: usize = 48;
    /// Most bytes of a box of either set.
    pub const BYTES_PER_BOX: usize = 80;

    /// As [`join`]. The pairs depend neither on the number of threads nor on earlier frames.
    pub fn find_pairs(&mut self, a: &[Aabb], b: &[Aabb], pairs: &mut Vec<JoinPair>) {
        self.find_pairs_within(a, b, Limits::NONE, pairs);
    }

    /// As [`find_pairs`](Self::find_pairs), within limits: pairs are missing if it ends early.
    pub fn find_pairs_within(
        &mut self,
        a: &[Aabb],
        b: &[Aabb],
        limits: Limits<'_>,
        pairs: &mut Vec<JoinPair>,
    ) {
        self.0.find_pairs([a, b], limits, pairs);
    }

    /// Counts of the last search.
    pub fn counters(&self) -> Counters {
        self.0.counters()
    }

    /// Bytes held for later searches.
    pub fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}
