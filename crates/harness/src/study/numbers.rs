//! Numbers as they stand on a page.

use measure::Ratio;

/// Three significant digits, without a power of ten.
pub(crate) fn figure(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = (3 - whole_digits).max(0) as usize;
    format!("{value:.decimals$}")
}

/// A ratio with its interval.
pub(crate) fn with_interval(ratio: Ratio) -> String {
    let Ratio { ratio, low, high } = ratio;
    let text = figure(ratio);
    if low == high { text } else { format!("{text} ({} to {})", figure(low), figure(high)) }
}

/// Nanoseconds as milliseconds.
pub(crate) fn milliseconds(ns: Option<u64>) -> String {
    ns.map_or("-".to_owned(), |ns| figure(ns as f64 / 1e6))
}

/// A count with its thousands kept apart.
pub(crate) fn count(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.001_234, "0.00123"),
            (0.5, "0.500"),
            (9.126, "9.13"),
            (31.24, "31.2"),
            (123.6, "124"),
            (45_678.0, "45678"),
        ] {
            assert_eq!(figure(value), text);
        }
        assert_eq!(count(1_144_045.2), "1,144,045");
        assert_eq!(count(12.0), "12");
        let ratio = Ratio { ratio: 2.0, low: 1.5, high: 2.5 };
        assert_eq!(with_interval(ratio), "2.00 (1.50 to 2.50)");
        assert_eq!(with_interval(Ratio { low: 2.0, high: 2.0, ..ratio }), "2.00");
    }
}
