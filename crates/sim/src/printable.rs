//! Names that come from outside, as they are printed.

use std::borrow::Cow;

/// Whether a terminal interprets a character instead of showing it: control characters, those that change the direction of
/// the text after them (Unicode's property `Bidi_Control`), and those without a width. They can disguise a name.
pub fn is_terminal_control(c: char) -> bool {
    let is_hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    c.is_control() || is_hidden
}

/// A text without characters that a terminal [interprets](is_terminal_control), line feeds and tabs excepted: each other one
/// is replaced by its escape, `\u{1b}`. A file's name may contain some.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_terminal_control(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let escape = |all: String, c: char| match is_escaped(c) {
        true => all + &c.escape_unicode().to_string(),
        false => all + c.encode_utf8(&mut [0; 4]),
    };
    Cow::Owned(text.chars().fold(String::new(), escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_a_terminal_interprets_are_escaped() {
        for (text, printed) in [
            ("žuta \"kocka\"\n\tb.scene", "žuta \"kocka\"\n\tb.scene"),
            ("\u{1b}[31mred\r", "\\u{1b}[31mred\\u{d}"),
            ("a\0b\u{9b}", "a\\u{0}b\\u{9b}"),
            // Shown as `gas.scene` where they are interpreted.
            ("\u{202e}enecs.sag", "\\u{202e}enecs.sag"),
            // Letters that are written from right to left are shown.
            ("קובייה", "קובייה"),
        ] {
            assert_eq!(printable(text), printed);
        }
        let hidden = [0x61c, 0x200b, 0x200e, 0x200f, 0x2060, 0xfeff, 0xe0041].into_iter();
        for code in hidden.chain(0x2028..=0x202e).chain(0x2066..=0x2069) {
            let c = char::from_u32(code).unwrap();
            assert_eq!(printable(&format!("a{c}b")), format!("a\\u{{{code:x}}}b"));
        }
    }
}
