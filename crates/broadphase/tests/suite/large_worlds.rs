//! Boxes far from the origin: what rounding loses, and that it loses no pair.

use broadphase::{Aabb, check_boxes};
use glam::DVec3;
use proptest::prelude::*;

#[test]
fn documented_precision_is_the_distance_of_two_floats() {
    // The number before the unit in a cell of a table, in metres.
    let metres = |cell: &str| {
        let (number, unit) = cell.trim().split_once(' ').unwrap();
        let number: f64 = number.replace(',', "").parse().unwrap();
        number * if unit == "mm" { 1e-3 } else { 1.0 }
    };
    let page = include_str!("../../README.md");
    let rows = page.lines().skip_while(|line| !line.starts_with("| distance")).skip(2);
    let ratios = rows.take_while(|line| line.starts_with('|')).map(|row| {
        let cells: Vec<_> = row.split('|').collect();
        let at = metres(cells[1]) as f32;
        metres(cells[2]) / (f64::from(at.next_up()) - f64::from(at))
    });
    let ratios: Vec<f64> = ratios.collect();
    let are_right = ratios.iter().all(|ratio| (ratio - 1.0).abs() < 0.03);
    assert!(ratios.len() == 5 && are_right, "{ratios:?}");
}

/// Numbers of any size, many next to an `f32`.
fn number() -> impl Strategy<Value = f64> {
    let near = (any::<f32>(), -2i64..=2).prop_map(|(near, steps)| {
        f64::from_bits(f64::from(near).to_bits().wrapping_add_signed(steps))
    });
    prop_oneof![near, any::<f64>()].prop_filter("no NaN", |number| !number.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

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
fn boxes_empty_in_f64_stay_empty_and_a_nan_is_no_box() {
    // Rounded outwards, it would be a point.
    let inverted = DVec3::new(1.0, 1.0 + 1e-12, 1.0);
    assert_eq!(Aabb::from_f64(inverted, DVec3::ONE), Aabb::EMPTY);
    assert_eq!(Aabb::from_f64(DVec3::INFINITY, DVec3::NEG_INFINITY), Aabb::EMPTY);
    for at in [DVec3::new(f64::NAN, 0.0, 0.0), DVec3::new(0.0, 5.0, f64::NAN)] {
        assert!(check_boxes(&[Aabb::from_f64(at, DVec3::ONE)]).is_err(), "{at}");
    }
}
