//! A steady frame of a cell allocates nothing.

use crate::ALLOCATOR;
use sim::atlas::{Cell, Motion, Placement};

pub(crate) fn frames_of_a_cell_allocate_nothing_after_the_first() {
    let allocations = || ALLOCATOR.stats().allocations + ALLOCATOR.stats().reallocations;
    let mut boxes = Vec::new();
    for &placement in Placement::ALL {
        for &motion in Motion::ALL {
            for churn in [0.0, 0.001, 0.02, 1.0] {
                let cell = Cell { placement, motion, churn, objects: 700, ..Cell::plain(3) };
                let cell = Cell { movers: 0.3, changing_movers: true, ..cell };
                let before = allocations();
                let mut start = cell.start();
                assert!(allocations() > before, "the counter counts nothing");
                start.next_frame(&mut boxes);
                let before = allocations();
                (1..300).for_each(|_| start.next_frame(&mut boxes));
                assert_eq!(allocations(), before, "{}", cell.describe());
            }
        }
    }
}
