//! Every structure with a `Query` gives exactly the answers of a scan over all boxes.

use crate::common::{any_exponent, any_exponents, inputs, plain, rng, run_frame, vec3};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, BroadPhase, Query, Ray, Scan};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Queries of each kind in a frame.
const QUERIES: usize = 12;

/// A random point, often on a corner of a box.
fn point(rng: &mut ChaCha8Rng, boxes: &[Aabb]) -> Vec3 {
    match boxes.get(rng.random_range(0..boxes.len() * 2 + 1)) {
        Some(b) if !b.is_empty() => b.max,
        _ => vec3(rng, -2.0..2.0),
    }
}

/// Compares queries of every kind with the scan's answers; returns how many answers there were.
fn assert_answers(query: &dyn Query, boxes: &[Aabb], rng: &mut ChaCha8Rng, name: &str) -> usize {
    let mut answers = 0;
    for _ in 0..QUERIES {
        let corner = point(rng, boxes);
        let sides = vec3(rng, -0.05..0.5);
        let b = Aabb::new(corner, corner + sides);
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        query.touching(boxes, &b, &mut found);
        Scan.touching(boxes, &b, &mut expected);
        found.sort_unstable();
        assert_eq!(found, expected, "{name}: touching {b:?}");
        answers += found.len();

        let target = point(rng, boxes);
        let direction = match rng.random_range(0..3) {
            // Along an axis, often along faces.
            0 => Vec3::AXES[rng.random_range(0..3)],
            1 => target - corner,
            _ => vec3(rng, -1.0..1.0),
        };
        if direction == Vec3::ZERO {
            continue;
        }
        let reach = if rng.random() { f32::INFINITY } else { rng.random_range(0.0..2.0) };
        let ray = Ray { reach, ..Ray::new(corner, direction) };
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        query.along(boxes, &ray, &mut found);
        Scan.along(boxes, &ray, &mut expected);
        found.sort_unstable_by_key(|hit| hit.object);
        assert_eq!(found, expected, "{name}: along {ray:?}");
        answers += found.len();
        let first = Scan.first_along(boxes, &ray);
        assert_eq!(query.first_along(boxes, &ray), first, "{name}: first along {ray:?}");

        let nearest = Scan.nearest(boxes, target);
        assert_eq!(query.nearest(boxes, target), nearest, "{name}: nearest to {target}");
        answers += usize::from(nearest.is_some());
    }
    answers
}

#[test]
fn every_query_equals_a_scan() {
    let mut rng = rng(17);
    let (mut answers, mut answering) = (0, BTreeSet::new());
    for n in [0, 1, 2, 9, 60, 300] {
        for (input, frames) in inputs(n, 4, 11) {
            for entry in ALGORITHMS {
                let mut algorithm = entry.create(&Settings::new(n)).unwrap();
                for (number, boxes) in frames.iter().enumerate() {
                    // After an update without a search, and after both.
                    if number % 2 == 0 {
                        algorithm.update(&plain(boxes));
                    } else {
                        run_frame(&mut *algorithm, &plain(boxes));
                    }
                    let name = format!("{} on {input} ({n} objects), frame {number}", entry.id);
                    if let Some(query) = algorithm.query() {
                        answers += assert_answers(query, boxes, &mut rng, &name);
                        answering.insert(entry.id);
                    }
                }
            }
        }
    }
    println!("{answers} answers compared");
    assert!(answers > 10_000 * answering.len(), "few queries have an answer: {answers}");
    let trees = ALGORITHMS.iter().map(|entry| entry.id).filter(|id| id.starts_with("bvh-"));
    assert!(trees.clone().count() > 0 && trees.clone().all(|id| answering.contains(id)));
}

/// Trees, and their queries, over boxes of any size.
fn tree_over(boxes: &[Aabb]) -> Box<dyn BroadPhase> {
    let entry = broadphase::registry::find("bvh-incremental").unwrap();
    let mut tree = entry.create(&Settings::new(boxes.len())).unwrap();
    tree.update(&plain(boxes));
    tree
}

#[test]
fn very_short_ray_misses_a_box_beside_it() {
    let ray = Ray::new(Vec3::new(-4.0, 2.0, 4.25), Vec3::new(1e-42, -0.0, 1e-42));
    let beside = Aabb::new(Vec3::new(11.0, 1.0, 5.5), Vec3::new(12.0, 2.0, 5.5));
    assert_eq!(ray.enters(&beside), None);
    let ahead = Aabb::new(Vec3::new(11.0, 1.0, 19.0), Vec3::new(12.0, 2.0, 20.0));
    let t = 15.0 / f64::from(1e-42f32);
    assert_eq!(ray.enters(&ahead), Some(t));
}

/// The smallest `t` at which a ray is in a box, and whether that is beyond doubt: by products instead of quotients, with
/// intervals that are wider than all roundings.
fn enters_by_products(ray: &Ray, b: &Aabb) -> Option<bool> {
    // t = numerator / denominator, with a positive denominator.
    let (mut lows, mut highs) = (vec![[0.0, 1.0]], Vec::new());
    for axis in 0..3 {
        let of = |number: f32| f64::from(number);
        let (origin, direction) = (of(ray.origin[axis]), of(ray.direction[axis]));
        let faces = [of(b.min[axis]), of(b.max[axis])];
        let [near, far] = if direction < 0.0 { [faces[1], faces[0]] } else { faces };
        let sign = direction.signum();
        lows.push([(near - origin) * sign, direction.abs()]);
        highs.push([(far - origin) * sign, direction.abs()]);
    }
    let (mut hits, mut misses) = (true, false);
    for [low, by] in &lows {
        for [high, of] in &highs {
            let (low, high) = (low * of, high * by);
            let doubt = 1e-14 * low.abs().max(high.abs());
            hits &= low + doubt < high;
            misses |= low > high + doubt;
        }
    }
    (hits || misses).then_some(hits)
}

#[test]
fn rays_of_any_exponents_hit_as_by_products() {
    let mut rng = rng(23);
    let mut hits = [0; 2];
    for _ in 0..300 {
        let boxes = any_exponents(&mut rng, 100);
        let tree = tree_over(&boxes);
        let mut vector = || Vec3::from(std::array::from_fn(|_| any_exponent(&mut rng)));
        let ray = Ray::new(vector(), vector());
        let mut found = Vec::new();
        tree.query().unwrap().along(&boxes, &ray, &mut found);
        assert!(found.iter().all(|hit| hit.t.is_finite()), "{ray:?}");
        for (object, b) in (0..).zip(&boxes) {
            if let Some(expected) = enters_by_products(&ray, b) {
                hits[usize::from(expected)] += 1;
                let is_hit = found.iter().any(|hit| hit.object == object);
                assert_eq!(is_hit, expected, "{ray:?} and {b:?}");
            }
        }
    }
    assert!(hits.iter().all(|number| *number > 500), "{hits:?}");
}

#[test]
fn nearest_is_exact_for_any_exponents() {
    let mut rng = rng(29);
    for exponent in -140..127 {
        let unit = 2f64.powi(exponent) as f32;
        let points = (0..60).map(|_| vec3(&mut rng, -1.0..1.0) * unit).collect::<Vec<_>>();
        let points = points.into_iter().map(|at| Aabb::new(at, at)).collect();
        for boxes in [points, any_exponents(&mut rng, 60)] {
            let point = vec3(&mut rng, -1.0..1.0) * unit;
            let distance = |b: &Aabb| {
                let of = |axis: usize| {
                    let [min, max, at] =
                        [b.min, b.max, point].map(|vector| f64::from(vector[axis]));
                    at - at.clamp(min, max)
                };
                of(0).hypot(of(1)).hypot(of(2))
            };
            let least = boxes.iter().map(distance).fold(f64::INFINITY, f64::min);
            let tree = tree_over(&boxes);
            for query in [tree.query().unwrap(), &Scan] {
                let found = query.nearest(&boxes, point).unwrap();
                let of_found = distance(&boxes[found.object as usize]);
                assert!(of_found <= least * (1.0 + 1e-15), "2^{exponent}: {of_found}, not {least}");
                let error = (found.distance_squared.sqrt() - least).abs();
                assert!(error <= 1e-15 * least, "2^{exponent}: {found:?}, not {least}");
            }
        }
    }
}
