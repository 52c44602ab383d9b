//! Every box against every other: the reference that all other algorithms are tested against.
//!
//! It is also the baseline of every speed-up, so it is written to be fast. Boxes are stored as a
//! structure of arrays, sixteen are compared per step without a branch, and rows are distributed over
//! the threads of the pool. A slow baseline would flatter the others.

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind};
use crate::inspect::Inspect;
use crate::memory::{Upkeep, copy, held, memory, tend};
use crate::parallel::{Rows, SearchTasks};
use crate::{BroadPhase, Counters, Frame, Pair, Query};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm::new("brute-force", Kind::AllPairs, |_| {
    Box::<BruteForce>::default()
})
.name("Brute force")
.summary("every object is compared with every other: n(n-1)/2 tests; the reference for all others")
.source("Kurtanjek 2008, sections 3.1 and 4.1 (the classic method)")
.cost("n²")
.watch_for("the time: twice the objects take four times as long")
.memory(|n| n * 80)
.vectorised(true);

/// The variant that compares one pair at a time, as the thesis did.
pub const ENTRY_SCALAR: Algorithm = ENTRY
    .variant("brute-force+scalar", |_| {
        Box::new(BruteForce { boxes: BoxSet::scalar(), ..BruteForce::default() })
    })
    .vectorised(false)
    .name("Brute force, one pair at a time")
    .summary("every object is compared with every other, one at a time: n(n-1)/2 tests");

/// Tests all pairs. O(n²) time, O(n) memory.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    boxes: BoxSet,
    tasks: SearchTasks,
    upkeep: Upkeep,
}

memory!(BruteForce: boxes, tasks, upkeep);

impl BruteForce {
    /// The present objects: boxes of absent ones are compared as well, and are no pairs of objects.
    fn present(&self) -> impl Iterator<Item = usize> {
        (0..self.boxes.len()).filter(|object| self.is_present(*object))
    }

    fn is_present(&self, object: usize) -> bool {
        object < self.boxes.len() && !self.boxes.get(object).is_empty()
    }
}

impl BroadPhase for BruteForce {
    fn update(&mut self, frame: &Frame<'_>) {
        tend(self, |all| &mut all.upkeep);
        self.boxes.copy_from(frame.boxes);
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

    fn heap_bytes(&self) -> usize {
        held(self)
    }

    fn try_clone(&self) -> Option<Box<dyn BroadPhase>> {
        Some(Box::new(copy(self)))
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(
            self.boxes.len(),
            frame.boxes.len(),
            "brute-force holds another number of boxes"
        );
        for (i, b) in frame.boxes.iter().enumerate() {
            let held = self.boxes.get(i);
            if b.is_empty() {
                assert!(held.is_empty(), "brute-force holds a box of absent object {i}");
            } else {
                assert_eq!(held, *b, "brute-force holds another box of object {i}");
            }
        }
    }

    fn query(&self) -> Option<&dyn Query> {
        Some(&self.upkeep.queries)
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl Inspect for BruteForce {
    fn tests_by_object(&self, tests: &mut [u32]) {
        let others = (self.present().count() as u32).saturating_sub(1);
        for (object, tests) in tests.iter_mut().enumerate() {
            *tests = if self.is_present(object) { others } else { 0 };
        }
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        let others = self.present().filter(|other| *other != object as usize);
        if self.is_present(object as usize) {
            others.for_each(|other| visit(other as u32));
        }
    }
}
