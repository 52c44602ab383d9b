//! Every instruction set gives the pairs of the definition. A test binary of its own, because the limit holds
//! for the whole process.

use crate::common::{Case, assert_joined, inputs, rng, vec3};
use broadphase::benchmark::{SimdLimit, limit_simd, simd_name};
use broadphase::registry::{ALGORITHMS, Algorithm};
use broadphase::{Aabb, Join};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeSet;

const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };

/// Cases of random boxes for each entry and instruction set; `SIMD_CASES` sets another number.
const CASES: u64 = 20;

/// A coordinate: on a lattice, where boxes touch; at the limits of `f32`; on either side of zero.
fn coordinate(rng: &mut ChaCha8Rng) -> f32 {
    match rng.random_range(0..12) {
        0 => [0.0, -0.0, f32::MIN_POSITIVE, -1e-45, 1e-45][rng.random_range(0..5)],
        1 => [f32::MAX, f32::MIN, 1e38, -1e38][rng.random_range(0..4)],
        2 => rng.random_range(-1e7..1e7),
        3..6 => rng.random_range(-1.0..1.0),
        _ => rng.random_range(-12..=12) as f32 * 0.25,
    }
}

/// A random box; a ninth of them are empty, in some form.
fn any_box(rng: &mut ChaCha8Rng) -> Aabb {
    let corner = Vec3::from(std::array::from_fn(|_| coordinate(rng)));
    let other = match rng.random_range(0..4) {
        0 => Vec3::from(std::array::from_fn(|_| coordinate(rng))),
        1 => corner,
        _ => corner + vec3(rng, 0.0..1.0) * 0.5,
    };
    let b = Aabb::new(corner.min(other), corner.max(other));
    if rng.random_range(0..9) == 0 { Aabb::new(b.max, b.min - 1.0) } else { b }
}

/// Frames in which all boxes creep and one at a time is redrawn: cached pairs stay valid for most objects.
fn creeping_case(seed: u64) -> Case {
    let mut rng = rng(seed);
    let mut boxes: Vec<_> = (0..rng.random_range(0..=200)).map(|_| any_box(&mut rng)).collect();
    let mut frames = Vec::new();
    for _ in 0..20 {
        frames.push(boxes.clone());
        for b in &mut boxes {
            let step = vec3(&mut rng, -1.0..1.0) * 0.004;
            *b = Aabb::new((b.min + step).max(Vec3::MIN), (b.max + step).min(Vec3::MAX));
        }
        if !boxes.is_empty() {
            let at = rng.random_range(0..boxes.len());
            boxes[at] = any_box(&mut rng);
        }
    }
    Case::new(format!("creeping boxes of seed {seed}"), frames)
}

/// Frames in which most boxes rest and the moving ones change: cached pairs of resting objects stay valid. In
/// some frames no box moves, or nearly all do.
fn resting_case(seed: u64) -> Case {
    let mut rng = rng(seed);
    let mut boxes: Vec<_> = (0..rng.random_range(0..=400)).map(|_| any_box(&mut rng)).collect();
    let mut frames = vec![boxes.clone(); 2];
    while frames.len() < 30 {
        let share = [0.0, 0.01, 0.05, 0.3, 0.9][rng.random_range(0..5)];
        let movers: Vec<_> = (0..boxes.len()).filter(|_| rng.random_bool(share)).collect();
        for _ in 0..rng.random_range(1..8) {
            for at in &movers {
                boxes[*at] = any_box(&mut rng);
            }
            frames.push(boxes.clone());
        }
    }
    let case = Case::new(format!("resting boxes of seed {seed}"), frames);
    if rng.random_bool(0.5) { case.layered(seed) } else { case }
}

/// Frames between which some boxes change, and sometimes their number.
fn any_case(seed: u64) -> Case {
    let mut rng = rng(seed);
    // Less than a block of boxes, one block, several with a remainder.
    let most = [3, 16, 17, 40, 130, 400][rng.random_range(0..6)];
    let mut boxes: Vec<_> = (0..rng.random_range(0..=most)).map(|_| any_box(&mut rng)).collect();
    let mut frames = Vec::new();
    for _ in 0..4 {
        frames.push(boxes.clone());
        let share = [0.0, 0.02, 0.5, 1.0][rng.random_range(0..4)];
        for b in &mut boxes {
            if rng.random_bool(share) {
                *b = any_box(&mut rng);
            }
        }
        if rng.random_range(0..4) == 0 {
            boxes.resize_with(rng.random_range(0..=most), || any_box(&mut rng));
        }
    }
    Case::new(format!("random boxes of seed {seed}"), frames)
}

/// Joins two random sets. Returns the number of pairs.
fn join_any(seed: u64) -> usize {
    let mut rng = rng(seed);
    let most = [3, 17, 130, 400][rng.random_range(0..4)];
    let sets = [0, 1].map(|_| -> Vec<Aabb> {
        (0..rng.random_range(0..=most)).map(|_| any_box(&mut rng)).collect()
    });
    let input = format!("random sets of seed {seed}");
    assert_joined(&mut Join::default(), &sets[0], &sets[1], &input)
}

/// One test for all, because the limit holds for all threads.
pub(crate) fn every_instruction_set_equals_the_definition() {
    let rows: Vec<&Algorithm> = ALGORITHMS.iter().filter(|entry| entry.vectorised).collect();
    let cases = std::env::var("SIMD_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let mut fixed = Vec::new();
    for n in [0, 1, 2, 15, 16, 17, 49, 250, 600] {
        for (input, frames) in inputs(n, 5, 1739) {
            let case = Case::new(format!("{input} ({n} objects)"), frames);
            fixed.extend([case.layered(7), case]);
        }
    }
    let mut names = BTreeSet::new();
    for limit in SimdLimit::ALL {
        limit_simd(limit);
        if !names.insert(simd_name()) {
            continue;
        }
        // Pairs and cases of each entry, on all processors: the limit stays as it is.
        let compare = |row: &&Algorithm| {
            let (mut run, mut compared) = (fixed.len() as u64 + cases, 0);
            for case in &fixed {
                compared += case.assert_exact(row, WORLD);
            }
            for seed in 0..cases {
                compared += any_case(seed).assert_exact(row, Aabb::EMPTY);
            }
            if row.keeps_state {
                for seed in 0..cases / 10 {
                    compared += creeping_case(seed).assert_exact(row, Aabb::EMPTY);
                }
                for seed in 0..cases / 5 {
                    compared += resting_case(seed).assert_exact(row, Aabb::EMPTY);
                }
                run += cases / 10 + cases / 5;
            }
            assert!(compared > 20_000, "{}: the inputs hardly overlap: {compared} pairs", row.id);
            (run, compared)
        };
        let sums = rows.par_iter().map(compare);
        let (run, all) = sums.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        println!("{}: {run} cases, {all} pairs compared", simd_name());
        let joined: usize = (0..10 * cases).map(join_any).sum();
        assert!(joined > 20_000, "the sets hardly overlap: {joined} pairs");
    }
    limit_simd(SimdLimit::None);
    assert!(names.contains("scalar"), "{names:?}");
    #[cfg(target_arch = "x86_64")]
    assert!(names.len() > 1, "only {names:?}: no vector code was tested");
}
