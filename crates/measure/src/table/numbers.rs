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
    fn numbers_are_rounded_for_reading() {
        let values = [0.0, 0.001_234, 0.5, 9.126, 123.6, 45_678.0, -2.0];
        let texts = ["0", "0.00123", "0.500", "9.13", "124", "45678", "-2.00"];
        assert_eq!(values.map(significant), texts);
        let values = [12.0, 999.0, 1_144_045.2, -123.0];
        assert_eq!(values.map(thousands), ["12", "999", "1,144,045", "-123"]);
        let values = [1_234_567.4, 150.5, 2.5, 0.0, 0.01];
        assert_eq!(values.map(mean_count), ["1,234,567", "150", "2.5", "0", "<0.1"]);
    }
}
