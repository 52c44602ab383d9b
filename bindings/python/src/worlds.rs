//! The class `Worlds`.

use crate::argument::{self, Argument, Boxes, expected, integers};
use crate::kept::{Kept, Size, collect};
use crate::result::{self, Arrays};
use broadphase::{Pair, WorldBoxes, WorldPairs, Worlds};
use bytemuck::cast_slice;
use numpy::{PyArray1, PyArray2, PyUntypedArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Finds the pairs of many small worlds in one call. Worlds are searched at the same time.
///
/// An instance reuses its memory. One thread uses it at a time.
///
/// threads: as of `BroadPhase`.
#[pyclass(name = "Worlds", module = "broadphase", frozen)]
pub(crate) struct PyWorlds(Kept<State>);

type State = (Worlds, WorldPairs);

/// Bytes of a pair in the lists of tasks, of the cache of a large world, and of two results, while they grow; and of a shape.
const BYTES_PER_PAIR: usize = 120;
const BYTES_PER_BOX: usize = 200;

#[pymethods]
impl PyWorlds {
    #[new]
    #[pyo3(signature = (*, threads = None))]
    fn new(threads: Option<Argument<'_, '_>>) -> PyResult<Self> {
        Kept::new(threads, State::default).map(Self)
    }

    /// All pairs of overlapping boxes in each world.
    ///
    /// Ids are local to a world. With s shared shapes, these are 0 to s - 1 in every world. The world's own boxes follow
    /// from s on.
    ///
    /// boxes: those of all worlds, world after world, float32 or float64 of shape (n, 6), as of `BroadPhase.pairs`.
    /// starts: the index of each world's first box, then n: integers of shape (w + 1,).
    /// shared: boxes that are in every world, of shape (s, 6). Two of them are no pair.
    /// layers: collision filters of the shared boxes, then of the boxes, of shape (s + n, 3), as of `BroadPhase.pairs`.
    /// excluded: local ids of pairs that are not reported: integers of shape (k, 2), rows ascending, the lower id first;
    ///     or a list with such an array for each kind of worlds.
    /// kinds: for each world the index of its array in `excluded`: integers of shape (w,).
    ///
    /// Returns (pairs, starts): uint32 of shape (m, 2), world after world, in no particular order in a world; and int64 of
    /// shape (w + 1,), so that world i has `pairs[starts[i]:starts[i + 1]]`.
    /// Raises TypeError or ValueError if an argument has another type, shape or value.
    #[pyo3(signature = (boxes, starts, *, shared = None, layers = None, excluded = None, kinds = None))]
    fn pairs<'py>(
        &self,
        boxes: Argument<'_, 'py>,
        starts: Argument<'_, 'py>,
        shared: Option<Argument<'_, 'py>>,
        layers: Option<Argument<'_, 'py>>,
        excluded: Option<Argument<'_, 'py>>,
        kinds: Option<Argument<'_, 'py>>,
    ) -> PyResult<Arrays<'py, PyArray2<u32>, PyArray1<i64>>> {
        let py = boxes.py();
        let (boxes, starts) = (Boxes::read(boxes, "boxes")?, numbers(starts, "starts")?);
        let shared = shared.map(|shared| Boxes::read(shared, "shared")).transpose()?;
        let shared = shared.as_deref().unwrap_or_default();
        let objects = boxes.len() + shared.len();
        let layers = argument::layers(layers, objects)?;
        let excluded = excluded.map(lists_of_pairs).transpose()?.unwrap_or_default();
        let excluded: Vec<&[Pair]> = excluded.iter().map(|list| cast_slice(list)).collect();
        let kinds = kinds.map(|kinds| numbers(kinds, "kinds")).transpose()?.unwrap_or_default();
        let input = WorldBoxes::new(&boxes, &starts).shared(shared);
        let input = input.layered(&layers).excluded(&excluded).kinds(&kinds);
        let results = most_pairs(&starts, shared.len());
        let size = |(worlds, found): &State| Size {
            tests: results,
            results,
            bytes_each: BYTES_PER_PAIR,
            structure: objects.saturating_mul(BYTES_PER_BOX),
            held: worlds.heap_bytes() + size_of_val(found.pairs()),
        };
        let found = self.0.call(py, size, |(worlds, found), limits| {
            let searched = worlds.find_pairs(&input.within(limits), found);
            searched.map_err(|bad| PyValueError::new_err(bad.to_string()))?;
            if limits.is_stopped() {
                // The list may be as long as memory allows.
                *found = WorldPairs::default();
            }
            Ok((collect(found.pairs().iter().copied())?, found.starts().to_vec()))
        });
        let (pairs, starts) = found?;
        Ok((result::rows(py, pairs)?, result::starts(py, starts)))
    }
}

/// Most pairs that worlds of these starts can have.
fn most_pairs(starts: &[u32], shared: usize) -> usize {
    starts.array_windows().fold(0, |all, [start, end]| {
        let shapes = end.saturating_sub(*start) as usize;
        let others = (shapes / 2).saturating_add(shared);
        all.saturating_add(shapes.saturating_mul(others))
    })
}

/// Integers of shape (n,).
fn numbers(argument: Argument<'_, '_>, name: &str) -> PyResult<Vec<u32>> {
    integers(argument, name, "(n,) of integers", |shape| shape.len() == 1)
}

/// Pairs of ids, one after another.
fn pairs(argument: Argument<'_, '_>, name: &str) -> PyResult<Vec<u32>> {
    integers(argument, name, "(n, 2) of integers", |shape| matches!(shape, [_, 2]))
}

/// Lists of pairs, each an array; or one array.
fn lists_of_pairs(argument: Argument<'_, '_>) -> PyResult<Vec<Vec<u32>>> {
    if argument.cast::<PyUntypedArray>().is_ok() {
        return Ok(vec![pairs(argument, "excluded")?]);
    }
    let Ok(lists) = argument.try_iter() else {
        let found = argument.get_type().name()?;
        return Err(expected::<PyTypeError>("excluded", "an array or a list of arrays", found));
    };
    lists.enumerate().map(|(kind, array)| pairs(&array?, &format!("excluded[{kind}]"))).collect()
}
