//! The matrix of counters, for few objects.

use broadphase::BroadPhase;
use broadphase::inspect::MatrixCell;

/// Most objects whose matrix is kept. The cells of more are too small to be seen.
pub const MOST_ROWS: usize = 64;

/// The counters of all pairs.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// Number of objects: rows and columns.
    pub objects: usize,
    /// The counters above 0; none of more than [`MOST_ROWS`] objects.
    pub cells: Vec<MatrixCell>,
}

impl Matrix {
    pub(super) fn fill(&mut self, structure: &dyn BroadPhase, objects: usize) {
        self.objects = objects;
        if objects <= MOST_ROWS {
            structure.inspect().matrix(&mut |cell| self.cells.push(cell));
        }
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.objects = 0;
    }
}
