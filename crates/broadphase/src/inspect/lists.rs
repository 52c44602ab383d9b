//! Tests within a list, and numbers in words.

/// Calls `visit` with both objects of every test in a search of all pairs of a list.
pub(crate) fn replay_within(
    mut list: impl Iterator<Item = u32> + Clone,
    visit: &mut dyn FnMut(u32, u32),
) {
    while let Some(a) = list.next() {
        list.clone().for_each(|b| visit(a, b));
    }
}

/// Adds to each object the tests of a search of all pairs within each list, as [`replay_within`] visits them.
pub(crate) fn add_tests_within(
    lists: impl Iterator<Item: ExactSizeIterator<Item = u32>>,
    tests: &mut [u32],
) {
    for list in lists {
        let others = list.len().saturating_sub(1) as u32;
        for object in list {
            if let Some(tests) = tests.get_mut(object as usize) {
                *tests = tests.saturating_add(others);
            }
        }
    }
}

/// Visits the objects that an object is tested against in a search of all pairs within each list.
pub(crate) fn visit_others_within(
    lists: impl Iterator<Item: Iterator<Item = u32> + Clone>,
    object: u32,
    visit: &mut dyn FnMut(u32),
) {
    for list in lists {
        if list.clone().any(|listed| listed == object) {
            list.filter(|other| *other != object).for_each(&mut *visit);
        }
    }
}

/// A number of things in words: `1 node`, `2 nodes`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
