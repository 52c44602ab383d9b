//! The class `BroadPhase`.

use crate::argument::{self, Argument, Boxes};
use crate::kept::{Kept, Size, room};
use crate::{algorithms, result};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{BroadPhase, Frame, Pair, PairLimit, PairSort};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Finds all pairs of overlapping boxes, frame by frame.
///
/// Keep an instance from frame to frame: it reuses its memory, and what it knows of the motion. One thread uses it at a
/// time.
///
/// algorithm: an id of `algorithms()`. `auto` chooses a method by number, sizes and motion of the boxes.
/// threads: a number; None for a pool of the process, with a thread for each processor, or RAYON_NUM_THREADS of them.
/// parameters: numbers that the algorithm is tuned by, as its `Algorithm.parameters` lists them:
///     `BroadPhase("grid-uniform", cell_side=2)`.
///
/// Raises ValueError for an unknown algorithm or parameter, or a value outside its range; TypeError for a value
/// that is no number.
#[pyclass(name = "BroadPhase", module = "broadphase", frozen)]
pub(crate) struct PyBroadPhase {
    entry: Algorithm,
    kept: Kept<State>,
}

struct State {
    algorithm: Box<dyn BroadPhase>,
    sort: PairSort,
    /// Pairs of the last frame: about as many are expected.
    pairs: usize,
}

impl State {
    fn search(&mut self, frame: &Frame<'_>, sorted: bool) -> PyResult<Vec<Pair>> {
        let mut pairs = room(self.pairs + self.pairs / 8)?;
        self.algorithm.update(frame);
        self.algorithm.find_pairs(frame, &mut pairs);
        self.pairs = 0;
        if frame.is_stopped() {
            return Ok(pairs);
        }
        self.pairs = pairs.len();
        if sorted {
            self.sort.sort_within(&mut pairs, frame.limits);
        }
        Ok(pairs)
    }
}

#[pymethods]
impl PyBroadPhase {
    #[new]
    #[pyo3(signature = (algorithm = "auto", *, threads = None, **parameters))]
    fn new(
        py: Python<'_>,
        algorithm: &str,
        threads: Option<Argument<'_, '_>>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let entry = algorithms::find(py, algorithm, parameters)?;
        let new = move || State {
            algorithm: entry.build(&Settings::new(0)),
            sort: PairSort::default(),
            pairs: 0,
        };
        Ok(Self { entry, kept: Kept::new(threads, new)? })
    }

    /// The id of the algorithm, with the parameters that differ from their defaults.
    #[getter]
    fn algorithm(&self) -> String {
        self.entry.id_with_values()
    }

    fn __repr__(&self) -> String {
        let mut arguments = format!("\"{}\"", self.entry.id);
        for parameter in self.entry.parameters {
            let value = self.entry.value(parameter);
            if value != parameter.default {
                arguments += &format!(", {}={value}", algorithms::keyword(parameter));
            }
        }
        format!("BroadPhase({arguments})")
    }

    /// All pairs of overlapping boxes of the next frame.
    ///
    /// boxes: float32 or float64 of shape (n, 6): min x, y, z, max x, y, z, in any unit; the index is the object's id.
    ///     float64 is rounded outwards. A C-contiguous float32 array is not copied. Do not write to it meanwhile: other
    ///     Python threads run during the search. Boxes are closed. One whose min exceeds its max is in no pair.
    /// layers: collision filters, integers of shape (n, 3): the object's group, 0 to 31; the mask of groups that it meets;
    ///     1 if it is static, else 0. Each mask must contain the other's group. Two static objects are no pair. The row
    ///     `[0, 0xFFFFFFFF, 0]` has a mask of all groups; `[0, 0xFFFFFFFF, 1]` is the same for a static object.
    /// sorted: whether the pairs are in ascending order. Otherwise they are in no particular one.
    ///
    /// Returns uint32 of shape (m, 2): each pair once, the lower id first. The same on any number of threads.
    /// Raises TypeError or ValueError if an argument has another type or shape, a NaN, or an infinite side; MemoryError if the
    /// pairs do not fit into memory; and what the handler of a signal raises: Ctrl-C ends the search. Later calls are exact.
    #[pyo3(signature = (boxes, *, layers = None, sorted = false))]
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        boxes: Argument<'_, 'py>,
        layers: Option<Argument<'_, 'py>>,
        sorted: bool,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let boxes = Boxes::read(boxes, "boxes")?;
        let layers = argument::layers(layers, boxes.len())?;
        let frame = Frame::new(&boxes).layered(&layers);
        let results = boxes.len().saturating_mul(boxes.len().saturating_sub(1)) / 2;
        let size = |state: &State| Size {
            tests: results,
            results,
            bytes_each: PairLimit::BYTES_PER_PAIR,
            structure: (self.entry.memory)(boxes.len() as u64) as usize,
            held: state.algorithm.heap_bytes(),
        };
        let pairs =
            self.kept.call(py, size, |state, limits| state.search(&frame.within(limits), sorted));
        result::rows(py, pairs?)
    }
}
