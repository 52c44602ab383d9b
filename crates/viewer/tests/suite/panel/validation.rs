//! *Validate every step*.

use crate::common::bench::{Bench, Stage};
use crate::common::{TickingClock, clock, crowded, row};
use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use viewer::panel::Command;
use viewer::session::{FrameFigures, Session};
use viewer::simulation::Order;

/// Duration of a validation of [`SLOW`] by the [`SHARED_CLOCK`], in ns.
const VALIDATION_NS: u64 = 1_000_000_000_000;

/// Validations of [`SLOW`] pass time, too. Only one test uses it.
static SHARED_CLOCK: TickingClock = TickingClock(AtomicU64::new(0));

/// Brute force with a planted validation, which takes the number of updates so far.
struct Validated {
    pairs: Box<dyn BroadPhase>,
    updates: u64,
    validate: fn(u64),
}

impl BroadPhase for Validated {
    fn update(&mut self, frame: &Frame<'_>) {
        self.updates += 1;
        self.pairs.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.pairs.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.pairs.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.pairs.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.pairs.validate(frame);
        (self.validate)(self.updates);
    }
}

fn validated(settings: &Settings, validate: fn(u64)) -> Box<dyn BroadPhase> {
    let pairs = row("brute-force").create(settings).unwrap();
    Box::new(Validated { pairs, updates: 0, validate })
}

const fn planted(name: &'static str, build: fn(&Settings) -> Box<dyn BroadPhase>) -> Algorithm {
    Algorithm {
        name,
        summary: "has a planted validation",
        source: "this test",
        ..Algorithm::new(name, Kind::Other, build)
    }
}

/// Fails its validation from the fourth update on.
static UNSOUND: Algorithm = planted("unsound", |settings| {
    validated(settings, |updates| assert!(updates < 4, "leaf 5 lists object 7 twice"))
});

/// Its validation takes long, by the clock of its test.
static SLOW: Algorithm = planted("slow", |settings| {
    validated(settings, |_| {
        SHARED_CLOCK.0.fetch_add(VALIDATION_NS, SeqCst);
    })
});

#[test]
fn a_failed_validation_stops_the_motion_and_is_reported() {
    for compared in [false, true] {
        let driving = if compared { row("bsp") } else { &UNSOUND };
        let session = Session::new("crowded.scene", &crowded(), driving, clock(), None);
        let mut bench = Bench::new(session.unwrap());
        if compared {
            bench.stage().panel.compare.open = true;
            bench.obey(Order::Compare(vec![&UNSOUND]));
        }
        bench.obey(Order::Validate(true));
        let last = 3;
        bench.steps(last);
        assert_eq!(bench.session().recorded() as u32, if compared { 2 * last } else { last });
        bench.obey(Order::Run(true));
        bench.steps(1);
        let failed = last + 1;
        bench.harness.get_by_label(&format!(
            "step {failed}: validation of unsound failed: leaf 5 lists object 7 twice"
        ));
        assert!(!bench.stage().snapshot.engine.running, "the motion stops");
        assert_eq!(bench.session().recorded() as u32, if compared { 2 * last } else { last });
        // It is taken again with a new structure.
        bench.steps(1);
        assert_eq!(bench.session().world().unwrap().steps(), u64::from(failed));
    }
}

#[test]
fn without_the_switch_no_structure_is_validated() {
    let session = Session::new("a", &crowded(), &UNSOUND, clock(), None).unwrap();
    let mut bench = Bench::new(session);
    bench.steps(10);
    assert_eq!(bench.session().recorded(), 10);
    assert!(bench.stage().panel.toasts.notices().is_empty());
}

#[test]
fn the_switch_validates_from_the_next_update_on() {
    let mut bench = Bench::of("kd-tree");
    for wanted in [true, false] {
        let command = bench.click_and_obey(Role::CheckBox, "Validate every step");
        assert!(matches!(command, Command::Order(Order::Validate(validate)) if validate == wanted));
        assert_eq!(bench.session().validates(), wanted);
        assert_eq!(bench.is_ticked("Validate every step"), wanted);
    }
    bench.click_and_obey(Role::CheckBox, "Validate every step");
    bench.obey(Order::Restart);
    assert!(bench.is_ticked("Validate every step"), "a restart keeps the switch");
    bench.stage().panel.compare.open = true;
    bench.obey(Order::Compare(broadphase::registry::ALGORITHMS.iter().collect()));
    bench.steps(5);
    let notices = bench.harness.state().panel.toasts.notices();
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(bench.session().agreed_steps(), 5);
}

#[test]
fn validation_is_outside_of_the_measured_times() {
    let session = Session::new("a", &crowded(), &SLOW, &SHARED_CLOCK, None).unwrap();
    let mut stage = Stage::new(session);
    stage.step();
    stage.engine.obey(Order::Validate(true));
    let before = SHARED_CLOCK.0.load(SeqCst);
    stage.step();
    assert!(SHARED_CLOCK.0.load(SeqCst) >= before + VALIDATION_NS, "it was validated");
    let times = |frame: &FrameFigures| [frame.collision_ns(), frame.motion_ns];
    let frames: Vec<_> = stage.engine.session().history().frames.iter().map(times).collect();
    assert_eq!(frames[0], frames[1]);
}
