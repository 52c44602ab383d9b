//! Numbers as scene files write them.

/// A number in its shortest form that reads back as the same `f32`.
pub fn shortest_number(value: f32) -> String {
    // Without exponents, the extremes have dozens of digits.
    if value == 0.0 || (1e-4..1e9).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Numbers, a blank between each two.
pub(super) fn numbers(values: &[f32]) -> String {
    values.iter().map(|&value| shortest_number(value)).collect::<Vec<_>>().join(" ")
}
