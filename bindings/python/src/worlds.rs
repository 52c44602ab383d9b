//! The class `Worlds`.

use crate::argument::{self, Boxes, integers};
use crate::kept::Kept;
use crate::result::{self, Arrays};
use broadphase::{BadWorlds, Pair, WorldBoxes, WorldPairs, Worlds};
use numpy::{PyArray1, PyArray2, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Finds the pairs of many small worlds in one call. Worlds are searched at the same time.
///
/// An instance reuses its memory. One thread uses it at a time.
///
/// threads: as of `BroadPhase`.
#[pyclass(name = "Worlds", module = "broadphase", frozen)]
pub(crate) struct PyWorlds(Kept<State>);

type State = (Worlds, WorldPairs);

#[pymethods]
impl PyWorlds {
    #[new]
    #[pyo3(signature = (*, threads = None))]
    fn new(threads: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Kept::new(threads, State::default()).map(Self)
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
        boxes: &Bound<'py, PyAny>,
        starts: &Bound<'py, PyAny>,
        shared: Option<&Bound<'py, PyAny>>,
        layers: Option<&Bound<'py, PyAny>>,
        excluded: Option<&Bound<'py, PyAny>>,
        kinds: Option<&Bound<'py, PyAny>>,
    ) -> Arrays<'py, PyArray2<u32>, PyArray1<i64>> {
        let py = boxes.py();
        let (boxes, starts) = (Boxes::read(boxes, "boxes")?, integers(starts, "starts")?);
        let shared = shared.map(|shared| Boxes::read(shared, "shared")).transpose()?;
        let objects = boxes.len() + shared.as_ref().map_or(0, Boxes::len);
        let layers = argument::layers(layers, objects)?;
        let excluded = excluded.map(lists_of_pairs).transpose()?.unwrap_or_default();
        let excluded: Vec<&[Pair]> = excluded.iter().map(Vec::as_slice).collect();
        let kinds = kinds.map(|kinds| integers(kinds, "kinds")).transpose()?.unwrap_or_default();
        let (boxes, shared) = (boxes.share(), shared.as_ref().map(Boxes::share));
        let found = self.0.call(py, State::default, |(worlds, found)| {
            let shared = shared.map(|shared| shared.check()).transpose()?.unwrap_or_default();
            let input = WorldBoxes::new(boxes.check()?, &starts).shared(shared);
            let input = input.layered(&layers).excluded(&excluded).kinds(&kinds);
            worlds.find_pairs(&input, found).map_err(text)?;
            Ok((found.pairs().to_vec(), found.starts().to_vec()))
        });
        let (pairs, starts) = found?;
        Ok((result::rows(py, pairs)?, result::starts(py, starts.into_iter())))
    }
}

/// The text of a fault, which names its argument.
fn text(bad: BadWorlds) -> String {
    match bad {
        BadWorlds::KindCount { found, expected } => {
            format!("kinds: expected {expected} numbers, one for each world, found {found}")
        }
        BadWorlds::UnknownKind { world, kind, kinds } => {
            format!("kinds: world {world} has kind {kind}, but `excluded` has {kinds} lists")
        }
        BadWorlds::ExcludedPair { kind, position, shapes } => format!(
            "excluded: pair {position} of kind {kind}: expected ascending pairs a < b < {shapes}"
        ),
        // These texts name it.
        _ => bad.to_string(),
    }
}

/// Lists of pairs, each an array; or one array.
fn lists_of_pairs(argument: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<Pair>>> {
    if argument.cast::<PyUntypedArray>().is_ok() {
        return Ok(vec![integers(argument, "excluded")?]);
    }
    let Ok(lists) = argument.try_iter() else {
        let found = argument.get_type().name()?;
        let text = format!("excluded: expected an array or a list of arrays, found {found}");
        return Err(PyTypeError::new_err(text));
    };
    lists.enumerate().map(|(kind, array)| integers(&array?, &format!("excluded[{kind}]"))).collect()
}
