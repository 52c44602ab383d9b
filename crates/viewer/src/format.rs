//! Numbers as short text.

use std::time::Duration;

/// A whole number with its digits in groups of three; from a million on with three digits and a
/// prefix of the SI, since longer numbers that change every frame cannot be read.
pub(crate) fn compact(number: f64) -> String {
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

/// A number of things: `1 block`, `2 blocks`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", compact(number as f64), if number == 1 { "" } else { "s" })
}

/// A text with its first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Bytes in kB, MB or GB.
pub(crate) fn megabytes(bytes: f64) -> String {
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// Milliseconds of a time in ns, in at most seven characters up to a quarter of an hour.
pub(crate) fn milliseconds(ns: f64) -> String {
    match ns / 1e6 {
        ms @ ..9.9995 => format!("{ms:.3}"),
        ms @ ..99.995 => format!("{ms:.2}"),
        ms @ ..999.95 => format!("{ms:.1}"),
        ms => compact(ms),
    }
}

/// The same, unless the time is too short for the clock: then how short it is.
pub(crate) fn milliseconds_from(shortest_ns: u64, ns: f64) -> String {
    if ns < shortest_ns as f64 {
        return format!("<{}", shortest_ns as f64 / 1e6);
    }
    milliseconds(ns)
}

/// A ratio in at most six characters up to a million.
pub(crate) fn ratio(ratio: f64) -> String {
    match ratio {
        ..99.995 => format!("{ratio:.2}"),
        ..999.5 => format!("{ratio:.0}"),
        _ => compact(ratio),
    }
}

/// A duration in seconds, with a decimal below ten.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.95 { format!("{seconds:.1} s") } else { format!("{} s", compact(seconds)) }
}

/// A number of at most three digits.
pub(crate) fn short(number: f32) -> String {
    if number >= 100.0 {
        compact(f64::from(number))
    } else if number >= 10.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_has_no_plural() {
        assert_eq!([0, 1, 2000].map(|n| counted(n, "pair")), ["0 pairs", "1 pair", "2,000 pairs"]);
    }

    #[test]
    fn large_numbers_have_three_digits_and_a_prefix() {
        let numbers = [0.0, 999.0, 1000.0, 77_879.4, 999_400.0, 999_600.0, 4_498_500.0];
        let expected = ["0", "999", "1,000", "77,879", "999,400", "1.00 M", "4.50 M"];
        assert_eq!(numbers.map(compact), expected);
        assert_eq!([12_345_678.0, 5e8, 2.5e9].map(compact), ["12.3 M", "500 M", "2.50 G"]);
    }

    #[test]
    fn figures_of_a_table_keep_their_width() {
        let times = [0.0, 1234.0, 9.9996e6, 1.234e9, 12_144_307e3, 899_999e6].map(milliseconds);
        assert_eq!(times, ["0.000", "0.001", "10.00", "1,234", "12,144", "899,999"]);
        assert_eq!([1.999e6, 2e6].map(|ns| milliseconds_from(2_000_000, ns)), ["<2", "2.000"]);
        assert_eq!(milliseconds_from(100_000, 0.0), "<0.1");
        let ratios = [0.004, 1.0, 99.996, 999.6, 1750.06, 99_999.4].map(ratio);
        assert_eq!(ratios, ["0.00", "1.00", "100", "1,000", "1,750", "99,999"]);
        let bytes = [12e3, 3.45e6, 10_004.8e6].map(megabytes);
        assert_eq!(bytes, ["12 kB", "3.5 MB", "10.0 GB"]);
        let times = [0.7, 3.24, 9.96, 1234.0].map(|s| seconds(Duration::from_secs_f64(s)));
        assert_eq!(times, ["0.7 s", "3.2 s", "10 s", "1,234 s"]);
    }
}
