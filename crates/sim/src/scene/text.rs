//! Lines, tokens and numbers of a text: where they start, and how they are shown.

/// Characters of a token that a message repeats.
const QUOTED: usize = 40;

/// Where the line of `offset` starts; a byte order mark belongs to no line.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(first_line(text), |newline| newline + 1)
}

/// Where the first line starts: behind the byte order mark with which some editors begin a file.
pub(super) fn first_line(text: &str) -> usize {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 }
}

/// The line of `offset`, from 1.
pub(super) fn line_number(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// A token in backquotes, cut and escaped.
pub(super) fn quote(token: &str) -> String {
    let cut = token.char_indices().nth(QUOTED).map_or(token.len(), |(index, _)| index);
    let dots = if cut < token.len() { "..." } else { "" };
    format!("`{}{dots}`", escape(&token[..cut]))
}

/// Control, format and combining characters as escapes; tabs stay, the renderer expands them.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\'' | '"' | '\\' => escaped.push(c),
            _ => escaped.extend(c.escape_debug()),
        }
    }
    escaped
}

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
