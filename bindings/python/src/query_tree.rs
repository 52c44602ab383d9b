//! The class `QueryTree`.

use crate::argument::{self, Argument, Boxes, doubles, limit, vectors};
use crate::batch::{self, Firsts, Ids, Measured, all_ids, first_hit, table};
use crate::kept::{Kept, Size};
use crate::result::{self, Arrays};
use broadphase::glam::DVec4;
use broadphase::query::{
    Frustum, Lists, MovingBox, Probe, Query, QueryTree, Ray, Sphere, lists_of_each,
};
use broadphase::{Aabb, Layer};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Bytes of an object in the tree; and of a hit in the lists of tasks and of the result, while they grow.
const BYTES_PER_BOX: usize = 120;
const BYTES_PER_HIT: usize = 96;

/// Answers queries about boxes: a tree, which `update` refits to the boxes of another frame.
///
/// One thread uses an instance at a time. A call asks with q probes, which are distributed over threads if they are many.
/// Their numbers are float32 or float64. A ray, sphere, plane, displacement or point with a NaN, or at infinity, meets
/// nothing, without an error. A box with a NaN or an infinite side raises ValueError. Arguments of another type, shape or
/// range raise TypeError or ValueError.
///
/// Boxes of float64 are rounded outwards, nothing else is: no hit is lost, at any distance from the origin. Objects that a
/// probe misses by the rounding of boxes, one step of float32 (0.5 m at 6,400 km), or by that of float64, may be hits. `t` and
/// distances are those of the rounded boxes: bounds, at most the values for boxes of float64, but for their last digits. So
/// `nearest` may put an object before another one that is nearer by less than both roundings.
///
/// Lists come with `starts`, int64 of shape (q + 1,): the list of probe i is `objects[starts[i]:starts[i + 1]]`, in no
/// particular order. Single objects are int64 of shape (q,): -1 if there is none. Among equals it is the lowest id.
///
/// Every method's `layer`: a collision filter, integers of shape (3,), like a row of `layers`. The query then meets only
///     objects whose filter meets it, as in `BroadPhase.pairs`.
/// boxes: float32 or float64 of shape (n, 6), as of `BroadPhase.pairs`. The tree copies them.
/// layers: collision filters of the objects, as of `BroadPhase.pairs`. Without them each is in group 0,
///     with a mask of all groups.
/// threads: as of `BroadPhase`.
#[pyclass(name = "QueryTree", module = "broadphase", frozen)]
pub(crate) struct PyQueryTree(Kept<Option<Objects>>);

/// A tree, and the layers of its objects: none if all are `Layer::ALL`.
#[derive(Default)]
struct Objects {
    tree: QueryTree,
    layers: Vec<Layer>,
    /// The number of boxes.
    count: usize,
}

#[pymethods]
impl PyQueryTree {
    #[new]
    #[pyo3(signature = (boxes, *, layers = None, threads = None))]
    fn new(
        boxes: Argument<'_, '_>,
        layers: Option<Argument<'_, '_>>,
        threads: Option<Argument<'_, '_>>,
    ) -> PyResult<Self> {
        let tree = Self(Kept::new(threads, || None)?);
        tree.update(boxes, layers)?;
        Ok(tree)
    }

    /// Replaces the boxes, whose number may change, and the layers. A tree of boxes that moved little is refitted.
    ///
    /// Raises TypeError or ValueError, as `BroadPhase.pairs` does; the boxes and layers stay as they were.
    #[pyo3(signature = (boxes, *, layers = None))]
    fn update(&self, boxes: Argument<'_, '_>, layers: Option<Argument<'_, '_>>) -> PyResult<()> {
        let py = boxes.py();
        let boxes = Boxes::read(boxes, "boxes")?;
        let layers = argument::layers(layers, boxes.len())?;
        let boxes = &*boxes;
        let size = |objects: &Option<Objects>| Size {
            // A build sorts the boxes; there are no results.
            tests: boxes.len().saturating_mul(32),
            results: 0,
            bytes_each: 0,
            structure: boxes.len() * BYTES_PER_BOX,
            held: objects.as_ref().map_or(0, |objects| objects.tree.heap_bytes()),
        };
        self.0.call(py, size, |objects, _| {
            let objects = objects.get_or_insert_default();
            objects.tree.update(boxes);
            (objects.layers, objects.count) = (layers, boxes.len());
            Ok(())
        })
    }

    /// The objects whose box shares a point with each of some boxes.
    ///
    /// boxes: of shape (q, 6), as of `BroadPhase.pairs`.
    ///
    /// Returns (objects, starts): uint32 of shape (m,), in lists. For many boxes, `join` is faster.
    #[pyo3(signature = (boxes, *, layer = None))]
    fn boxes_touching<'py>(
        &self,
        boxes: Argument<'_, 'py>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Ids<'py>> {
        let py = boxes.py();
        let boxes = Boxes::read(boxes, "boxes")?;
        Ok(batch::ids(py, self.ask(py, &boxes, layer, all_ids)?))
    }

    /// The objects whose box shares a point with each of some balls.
    ///
    /// spheres: of shape (q, 4): centre x, y, z, radius. One with a negative radius meets nothing.
    ///
    /// Returns (objects, starts): uint32 of shape (m,), in lists.
    #[pyo3(signature = (spheres, *, layer = None))]
    fn spheres_touching<'py>(
        &self,
        spheres: Argument<'_, 'py>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Ids<'py>> {
        let py = spheres.py();
        let rows = vectors(spheres, "spheres", None, "centre x, y, z, radius")?;
        let sphere = |[x, y, z, radius]: [f64; 4]| Sphere::new([x, y, z], radius);
        let probes: Vec<_> = rows.into_iter().map(sphere).collect();
        Ok(batch::ids(py, self.ask(py, &probes, layer, all_ids)?))
    }

    /// The objects in each of some frustums, of cameras or of any convex shapes: those whose box no single plane excludes.
    /// Some objects near the edges of a frustum may be outside.
    ///
    /// planes: of shape (q, p, 4): p planes of each frustum. A point is in front of the plane x, y, z, w if its scalar
    ///     product with (x, y, z), plus w, is 0 or more. Normals (x, y, z) point inwards, with any length.
    ///
    /// Returns (objects, starts): uint32 of shape (m,), in lists.
    #[pyo3(signature = (planes, *, layer = None))]
    fn frustums_touching<'py>(
        &self,
        planes: Argument<'_, 'py>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Ids<'py>> {
        let py = planes.py();
        let shape = "(q, p, 4), x, y, z, w of 1 or more planes of each frustum";
        let planes =
            doubles(planes, "planes", shape, |shape| matches!(shape, [_, 1..=usize::MAX, 4]))?;
        let (rows, each) = (planes.as_slice()?.as_chunks().0, planes.shape()[1]);
        let planes: Vec<_> = rows.iter().copied().map(DVec4::from_array).collect();
        let probes: Vec<_> = planes.chunks_exact(each).map(|planes| Frustum { planes }).collect();
        Ok(batch::ids(py, self.ask(py, &probes, layer, all_ids)?))
    }

    /// The object that each of many rays hits first.
    ///
    /// origins, directions: of shape (q, 3). A ray is `origin + t * direction`, for t from 0 to reach.
    /// reach: the largest t; None for no limit.
    ///
    /// Returns (objects, t): the objects, and float64 of shape (q,): inf without a hit, 0 for an origin inside.
    #[pyo3(signature = (origins, directions, *, reach = None, layer = None))]
    fn rays<'py>(
        &self,
        origins: Argument<'_, 'py>,
        directions: Argument<'_, 'py>,
        reach: Option<Argument<'_, 'py>>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Firsts<'py>> {
        let (py, probes) = (origins.py(), rays(origins, directions, reach)?);
        batch::firsts(py, self.ask(py, &probes, layer, first_hit)?)
    }

    /// All objects that each of many rays hits. Arguments are those of `rays`.
    ///
    /// Returns (objects, t, starts): uint32 and float64 of shape (m,), in lists.
    #[pyo3(signature = (origins, directions, *, reach = None, layer = None))]
    fn rays_all<'py>(
        &self,
        origins: Argument<'_, 'py>,
        directions: Argument<'_, 'py>,
        reach: Option<Argument<'_, 'py>>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Measured<'py>> {
        let (py, probes) = (origins.py(), rays(origins, directions, reach)?);
        batch::measured(py, self.ask(py, &probes, layer, QueryTree::all)?)
    }

    /// Whether each of many rays hits any object, as a line of sight asks. Arguments are those of `rays`.
    ///
    /// Returns bool of shape (q,).
    #[pyo3(signature = (origins, directions, *, reach = None, layer = None))]
    fn rays_any<'py>(
        &self,
        origins: Argument<'_, 'py>,
        directions: Argument<'_, 'py>,
        reach: Option<Argument<'_, 'py>>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (py, probes) = (origins.py(), rays(origins, directions, reach)?);
        let lists = self.ask(py, &probes, layer, |tree, probe, met| {
            met.extend(tree.any(probe).then_some(()));
        })?;
        let flags: Vec<_> = lists.starts.array_windows().map(|[start, end]| start < end).collect();
        Ok(flags.into_pyarray(py))
    }

    /// The object that each of many moving boxes touches first.
    ///
    /// boxes: at their start, of shape (q, 6), as of `BroadPhase.pairs`.
    /// displacements: of shape (q, 3): the way of each box in the time from 0 to 1.
    ///
    /// Returns (objects, t): the objects, and float64 of shape (q,): inf without a touch, 0 for boxes that touch at the start.
    #[pyo3(signature = (boxes, displacements, *, layer = None))]
    fn sweeps<'py>(
        &self,
        boxes: Argument<'_, 'py>,
        displacements: Argument<'_, 'py>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Firsts<'py>> {
        let (py, probes) = (boxes.py(), sweeps(boxes, displacements)?);
        batch::firsts(py, self.ask(py, &probes, layer, first_hit)?)
    }

    /// All objects that each of many moving boxes touches. Arguments are those of `sweeps`.
    ///
    /// Returns (objects, t, starts): uint32 and float64 of shape (m,), in lists.
    #[pyo3(signature = (boxes, displacements, *, layer = None))]
    fn sweeps_all<'py>(
        &self,
        boxes: Argument<'_, 'py>,
        displacements: Argument<'_, 'py>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Measured<'py>> {
        let (py, probes) = (boxes.py(), sweeps(boxes, displacements)?);
        batch::measured(py, self.ask(py, &probes, layer, QueryTree::all)?)
    }

    /// The objects whose boxes are nearest to each of many points.
    ///
    /// points: of shape (q, 3).
    /// k: the number of objects, in ascending order of distance. Equally near objects are in ascending order of id.
    /// within: the largest distance, in the unit of the boxes; None for no limit.
    ///
    /// Returns (objects, distances): int64 and float64 of shape (q, k), filled up with -1 and inf. The distance is 0 inside
    /// a box.
    #[pyo3(signature = (points, *, k = 1, within = None, layer = None))]
    fn nearest<'py>(
        &self,
        points: Argument<'_, 'py>,
        #[pyo3(from_py_with = argument::k)] k: usize,
        within: Option<Argument<'_, 'py>>,
        layer: Option<Argument<'_, 'py>>,
    ) -> PyResult<Arrays<'py, PyArray2<i64>, PyArray2<f64>>> {
        let (py, radius) = (points.py(), limit(within, "within")?);
        let points = vectors(points, "points", None, "x, y, z")?;
        let around = |center: [f64; 3]| Sphere::new(center, radius);
        let probes: Vec<_> = points.into_iter().map(around).collect();
        let lists = self.ask(py, &probes, layer, |tree, probe, hits| {
            match k {
                1 => hits.extend(tree.first(probe)),
                _ => tree.nearest_few(probe, k, hits),
            }
            hits.iter_mut().for_each(|hit| hit.measure = hit.measure.sqrt());
        })?;
        let (ids, distances) = py.detach(|| table(&lists, k))?;
        Ok((result::table(py, ids, k)?, result::table(py, distances, k)?))
    }
}

impl PyQueryTree {
    /// The lists that `answer` fills for each probe, of objects that meet a layer, or of all.
    fn ask<P: Probe + Sync, T: Send>(
        &self,
        py: Python<'_>,
        probes: &[P],
        layer: Option<Argument<'_, '_>>,
        answer: impl Fn(&QueryTree, &dyn Probe, &mut Vec<T>) + Sync,
    ) -> PyResult<Lists<T>> {
        let layer = argument::layer(layer)?;
        let size = |objects: &Option<Objects>| {
            let objects = objects.as_ref().map_or(0, |objects| objects.count);
            let results = probes.len().saturating_mul(objects);
            Size { tests: results, results, bytes_each: BYTES_PER_HIT, structure: 0, held: 0 }
        };
        self.0.call(py, size, |objects, limits| {
            let Some(Objects { tree, layers, .. }) = objects else {
                return Err(PyValueError::new_err("the last call failed: call update with boxes"));
            };
            let answer = |probe: &P, items: &mut _| match layer {
                None => answer(tree, probe, items),
                Some(layer) => answer(tree, &probe.only_meeting(layers, layer), items),
            };
            Ok(lists_of_each(probes, limits, answer))
        })
    }
}

fn rays(
    origins: Argument<'_, '_>,
    directions: Argument<'_, '_>,
    reach: Option<Argument<'_, '_>>,
) -> PyResult<Vec<Ray>> {
    let reach = limit(reach, "reach")?;
    let origins = vectors::<3>(origins, "origins", None, "x, y, z")?;
    let rows = Some(origins.len());
    let directions = vectors::<3>(directions, "directions", rows, "x, y, z for each of origins")?;
    let ray = |(origin, direction)| Ray { reach, ..Ray::new(origin, direction) };
    Ok(origins.into_iter().zip(directions).map(ray).collect())
}

fn sweeps(boxes: Argument<'_, '_>, displacements: Argument<'_, '_>) -> PyResult<Vec<MovingBox>> {
    let boxes = Boxes::read(boxes, "boxes")?;
    let (rows, columns) = (Some(boxes.len()), "x, y, z for each of boxes");
    let displacements = vectors::<3>(displacements, "displacements", rows, columns)?;
    let sweep = |(start, way): (&Aabb, [f64; 3])| MovingBox::new(*start, way);
    Ok(boxes.iter().zip(displacements).map(sweep).collect())
}
