//! Tests within a list, and numbers in words.

/// Calls `visit` with both objects of every test in a search of all pairs of a list.
pub(crate) fn tests_within(
    mut list: impl Iterator<Item = u32> + Clone,
    visit: &mut dyn FnMut(u32, u32),
) {
    while let Some(a) = list.next() {
        list.clone().for_each(|b| visit(a, b));
    }
}

/// A number of things in words: `1 node`, `2 nodes`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
