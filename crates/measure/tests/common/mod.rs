//! A crowded scene, a clock that counts, and algorithms with planted faults.
#![allow(dead_code, reason = "every test binary takes what it needs")]

use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{BroadPhase, Counters, Frame, Layer, Pair};
use glam::Vec3;
use measure::{
    Case, Cell, Clock, FinishedRepetition, FrameRow, Instruments, MeasuredCase, Method, Outcome,
    Plan, Stages, VerifyReport, Watch, measure_case, verify_case,
};
use sim::Scene;
use sim::scene::{LayerRule, LayerTarget, Radius, Source};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// A flag that is never set.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// Every reading is 10 ns after the one before.
pub(crate) struct TickingClock(pub(crate) AtomicU64);

impl TickingClock {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }
}

impl Clock for TickingClock {
    fn now_ns(&self) -> u64 {
        self.0.fetch_add(10, SeqCst)
    }
}

/// A clock that moves only when it is set, and has only the stops that it is given.
pub(crate) struct SetClock {
    pub(crate) now_ns: AtomicU64,
    pub(crate) stopped_ns: AtomicU64,
}

impl SetClock {
    pub(crate) const fn new() -> Self {
        Self { now_ns: AtomicU64::new(0), stopped_ns: AtomicU64::new(0) }
    }
}

impl Clock for SetClock {
    fn now_ns(&self) -> u64 {
        self.now_ns.load(SeqCst)
    }

    fn stopped_ns(&self) -> u64 {
        self.stopped_ns.load(SeqCst)
    }
}

/// Sixty large, fast spheres in the cube: dozens of overlapping boxes and several hits a frame.
pub(crate) fn crowded_scene() -> Scene {
    let cube =
        Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true };
    Scene {
        objects: 60,
        radius: Radius::Equal(0.15),
        speed: 3.0,
        sources: vec![cube],
        ..Scene::default()
    }
}

pub(crate) fn crowded(warmup: u32, frames: u32) -> Case {
    Case::of_scene("crowded", crowded_scene(), warmup, frames)
}

/// The same cube with three sources of as many spheres: one static, and two groups that do not meet.
pub(crate) fn layered(warmup: u32, frames: u32) -> Case {
    let cube = crowded_scene().sources[0];
    let source = |percent| Source { percent, ..cube };
    let rule = |number, layer| LayerRule { target: LayerTarget::Source(number), layer };
    let scene = Scene {
        objects: 90,
        sources: vec![source(34.0), source(33.0), source(33.0)],
        layers: vec![
            rule(1, Layer::STATIC),
            rule(2, Layer { group: 1, mask: 0b011, ..Layer::ALL }),
            rule(3, Layer { group: 2, mask: 0b101, ..Layer::ALL }),
        ],
        ..crowded_scene()
    };
    Case::of_scene("layered", scene, warmup, frames)
}

pub(crate) fn plan<'a>(algorithms: &'a [&'a Algorithm], repeats: u32) -> Plan<'a> {
    Plan { order_seed: 1, memory_limit: u64::MAX, ..Plan::new(algorithms, &[1], repeats) }
}

/// Verifies against brute force, with all methods of bodies.
pub(crate) fn verify(case: &Case, plan: &Plan<'_>) -> VerifyReport {
    verify_by(case, row("brute-force"), plan, &SetClock::new())
}

pub(crate) fn verify_by(
    case: &Case,
    reference: &Algorithm,
    plan: &Plan<'_>,
    clock: &dyn Clock,
) -> VerifyReport {
    let methods = Method::all();
    let plan = Plan { stages: Some(Stages::Each(&methods)), ..*plan };
    let watch = Watch { observer: &mut (), stop: &NEVER, finished: Vec::new() };
    verify_case(case, reference, &plan, clock, watch).unwrap()
}

/// Measures with a clock of its own, counting no allocations.
pub(crate) fn measure(case: &Case, plan: &Plan<'_>) -> MeasuredCase {
    let clock = TickingClock::new();
    measure_case(case, plan, Instruments::new(&clock, None)).unwrap()
}

/// The repetitions of a cell.
pub(crate) fn repetitions(cell: &Cell) -> Vec<FinishedRepetition> {
    let finished = |samples: &[FrameRow]| FinishedRepetition {
        algorithm: cell.algorithm.clone(),
        threads: cell.threads,
        repeat: samples[0].repeat,
        spent_ns: 0,
        outcome: None,
        samples: samples.to_vec(),
    };
    cell.samples.chunk_by(|a, b| a.repeat == b.repeat).map(finished).collect()
}

pub(crate) fn outcome<'a>(measured: &'a MeasuredCase, algorithm: &str) -> &'a Outcome {
    &measured.cells.iter().find(|cell| cell.algorithm == algorithm).unwrap().outcome
}

pub(crate) fn row(id: &str) -> &'static Algorithm {
    broadphase::registry::find(id).unwrap()
}

/// The first frame in which faulty algorithms fail.
pub(crate) const FAULTY_FRAME: u32 = 3;

/// Changes what is found in a frame, whose number is from 0.
pub(crate) type Change = fn(u32, &Frame<'_>, &mut Vec<Pair>);

/// Brute force, then a change from a frame on.
pub(crate) struct Changed {
    pub(crate) inner: Box<dyn BroadPhase>,
    pub(crate) frame: u32,
    pub(crate) first: u32,
    pub(crate) is_unbounded: bool,
    pub(crate) change: Change,
    /// Called at each `update`, reading of the `counters`, and call of `validate`, by these names.
    pub(crate) hook: fn(&str),
}

impl Changed {
    pub(crate) fn new(settings: &Settings, change: Change) -> Self {
        let inner = row("brute-force").build(settings);
        Self { inner, frame: 0, first: 0, is_unbounded: false, change, hook: |_| {} }
    }
}

impl BroadPhase for Changed {
    fn update(&mut self, frame: &Frame<'_>) {
        (self.hook)("update");
        self.inner.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let bounded = if self.is_unbounded { &Frame::new(frame.boxes) } else { frame };
        self.inner.find_pairs(bounded, pairs);
        if self.frame >= self.first {
            (self.change)(self.frame, frame, pairs);
        }
        self.frame += 1;
    }

    fn counters(&self) -> Counters {
        (self.hook)("counters");
        self.inner.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.inner.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        (self.hook)("validate");
        self.inner.validate(frame);
    }
}

/// Brute force with a change after each search.
pub(crate) fn changed(settings: &Settings, change: Change) -> Box<dyn BroadPhase> {
    Box::new(Changed::new(settings, change))
}

/// Brute force with a fault from [`FAULTY_FRAME`] on.
fn faulty(settings: &Settings, change: Change) -> Box<dyn BroadPhase> {
    Box::new(Changed { first: FAULTY_FRAME, ..Changed::new(settings, change) })
}

/// The entry of a faulty algorithm.
pub(crate) const fn planted(
    id: &'static str,
    build: fn(&Settings) -> Box<dyn BroadPhase>,
) -> Algorithm {
    Algorithm {
        name: "planted",
        summary: "faulty on purpose",
        source: "none",
        ..Algorithm::new(id, Kind::Other, build)
    }
}

/// Leaves out its last pair.
pub(crate) static DROPS: Algorithm = planted("drops", |settings| {
    faulty(settings, |_, _, pairs| {
        pairs.sort_unstable();
        pairs.pop();
    })
});

/// Reports a pair twice.
pub(crate) static REPEATS: Algorithm =
    planted("repeats", |settings| faulty(settings, |_, _, pairs| pairs.push(pairs[0])));

/// Reports a pair whose boxes do not overlap, in place of one that does: the count is right.
pub(crate) static SWAPS: Algorithm = planted("swaps", |settings| {
    faulty(settings, |_, frame, pairs| {
        let n = frame.boxes.len() as u32;
        let apart = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| Pair { a, b }))
            .find(|p| !frame.boxes[p.a as usize].overlaps(&frame.boxes[p.b as usize]));
        pairs[0] = apart.expect("not all boxes overlap");
    })
});

/// Reports an object that does not exist, which the response would index out of bounds.
pub(crate) static INVENTS: Algorithm = planted("invents", |settings| {
    faulty(settings, |_, frame, pairs| pairs.push(Pair { a: 0, b: frame.boxes.len() as u32 }))
});

/// Ignores the layers.
pub(crate) static DEAF: Algorithm = planted("deaf", |settings| {
    faulty(settings, |_, frame, pairs| {
        let mut inner = row("brute-force").build(&Settings::new(frame.boxes.len()));
        measure::find_sorted(&mut *inner, &frame.layered(&[]), pairs);
    })
});

/// Panics.
pub(crate) static PANICS: Algorithm =
    planted("panics", |settings| faulty(settings, |_, _, _| panic!("planted panic")));
