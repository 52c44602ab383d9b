//! Numbers as short text.

/// A whole number with its digits in groups of three; from a million on with three digits and a
/// prefix of the SI, since longer numbers that change every frame cannot be read.
pub(super) fn compact(number: f64) -> String {
    for (size, prefix) in [(1e12, 'T'), (1e9, 'G'), (1e6, 'M')] {
        // A number that would be rounded up to the next prefix already takes it.
        if number >= size * 0.999_5 {
            let scaled = number / size;
            let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
            return format!("{scaled:.decimals$} {prefix}");
        }
    }
    let digits = format!("{number:.0}");
    match digits.len().checked_sub(3) {
        Some(split) if split > 0 => format!("{},{}", &digits[..split], &digits[split..]),
        _ => digits,
    }
}

/// Bytes in kB or MB.
pub(super) fn megabytes(bytes: f64) -> String {
    if bytes < 1e6 { format!("{:.0} kB", bytes / 1e3) } else { format!("{:.1} MB", bytes / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_three_digits_and_a_prefix() {
        let numbers = [0.0, 999.0, 1000.0, 77_879.4, 999_400.0, 999_600.0, 4_498_500.0];
        let expected = ["0", "999", "1,000", "77,879", "999,400", "1.00 M", "4.50 M"];
        assert_eq!(numbers.map(compact), expected);
        assert_eq!([12_345_678.0, 5e8, 2.5e9].map(compact), ["12.3 M", "500 M", "2.50 G"]);
    }
}
