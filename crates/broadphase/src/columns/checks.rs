//! When the columns are checked.

/// Frames between two checks of whether the columns still suit the boxes: the first value, doubled
/// up to the second while the columns stay suitable.
const FRAMES_PER_CHECK: [u32; 2] = [16, 128];

/// When the columns are checked: every few frames, and when there are many more objects or tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Checks {
    /// Frames from one check to the next, and those left until then.
    every: u32,
    left: u32,
    /// Objects at the last check.
    objects: usize,
    /// Tests in the first search after the columns were chosen or kept.
    tests: Option<u64>,
}

impl Checks {
    /// Begins a frame: whether it checks the columns, given its objects and the tests in the frame before, if all boxes were
    /// searched there.
    pub(super) fn is_due(&mut self, objects: usize, tests: Option<u64>) -> bool {
        let has_more = |tests| {
            // 0 is a number like any other: all boxes were absent.
            let usual = *self.tests.get_or_insert(tests);
            tests > 2 * usual + objects as u64
        };
        let is_due = tests.is_some_and(has_more)
            || self.left == 0
            || objects.abs_diff(self.objects) > self.objects / 8;
        self.left = self.left.saturating_sub(1);
        is_due
    }

    /// Records a check, and whether the columns stayed.
    pub(super) fn checked(&mut self, objects: usize, is_kept: bool) {
        let [few, many] = FRAMES_PER_CHECK;
        let every = if is_kept { (2 * self.every).min(many) } else { few };
        *self = Self { every, left: every, objects, tests: None };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_checked_when_tests_have_doubled() {
        for (usual, fewest) in [(0, 101), (1000, 2101)] {
            for (tests, expected) in [(fewest - 1, false), (fewest, true)] {
                let mut checks = Checks::default();
                assert!(checks.is_due(100, None), "the first frame");
                checks.checked(100, false);
                assert!(!checks.is_due(100, None), "no search");
                assert!(!checks.is_due(100, Some(usual)), "the usual tests");
                assert_eq!(checks.is_due(100, Some(tests)), expected, "{tests} after {usual}");
            }
        }
    }
}
