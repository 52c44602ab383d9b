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

/// Advice on a text that was meant as a number, and is none. `None` if it does not begin as one.
///
/// A comma gets no proposal: `1,000` may be a thousand or one, or two numbers.
pub fn spelling_help(text: &str, whole: bool) -> Option<&'static str> {
    let digits = text.trim_start_matches(['+', '-', '\u{2212}', '.', ',']);
    if !digits.starts_with(char::is_numeric) {
        return None;
    }
    Some(match (text.contains(','), whole) {
        (true, _) => {
            "a comma neither groups digits, nor begins decimals, nor separates numbers: `1000`, `0.5`"
        }
        (false, true) => "a whole number has the digits 0 to 9 alone, as in `1000`",
        (false, false) => "a number is written as `1000`, `-0.5` or `1e3`",
    })
}
