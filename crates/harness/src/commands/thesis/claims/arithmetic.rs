//! The sum of section 3.2.

use super::court::Ruling;

/// The sum that the thesis made by hand, made again.
pub(super) fn arithmetic() -> Ruling {
    let pairs = |n: u64| n * (n - 1) / 2;
    let (objects, leaves) = (10_000u64, 1 << 9);
    let all = pairs(objects);
    let split = leaves * pairs(objects.div_ceil(leaves));
    let fewer = all as f64 / split as f64;
    let holds = all == 5_000_000 && (fewer - 50.0).abs() < 12.5;
    Ruling::of(
        holds,
        format!("{all} pairs; {split} in {leaves} leaves of equal load, {fewer:.0} times fewer"),
    )
}
