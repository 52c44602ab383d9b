//! Every structure with a `Query` gives exactly the answers of a scan over all boxes.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, Query, Ray, Scan};
use common::{inputs, plain, rng, run_frame, vec3};
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
            for row in ALGORITHMS {
                let mut algorithm = row.create(&Settings::new(n)).unwrap();
                for (number, boxes) in frames.iter().enumerate() {
                    // After an update without a search, and after both.
                    if number % 2 == 0 {
                        algorithm.update(&plain(boxes));
                    } else {
                        run_frame(&mut *algorithm, &plain(boxes));
                    }
                    let name = format!("{} on {input} ({n} objects), frame {number}", row.id);
                    if let Some(query) = algorithm.query() {
                        answers += assert_answers(query, boxes, &mut rng, &name);
                        answering.insert(row.id);
                    }
                }
            }
        }
    }
    println!("{answers} answers compared");
    assert!(answers > 10_000 * answering.len(), "few queries have an answer: {answers}");
    let trees = ALGORITHMS.iter().map(|row| row.id).filter(|id| id.starts_with("bvh-"));
    assert!(trees.clone().count() > 0 && trees.clone().all(|id| answering.contains(id)));
}
