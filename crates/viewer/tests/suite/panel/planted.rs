//! Algorithms with planted faults.

use crate::common::row;
use broadphase::inspect::Inspect;
use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};

/// A right algorithm whose list of pairs is changed before it is reported.
struct Spoiled {
    right: Box<dyn BroadPhase>,
    spoil: fn(&Frame<'_>, &mut Vec<Pair>),
}

impl BroadPhase for Spoiled {
    fn update(&mut self, frame: &Frame<'_>) {
        self.right.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.right.find_pairs(frame, pairs);
        pairs.sort_unstable();
        (self.spoil)(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.right.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.right.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.right.validate(frame);
    }

    fn inspect(&self) -> &dyn Inspect {
        self.right.inspect()
    }
}

pub(crate) fn spoiled(
    settings: &Settings,
    spoil: fn(&Frame<'_>, &mut Vec<Pair>),
) -> Box<dyn BroadPhase> {
    Box::new(Spoiled { right: row("bsp").create(settings).unwrap(), spoil })
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
    spoiled(settings, |_, pairs| {
        if pairs.len() > 2 {
            pairs.remove(2);
        }
    })
});

/// Adds a pair of boxes that do not overlap.
pub(crate) static INVENTIVE: Algorithm = wrong("inventive", |settings| {
    spoiled(settings, |frame, pairs| pairs.extend(first_apart(frame.boxes)))
});

/// Reports the last pair twice.
pub(crate) static REPETITIVE: Algorithm = wrong("repetitive", |settings| {
    spoiled(settings, |_, pairs| pairs.extend(pairs.last().copied()))
});

pub(crate) fn first_apart(boxes: &[Aabb]) -> Option<Pair> {
    let apart = (1..boxes.len()).find(|&other| !boxes[0].overlaps(&boxes[other]));
    apart.map(|other| Pair::new(0, other as u32))
}
