//! Every instruction set gives the pairs of the definition. A test binary of its own, because the limit holds
//! for the whole process.

use crate::common::heap::Heap;
use crate::common::{Case, any_case, assert_joined, inputs, pairs_by_definition};
use broadphase::benchmark::{SimdLimit, limit_simd, simd_name};
use broadphase::registry::ALGORITHMS;
use broadphase::{Aabb, Join, WorldBoxes, WorldPairs, Worlds};
use glam::Vec3;
use rayon::prelude::*;
use std::collections::BTreeSet;

const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };

/// Cases of random boxes for each entry and instruction set; `SIMD_CASES` sets another number.
const CASES: u64 = 20;

/// Frames in which cached pairs stay valid for most objects.
fn heap(seed: u64) -> Case {
    let mut heap = Heap::new(seed);
    let frame = |_| {
        heap.step();
        heap.boxes.clone()
    };
    Case::new(format!("heap of seed {seed}"), (0..60).map(frame).collect())
}

/// Compares the frames of all inputs as worlds of one call each, and joins of two. Returns the numbers of pairs.
fn compare_worlds_and_joins() -> [usize; 2] {
    let (mut worlds, mut found, mut compared) = (Worlds::default(), WorldPairs::default(), [0; 2]);
    for n in [1, 9, 20, 73, 300] {
        for (input, frames) in inputs(n, 4, 1739) {
            let ends = (0..=frames.len()).map(|end| frames[..end].iter().map(Vec::len).sum());
            let starts: Vec<u32> = ends.map(|end: usize| end as u32).collect();
            worlds.find_pairs(&WorldBoxes::new(&frames.concat(), &starts), &mut found).unwrap();
            for (world, boxes) in frames.iter().enumerate() {
                let mut pairs = found.of(world).to_vec();
                pairs.sort_unstable();
                assert_eq!(pairs, pairs_by_definition(boxes), "{input}, {n}, {}", simd_name());
                compared[0] += pairs.len();
                compared[1] += assert_joined(&mut Join::default(), boxes, &frames[0], input);
            }
        }
    }
    compared
}

/// One test for all, because the limit holds for all threads.
pub(crate) fn every_instruction_set() {
    let entries: Vec<_> = ALGORITHMS.iter().filter(|entry| entry.vectorised).collect();
    let cases = std::env::var("SIMD_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let mut fixed = Vec::new();
    for n in [0, 1, 2, 15, 16, 17, 49, 300] {
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
        println!("{}", simd_name());
        // On all processors: the limit stays as it is.
        entries.par_iter().for_each(|entry| {
            let heaps = if entry.keeps_state { cases / 2 } else { 0 };
            let random = (0..cases).map(any_case).chain((0..heaps).map(heap));
            let of_random = random.map(|case| case.assert_exact(entry, Aabb::EMPTY));
            let of_fixed = fixed.iter().map(|case| case.assert_exact(entry, WORLD));
            let compared: usize = of_fixed.chain(of_random).sum();
            assert!(compared > 20_000, "{}: the inputs hardly overlap: {compared} pairs", entry.id);
        });
        let compared = compare_worlds_and_joins();
        assert!(compared.iter().all(|pairs| *pairs > 20_000), "worlds and joins: {compared:?}");
    }
    limit_simd(SimdLimit::None);
    assert!(names.contains("scalar"), "{names:?}");
    #[cfg(target_arch = "x86_64")]
    assert!(names.len() > 1, "only {names:?}: no vector code was tested");
}
