//! Regions and tests from the lists of a structure.

/// Adds tests to an object, unless it is beyond the slice.
#[inline]
pub(crate) fn add_tests(tests: &mut [u32], object: u32, more: usize) {
    if let Some(tests) = tests.get_mut(object as usize) {
        *tests = tests.saturating_add(more as u32);
    }
}

/// Adds to each object the tests of a search of all pairs within each list.
pub(crate) fn add_tests_within(
    lists: impl Iterator<Item: IntoIterator<Item = u32, IntoIter: ExactSizeIterator>>,
    tests: &mut [u32],
) {
    for list in lists {
        let list = list.into_iter();
        let others = list.len().saturating_sub(1);
        list.for_each(|object| add_tests(tests, object, others));
    }
}

/// Adds each test that it is called with to both of its objects.
pub(crate) fn add_test(tests: &mut [u32]) -> impl FnMut(u32, u32) {
    |a, b| {
        add_tests(tests, a, 1);
        add_tests(tests, b, 1);
    }
}

/// Visits the other object of each test it is called with, if `object` is one of the two.
pub(crate) fn visit_other(object: u32, visit: &mut dyn FnMut(u32)) -> impl FnMut(u32, u32) {
    move |a, b| {
        if a == object {
            visit(b);
        }
        if b == object {
            visit(a);
        }
    }
}

/// Calls `visit` with both objects of every test in a search of all pairs of a list.
pub(crate) fn replay_within(
    mut list: impl Iterator<Item = u32> + Clone,
    visit: &mut dyn FnMut(u32, u32),
) {
    while let Some(a) = list.next() {
        list.clone().for_each(|b| visit(a, b));
    }
}

/// Visits the objects that an object is tested against in a search of all pairs within each list.
pub(crate) fn visit_others_within(
    lists: impl Iterator<Item: IntoIterator<Item = u32, IntoIter: Clone>>,
    object: u32,
    visit: &mut dyn FnMut(u32),
) {
    for list in lists {
        let list = list.into_iter();
        if list.clone().any(|listed| listed == object) {
            list.filter(|other| *other != object).for_each(&mut *visit);
        }
    }
}

/// A number of things in words: `1 node`, `2 nodes`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
