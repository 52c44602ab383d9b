//! Pairs of moving boxes: exact cases, an independent definition in whole numbers, and every algorithm.

use broadphase::registry::{ALGORITHMS, Settings, find};
use broadphase::{
    Aabb, BadSweep, BoxFault, Pair, swept_boxes, swept_pairs, swept_pairs_by_definition,
};
use glam::Vec3;
use proptest::prelude::*;

/// Whether a box about the origin of side 2 that moves, and one that stays there, touch.
fn touches(start: [f32; 3], way: [f32; 3]) -> bool {
    let cube = |center: Vec3| Aabb::new(center - 1.0, center + 1.0);
    let boxes = [cube(Vec3::ZERO), cube(start.into())];
    let mut pairs = Vec::new();
    // Both move: only the difference counts.
    let common = Vec3::new(3.0, -8.0, 0.25);
    swept_pairs_by_definition(&boxes, &[common, common + Vec3::from(way)], &mut pairs).unwrap();
    !pairs.is_empty()
}

#[test]
fn boxes_touch_at_the_first_and_at_the_last_moment() {
    assert!(touches([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]), "at 0, then they part");
    assert!(touches([5.0, 0.0, 0.0], [-3.0, 0.0, 0.0]), "at 1");
    assert!(!touches([5.0, 0.0, 0.0], [-3.0f32.next_down().abs(), 0.0, 0.0]), "moving away");
    assert!(!touches([5.0, 0.0, 0.0], [(-3.0f32).next_up(), 0.0, 0.0]), "just before 1");
    assert!(!touches([2.0f32.next_up(), 0.0, 0.0], [1.0, 0.0, 0.0]), "just apart at 0");
}

#[test]
fn boxes_that_slide_along_each_other_touch() {
    assert!(touches([-9.0, 2.0, 0.0], [18.0, 0.0, 0.0]), "face to face");
    assert!(touches([-9.0, 2.0, 2.0], [18.0, 0.0, 0.0]), "edge to edge");
    assert!(!touches([-9.0, 2.000_001, 0.0], [18.0, 0.0, 0.0]), "apart");
}

#[test]
fn boxes_without_displacement_touch_where_they_overlap() {
    assert!(touches([2.0, 2.0, 2.0], [0.0; 3]) && touches([0.5, 0.0, 0.0], [0.0; 3]));
    assert!(!touches([0.0, 0.0, 2.000_001], [0.0; 3]));
}

#[test]
fn diagonal_way_passes_a_corner_at_one_time() {
    // Corner against corner at half of the way, and past it.
    assert!(touches([4.0, 0.0, 0.0], [-4.0, 4.0, 0.0]));
    assert!(!touches([4.000_001, 0.0, 0.0], [-4.0, 4.0, 0.0]));
    // At a third of the way along x and y: a tie that no f64 holds.
    assert!(touches([3.0, 1.0, 0.0], [-3.0, 3.0, 0.0]));
    assert!(!touches([3.0, 1.0f32.next_up(), 0.0], [-3.0, 3.0, 0.0]));
    assert!(touches([3.0, 1.0f32.next_down(), 0.0], [-3.0, 3.0, 0.0]));
}

#[test]
fn absent_boxes_touch_nothing() {
    let boxes = [Aabb::EMPTY, Aabb::around_sphere(Vec3::ZERO, 1.0), Aabb::EMPTY];
    let (mut pairs, mut swept) = (Vec::new(), Vec::new());
    swept_pairs_by_definition(&boxes, &[Vec3::X; 3], &mut pairs).unwrap();
    swept_boxes(&boxes, &[Vec3::X; 3], &mut swept).unwrap();
    assert_eq!((pairs.len(), swept[0].is_empty(), swept[1].is_empty()), (0, true, false));
}

#[test]
fn boxes_moving_inwards_from_the_largest_numbers_are_accepted() {
    let mut swept = Vec::new();
    for (start, way) in [(Vec3::MIN, Vec3::ONE), (Vec3::MAX, Vec3::NEG_ONE)] {
        let start = Aabb::new(start.min(Vec3::ZERO), start.max(Vec3::ZERO));
        swept_boxes(&[start], &[way], &mut swept).unwrap();
        assert_eq!(swept[0].union(&start), swept[0]);
        let outwards = swept_boxes(&[start], &[-way], &mut swept);
        assert_eq!(outwards, Err(BadSweep::Infinite { object: 0 }));
    }
}

#[test]
fn bad_boxes_and_displacements_are_refused() {
    let good = Aabb::around_sphere(Vec3::ZERO, 1.0);
    let bad = Aabb::new(Vec3::ZERO, Vec3::new(1.0, f32::NAN, 1.0));
    let mut brute = find("brute-force").unwrap().create(&Settings::new(2)).unwrap();
    let mut refused = |boxes: &[Aabb], ways: &[Vec3]| {
        let mut pairs = vec![Pair::new(7, 8)];
        let error = swept_pairs(boxes, ways, &mut *brute, &mut pairs).unwrap_err();
        assert_eq!(pairs, [Pair::new(7, 8)], "nothing is appended");
        error
    };
    let fault = refused(&[good, bad], &[Vec3::ZERO; 2]);
    assert!(
        matches!(fault, BadSweep::Box(bad) if bad.object == 1 && bad.fault == BoxFault::NotANumber)
    );
    for way in [f32::NAN, f32::INFINITY] {
        let fault = refused(&[good, good], &[Vec3::ZERO, Vec3::new(0.0, 0.0, way)]);
        assert_eq!(fault.to_string(), "object 1: its displacement is not finite");
    }
    let fault = refused(&[good], &[Vec3::ZERO; 2]);
    assert_eq!(fault.to_string(), "1 boxes have 2 displacements");
    let far = Aabb::around_sphere(Vec3::X * 3e38, 1.0);
    assert_eq!(refused(&[far], &[Vec3::X * 3e38]), BadSweep::Infinite { object: 0 });
}

/// A box of whole coordinates and a whole displacement.
fn whole() -> impl Strategy<Value = ([i32; 3], [i32; 3], [i32; 3])> {
    let near = || -20..20i32;
    let size = || 0..9i32;
    ([near(), near(), near()], [size(), size(), size()], [near(), near(), near()])
}

/// The definition in whole numbers: every fraction of a bound of time is tried as the time of a touch.
fn touch_in_whole_numbers(
    (corner_a, size_a, way_a): &([i32; 3], [i32; 3], [i32; 3]),
    (corner_b, size_b, way_b): &([i32; 3], [i32; 3], [i32; 3]),
) -> bool {
    // Boxes overlap at the time numerator / denominator.
    let overlap_at = |numerator: i64, denominator: i64| {
        (0..3).all(|axis| {
            let at = |corner: i32, way: i32| {
                i64::from(corner) * denominator + i64::from(way) * numerator
            };
            let (a, b) = (at(corner_a[axis], way_a[axis]), at(corner_b[axis], way_b[axis]));
            let [size_a, size_b] =
                [size_a[axis], size_b[axis]].map(|size| i64::from(size) * denominator);
            a <= b + size_b && b <= a + size_a
        })
    };
    let mut times = vec![(0, 1), (1, 1)];
    for axis in 0..3 {
        let speed = i64::from(way_b[axis] - way_a[axis]);
        let starts = [
            corner_a[axis] + size_a[axis] - corner_b[axis],
            corner_a[axis] - corner_b[axis] - size_b[axis],
        ];
        for start in starts.map(i64::from) {
            let (numerator, denominator) = (start * speed.signum(), speed.abs());
            if denominator > 0 && (0..=denominator).contains(&numerator) {
                times.push((numerator, denominator));
            }
        }
    }
    // The first time of a touch is 0, or one at which a bound is met.
    times.iter().any(|(numerator, denominator)| overlap_at(*numerator, *denominator))
}

fn boxes_of(all: &[([i32; 3], [i32; 3], [i32; 3])], unit: f32) -> (Vec<Aabb>, Vec<Vec3>) {
    let vector = |v: &[i32; 3]| Vec3::from(v.map(|x| x as f32)) * unit;
    let boxes = all.iter().map(|(corner, size, _)| {
        let min = vector(corner);
        Aabb::new(min, min + vector(size))
    });
    (boxes.collect(), all.iter().map(|(_, _, way)| vector(way)).collect())
}

proptest! {
    #[test]
    fn definition_is_that_of_whole_numbers(
        all in prop::collection::vec(whole(), 2..12),
        exponent in -60..60i32,
    ) {
        // Powers of two change no digit.
        let (boxes, ways) = boxes_of(&all, 2f32.powi(exponent));
        let mut pairs = Vec::new();
        swept_pairs_by_definition(&boxes, &ways, &mut pairs).unwrap();
        let count = all.len() as u32;
        let every = (0..count).flat_map(|a| (a + 1..count).map(move |b| Pair { a, b }));
        let expected: Vec<Pair> = every
            .filter(|pair| touch_in_whole_numbers(&all[pair.a as usize], &all[pair.b as usize]))
            .collect();
        prop_assert_eq!(pairs, expected);
    }

    #[test]
    fn every_algorithm_finds_the_pairs_of_the_definition(
        all in prop::collection::vec(whole(), 0..60),
        unit in prop_oneof![Just(1.0f32), Just(0.1), Just(1e-3), Just(1e7)],
    ) {
        let (boxes, ways) = boxes_of(&all, unit);
        let mut expected = Vec::new();
        swept_pairs_by_definition(&boxes, &ways, &mut expected).unwrap();
        for entry in ALGORITHMS {
            let Ok(mut algorithm) = entry.create(&Settings::new(boxes.len())) else { continue };
            let mut pairs = Vec::new();
            let candidates = swept_pairs(&boxes, &ways, &mut *algorithm, &mut pairs).unwrap();
            pairs.sort_unstable();
            prop_assert_eq!(&pairs, &expected, "{}", entry.id);
            prop_assert!(candidates >= pairs.len());
        }
    }

    #[test]
    fn swept_boxes_contain_both_ends(
        corner in [-1e6f32..1e6, -1.0f32..1.0, -1e-3f32..1e-3],
        way in [-1.0f32..1.0, -1e6f32..1e6, -1e-9f32..1e-9],
    ) {
        let (corner, way) = (Vec3::from(corner), Vec3::from(way));
        let start = Aabb::new(corner, corner + 1.0);
        let mut swept = Vec::new();
        swept_boxes(&[start], &[way], &mut swept).unwrap();
        let ends = [start.min, start.max].map(|at| [at.as_dvec3(), at.as_dvec3() + way.as_dvec3()]);
        for point in ends.into_iter().flatten() {
            prop_assert!(swept[0].min.as_dvec3().cmple(point).all());
            prop_assert!(point.cmple(swept[0].max.as_dvec3()).all());
        }
    }
}
