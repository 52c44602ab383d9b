//! Algorithms with planted faults.

use super::*;

/// A fault in a search, which knows its number, from 1.
type Fault = fn(u64, &Frame<'_>, &mut Vec<Pair>);

/// A right algorithm whose list of pairs is changed before it is reported, with a planted validation, which takes the number
/// of updates so far.
struct Faulty {
    right: Box<dyn BroadPhase>,
    updates: u64,
    searches: u64,
    fault: Fault,
    validate: fn(u64),
    /// It panicked, and must not be used any more.
    torn: bool,
}

impl BroadPhase for Faulty {
    fn update(&mut self, frame: &Frame<'_>) {
        assert!(!self.torn, "used after its panic");
        self.updates += 1;
        self.right.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.right.find_pairs(frame, pairs);
        pairs.sort_unstable();
        (self.searches, self.torn) = (self.searches + 1, true);
        (self.fault)(self.searches, frame, pairs);
        self.torn = false;
    }

    fn counters(&self) -> Counters {
        assert!(!self.torn, "used after its panic");
        self.right.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.right.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.right.validate(frame);
        (self.validate)(self.updates);
    }

    fn inspect(&self) -> &dyn Inspect {
        self.right.inspect()
    }
}

fn planted(settings: &Settings, fault: Fault, validate: fn(u64)) -> Box<dyn BroadPhase> {
    let right = row("bsp").create(settings).unwrap();
    Box::new(Faulty { right, updates: 0, searches: 0, fault, validate, torn: false })
}

pub(crate) fn faulty(settings: &Settings, fault: Fault) -> Box<dyn BroadPhase> {
    planted(settings, fault, |_| ())
}

pub(crate) fn validated(settings: &Settings, validate: fn(u64)) -> Box<dyn BroadPhase> {
    planted(settings, |_, _, _| (), validate)
}

pub(crate) const fn wrong(
    id: &'static str,
    build: fn(&Settings) -> Box<dyn BroadPhase>,
) -> Algorithm {
    Algorithm {
        name: id,
        summary: "wrong on purpose",
        source: "this test",
        ..Algorithm::new(id, Kind::Other, build)
    }
}

/// Omits the third pair.
pub(crate) static FORGETFUL: Algorithm = wrong("forgetful", |settings| {
    faulty(settings, |_, _, pairs| {
        if pairs.len() > 2 {
            pairs.remove(2);
        }
    })
});

/// Adds a pair of boxes that do not overlap.
pub(crate) static INVENTIVE: Algorithm = wrong("inventive", |settings| {
    faulty(settings, |_, frame, pairs| pairs.extend(first_apart(frame.boxes)))
});

/// Reports the last pair twice.
pub(crate) static REPETITIVE: Algorithm = wrong("repetitive", |settings| {
    faulty(settings, |_, _, pairs| pairs.extend(pairs.last().copied()))
});

pub(crate) fn first_apart(boxes: &[Aabb]) -> Option<Pair> {
    let apart = (1..boxes.len()).find(|&other| !boxes[0].overlaps(&boxes[other]));
    apart.map(|other| Pair::new(0, other as u32))
}
