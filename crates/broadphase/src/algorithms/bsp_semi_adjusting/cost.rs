//! The cost of a plane, and the cheapest plane.
//!
//! A leaf of m objects takes m² / 2 tests. Of m objects, l touch the low side of a plane and h the high side,
//! straddlers both. The share (l² + h²) / m² of the tests remains: the cost of the plane. The best cost is a half.
//! Imbalance raises it, up to 1 with all objects on one side. Straddlers raise it, up to 2 with all of them
//! straddling.

use crate::regions::Plane;
use crate::{Aabb, Axis};

/// Bins on an axis. A plane is tried between every two.
const BINS: usize = 16;

/// Most objects of a sampled median.
const SAMPLES: usize = 64;

/// A plane that costs more than this does not pay.
pub(super) const DEAREST: f32 = 0.93;

/// A plane, and its cost for some objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) plane: Plane,
    pub(super) cost: f32,
}

/// Cost of a plane with `low` and `high` of `all` objects on its sides; 1, as without a plane, where there is
/// no object.
pub(super) fn cost(low: u64, high: u64, all: u64) -> f32 {
    if all == 0 {
        return 1.0;
    }
    let share = |part: u64| part as f64 / all as f64;
    (share(low).powi(2) + share(high).powi(2)) as f32
}

/// Exact cost of a given plane for some objects.
pub(super) fn cost_of(plane: Plane, boxes: &[Aabb], objects: &[u32]) -> f32 {
    let (mut low, mut high) = (0, 0);
    for object in objects {
        let touched = plane.touches(&boxes[*object as usize]);
        low += u64::from(touched[0]);
        high += u64::from(touched[1]);
    }
    cost(low, high, objects.len() as u64)
}

/// The cheapest plane for some objects, for each axis; `None` where all centres are the same. All objects must
/// be present.
///
/// The planes lie evenly between the outermost centres. A histogram of the bounds of boxes counts the sides of
/// all of them at once (Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007). One object
/// far away can move all these planes away from the others. So the median of a sample is also tried where none
/// pays. The returned cost is exact.
pub(super) fn best_planes(boxes: &[Aabb], objects: &[u32]) -> [Option<Choice>; 3] {
    let centers = objects.iter().map(|object| boxes[*object as usize].center());
    let Some(range) =
        centers.map(|c| (c, c)).reduce(|(low, high), (c, _)| (low.min(c), high.max(c)))
    else {
        return [None; 3];
    };
    let (low, high) = range;
    // Casts saturate: bounds below the first bin or above the last count there.
    let scale = (high - low).recip() * BINS as f32;
    let mut begins = [[0u64; BINS]; 3];
    let mut ends = [[0u64; BINS]; 3];
    for object in objects {
        let b = &boxes[*object as usize];
        let (first, last) = ((b.min - low) * scale, (b.max - low) * scale);
        for axis in 0..3 {
            begins[axis][(first[axis] as usize).min(BINS - 1)] += 1;
            ends[axis][(last[axis] as usize).min(BINS - 1)] += 1;
        }
    }
    Axis::ALL.map(|axis| {
        let i = axis.index();
        if low[i] >= high[i] {
            return None;
        }
        let all = objects.len() as u64;
        let (mut on_low, mut on_high) = (0, all);
        let mut best = (f32::INFINITY, 0);
        for plane in 1..BINS {
            on_low += begins[i][plane - 1];
            on_high -= ends[i][plane - 1];
            best = match cost(on_low, on_high, all) {
                cost if cost < best.0 => (cost, plane),
                _ => best,
            };
        }
        let share = best.1 as f32 / BINS as f32;
        let at = |position| {
            let plane = Plane { axis, position };
            Choice { plane, cost: cost_of(plane, boxes, objects) }
        };
        let even = at(low[i] * (1.0 - share) + high[i] * share);
        if even.cost <= DEAREST {
            return Some(even);
        }
        let middle = at(sampled_median(axis, boxes, objects));
        Some(if middle.cost < even.cost { middle } else { even })
    })
}

/// Median of the centres of a sample on an axis. There must be an object.
fn sampled_median(axis: Axis, boxes: &[Aabb], objects: &[u32]) -> f32 {
    let mut centers = [0.0; SAMPLES];
    let samples = objects.len().min(SAMPLES);
    for (number, center) in centers[..samples].iter_mut().enumerate() {
        let object = objects[number * objects.len() / samples];
        *center = boxes[object as usize].center()[axis.index()];
    }
    *centers[..samples].select_nth_unstable_by(samples / 2, f32::total_cmp).1
}

/// The cheapest of several choices.
pub(super) fn cheapest(choices: [Option<Choice>; 3]) -> Option<Choice> {
    choices.into_iter().flatten().min_by(|a, b| a.cost.total_cmp(&b.cost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn imbalance_and_straddlers_raise_the_cost() {
        assert_eq!(cost(50, 50, 100), 0.5, "two halves");
        assert_eq!(cost(100, 0, 100), 1.0, "all on one side");
        assert_eq!(cost(100, 100, 100), 2.0, "all on both sides");
        assert!(cost(55, 55, 100) > cost(50, 50, 100), "ten straddlers");
        assert_eq!(cost(0, 0, 0), 1.0);
    }

    #[test]
    fn plane_goes_between_two_clusters() {
        let boxes: Vec<_> = (0..40)
            .map(|i| {
                let x = (i % 4) as f32 * 0.1 + if i < 20 { 0.0 } else { 9.0 };
                Aabb::around_sphere(Vec3::new(x, (i % 5) as f32 * 0.1, 0.0), 0.2)
            })
            .collect();
        let objects: Vec<u32> = (0..40).collect();
        let best = best_planes(&boxes, &objects);
        assert!(best[2].is_none(), "all centres have the same z");
        let choice = cheapest(best).unwrap();
        assert_eq!((choice.plane.axis, choice.cost), (Axis::X, 0.5));
        assert!((0.5..8.8).contains(&choice.plane.position), "{choice:?}");
    }

    #[test]
    fn huge_and_tiny_extents_give_finite_planes() {
        let far = Aabb::new(Vec3::splat(-3e38), Vec3::splat(-2e38));
        let boxes = [far, Aabb::new(Vec3::splat(2e38), Vec3::splat(3e38))];
        for choice in best_planes(&boxes, &[0, 1]).into_iter().flatten() {
            assert!(choice.plane.position.is_finite(), "{choice:?}");
        }
        assert!(cheapest(best_planes(&boxes, &[])).is_none());
    }
}
