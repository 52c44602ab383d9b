//! *Validate every step*.

use super::*;

/// Duration of a validation of [`SLOW`] by the [`SHARED_CLOCK`], in ns.
const VALIDATION_NS: u64 = 1_000_000_000_000;

/// Validations of [`SLOW`] pass time, too. Only one test uses it.
static SHARED_CLOCK: TickingClock = TickingClock(AtomicU64::new(0));

/// Fails its validation from the fourth update on.
static UNSOUND: Algorithm = wrong("unsound", |settings| {
    validated(settings, |updates| assert!(updates < 4, "leaf 5 lists object 7 twice"))
});

/// Its validation takes long, by the clock of its test.
static SLOW: Algorithm = wrong("slow", |settings| {
    validated(settings, |_| {
        SHARED_CLOCK.0.fetch_add(VALIDATION_NS, SeqCst);
    })
});

#[test]
fn a_failed_validation_stops_the_motion_and_is_reported() {
    for (compared, validates) in [(false, true), (true, true), (false, false)] {
        let mut bench = Bench::under(crowded(), if compared { row("bsp") } else { &UNSOUND });
        if compared {
            bench.set_up(|panel| panel.compare.open = true);
            bench.obey(Order::Compare(vec![&UNSOUND]));
        }
        bench.obey(Order::Validate(validates));
        let (last, rows) = (3, if compared { 2 } else { 1 });
        bench.steps(last);
        bench.obey(Order::Run(true));
        bench.steps(1);
        let failed = last + u32::from(validates);
        let words =
            format!("step {}: validation of unsound failed: leaf 5 lists object 7 twice", last + 1);
        assert_eq!(bench.has(Role::Label, &words), validates);
        assert_eq!(bench.stage().snapshot.engine.running, !validates, "the motion stops");
        let recorded = if validates { rows * last } else { last + 1 };
        assert_eq!(bench.session().recorded() as u32, recorded);
        // It is taken again with a new structure.
        bench.steps(1);
        assert!(bench.world().steps() >= u64::from(failed));
    }
}

#[test]
fn the_switch_validates_from_the_next_update_on() {
    let mut bench = Bench::of("kd-tree");
    bench.click_and_obey(Role::CheckBox, "Validate every step");
    bench.obey(Order::Restart);
    assert!(bench.is_ticked("Validate every step"), "a restart keeps the switch");
    bench.set_up(|panel| panel.compare.open = true);
    bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
    bench.steps(5);
    assert!(bench.stage().panel.toasts.notices().is_empty());
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
