//! Boxes far from the origin: what rounding loses, and that it loses no pair.

use broadphase::Aabb;
use glam::DVec3;
use proptest::prelude::*;

/// The number before the unit in a cell of a table, in metres.
fn metres(cell: &str) -> f64 {
    let (number, unit) = cell.trim().split_once(' ').unwrap();
    let number: f64 = number.replace(',', "").parse().unwrap();
    number * if unit == "mm" { 1e-3 } else { 1.0 }
}

#[test]
fn documented_precision_is_the_distance_of_two_floats() {
    let page = include_str!("../../README.md");
    let rows = page.lines().skip_while(|line| !line.starts_with("| distance")).skip(2);
    let mut count = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.split('|').collect();
        let at = metres(cells[1]) as f32;
        let step = f64::from(at.next_up()) - f64::from(at);
        let documented = metres(cells[2]);
        assert!((documented / step - 1.0).abs() < 0.03, "{row}: {step} m");
        count += 1;
    }
    assert_eq!(count, 5);
}

/// Numbers of any size, many next to an `f32`.
fn number() -> impl Strategy<Value = f64> {
    let near = (any::<f32>(), -2i32..=2).prop_map(|(near, steps)| {
        let near = f64::from(near);
        (0..steps.abs()).fold(near, |at, _| if steps > 0 { at.next_up() } else { at.next_down() })
    });
    prop_oneof![near, any::<f64>().prop_filter("no NaN", |number| !number.is_nan())]
        .prop_filter("no NaN", |number| !number.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn rounded_box_is_the_smallest_around_the_exact_one(a in number(), b in number()) {
        let (low, high) = (a.min(b), a.max(b));
        let rounded = Aabb::from_f64(DVec3::splat(low), DVec3::splat(high));
        let limit = f64::from(f32::MAX);
        let (low, high) = (low.clamp(-limit, limit), high.clamp(-limit, limit));
        let [min, max] = [rounded.min.y, rounded.max.y];
        prop_assert!(rounded.is_finite());
        prop_assert!(f64::from(min) <= low && high <= f64::from(max));
        prop_assert!(min == f32::MAX || f64::from(min.next_up()) > low);
        prop_assert!(max == f32::MIN || f64::from(max.next_down()) < high);
    }
}

#[test]
fn exact_numbers_stay_and_larger_ones_become_the_largest() {
    let rounded = |min: f64, max: f64| {
        let b = Aabb::from_f64(DVec3::splat(min), DVec3::splat(max));
        [b.min.x, b.max.x]
    };
    let largest = f64::from(f32::MAX);
    for (min, max) in
        [(0.0, 0.5), (-largest, largest), (f64::from(f32::from_bits(1)), 16_777_216.0)]
    {
        assert_eq!(rounded(min, max), [min as f32, max as f32]);
    }
    assert_eq!(rounded(-1e-60, 1e-60), [-f32::from_bits(1), f32::from_bits(1)]);
    assert_eq!(rounded(0.1, 0.1), [0.1f32.next_down(), 0.1]);
    for beyond in [largest.next_up(), 1e300, f64::INFINITY] {
        assert_eq!(rounded(-beyond, beyond), [f32::MIN, f32::MAX]);
        assert_eq!(rounded(beyond, beyond), [f32::MAX; 2]);
        assert_eq!(rounded(-beyond, -beyond), [f32::MIN; 2]);
    }
}

#[test]
fn boxes_empty_in_f64_stay_empty_and_a_nan_is_no_box() {
    // Rounded outwards, it would be a point.
    let inverted = DVec3::new(1.0, 1.0 + 1e-12, 1.0);
    assert_eq!(Aabb::from_f64(inverted, DVec3::ONE), Aabb::EMPTY);
    assert_eq!(Aabb::from_f64(DVec3::INFINITY, DVec3::NEG_INFINITY), Aabb::EMPTY);
    for at in [DVec3::new(f64::NAN, 0.0, 0.0), DVec3::new(0.0, 5.0, f64::NAN)] {
        let b = Aabb::from_f64(at, DVec3::ONE);
        assert!(broadphase::check_boxes(&[b]).is_err(), "{at}");
    }
}
