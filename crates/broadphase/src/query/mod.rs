//! Queries: boxes that a shape meets, in any order or the nearest first.
//!
//! A query is a [`Probe`]: a shape that gives each box it meets a *measure*, by which a box is nearer than another. Each
//! question stands once, for every probe and every structure:
//!
//! | probe | meets | measure |
//! |---|---|---|
//! | [`Aabb`] | boxes that share a point with it | 0 |
//! | [`Ray`] | boxes that it enters | `t` of its first point in the box |
//! | [`MovingBox`] | boxes that it touches on its way | time of the first touch, 0 to 1 |
//! | [`Sphere`] | boxes that share a point with it | square of the distance from its centre |
//! | [`Frustum`] | boxes that no single plane of it excludes | 0 |
//!
//! Shapes have numbers of `f64`. If the boxes are [rounded outwards](Aabb::from_f64), they lose no hit, and `t` and
//! distances are at most those of the boxes in `f64`.
//!
//! [`Sphere::unbounded`] meets every box that is not empty: its [first](Query::first) is the nearest to a point. [`Probe::only`] and
//! [`Probe::only_meeting`] filter the objects of any probe. [`first_of_each`] and [`lists_of_each`] ask with many, on threads.
//!
//! ```
//! use broadphase::query::{MovingBox, Probe, Query, QueryTree, Ray, Sphere};
//! use broadphase::{Aabb, glam::Vec3};
//!
//! let boxes = [0.0, 3.0, 6.0].map(|x| Aabb::around_sphere(Vec3::X * x, 1.0));
//! // Keep the tree: it is refitted where that is enough.
//! let mut tree = QueryTree::default();
//! let query = tree.over(&boxes);
//! let ray = Ray::new(Vec3::X * -5.0, Vec3::X);
//! assert_eq!(query.first(&ray).map(|hit| (hit.object, hit.measure)), Some((0, 4.0)));
//! assert_eq!(query.first(&ray.only(|object| object != 0)).map(|hit| hit.object), Some(1));
//! let mut two = Vec::new();
//! query.nearest_few(&Sphere::new(Vec3::X * 7.0, 9.0), 2, &mut two);
//! assert_eq!(two.iter().map(|hit| hit.object).collect::<Vec<_>>(), [2, 1]);
//! ```

mod probe;
mod shapes;
mod tree;

use crate::parallel::{Tasks, for_each_chunk, tasks_for, threads_for};
use crate::{Aabb, Limits};
pub use probe::{Only, Probe};
pub use shapes::{Frustum, MovingBox, Ray, Sphere};
use std::cmp::Ordering;
use std::ops::ControlFlow;
pub use tree::QueryTree;

/// An object that a probe meets. Ordered by measure, then by id.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Id of the object.
    pub object: u32,
    /// How near its box is, as the probe measures it; never NaN.
    pub measure: f64,
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.measure.total_cmp(&other.measure).then(self.object.cmp(&other.object))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Hit {}

/// Queries of boxes. Threads may share it.
///
/// Answers are the same for all structures, unless a product, a sum or a measure is beyond [`f64::MAX`]. Which boxes a box
/// meets is exact, and which a [`MovingBox`] with numbers of `f32` does.
/// Measures, and what other shapes meet, are rounded to `f64`, for finite numbers of any size: no box is lost by that.
/// Among equal measures the lowest id is first. A probe with a NaN meets nothing, and no probe meets an empty box.
pub trait Query: Sync {
    /// Calls `visit` with objects whose box the probe meets, each at most once. `visit` returns the largest measure that
    /// it still asks for; objects beyond that may be left out. All other methods are made of this one.
    fn search(&self, probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64);

    /// Calls `visit` with every object that the probe meets, in any order, until it breaks.
    fn each(&self, probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> ControlFlow<()>) {
        let mut limit = f64::MAX;
        self.search(probe, &mut |hit| {
            // A structure may call once more, with an object that it had in hand.
            if limit == f64::MAX && visit(hit).is_break() {
                limit = f64::NEG_INFINITY;
            }
            limit
        });
    }

    /// Whether the probe meets any object.
    fn any(&self, probe: &dyn Probe) -> bool {
        let mut any = false;
        self.search(probe, &mut |_| {
            any = true;
            f64::NEG_INFINITY
        });
        any
    }

    /// Appends every object that the probe meets, in any order.
    fn all(&self, probe: &dyn Probe, hits: &mut Vec<Hit>) {
        self.search(probe, &mut |hit| {
            hits.push(hit);
            f64::MAX
        });
    }

    /// The object with the least measure; `None` if the probe meets none.
    fn first(&self, probe: &dyn Probe) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        self.search(probe, &mut |hit| {
            let nearer = first.map_or(hit, |first| first.min(hit));
            first = Some(nearer);
            nearer.measure
        });
        first
    }

    /// Appends the `count` objects of least measure, in ascending order; all if there are fewer.
    fn nearest_few(&self, probe: &dyn Probe, count: usize, hits: &mut Vec<Hit>) {
        let start = hits.len();
        let end = start.saturating_add(count);
        if count == 0 {
            return;
        }
        let mut limit = f64::MAX;
        self.search(probe, &mut |hit| {
            hits.push(hit);
            // Not for each hit where there are many: a selection takes as long as the list.
            if hits.len() == end || hits.len() > end.saturating_add(count / 4) {
                let (_, farthest, _) = hits[start..].select_nth_unstable(count - 1);
                limit = farthest.measure;
                hits.truncate(end);
            }
            limit
        });
        hits[start..].sort_unstable();
        hits.truncate(end);
    }
}

/// Time of a query for the first object, in nanoseconds: its order, for rays through 100,000 boxes.
const NANOS_PER_PROBE: usize = 2000;

/// Appends the [first](Query::first) hit of each probe, on the threads of the rayon pool that it is called in,
/// if they are many. The hits are the same on any number of threads.
pub fn first_of_each<P: Probe + Sync>(
    query: &dyn Query,
    probes: &[P],
    hits: &mut Vec<Option<Hit>>,
) {
    let start = hits.len();
    hits.resize(start + probes.len(), None);
    let threads = threads_for(probes.len(), NANOS_PER_PROBE);
    for_each_chunk(threads, &mut hits[start..], |first, hits| {
        for (hit, probe) in hits.iter_mut().zip(&probes[first..]) {
            *hit = query.first(probe);
        }
    });
}

/// Lists one after another: list `i` is `items[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists<T> {
    /// The lists.
    pub items: Vec<T>,
    /// The start of each, then the end of the last.
    pub starts: Vec<usize>,
}

/// The lists of all probes, searched on threads as by [`first_of_each`]. `answer` gets a probe and an empty list to fill. The
/// lists are the same on any number of threads.
///
/// The bound of the limits counts items. Limits are checked after each probe; lists of later probes are empty if the search ends
/// early.
///
/// ```
/// use broadphase::query::{Query, QueryTree, Sphere, lists_of_each};
/// use broadphase::{Aabb, Limits, glam::Vec3};
///
/// let boxes = [0.0, 3.0, 6.0].map(|x| Aabb::around_sphere(Vec3::X * x, 1.0));
/// let mut tree = QueryTree::default();
/// let query = tree.over(&boxes);
/// let spheres = [1.5, 9.0].map(|x| Sphere::new(Vec3::X * x, 1.0));
/// let lists = lists_of_each(&spheres, Limits::NONE, |sphere, hits| query.nearest_few(sphere, 2, hits));
/// assert_eq!(lists.starts, [0, 2, 2]);
/// ```
pub fn lists_of_each<P: Sync, T: Send>(
    probes: &[P],
    limits: Limits<'_>,
    answer: impl Fn(&P, &mut Vec<T>) + Sync,
) -> Lists<T> {
    let tasks = tasks_for(threads_for(probes.len(), NANOS_PER_PROBE));
    let len = probes.len().div_ceil(tasks).max(1);
    let mut parts = Tasks::<(Vec<usize>, Vec<T>)>::default();
    parts.resize(tasks);
    parts.run(|number, (ends, items)| {
        let mut list = Vec::new();
        for probe in probes.chunks(len).nth(number).unwrap_or_default() {
            if !limits.is_stopped() {
                answer(probe, &mut list);
                limits.count(list.len());
            }
            items.append(&mut list);
            ends.push(items.len());
        }
    });
    let mut lists = Lists { items: Vec::new(), starts: vec![0] };
    for part in parts.as_mut_slice() {
        let (ends, items) = &mut part.0;
        lists.starts.extend(ends.iter().map(|end| lists.items.len() + end));
        lists.items.append(items);
    }
    lists
}

/// Answers queries by a scan of all boxes: the reference for every other structure. Linear in their
/// number.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a>(pub &'a [Aabb]);

impl Query for Scan<'_> {
    fn search(&self, probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        let mut limit = f64::MAX;
        for (object, b) in (0..).zip(self.0) {
            if let Some(measure) = probe.measure(object, b)
                && measure <= limit
            {
                limit = visit(Hit { object, measure });
                if limit == f64::NEG_INFINITY {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    const UNIT: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ONE };

    #[test]
    fn scan_returns_the_lowest_id_of_equally_near_objects() {
        let boxes = [Aabb::EMPTY, UNIT, UNIT];
        let ray = Ray::new(Vec3::new(-1.0, 0.5, 0.5), Vec3::X);
        let near = |boxes: &[Aabb], center: Vec3| {
            let point = Sphere::unbounded(center);
            Scan(boxes).first(&point).map(|hit| hit.object)
        };
        assert_eq!(Scan(&boxes).first(&ray), Some(Hit { object: 1, measure: 1.0 }));
        assert_eq!(near(&boxes, Vec3::ZERO), Some(1));
        assert_eq!(near(&boxes[..1], Vec3::ZERO), None);
        assert_eq!(near(&boxes, Vec3::new(0.0, f32::NAN, 0.0)), None);
        assert_eq!(near(&boxes, Vec3::X * f32::INFINITY), None);
    }
}
