//! Numbers as text: one formatter for all tables and pages.

/// A number to three significant digits, without an exponent.
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = (3 - whole_digits).max(0) as usize;
    format!("{value:.decimals$}")
}

/// A number rounded to a whole one, with commas between its thousands.
pub fn thousands(value: f64) -> String {
    let text = format!("{value:.0}");
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
    let mut grouped = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A mean count: whole from 100 on, else with a decimal if it has a fraction. A small one is not shown as 0.
pub fn mean_count(mean: f64) -> String {
    match mean {
        m if m > 0.0 && m < 0.05 => "<0.1".to_owned(),
        m if m < 100.0 && m.fract() != 0.0 => format!("{m:.1}"),
        m => thousands(m),
    }
}

/// Nanoseconds as milliseconds, to a tenth of a microsecond.
pub fn milliseconds(ns: u64) -> String {
    format!("{:.4}", ns as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn significant_has_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.001_234, "0.00123"),
            (0.5, "0.500"),
            (9.126, "9.13"),
            (31.24, "31.2"),
            (123.6, "124"),
            (45_678.0, "45678"),
            (-2.0, "-2.00"),
        ] {
            assert_eq!(significant(value), text);
        }
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        for (value, text) in
            [(0.0, "0"), (12.0, "12"), (999.0, "999"), (1_144_045.2, "1,144,045"), (-123.0, "-123")]
        {
            assert_eq!(thousands(value), text);
        }
    }

    #[test]
    fn mean_counts_keep_a_decimal_below_a_hundred() {
        for (mean, text) in [
            (1_234_567.4, "1,234,567"),
            (999.0, "999"),
            (150.5, "150"),
            (2.5, "2.5"),
            (0.0, "0"),
            (0.01, "<0.1"),
        ] {
            assert_eq!(mean_count(mean), text);
        }
    }
}
