//! Pairs of moving boxes: exact cases, an independent definition in whole numbers, and every algorithm.

use broadphase::{
    Aabb, Auto, Pair, SweptError, check_boxes, swept_boxes, swept_pairs, swept_pairs_by_definition,
};
use glam::{IVec3, Vec3};
use proptest::prelude::*;

#[test]
fn boxes_touch_that_meet_at_any_time_of_their_ways() {
    let past = |x: f32| x.next_up();
    // The start of a cube of side 2, its way past one about the origin that stays, and whether they touch.
    for (start, way, touch) in [
        // Just not at the last moment, nor at the first one.
        ([5.0, 0.0, 0.0], [past(-3.0), 0.0, 0.0], false),
        ([past(2.0), 0.0, 0.0], [1.0, 0.0, 0.0], false),
        // Sliding past each other.
        ([-9.0, past(2.0), 0.0], [18.0, 0.0, 0.0], false),
        // Corner against corner at a third of the way along x and y: a tie that no f64 holds.
        ([3.0, 1.0, 0.0], [-3.0, 3.0, 0.0], true),
        ([3.0, past(1.0), 0.0], [-3.0, 3.0, 0.0], false),
    ] {
        let boxes = [[0.0; 3], start].map(|at| Aabb::around_sphere(at.into(), 1.0));
        // Both move: only the difference counts.
        let common = Vec3::new(3.0, -8.0, 0.25);
        let (ways, mut pairs) = ([common, common + Vec3::from(way)], Vec::new());
        swept_pairs_by_definition(&boxes, &ways, &mut pairs).unwrap();
        assert_eq!(pairs.len(), usize::from(touch), "from {start:?} by {way:?}");
    }
}

#[test]
fn absent_boxes_touch_nothing_and_the_largest_may_move_inwards() {
    let (mut pairs, mut swept) = (Vec::new(), Vec::new());
    for (start, way) in [(Vec3::MIN, Vec3::ONE), (Vec3::MAX, Vec3::NEG_ONE)] {
        let start = Aabb::new(start.min(Vec3::ZERO), start.max(Vec3::ZERO));
        let boxes = [start, Aabb::EMPTY];
        swept_boxes(&boxes, &[way; 2], &mut swept).unwrap();
        assert_eq!([swept[0].union(&start), swept[1]], [swept[0], Aabb::EMPTY]);
        swept_pairs_by_definition(&boxes, &[way; 2], &mut pairs).unwrap();
        assert_eq!(pairs, []);
        let outwards = swept_boxes(&[start], &[-way], &mut swept);
        assert_eq!(outwards, Err(SweptError::Infinite { object: 0 }));
    }
}

#[test]
fn bad_boxes_and_displacements_are_refused() {
    let good = Aabb::around_sphere(Vec3::ZERO, 1.0);
    let bad = Aabb::new(Vec3::ZERO, Vec3::new(1.0, f32::NAN, 1.0));
    let far = Aabb::around_sphere(Vec3::X * 3e38, 1.0);
    let of_box = SweptError::from(check_boxes(&[good, bad]).unwrap_err());
    let of_way = SweptError::Displacement { object: 1 };
    for (boxes, ways, expected) in [
        (&[good, bad][..], &[Vec3::ZERO; 2][..], of_box),
        (&[good, good], &[Vec3::ZERO, Vec3::Z * f32::NAN], of_way),
        (&[good, good], &[Vec3::ZERO, Vec3::Z * f32::INFINITY], of_way),
        (&[good], &[Vec3::ZERO; 2], SweptError::Count { boxes: 1, displacements: 2 }),
        (&[far], &[Vec3::X * 3e38], SweptError::Infinite { object: 0 }),
    ] {
        let mut pairs = vec![Pair::new(7, 8)];
        let result = swept_pairs(boxes, ways, &mut Auto::default(), &mut pairs);
        assert_eq!((result, &pairs[..]), (Err(expected), &[Pair::new(7, 8)][..]));
    }
}

/// A corner, sides and a displacement in whole numbers.
type Whole = [IVec3; 3];

fn whole() -> impl Strategy<Value = Whole> {
    let vector = |range: std::ops::Range<i32>| prop::array::uniform3(range).prop_map(IVec3::from);
    [vector(-20..20), vector(0..9), vector(-20..20)]
}

/// The definition in whole numbers: every fraction of a bound of time is tried as the time of a touch.
fn touch_in_whole_numbers(
    &[corner_a, size_a, way_a]: &Whole,
    &[corner_b, size_b, way_b]: &Whole,
) -> bool {
    // Boxes overlap at the time numerator / denominator.
    let overlap_at = |(numerator, denominator): (i32, i32)| {
        let at = |corner: IVec3, way: IVec3| corner * denominator + way * numerator;
        let (a, b) = (at(corner_a, way_a), at(corner_b, way_b));
        (a.cmple(b + size_b * denominator) & b.cmple(a + size_a * denominator)).all()
    };
    let speed = way_b - way_a;
    let starts = [corner_a + size_a - corner_b, corner_a - corner_b - size_b];
    let meet =
        |axis: usize| starts.map(|start| (start[axis] * speed[axis].signum(), speed[axis].abs()));
    let is_within = |(numerator, denominator): &(i32, i32)| {
        *denominator > 0 && (0..=*denominator).contains(numerator)
    };
    // The first time of a touch is 0, or one at which a bound is met.
    let times = (0..3).flat_map(meet).filter(is_within);
    times.chain([(0, 1), (1, 1)]).any(overlap_at)
}

fn boxes_of(all: &[Whole], unit: f32) -> (Vec<Aabb>, Vec<Vec3>) {
    let vectors = all.iter().map(|whole| whole.map(|v| v.as_vec3() * unit));
    vectors.map(|[min, size, way]| (Aabb::new(min, min + size), way)).unzip()
}

proptest! {
    #[test]
    fn definition_is_that_of_whole_numbers(
        all in prop::collection::vec(whole(), 0..40),
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
        prop_assert_eq!(&pairs, &expected);
        let mut found = Vec::new();
        let candidates = swept_pairs(&boxes, &ways, &mut Auto::default(), &mut found).unwrap();
        found.sort_unstable();
        prop_assert!(found == expected && candidates >= found.len());
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
