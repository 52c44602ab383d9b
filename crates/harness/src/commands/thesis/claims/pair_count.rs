//! The number of pairs in section 3.2 of the thesis.

use super::check::ClaimOutcome;

/// The calculation of the thesis, repeated.
pub(super) fn pair_count() -> ClaimOutcome {
    let pairs = |n: u64| n * (n - 1) / 2;
    let (objects, leaves) = (10_000u64, 1 << 9);
    let all = pairs(objects);
    let split = leaves * pairs(objects.div_ceil(leaves));
    let fewer = all as f64 / split as f64;
    let holds = all == 5_000_000 && (fewer - 50.0).abs() < 12.5;
    ClaimOutcome::of(
        holds,
        format!("{all} pairs; {split} in {leaves} leaves of equal load, {fewer:.0} times fewer"),
    )
}
