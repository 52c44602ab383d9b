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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_helpers_skip_objects_beyond_the_slice() {
        let lists = || [vec![2, 9], vec![], vec![0, 2, 4]].into_iter();
        let mut tests = [1; 4];
        add_tests_within(lists(), &mut tests);
        assert_eq!(tests, [3, 1, 4, 1]);
        add_test(&mut tests)(3, 9);
        assert_eq!(tests, [3, 1, 4, 2]);
    }

    #[test]
    fn visits_are_of_the_other_objects() {
        let lists = [vec![2, 9], vec![], vec![0, 4, 2], vec![1]];
        for (object, expected) in [(2, vec![9, 0, 4]), (1, vec![]), (7, vec![])] {
            let mut others = Vec::new();
            visit_others_within(lists.iter().cloned(), object, &mut |other| others.push(other));
            assert_eq!(others, expected, "{object}");
        }
        let mut others = Vec::new();
        let mut visit = |other| others.push(other);
        let mut test = visit_other(2, &mut visit);
        [(2, 5), (5, 7), (6, 2), (2, 5)].into_iter().for_each(|(a, b)| test(a, b));
        drop(test);
        assert_eq!(others, [5, 6, 5]);
    }
}
