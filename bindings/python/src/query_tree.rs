//! The class `QueryTree`.

use crate::argument::{Boxes, limit, vectors};
use crate::kept::Kept;
use crate::result::{self, Arrays};
use broadphase::query::{Hit, Probe, Sphere, first_of_each};
use broadphase::{Query, QueryTree, Ray};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::ControlFlow;

/// Answers queries about boxes: a tree, which `update` refits to the boxes of another frame.
///
/// One thread uses an instance at a time.
///
/// boxes: float32 or float64 of shape (n, 6), as of `BroadPhase.pairs`. The tree copies them.
/// threads: as of `BroadPhase`.
#[pyclass(name = "QueryTree", module = "broadphase", frozen)]
pub(crate) struct PyQueryTree(Kept<Option<QueryTree>>);

#[pymethods]
impl PyQueryTree {
    #[new]
    #[pyo3(signature = (boxes, *, threads = None))]
    fn new(boxes: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Self> {
        let tree = Self(Kept::new(threads, None)?);
        tree.update(boxes)?;
        Ok(tree)
    }

    /// Replaces the boxes, whose number may change. A tree of boxes that moved little is refitted.
    ///
    /// Raises TypeError or ValueError, as `BroadPhase.pairs` does; the boxes stay as they were.
    fn update(&self, boxes: &Bound<'_, PyAny>) -> PyResult<()> {
        let read = Boxes::read(boxes, "boxes")?;
        let unchecked = read.share();
        let update = |tree: &mut Option<QueryTree>| {
            tree.get_or_insert_default().update(unchecked.check()?);
            Ok(())
        };
        self.0.call(boxes.py(), || None, update)
    }

    /// The objects whose box shares a point with each of some boxes.
    ///
    /// boxes: float32 or float64 of shape (q, 6), as of `BroadPhase.pairs`.
    ///
    /// Returns (objects, starts): uint32 of shape (m,), and int64 of shape (q + 1,), so that box i touches
    /// `objects[starts[i]:starts[i + 1]]`, in no particular order. For many boxes, `join` is faster.
    fn boxes_touching<'py>(
        &self,
        boxes: &Bound<'py, PyAny>,
    ) -> Arrays<'py, PyArray1<u32>, PyArray1<i64>> {
        let py = boxes.py();
        let read = Boxes::read(boxes, "boxes")?;
        let unchecked = read.share();
        let (objects, starts) = self.query(py, |tree| {
            let (mut objects, mut starts) = (Vec::new(), vec![0]);
            for b in unchecked.check()? {
                tree.each(&[], b, &mut |hit| {
                    objects.push(hit.object);
                    ControlFlow::Continue(())
                });
                starts.push(objects.len());
            }
            Ok((objects, starts))
        })?;
        Ok((objects.into_pyarray(py), result::starts(py, starts.into_iter())))
    }

    /// The object that each of many rays hits first.
    ///
    /// origins, directions: of shape (q, 3), float32, or float64 that is rounded to it. A ray is `origin + t * direction`, for t from 0 to reach.
    /// reach: the largest t, rounded up to float32.
    ///
    /// Returns (objects, t): int64 and float64 of shape (q,). Without a hit, and for rays that are not finite, these are
    /// -1 and inf. t is 0 for an origin inside. Among objects hit at the same t it is the lowest id.
    #[pyo3(signature = (origins, directions, *, reach = f64::INFINITY))]
    fn rays<'py>(
        &self,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: f64,
    ) -> Arrays<'py, PyArray1<i64>, PyArray1<f64>> {
        let (py, reach) = (origins.py(), limit(reach, "reach")?);
        let (origins, directions) =
            (vectors(origins, "origins")?, vectors(directions, "directions")?);
        let (origins, directions) = (origins.as_slice(), directions.as_slice());
        if origins.len() != directions.len() {
            let (expected, found) = (origins.len(), directions.len());
            let text =
                format!("directions: expected {expected} rows, as of origins, found {found}");
            return Err(PyValueError::new_err(text));
        }
        let rays = origins.iter().zip(directions);
        let rays: Vec<_> = rays
            .map(|(origin, direction)| Ray { origin: *origin, direction: *direction, reach })
            .collect();
        let hits = self.query(py, |tree| Ok(first_hits(tree, &rays)))?;
        let (objects, t): (Vec<_>, Vec<_>) = hits.into_iter().map(numbers).unzip();
        Ok((objects.into_pyarray(py), t.into_pyarray(py)))
    }

    /// The objects whose boxes are nearest to each of many points.
    ///
    /// points: of shape (q, 3), float32, or float64 that is rounded to it.
    /// k: the number of objects, in ascending order of distance. Points are distributed over threads if it is 1.
    /// within: the largest distance, in the unit of the boxes, rounded up to float32.
    ///
    /// Returns (objects, distances): int64 and float64 of shape (q, k), filled up with -1 and inf. The distance is 0 inside
    /// a box. A point that is not finite has none. Among equally near objects the lowest id is first.
    #[pyo3(signature = (points, *, k = 1, within = f64::INFINITY))]
    fn nearest<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        k: usize,
        within: f64,
    ) -> Arrays<'py, PyArray2<i64>, PyArray2<f64>> {
        let within = limit(within, "within")?;
        if k == 0 {
            return Err(PyValueError::new_err("k: expected at least 1"));
        }
        let py = points.py();
        let points = vectors(points, "points")?;
        let around = |center: &_| Sphere { center: *center, radius: within };
        let spheres: Vec<_> = points.as_slice().iter().map(around).collect();
        let hits = self.query(py, |tree| {
            if k == 1 {
                return Ok(first_hits(tree, &spheres));
            }
            let (mut all, mut hits) = (Vec::new(), Vec::new());
            let room = all.try_reserve_exact(k.saturating_mul(spheres.len()));
            room.map_err(|error| format!("k: the result does not fit into memory: {error}"))?;
            for (number, sphere) in (1..).zip(&spheres) {
                tree.nearest_few(&[], sphere, k, &mut hits);
                all.extend(hits.drain(..).map(Some));
                all.resize(number * k, None);
            }
            Ok(all)
        })?;
        let (objects, squares): (Vec<_>, Vec<_>) = hits.into_iter().map(numbers).unzip();
        let distances: Vec<f64> = squares.into_iter().map(f64::sqrt).collect();
        Ok((result::table(py, objects, k)?, result::table(py, distances, k)?))
    }
}

impl PyQueryTree {
    fn query<R: Send>(
        &self,
        py: Python<'_>,
        query: impl FnOnce(&QueryTree) -> Result<R, String> + Send,
    ) -> PyResult<R> {
        let missing = || String::from("the last call failed: call update with boxes");
        self.0.call(py, || None, |tree| query(tree.as_ref().ok_or_else(missing)?))
    }
}

fn first_hits<P: Probe + Sync>(tree: &QueryTree, probes: &[P]) -> Vec<Option<Hit>> {
    let mut hits = Vec::new();
    first_of_each(tree, &[], probes, &mut hits);
    hits
}

/// Id and measure of a hit.
fn numbers(hit: Option<Hit>) -> (i64, f64) {
    hit.map_or((-1, f64::INFINITY), |hit| (i64::from(hit.object), hit.measure))
}
