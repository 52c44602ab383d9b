//! Pairs between two sets.

use crate::common::{assert_joined, inputs, rng, vec3};
use broadphase::{Aabb, Join, JoinPair, join, join_by_definition};
use glam::Vec3;
use rand::RngExt;
use rayon::ThreadPoolBuilder;

/// Boxes of half sides drawn from a range of exponents of ten, in a cube.
fn scattered(seed: u64, n: usize, exponents: std::ops::Range<f32>) -> Vec<Aabb> {
    let mut rng = rng(seed);
    let mut half = || 10f32.powf(rng.random_range(exponents.clone()));
    let halves: Vec<_> = (0..n).map(|_| half()).collect();
    halves.into_iter().map(|half| Aabb::around_sphere(vec3(&mut rng, -1.0..1.0), half)).collect()
}

fn joined(a: &[Aabb], b: &[Aabb]) -> Vec<JoinPair> {
    let mut pairs = Vec::new();
    join(a, b, &mut pairs);
    pairs.sort_unstable();
    pairs
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
        assert_eq!(assert_joined(&mut kept, &[], b, name), 0);
        assert_eq!(assert_joined(&mut kept, a, &[], name), 0);
    }
}

#[test]
fn boxes_that_touch_are_a_pair_and_a_gap_of_one_ulp_is_none() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let at = |begin: f32| Aabb::new(axis * begin, Vec3::ONE + axis * begin);
        let (touching, apart) = (at(1.0), at(1.0f32.next_up()));
        for [a, b] in [[unit, touching], [touching, unit]] {
            assert_eq!(joined(&[a], &[b]), [JoinPair { a: 0, b: 0 }], "{axis}");
        }
        assert_eq!(joined(&[unit], &[apart]), [], "{axis}");
        assert_eq!(joined(&[apart], &[unit]), [], "{axis}");
    }
    let negative_zero = Aabb::new(Vec3::NEG_ONE, -Vec3::ZERO);
    assert_eq!(joined(&[negative_zero], &[unit]).len(), 1);
    assert_eq!(joined(&[unit], &[negative_zero]).len(), 1);
}

#[test]
fn empty_inverted_and_nan_boxes_are_in_no_pair() {
    let inverted = Aabb::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(0.4, 1.0, 1.0));
    let nan = Aabb::new(Vec3::new(0.0, f32::NAN, 0.0), Vec3::ONE);
    let none = [Aabb::EMPTY, inverted, nan];
    let mut some = none.to_vec();
    some.push(Aabb::new(Vec3::ZERO, Vec3::ONE));
    assert_eq!(joined(&none, &some), []);
    assert_eq!(joined(&some, &none), []);
    assert_eq!(joined(&some, &some), [JoinPair { a: 3, b: 3 }]);
    let mut pairs = Vec::new();
    join_by_definition(&some, &some, &mut pairs);
    assert_eq!(pairs, [JoinPair { a: 3, b: 3 }]);
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
fn pairs_are_appended() {
    let unit = [Aabb::new(Vec3::ZERO, Vec3::ONE)];
    let mut pairs = vec![JoinPair { a: 7, b: 9 }];
    join(&unit, &unit, &mut pairs);
    join_by_definition(&unit, &unit, &mut pairs);
    assert_eq!(pairs, [7, 0, 0].map(|a| JoinPair { a, b: if a == 7 { 9 } else { 0 } }));
}

#[test]
fn pairs_and_their_order_are_the_same_on_any_number_of_threads() {
    let mut a = scattered(21, 20_000, -2.2..-1.8);
    let b = scattered(22, 30_000, -2.2..-1.8);
    a[5] = Aabb::around_sphere(Vec3::ZERO, 9.0);
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut pairs = Vec::new();
        pool.install(|| join(&a, &b, &mut pairs));
        pairs
    };
    let on_one = on(1);
    assert!(on_one.len() > 35_000, "{} pairs", on_one.len());
    for threads in [2, 3, 8] {
        assert!(on(threads) == on_one, "{threads} threads");
    }
    let (mut sorted, mut expected) = (on_one, Vec::new());
    sorted.sort_unstable();
    join_by_definition(&a, &b, &mut expected);
    assert!(sorted == expected);
}
