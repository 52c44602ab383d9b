//! Names that come from outside, as they are printed.

use std::borrow::Cow;

/// A text without control characters, line feeds and tabs excepted: each other one is replaced by its
/// escape, `\u{1b}`. A file's name may contain some, which a terminal would obey.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let escape = |all: String, c: char| match is_obeyed(c) {
        true => all + &c.escape_unicode().to_string(),
        false => all + c.encode_utf8(&mut [0; 4]),
    };
    Cow::Owned(text.chars().fold(String::new(), escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        for (text, printed) in [
            ("žuta \"kocka\"\n\tb.scene", "žuta \"kocka\"\n\tb.scene"),
            ("\u{1b}[31mred\r", "\\u{1b}[31mred\\u{d}"),
            ("a\0b\u{9b}", "a\\u{0}b\\u{9b}"),
        ] {
            assert_eq!(printable(text), printed);
        }
    }
}
