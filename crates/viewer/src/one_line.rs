//! Messages of several lines, as one.

/// Joins the indented lines in which graphics backends and window systems report an error.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_indents_become_single_spaces() {
        assert_eq!(one_line("nothing\n  at all\n"), "nothing at all");
    }
}
