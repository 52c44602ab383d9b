//! Pairs between two sets.

use crate::common::{assert_joined, inputs, pool, rng, vec3};
use broadphase::{Aabb, Join, join, join_by_definition};
use glam::Vec3;
use rand::RngExt;

/// Boxes of half sides drawn from a range of exponents of ten, in a cube.
fn scattered(seed: u64, n: usize, exponents: std::ops::Range<f32>) -> Vec<Aabb> {
    let mut rng = rng(seed);
    let mut draw = || {
        let half = 10f32.powf(rng.random_range(exponents.clone()));
        Aabb::around_sphere(vec3(&mut rng, -1.0..1.0), half)
    };
    (0..n).map(|_| draw()).collect()
}

#[test]
fn any_two_inputs_have_the_pairs_of_the_definition() {
    let mut compared = 0;
    for n in [0, 1, 2, 15, 16, 17, 100, 300] {
        let (ones, others) = (inputs(n, 6, 11), inputs(n, 6, 12));
        for (of_a, (name_a, a)) in ones.iter().enumerate() {
            // Each with itself, with the same of another seed, and with another kind.
            let next = &others[(of_a + 1) % others.len()];
            for (name_b, b) in [&ones[of_a], &others[of_a], next] {
                let mut kept = Join::default();
                for (a, b) in a.iter().zip(b) {
                    let name = format!("{name_a} and {name_b}, {n} boxes each");
                    compared += assert_joined(&mut kept, a, b, &name);
                }
            }
        }
    }
    assert!(compared > 1_000_000, "the inputs hardly overlap: {compared} pairs");
}

#[test]
fn sets_of_other_sizes_have_the_pairs_of_the_definition() {
    let mut kept = Join::default();
    let cases = [
        ("few huge", scattered(1, 5, 0.0..2.0), scattered(2, 5000, -3.0..-2.0)),
        ("one and many", scattered(3, 1, -1.0..0.0), scattered(4, 5000, -3.0..-2.0)),
        ("any sizes", scattered(5, 3000, -6.0..0.0), scattered(6, 700, -4.0..-1.0)),
        ("small and large", scattered(7, 3000, -3.0..-2.0), scattered(8, 300, -0.6..-0.4)),
    ];
    for (name, a, b) in &cases {
        assert!(assert_joined(&mut kept, a, b, name) > 0, "{name}");
        assert!(assert_joined(&mut kept, b, a, name) > 0, "{name}, swapped");
    }
}

#[test]
fn empty_inverted_and_nan_boxes_are_in_no_pair() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let (inverted, nan) = (unit.max.with_y(0.0), unit.min.with_y(f32::NAN));
    let boxes = [Aabb::EMPTY, Aabb::new(inverted, unit.min), Aabb::new(nan, unit.max), unit];
    assert_eq!(assert_joined(&mut Join::default(), &boxes, &boxes, "boxes of all kinds"), 1);
}

#[test]
fn boxes_of_one_set_are_not_tested_with_each_other() {
    // All of each set overlap, and none of the other: they alternate with gaps on each axis.
    let set = |at: f32| vec![Aabb::around_sphere(Vec3::splat(at), 1.0); 500];
    let (mut a, mut b) = (set(0.0), set(10.0));
    a.extend(set(20.0));
    b.extend(set(30.0));
    let (mut kept, mut pairs) = (Join::default(), Vec::new());
    kept.find_pairs(&a, &b, &mut pairs);
    assert_eq!((pairs.len(), kept.counters().tests), (0, 0));
    // One pair of many tests at most: those on the axis.
    a.push(Aabb::around_sphere(Vec3::splat(12.0), 1.0));
    kept.find_pairs(&a, &b, &mut pairs);
    assert_eq!((pairs.len(), kept.counters().tests), (500, 500));
}

#[test]
fn pairs_and_their_order_are_the_same_on_any_number_of_threads() {
    let mut a = scattered(21, 10_000, -2.0..-1.6);
    let b = scattered(22, 15_000, -2.0..-1.6);
    a[5] = Aabb::around_sphere(Vec3::ZERO, 9.0);
    let on = |threads: usize| {
        let mut pairs = Vec::new();
        pool(threads).install(|| join(&a, &b, &mut pairs));
        pairs
    };
    let on_one = on(1);
    assert!(on_one.len() > 15_000, "{} pairs", on_one.len());
    for threads in [2, 3, 8] {
        assert!(on(threads) == on_one, "{threads} threads");
    }
    let (mut sorted, mut expected) = (on_one, Vec::new());
    sorted.sort_unstable();
    join_by_definition(&a, &b, &mut expected);
    assert!(sorted == expected);
}

#[test]
fn memory_of_a_burst_is_returned() {
    let (crowd, few) =
        (vec![Aabb::around_sphere(Vec3::ONE, 1.0); 20_000], scattered(9, 50, -2.0..-1.0));
    let (mut join, mut pairs) = (Join::default(), Vec::new());
    join.find_pairs(&crowd, &crowd[..9], &mut pairs);
    let of_burst = join.heap_bytes();
    (0..120).for_each(|_| join.find_pairs(&few, &few, &mut Vec::new()));
    assert!(join.heap_bytes() < of_burst / 20, "{} of {of_burst} bytes", join.heap_bytes());
}
