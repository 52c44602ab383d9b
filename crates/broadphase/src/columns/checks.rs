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
    /// Tests in the frame after it; 0 before.
    tests: u64,
}

impl Checks {
    /// Begins a frame: whether it checks the columns, given its objects and the tests in the frame before.
    pub(super) fn is_due(&mut self, objects: usize, tests: u64) -> bool {
        self.tests = if self.tests == 0 { tests } else { self.tests };
        let is_due = self.left == 0
            || objects.abs_diff(self.objects) > self.objects / 8
            || tests > 2 * self.tests + objects as u64;
        self.left = self.left.saturating_sub(1);
        is_due
    }

    /// Records a check, and whether the columns stayed.
    pub(super) fn checked(&mut self, objects: usize, is_kept: bool) {
        let [few, many] = FRAMES_PER_CHECK;
        let every = if is_kept { (2 * self.every).min(many) } else { few };
        *self = Self { every, left: every, objects, tests: 0 };
    }
}
