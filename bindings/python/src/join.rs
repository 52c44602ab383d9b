//! The class `Join`.

use crate::argument::{Argument, Boxes};
use crate::kept::{Kept, Size};
use crate::result;
use broadphase::{Aabb, Join};
use numpy::PyArray2;
use pyo3::prelude::*;

/// Finds the pairs of overlapping boxes between two sets, frame by frame. Boxes of one set are not compared.
///
/// An instance reuses its memory. One thread uses it at a time.
///
/// threads: as of `BroadPhase`.
#[pyclass(name = "Join", module = "broadphase", frozen)]
pub(crate) struct PyJoin(Kept<Join>);

#[pymethods]
impl PyJoin {
    #[new]
    #[pyo3(signature = (*, threads = None))]
    fn new(threads: Option<Argument<'_, '_>>) -> PyResult<Self> {
        Kept::new(threads, Join::default).map(Self)
    }

    /// All pairs of a box of `a` and a box of `b` that overlap.
    ///
    /// a, b: boxes, float32 or float64 of shape (n, 6) and (k, 6), as of `BroadPhase.pairs`.
    ///
    /// Returns uint32 of shape (m, 2): for each pair the index in `a`, then that in `b`; in no particular order.
    /// Raises TypeError or ValueError, as `BroadPhase.pairs` does.
    fn pairs<'py>(
        &self,
        a: Argument<'_, 'py>,
        b: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let py = a.py();
        let (a, b) = (Boxes::read(a, "a")?, Boxes::read(b, "b")?);
        let (a, b): (&[Aabb], &[Aabb]) = (&a, &b);
        let results = a.len().saturating_mul(b.len());
        let size = |join: &Join| Size {
            tests: results,
            results,
            bytes_each: Join::BYTES_PER_PAIR,
            structure: (a.len() + b.len()) * Join::BYTES_PER_BOX,
            held: join.heap_bytes(),
        };
        let pairs = self.0.call(py, size, |join, limits| {
            let mut pairs = Vec::new();
            join.find_pairs_within(a, b, limits, &mut pairs);
            Ok(pairs)
        });
        result::rows(py, pairs?)
    }
}
