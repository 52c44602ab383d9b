//! The class `QueryTree`.

use crate::argument::{self, Boxes, check_rows, limit, vectors};
use crate::batch::{self, Objects, Scope, Table};
use crate::kept::{Kept, Refusal, Size};
use crate::result::{self, Arrays};
use broadphase::glam::DVec3;
use broadphase::query::{Frustum, Hit, Lists, MovingBox, Ray, Sphere};
use broadphase::{Aabb, Limits};
use numpy::{IntoPyArray, PyArray1, PyArray2};
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

#[pymethods]
impl PyQueryTree {
    #[new]
    #[pyo3(signature = (boxes, *, layers = None, threads = None))]
    fn new(
        boxes: &Bound<'_, PyAny>,
        layers: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let tree = Self(Kept::new(threads, None)?);
        tree.update(boxes, layers)?;
        Ok(tree)
    }

    /// Replaces the boxes, whose number may change, and the layers. A tree of boxes that moved little is refitted.
    ///
    /// Raises TypeError or ValueError, as `BroadPhase.pairs` does; the boxes and layers stay as they were.
    #[pyo3(signature = (boxes, *, layers = None))]
    fn update(&self, boxes: &Bound<'_, PyAny>, layers: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let read = Boxes::read(boxes, "boxes")?;
        let layers = argument::layers(layers, read.len())?;
        let unchecked = read.share();
        let update = |objects: &mut Option<Objects>, _: Limits<'_>| {
            let boxes = unchecked.check()?;
            let objects = objects.get_or_insert_default();
            objects.tree.update(boxes);
            objects.count = boxes.len();
            objects.layers = layers;
            Ok(())
        };
        let size = |objects: &Option<Objects>| Size {
            // A build sorts the boxes; there are no results.
            tests: read.len().saturating_mul(32),
            results: 0,
            bytes_each: 0,
            structure: read.len() * BYTES_PER_BOX,
            held: objects.as_ref().map_or(0, |objects| objects.tree.heap_bytes()),
        };
        self.0.call(boxes.py(), || None, size, update)
    }

    /// The objects whose box shares a point with each of some boxes.
    ///
    /// boxes: of shape (q, 6), as of `BroadPhase.pairs`.
    ///
    /// Returns (objects, starts): uint32 of shape (m,), in lists. For many boxes, `join` is faster.
    #[pyo3(signature = (boxes, *, layer = None))]
    fn boxes_touching<'py>(
        &self,
        boxes: &Bound<'py, PyAny>,
        layer: Filter<'_, 'py>,
    ) -> Arrays<'py, PyArray1<u32>, PyArray1<i64>> {
        let read = Boxes::read(boxes, "boxes")?;
        let py = boxes.py();
        let unchecked = read.share();
        let ask = |objects: &Objects, scope: Scope<'_>| {
            Ok(objects.ask(unchecked.check()?, scope, batch::all_ids))
        };
        Ok(arrays(py, self.call(py, layer, unchecked.len(), ask)?))
    }

    /// The objects whose box shares a point with each of some balls.
    ///
    /// spheres: of shape (q, 4): centre x, y, z, radius. One with a negative radius meets nothing.
    ///
    /// Returns (objects, starts): uint32 of shape (m,), in lists.
    #[pyo3(signature = (spheres, *, layer = None))]
    fn spheres_touching<'py>(
        &self,
        spheres: &Bound<'py, PyAny>,
        layer: Filter<'_, 'py>,
    ) -> Arrays<'py, PyArray1<u32>, PyArray1<i64>> {
        let rows = vectors(spheres, "spheres", "centre x, y, z, radius")?;
        let sphere = |[x, y, z, radius]: [f64; 4]| Sphere::new([x, y, z], radius);
        let probes: Vec<_> = rows.into_iter().map(sphere).collect();
        let ask =
            |objects: &Objects, scope: Scope<'_>| Ok(objects.ask(&probes, scope, batch::all_ids));
        Ok(arrays(spheres.py(), self.call(spheres.py(), layer, probes.len(), ask)?))
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
        planes: &Bound<'py, PyAny>,
        layer: Filter<'_, 'py>,
    ) -> Arrays<'py, PyArray1<u32>, PyArray1<i64>> {
        let py = planes.py();
        let (planes, each) = argument::planes(planes)?;
        let probes: Vec<_> = planes.chunks_exact(each).map(|planes| Frustum { planes }).collect();
        let ask =
            |objects: &Objects, scope: Scope<'_>| Ok(objects.ask(&probes, scope, batch::all_ids));
        Ok(arrays(py, self.call(py, layer, probes.len(), ask)?))
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
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: Option<&Bound<'py, PyAny>>,
        layer: Filter<'_, 'py>,
    ) -> Arrays<'py, PyArray1<i64>, PyArray1<f64>> {
        let probes = rays(origins, directions, reach)?;
        let ask = |objects: &Objects, scope: Scope<'_>| objects.nearest(&probes, scope, 1);
        self.first(origins.py(), layer, probes.len(), ask)
    }

    /// All objects that each of many rays hits. Arguments are those of `rays`.
    ///
    /// Returns (objects, t, starts): uint32 and float64 of shape (m,), in lists.
    #[pyo3(signature = (origins, directions, *, reach = None, layer = None))]
    fn rays_all<'py>(
        &self,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: Option<&Bound<'py, PyAny>>,
        layer: Filter<'_, 'py>,
    ) -> PyResult<Measured<'py>> {
        let probes = rays(origins, directions, reach)?;
        let ask = |objects: &Objects, scope: Scope<'_>| Ok(objects.ask(&probes, scope, batch::all));
        self.measured(origins.py(), layer, probes.len(), ask)
    }

    /// Whether each of many rays hits any object, as a line of sight asks. Arguments are those of `rays`.
    ///
    /// Returns bool of shape (q,).
    #[pyo3(signature = (origins, directions, *, reach = None, layer = None))]
    fn rays_any<'py>(
        &self,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: Option<&Bound<'py, PyAny>>,
        layer: Filter<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (py, probes) = (origins.py(), rays(origins, directions, reach)?);
        let ask = |objects: &Objects, scope: Scope<'_>| {
            Ok(batch::flags(&objects.ask(&probes, scope, batch::any)))
        };
        Ok(self.call(py, layer, probes.len(), ask)?.into_pyarray(py))
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
        boxes: &Bound<'py, PyAny>,
        displacements: &Bound<'py, PyAny>,
        layer: Filter<'_, 'py>,
    ) -> Arrays<'py, PyArray1<i64>, PyArray1<f64>> {
        let (py, boxes) = (boxes.py(), Boxes::read(boxes, "boxes")?);
        let (unchecked, probes) = (boxes.share(), sweeps(&boxes, displacements)?);
        self.first(py, layer, probes.len(), |objects, scope| {
            unchecked.check()?;
            objects.nearest(&probes, scope, 1)
        })
    }

    /// All objects that each of many moving boxes touches. Arguments are those of `sweeps`.
    ///
    /// Returns (objects, t, starts): uint32 and float64 of shape (m,), in lists.
    #[pyo3(signature = (boxes, displacements, *, layer = None))]
    fn sweeps_all<'py>(
        &self,
        boxes: &Bound<'py, PyAny>,
        displacements: &Bound<'py, PyAny>,
        layer: Filter<'_, 'py>,
    ) -> PyResult<Measured<'py>> {
        let (py, boxes) = (boxes.py(), Boxes::read(boxes, "boxes")?);
        let (unchecked, probes) = (boxes.share(), sweeps(&boxes, displacements)?);
        self.measured(py, layer, probes.len(), |objects, scope| {
            unchecked.check()?;
            Ok(objects.ask(&probes, scope, batch::all))
        })
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
        points: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = argument::k)] k: usize,
        within: Option<&Bound<'py, PyAny>>,
        layer: Filter<'_, 'py>,
    ) -> Arrays<'py, PyArray2<i64>, PyArray2<f64>> {
        let (py, radius) = (points.py(), limit(within, "within")?);
        let points = vectors(points, "points", "x, y, z")?;
        let around = |center: [f64; 3]| Sphere::new(center, radius);
        let spheres: Vec<_> = points.into_iter().map(around).collect();
        let ask = |objects: &Objects, scope: Scope<'_>| {
            let (ids, mut distances) = objects.nearest(&spheres, scope, k)?;
            distances.iter_mut().for_each(|square| *square = square.sqrt());
            Ok((ids, distances))
        };
        let (ids, distances) = self.call(py, layer, spheres.len(), ask)?;
        Ok((result::table(py, ids, k)?, result::table(py, distances, k)?))
    }
}

/// The argument `layer` of a query.
type Filter<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Objects, measures, and where the list of each probe starts.
type Measured<'py> =
    (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

impl PyQueryTree {
    /// Calls `ask` with the objects and the layer, while other Python threads run. Checks of boxes and loops over answers
    /// belong there.
    fn call<R: Send>(
        &self,
        py: Python<'_>,
        layer: Filter<'_, '_>,
        probes: usize,
        ask: impl FnOnce(&Objects, Scope<'_>) -> Result<R, Refusal> + Send,
    ) -> PyResult<R> {
        let layer = argument::layer(layer)?;
        let missing = || String::from("the last call failed: call update with boxes");
        let size = |objects: &Option<Objects>| {
            let objects = objects.as_ref().map_or(0, |objects| objects.count);
            let results = probes.saturating_mul(objects);
            Size { tests: results, results, bytes_each: BYTES_PER_HIT, structure: 0, held: 0 }
        };
        self.0.call(
            py,
            || None,
            size,
            |objects, limits| ask(objects.as_ref().ok_or_else(missing)?, Scope { layer, limits }),
        )
    }

    fn first<'py>(
        &self,
        py: Python<'py>,
        layer: Filter<'_, '_>,
        probes: usize,
        ask: impl FnOnce(&Objects, Scope<'_>) -> Result<Table, Refusal> + Send,
    ) -> Arrays<'py, PyArray1<i64>, PyArray1<f64>> {
        let (objects, measures) = self.call(py, layer, probes, ask)?;
        Ok((objects.into_pyarray(py), measures.into_pyarray(py)))
    }

    fn measured<'py>(
        &self,
        py: Python<'py>,
        layer: Filter<'_, '_>,
        probes: usize,
        ask: impl FnOnce(&Objects, Scope<'_>) -> Result<Lists<Hit>, Refusal> + Send,
    ) -> PyResult<Measured<'py>> {
        let split = |objects: &Objects, scope: Scope<'_>| batch::split(ask(objects, scope)?);
        let (lists, measures) = self.call(py, layer, probes, split)?;
        let (objects, starts) = arrays(py, lists);
        Ok((objects, measures.into_pyarray(py), starts))
    }
}

fn arrays(
    py: Python<'_>,
    lists: Lists<u32>,
) -> (Bound<'_, PyArray1<u32>>, Bound<'_, PyArray1<i64>>) {
    (lists.items.into_pyarray(py), result::starts(py, lists.starts.into_iter()))
}

fn rays(
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    reach: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Ray>> {
    let reach = limit(reach, "reach")?;
    let origins = vectors::<3>(origins, "origins", "x, y, z")?;
    let directions = vectors::<3>(directions, "directions", "x, y, z")?;
    check_rows("directions", directions.len(), "origins", origins.len())?;
    let ray = |(origin, direction): (&[f64; 3], &[f64; 3])| Ray {
        origin: DVec3::from(*origin),
        direction: DVec3::from(*direction),
        reach,
    };
    Ok(origins.iter().zip(&directions).map(ray).collect())
}

/// Moving boxes, whose starts are to be checked.
fn sweeps(boxes: &Boxes<'_>, displacements: &Bound<'_, PyAny>) -> PyResult<Vec<MovingBox>> {
    let displacements = vectors::<3>(displacements, "displacements", "x, y, z")?;
    check_rows("displacements", displacements.len(), "boxes", boxes.len())?;
    let sweep = |(start, way): (&Aabb, &[f64; 3])| MovingBox::new(*start, *way);
    Ok(boxes.as_slice().iter().zip(&displacements).map(sweep).collect())
}
