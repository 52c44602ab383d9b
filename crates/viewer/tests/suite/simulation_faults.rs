//! Faulty algorithms, stopped steps, and orders in unusual sequences.

use crate::common::{
    StoppingClock, TickingClock, clock, crowded, drawing, exported, found_here, platform, row,
    session, steps,
};
use crate::panel::planted::{faulty, wrong};
use broadphase::Pair;
use broadphase::registry::Algorithm;
use measure::Phase;
use sim::Hold;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use viewer::session::{Drawing, Session, Stepped};
use viewer::simulation::{Engine, Notice, Order, Pace, Snapshot};
use viewer::view::View;

fn engine(entry: &'static Algorithm) -> (Engine, Snapshot) {
    let session = Session::new("test", &crowded(), entry, clock(), None).unwrap();
    let snapshot = Snapshot::of(&session, &View::default());
    (Engine::new(session, platform(), false), snapshot)
}

/// Advances an engine until nothing is due.
fn settle(engine: &mut Engine) {
    for _ in 0..10 {
        if engine.due_in().is_none() {
            return;
        }
        engine.advance(&AtomicBool::new(false));
    }
    panic!("the engine never comes to rest");
}

/// Reports a pair with an object that does not exist.
static BEYOND: Algorithm =
    wrong("Beyond", |settings| faulty(settings, |_, _, pairs| pairs.push(Pair::new(0, 999))));

/// Panics in its second search.
static TORN: Algorithm =
    wrong("Torn", |settings| faulty(settings, |search, _, _| assert!(search < 2, "planted")));

/// Its tenth search finds nothing.
static ONCE: Algorithm = wrong("once", |settings| {
    faulty(settings, |search, _, pairs| {
        if search == 10 {
            pairs.clear();
        }
    })
});

#[test]
fn impossible_pair_is_reported_and_not_used() {
    for others in [vec![], vec![row("bsp")]] {
        let (mut engine, mut snapshot) = engine(&BEYOND);
        engine.obey(Order::Compare(others));
        engine.obey(Order::Step);
        settle(&mut engine);
        engine.obey(Order::View(View { picked: Some(0), ..View::default() }));
        engine.snapshot(&mut snapshot);
        let reported = snapshot
            .notices
            .iter()
            .any(|notice| matches!(notice, Notice::Stop(text) if text.contains("Beyond is wrong")));
        assert!(reported, "{:?}", snapshot.notices);
        assert!(snapshot.picked.as_ref().unwrap().candidates.is_empty());
        assert_eq!(snapshot.recorded, 0);
    }
}

#[test]
fn structure_is_not_used_after_its_panic() {
    let after: [Order; 6] = [
        Order::StepBack,
        Order::Pace(Pace::Times(2.0)),
        Order::Run(false),
        Order::Restart,
        Order::Algorithm(row("kd-tree")),
        Order::Compare(vec![row("bsp")]),
    ];
    for order in after {
        for compared in [false, true] {
            let (mut engine, mut snapshot) = engine(if compared { row("bsp") } else { &TORN });
            if compared {
                engine.obey(Order::Compare(vec![&TORN]));
            }
            engine.obey(Order::Step);
            engine.obey(Order::Step);
            engine.obey(Order::Step);
            settle(&mut engine);
            engine.obey(order.clone());
            settle(&mut engine);
            engine.snapshot(&mut snapshot);
            let texts = format!("{:?}", snapshot.notices);
            assert!(texts.contains("Stop(\"Torn failed: planted\")"), "{order:?}: {texts}");
            assert!(!texts.contains("after its panic"), "{order:?}: {texts}");
            assert!(!snapshot.engine.running && snapshot.recorded < 3, "{order:?}");
            // A failed search is not repeated for display.
            engine.obey(Order::GoTo(0));
            settle(&mut engine);
            engine.snapshot(&mut snapshot);
            let stops = snapshot.notices.iter().filter(|of| matches!(of, Notice::Stop(_))).count();
            assert!(stops == 1 || !compared, "{:?}", snapshot.notices);
            if matches!(order, Order::Algorithm(_)) && !compared {
                (0..5).for_each(|_| engine.obey(Order::Step));
                settle(&mut engine);
                assert!(engine.session().recorded() >= 5, "another one runs on");
            }
        }
    }
}

#[test]
fn stages_are_not_shown_with_a_search_that_they_did_not_test() {
    let create = |entry| {
        let scene = crate::common::tumbling();
        Session::new("test", &scene, entry, clock(), None).unwrap()
    };
    let stages = |session: &Session| session.found().unwrap().stages;
    let never = AtomicBool::new(false);
    // Pairs that are missing, found by a compared algorithm.
    let mut session = create(&ONCE);
    session.set_compared(&[row("bsp")]).unwrap();
    steps(&mut session, 9);
    assert!(stages(&session).is_some());
    let stepped = session.step(Hold::None, &never).unwrap();
    assert!(matches!(stepped, Stepped::Disagreed(_)) && session.is_searched());
    assert_eq!(stages(&session), None);
    // Impossible pairs, in a step and in a search for display.
    for in_step in [true, false] {
        let mut session = create(row("bsp"));
        steps(&mut session, 2);
        assert!(stages(&session).is_some());
        session.set_algorithm(&BEYOND).unwrap();
        if in_step {
            session.step(Hold::None, &never).unwrap_err();
        } else {
            found_here(&mut session).unwrap_err();
        }
        assert!(session.is_searched());
        assert_eq!(stages(&session), None, "{in_step}");
    }
}

#[test]
fn response_with_a_stopped_delay_is_recorded_as_warmup() {
    let clock = StoppingClock::leaked();
    let mut session = Session::new("test", &crowded(), row("bsp"), clock, None).unwrap();
    steps(&mut session, 15);
    // Longer than the test, and stopped at one of its readings: the delay has a thousand.
    session.set_response_delay(Duration::from_millis(1000));
    clock.stop_at.store(clock.readings.load(SeqCst) + 100, SeqCst);
    let stepped = session.step(Hold::None, &clock.stop).unwrap();
    assert!(matches!(stepped, Stepped::Done));
    session.set_response_delay(Duration::ZERO);
    steps(&mut session, 1);
    let rows = exported(&session);
    assert!(rows[15].hits > Some(0) && rows[15].response_ns < Some(900_000_000));
    let phases = [rows[14].phase, rows[15].phase, rows[16].phase];
    assert_eq!(phases, [Phase::Measure, Phase::Warmup, Phase::Measure]);
}

#[test]
fn wrong_compared_algorithm_does_not_change_the_motion() {
    for (running, compared) in [(row("bsp"), &ONCE), (&ONCE, row("bsp"))] {
        let mut session = Session::new("test", &crowded(), running, clock(), None).unwrap();
        let mut reference = crate::common::session(crowded(), "brute-force");
        session.set_compared(&[compared]).unwrap();
        let mut disagreed = Vec::new();
        for step in 1..=20 {
            if let Stepped::Disagreed(found) =
                session.step(Hold::None, &AtomicBool::new(false)).unwrap()
            {
                assert_eq!(found.wrong.id, "once");
                disagreed.push(step);
            }
            steps(&mut reference, 1);
        }
        assert_eq!(disagreed, [10]);
        assert_eq!(session.world().unwrap().hash(), reference.world().unwrap().hash());
        let own: Vec<u64> = session.history().frames.iter().map(|frame| frame.step).collect();
        let others: Vec<u64> = session.compared()[0].times.iter().map(|time| time.step).collect();
        assert_eq!(own, others, "neither history holds the step");
        assert!(own.len() == 19 && !own.contains(&10));
    }
}

#[test]
fn drawing_times_of_an_earlier_epoch_are_ignored() {
    let mut session = session(crowded(), "bsp");
    session.set_compared(&[row("kd-tree")]).unwrap();
    steps(&mut session, 3);
    let before = session.motion().epoch();
    let scene = session.world().unwrap().recipe().clone();
    session.generate(&scene).unwrap();
    steps(&mut session, 3);
    let of_epoch = |epoch, render_ns| Drawing { epoch, ..drawing(3, 0, render_ns) };
    let drawn = |session: &Session| {
        let rows = exported(session);
        let [.., running, compared] = &rows[..] else { panic!("{rows:?}") };
        assert_eq!(compared.render_ns, None);
        running.render_ns
    };
    session.drawn(of_epoch(before, 777), true);
    assert_eq!(drawn(&session), None);
    session.drawn(of_epoch(session.motion().epoch(), 777), true);
    assert_eq!(drawn(&session), Some(777));
    let before = session.motion().epoch();
    session.step_back().unwrap();
    steps(&mut session, 1);
    session.drawn(of_epoch(before, 555), true);
    assert_eq!(drawn(&session), None);
}

#[test]
fn steps_and_exports_follow_the_sequence_of_orders() {
    let (mut engine, _) = engine(row("bsp"));
    for _ in 0..3 {
        engine.obey(Order::Step);
    }
    settle(&mut engine);
    assert_eq!(engine.session().world().unwrap().steps(), 3, "each order is one step");

    engine.obey(Order::Step);
    engine.obey(Order::StepBack);
    settle(&mut engine);
    assert_eq!(engine.session().world().unwrap().steps(), 3, "a step and one back");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.csv");
    engine.obey(Order::Step);
    engine.obey(Order::ExportFrames(path.clone()));
    assert!(!path.exists());
    settle(&mut engine);
    assert_eq!(std::fs::read_to_string(path).unwrap().lines().count(), 1 + 4);
}

#[test]
fn removing_a_compared_algorithm_keeps_agreed_steps() {
    let mut session = session(crowded(), "bsp");
    session.set_compared(&[row("kd-tree"), row("sap-matrix")]).unwrap();
    steps(&mut session, 20);
    session.set_compared(&[row("kd-tree")]).unwrap();
    assert_eq!(session.agreed_steps(), 20);
    session.set_compared(&[row("kd-tree"), row("brute-force")]).unwrap();
    assert_eq!(session.agreed_steps(), 0);
}

#[test]
fn jump_past_missed_pairs_says_that_the_motion_differs() {
    let (mut engine, mut snapshot) = engine(&ONCE);
    engine.obey(Order::GoTo(9));
    settle(&mut engine);
    engine.obey(Order::GoTo(14));
    settle(&mut engine);
    let mut messages = |engine: &mut Engine, step| {
        engine.obey(Order::GoTo(step));
        settle(engine);
        engine.snapshot(&mut snapshot);
        snapshot.notices.drain(..).map(|notice| format!("{notice:?}")).collect::<String>()
    };
    assert_eq!(messages(&mut engine, 9), "");
    // Spheres have the same boxes of any kind.
    engine.obey(Order::BoxKind(narrowphase::BoxKind::Sphere));
    let text = messages(&mut engine, 13);
    assert!(text.contains("step 10: ") && text.contains("missed pairs"), "{text}");
    assert_eq!(messages(&mut engine, 12), "", "once");
    engine.obey(Order::Step);
    settle(&mut engine);
    assert!(messages(&mut engine, 11).contains("step 10: "), "again, once steps follow");
    // The step after an edit has a moment of the motion as it was, which is shown.
    let session = Session::new("test", &crate::common::tumbling(), &ONCE, clock(), None).unwrap();
    let mut engine = Engine::new(session, platform(), false);
    for (step, strict) in [(9, true), (11, false), (14, true)] {
        engine.obey(Order::GoTo(step));
        settle(&mut engine);
        engine.obey(Order::Edit(sim::Edit::Strict(strict)));
    }
    assert!(!messages(&mut engine, 13).contains("missed pairs"));
    assert_eq!(messages(&mut engine, 11), "");
    assert!(messages(&mut engine, 10).contains("step 10: "));
}

#[test]
fn stopped_jump_is_taken_after_the_order_that_stopped_it() {
    let (mut engine, _) = engine(row("bsp"));
    let stop = AtomicBool::new(true);
    for (target, order, step) in [
        (4, Order::Algorithm(row("kd-tree")), 4),
        (4, Order::StepBack, 3),
        (4, Order::GoTo(7), 7),
        (4, Order::Step, 5),
        (3, Order::Restart, 0),
    ] {
        engine.obey(Order::GoTo(9));
        settle(&mut engine);
        engine.obey_unless(Order::GoTo(target), &stop);
        assert_eq!((engine.session().steps(), engine.session().is_searched()), (9, true));
        engine.obey_unless(order.clone(), &stop);
        settle(&mut engine);
        assert_eq!(engine.session().steps(), step, "{order:?}");
    }
}

#[test]
fn refused_scene_does_not_count_as_begun() {
    let (mut engine, mut snapshot) = engine(row("bsp"));
    let begin = |objects| {
        let scene = sim::Scene { objects, ..crowded() };
        Order::Begin(Box::new(measure::Case::of_scene("other", scene, 0, 1)))
    };
    engine.obey(begin(4_000_000_000));
    engine.snapshot(&mut snapshot);
    assert_eq!(
        (snapshot.engine.orders_done, snapshot.engine.scene_order, &*snapshot.input.label),
        (1, 0, "test")
    );
    engine.obey(Order::Hold(Hold::Attract));
    engine.obey(begin(30));
    engine.snapshot(&mut snapshot);
    assert_eq!(
        (snapshot.engine.orders_done, snapshot.engine.scene_order, &*snapshot.input.label),
        (2, 2, "other")
    );
}

#[test]
fn pairs_beyond_memory_stop_the_motion_and_the_viewer_goes_on() {
    let ball =
        sim::scene::Ball { center: glam::Vec3::ZERO, velocity: glam::Vec3::X, radius: Some(0.1) };
    // 80 billion pairs in 25 TB.
    let heap = sim::Scene { objects: 0, balls: vec![ball; 400_000], ..crowded() };
    let session = Session::new("heap", &heap, row("sweep-grid"), clock(), None).unwrap();
    let mut snapshot = Snapshot::of(&session, &View::default());
    let mut engine = Engine::new(session, platform(), false);
    let mut problem = |engine: &mut Engine| {
        settle(engine);
        engine.snapshot(&mut snapshot);
        let problems: Vec<String> = snapshot.notices.drain(..).map(|n| format!("{n:?}")).collect();
        assert!(!snapshot.engine.running && problems.len() == 1, "{problems:?}");
        problems[0].clone()
    };
    // Where the objects are placed, in the first step, in a second attempt at it, and in motion.
    for (order, step) in [
        (None, 0),
        (Some(Order::Step), 1),
        (Some(Order::Step), 1),
        (Some(Order::Run(true)), 1),
        (Some(Order::Generate(Box::new(heap))), 0),
    ] {
        order.into_iter().for_each(|order| engine.obey(order));
        let problem = problem(&mut engine);
        assert!(problem.contains(&format!("step {step}: more than ")), "{problem}");
        assert!(problem.contains(" pairs found, each of which"), "{problem}");
    }
    engine.obey(Order::Generate(Box::new(crowded())));
    engine.obey(Order::Algorithm(row("bsp")));
    engine.obey(Order::Step);
    settle(&mut engine);
    engine.snapshot(&mut snapshot);
    assert_eq!(
        (snapshot.motion.steps, snapshot.search.searched, snapshot.notices.len()),
        (1, true, 0)
    );
}

/// Searches of [`COSTLY`] pass time, too.
static SHARED_CLOCK: TickingClock = TickingClock(AtomicU64::new(0));

/// Takes six seconds, by the clock of its test.
const COSTLY: Algorithm = wrong("Costly", |settings| {
    faulty(settings, |_, _, _| _ = SHARED_CLOCK.0.fetch_add(6_000_000_000, SeqCst))
});

const COSTLY_TOO: Algorithm = Algorithm { id: "costly-too", name: "Costly too", ..COSTLY };

#[test]
fn far_too_slow_compared_algorithm_is_dropped_with_a_note() {
    let session = Session::new("test", &crowded(), row("bsp"), &SHARED_CLOCK, None).unwrap();
    let mut snapshot = Snapshot::of(&session, &View::default());
    let mut engine = Engine::new(session, platform(), false);
    engine.obey(Order::Compare(vec![row("kd-tree"), &COSTLY]));
    engine.obey(Order::Step);
    settle(&mut engine);
    engine.snapshot(&mut snapshot);
    let compared: Vec<_> = snapshot.compared.iter().map(|compared| compared.algorithm.id).collect();
    assert_eq!(compared, ["kd-tree"]);
    let Notice::Problem(text) = &snapshot.notices[0] else { panic!("{:?}", snapshot.notices) };
    assert!(text.contains("Costly") && text.contains("6.0 s a step, "), "{text}");
    assert_eq!(snapshot.notices.len(), 1);
    assert_eq!(snapshot.recorded, 3, "its only search is recorded");
    engine.obey(Order::Step);
    settle(&mut engine);
    assert_eq!(engine.session().recorded(), 5);
    engine.obey(Order::Compare(vec![row("kd-tree"), &COSTLY, &COSTLY_TOO]));
    engine.obey(Order::Step);
    settle(&mut engine);
    snapshot.notices.clear();
    engine.snapshot(&mut snapshot);
    let Notice::Problem(text) = &snapshot.notices[0] else { panic!("{:?}", snapshot.notices) };
    let is_one_message = snapshot.notices.len() == 1
        && text.starts_with("No longer compared, being too slow: Costly (6.0 s a step, ")
        && text.contains(", Costly too (6.0 s a step, ");
    assert!(is_one_message, "{:?}", snapshot.notices);
}

#[test]
fn a_step_without_a_row_leaves_none_of_the_motion_before() {
    let mut session = session(crowded(), "bsp");
    steps(&mut session, 10);
    session.go_to(5).unwrap();
    session.set_algorithm(&BEYOND).unwrap();
    session.step(Hold::None, &AtomicBool::new(false)).unwrap_err();
    let frames: Vec<u32> = exported(&session).iter().map(|row| row.frame).collect();
    assert_eq!((session.steps(), frames), (6, vec![0, 1, 2, 3, 4]));
}
