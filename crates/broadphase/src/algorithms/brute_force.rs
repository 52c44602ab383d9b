//! Every box against every other: the reference that all other algorithms are tested against.
//!
//! It is also the baseline of every speed-up, so it is written to be fast. Boxes are stored as a
//! structure of arrays, sixteen are compared per step without a branch, and rows are distributed over
//! the threads of the pool. A slow baseline would flatter the others.

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Inspect, tests_within};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::{Rows, SearchTasks};
use crate::{Aabb, Counters, Frame, Pair};

/// Its entry in the registry.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "Brute force",
    summary: "every object is compared with every other: n(n-1)/2 tests; the reference for all others",
    source: "Kurtanjek 2008, sections 3.1 and 4.1 (the classic method)",
    cost: "n²",
    watch_for: "the time: twice the objects take four times as long",
    memory: |n| n * 20,
    vectorised: true,
    ..Algorithm::new("brute-force", Kind::AllPairs, |_| Box::<BruteForce>::default())
};

/// The variant that compares one pair at a time, as the thesis did.
pub(crate) const ENTRY_SCALAR: Algorithm = Algorithm {
    vectorised: false,
    name: "Brute force, one pair at a time",
    summary: "every object is compared with every other, one at a time: n(n-1)/2 tests",
    ..ENTRY.variant("brute-force+scalar", |_| {
        Managed::boxed(AllPairs { boxes: BoxSet::scalar(), ..AllPairs::default() })
    })
};

/// Tests all pairs. O(n²) time, O(n) memory.
pub type BruteForce = Managed<AllPairs>;

/// Its structure.
#[derive(Clone, Debug, Default)]
pub struct AllPairs {
    boxes: BoxSet,
    tasks: SearchTasks,
}

memory!(AllPairs: boxes, tasks);

impl AllPairs {
    /// The present objects: boxes of absent ones are compared as well, and are no pairs of objects.
    fn present(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.boxes.len() as u32).filter(|object| !self.boxes.get(*object as usize).is_empty())
    }
}

impl Structure for AllPairs {
    fn update(&mut self, frame: &Frame<'_>) {
        self.boxes.fill(frame.boxes.iter());
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let (set, n) = (&self.boxes, self.boxes.len());
        self.tasks.run_triangle(0..n, pairs, |task, pairs, rows| {
            let pair = |i: usize, j: usize| Some(Pair { a: i as u32, b: j as u32 });
            task.find(set, Rows::Within(rows, n), frame, pairs, pair);
        });
    }

    fn counters(&self) -> Counters {
        let n = self.present().count() as u64;
        Counters { tests: n * n.saturating_sub(1) / 2, ..Counters::default() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(
            self.boxes.len(),
            frame.boxes.len(),
            "brute-force holds another number of boxes"
        );
        for (i, b) in frame.boxes.iter().enumerate() {
            let expected = if b.is_empty() { Aabb::EMPTY } else { *b };
            let held = self.boxes.get(i);
            assert_eq!(held, expected, "brute-force holds another box of object {i}");
        }
    }
}

impl Inspect for AllPairs {
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        tests_within(self.present(), &mut |a, b| visit(a, b, None));
    }
}
