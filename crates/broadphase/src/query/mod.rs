//! Queries: boxes that a shape meets, in any order or the nearest first.
//!
//! A query is a [`Probe`]: a shape that gives each box it meets a *measure*, by which a box is nearer than another. Each
//! question stands once, for every probe and every structure:
//!
//! | probe | meets | measure |
//! |---|---|---|
//! | [`Aabb`] | boxes that share a point with it | 0 |
//! | [`Ray`] | boxes that it enters | `t` of its first point in the box |
//! | [`Sweep`], a moving box | boxes that it touches on its way | time of the first touch, 0 to 1 |
//! | [`Sphere`] | boxes that share a point with it | square of the distance from its centre |
//! | [`Frustum`] | boxes that no single plane of it excludes | 0 |
//!
//! [`Ray64`], [`Sweep64`], [`Sphere64`] and [`Frustum64`] have numbers of `f64`. If the boxes are [rounded
//! outwards](Aabb::from_f64), they lose no hit, and `t` and distances are at most those of the boxes in `f64`.
//!
//! [`Sphere::unbounded`] meets every box that is not empty: its [first](Query::first) is the nearest to a point. [`Probe::only`] and
//! [`Probe::only_meeting`] filter the objects of any probe. [`first_of_each`] and [`lists_of_each`] ask with many, on threads.
//!
//! ```
//! use broadphase::{Aabb, Auto, BroadPhase, Frame, glam::Vec3, query::{Probe, Ray, Sphere}};
//!
//! let boxes = [0.0, 3.0, 6.0].map(|x| Aabb::around_sphere(Vec3::X * x, 1.0));
//! let mut broad_phase = Auto::default();
//! broad_phase.update(&Frame::new(&boxes));
//! let query = broad_phase.query().ok_or("no queries")?;
//! let ray = Ray::new(Vec3::X * -5.0, Vec3::X);
//! assert_eq!(query.first(&boxes, &ray).map(|hit| (hit.object, hit.measure)), Some((0, 4.0)));
//! assert_eq!(query.first(&boxes, &ray.only(|object| object != 0)).map(|hit| hit.object), Some(1));
//! let mut two = Vec::new();
//! query.nearest_few(&boxes, &Sphere { center: Vec3::X * 7.0, radius: 9.0 }, 2, &mut two);
//! assert_eq!(two.iter().map(|hit| hit.object).collect::<Vec<_>>(), [2, 1]);
//! # Ok::<(), &str>(())
//! ```

mod lazy;
mod probe;
mod shapes;
mod tree;

use crate::parallel::{Tasks, for_each_chunk, tasks_for, threads_for};
use crate::{Aabb, Limits};
pub(crate) use lazy::LazyTree;
pub use probe::{Only, Probe};
pub use shapes::{Frustum, Frustum64, Ray, Ray64, Sphere, Sphere64, Sweep, Sweep64};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::mem::take;
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

/// Queries of a structure, from one [`update`](crate::BroadPhase::update) to the next. Threads may share it.
///
/// `boxes` must be the boxes of that update: a structure may hold only larger ones, or none before the first query. With
/// others the answers are wrong. Answers are the same for all structures. Which boxes a box or a [`Sweep`] meets is exact.
/// Measures, and what other shapes meet, are rounded to `f64`, for finite numbers of any size: no box is lost by that, but
/// by a [`Frustum`]. Among equal measures the lowest id is first. A probe with a NaN meets nothing, and no probe meets an
/// empty box.
///
/// # Cost
///
/// This crate's algorithms build a [`QueryTree`] in the first query after an update, on the thread of that query, and refit
/// it in later frames. So a frame without queries costs nothing. The tree is dropped after 40 frames without a query.
pub trait Query: Sync {
    /// Calls `visit` with objects whose box the probe meets, each at most once. `visit` returns the largest measure that
    /// it still asks for; objects beyond that may be left out. All other methods are made of this one.
    fn search(&self, boxes: &[Aabb], probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64);

    /// Calls `visit` with every object that the probe meets, in any order, until it breaks.
    fn each(
        &self,
        boxes: &[Aabb],
        probe: &dyn Probe,
        visit: &mut dyn FnMut(Hit) -> ControlFlow<()>,
    ) {
        let mut limit = f64::MAX;
        self.search(boxes, probe, &mut |hit| {
            // A structure may call once more, with an object that it had in hand.
            if limit == f64::MAX && visit(hit).is_break() {
                limit = f64::NEG_INFINITY;
            }
            limit
        });
    }

    /// Whether the probe meets any object.
    fn any(&self, boxes: &[Aabb], probe: &dyn Probe) -> bool {
        let mut any = false;
        self.search(boxes, probe, &mut |_| {
            any = true;
            f64::NEG_INFINITY
        });
        any
    }

    /// Appends every object that the probe meets, in any order.
    fn all(&self, boxes: &[Aabb], probe: &dyn Probe, hits: &mut Vec<Hit>) {
        self.search(boxes, probe, &mut |hit| {
            hits.push(hit);
            f64::MAX
        });
    }

    /// The object with the least measure; `None` if the probe meets none.
    fn first(&self, boxes: &[Aabb], probe: &dyn Probe) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        self.search(boxes, probe, &mut |hit| {
            let nearer = first.map_or(hit, |first| first.min(hit));
            first = Some(nearer);
            nearer.measure
        });
        first
    }

    /// Fills `hits` with the `count` objects of least measure, in ascending order; with all if there are fewer.
    fn nearest_few(&self, boxes: &[Aabb], probe: &dyn Probe, count: usize, hits: &mut Vec<Hit>) {
        hits.clear();
        if count == 0 {
            return;
        }
        // The farthest is on top.
        let mut nearest = BinaryHeap::from(take(hits));
        self.search(boxes, probe, &mut |hit| {
            if nearest.len() < count {
                nearest.push(hit);
            } else if let Some(mut farthest) = nearest.peek_mut()
                && hit < *farthest
            {
                *farthest = hit;
            }
            let is_full = nearest.len() == count;
            nearest.peek().filter(|_| is_full).map_or(f64::MAX, |farthest| farthest.measure)
        });
        *hits = nearest.into_sorted_vec();
    }
}

/// Time of a query for the first object, in nanoseconds: its order, for rays through 100,000 boxes.
const NANOS_PER_PROBE: usize = 2000;

/// Fills `hits` with the [first](Query::first) hit of each probe, on the threads of the rayon pool that it is called in,
/// if they are many. The hits are the same on any number of threads.
pub fn first_of_each<P: Probe + Sync>(
    query: &dyn Query,
    boxes: &[Aabb],
    probes: &[P],
    hits: &mut Vec<Option<Hit>>,
) {
    hits.clear();
    hits.resize(probes.len(), None);
    for_each_chunk(threads_for(probes.len(), NANOS_PER_PROBE), hits, |first, hits| {
        for (hit, probe) in hits.iter_mut().zip(&probes[first..]) {
            *hit = query.first(boxes, probe);
        }
    });
}

/// Fills `items` with the lists of all probes, one after another, on threads as [`first_of_each`] does. `answer` gets a
/// probe and an empty list to fill. The list of probe `i` is `items[starts[i]..starts[i + 1]]`: the same on any number of
/// threads.
///
/// ```
/// use broadphase::query::{Sphere, lists_of_each};
/// use broadphase::{Aabb, Query, QueryTree, glam::Vec3};
///
/// let boxes = [0.0, 3.0, 6.0].map(|x| Aabb::around_sphere(Vec3::X * x, 1.0));
/// let mut tree = QueryTree::default();
/// tree.update(&boxes);
/// let spheres = [1.5, 9.0].map(|x| Sphere { center: Vec3::X * x, radius: 1.0 });
/// let (mut starts, mut hits) = (Vec::new(), Vec::new());
/// let two = |sphere: &Sphere, hits: &mut _| tree.nearest_few(&boxes, sphere, 2, hits);
/// lists_of_each(&spheres, two, &mut starts, &mut hits);
/// assert_eq!(starts, [0, 2, 2]);
/// ```
pub fn lists_of_each<P: Sync, T: Send>(
    probes: &[P],
    answer: impl Fn(&P, &mut Vec<T>) + Sync,
    starts: &mut Vec<usize>,
    items: &mut Vec<T>,
) {
    lists_of_each_within(probes, Limits::NONE, answer, starts, items);
}

/// As [`lists_of_each`], within limits, whose bound counts items: lists of later probes are empty if it ends early. It is
/// checked after each probe.
pub fn lists_of_each_within<P: Sync, T: Send>(
    probes: &[P],
    limits: Limits<'_>,
    answer: impl Fn(&P, &mut Vec<T>) + Sync,
    starts: &mut Vec<usize>,
    items: &mut Vec<T>,
) {
    let tasks = tasks_for(threads_for(probes.len(), NANOS_PER_PROBE));
    let len = probes.len().div_ceil(tasks).max(1);
    let mut parts = Tasks::<(Vec<usize>, Vec<T>)>::default();
    parts.resize(tasks);
    items.clear();
    // The first task appends to `items` itself, so its lists are not copied again.
    parts.as_mut_slice()[0].0.1 = take(items);
    parts.run(|number, (ends, items)| {
        // Apart from `items`, because `Query::nearest_few` clears its list.
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
    starts.clear();
    starts.push(0);
    for (number, part) in parts.as_mut_slice().iter_mut().enumerate() {
        let (ends, found) = &mut part.0;
        starts.extend(ends.iter().map(|end| items.len() + end));
        if number == 0 {
            *items = take(found);
        } else {
            items.append(&mut take(found));
        }
    }
}

/// Answers queries by a scan of all boxes: the reference for every other structure. Linear in their
/// number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan;

impl Query for Scan {
    fn search(&self, boxes: &[Aabb], probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        let mut limit = f64::MAX;
        for (object, b) in (0..).zip(boxes) {
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
        let near = |boxes: &[Aabb], center| {
            let point = Sphere::unbounded(center);
            Scan.first(boxes, &point).map(|hit| hit.object)
        };
        assert_eq!(Scan.first(&boxes, &ray), Some(Hit { object: 1, measure: 1.0 }));
        assert_eq!(near(&boxes, Vec3::ZERO), Some(1));
        assert_eq!(near(&boxes[..1], Vec3::ZERO), None);
        assert_eq!(near(&boxes, Vec3::new(0.0, f32::NAN, 0.0)), None);
        assert_eq!(near(&boxes, Vec3::X * f32::INFINITY), None);
    }
}
