//! Faulty algorithms, stopped steps, and orders in unusual sequences.

use crate::common::{
    Player, StoppingClock, TickingClock, clock, crowded, drawing, exported, found_here, row,
    session, steps,
};
use crate::panel::planted::{faulty, wrong};
use broadphase::Pair;
use broadphase::registry::Algorithm;
use measure::{Case, Phase};
use sim::Hold;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use viewer::session::{Drawing, Session, Stepped};
use viewer::simulation::{Notice, Order, Pace, Snapshot};
use viewer::view::View;

fn player(entry: &'static Algorithm) -> Player {
    Player::new(Session::new("test", &crowded(), entry, clock(), None).unwrap())
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
        let mut player = player(&BEYOND);
        player.order(Order::Compare(others));
        player.carry_out(Order::Step);
        player.order(Order::View(View { picked: Some(0), ..View::default() }));
        let Player { snapshot, .. } = &player;
        let notices = format!("{:?}", snapshot.notices);
        assert!(notices.contains("Stop(\"step 1: Beyond is wrong"), "{notices}");
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
            let mut player = player(if compared { row("bsp") } else { &TORN });
            if compared {
                player.order(Order::Compare(vec![&TORN]));
            }
            player.order(Order::Step);
            player.order(Order::Step);
            player.carry_out(Order::Step);
            player.carry_out(order.clone());
            let Player { snapshot, .. } = &player;
            let texts = format!("{:?}", snapshot.notices);
            assert!(texts.contains("Stop(\"Torn failed: planted\")"), "{order:?}: {texts}");
            assert!(!texts.contains("after its panic"), "{order:?}: {texts}");
            assert!(!snapshot.engine.running && snapshot.recorded < 3, "{order:?}");
            // A failed search is not repeated for display.
            player.carry_out(Order::GoTo(0));
            let notices = player.snapshot.notices.iter();
            let stops = notices.filter(|of| matches!(of, Notice::Stop(_))).count();
            assert!(stops == 1 || !compared, "{:?}", player.snapshot.notices);
            if matches!(order, Order::Algorithm(_)) && !compared {
                (0..5).for_each(|_| player.carry_out(Order::Step));
                assert!(player.snapshot.recorded >= 5, "another one runs on");
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
    // Pairs that are missing, found by a compared algorithm.
    let mut session = create(&ONCE);
    session.set_compared(&[row("bsp")]).unwrap();
    steps(&mut session, 9);
    assert!(stages(&session).is_some());
    let stepped = session.step(Hold::None).unwrap();
    assert!(matches!(stepped, Stepped::Disagreed(_)) && session.is_searched());
    assert_eq!(stages(&session), None);
    // Impossible pairs, in a step and in a search for display.
    for in_step in [true, false] {
        let mut session = create(row("bsp"));
        steps(&mut session, 2);
        assert!(stages(&session).is_some());
        session.set_algorithm(&BEYOND).unwrap();
        if in_step {
            session.step(Hold::None).unwrap_err();
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
    let mut session = clock.session(&Case::of_scene("test", crowded(), 0, 1), row("bsp"));
    steps(&mut session, 15);
    // Longer than the test, and stopped at one of its readings: the delay has a thousand.
    session.set_response_delay(Duration::from_millis(1000));
    clock.stop_at(100);
    let stepped = session.step(Hold::None).unwrap();
    assert!(matches!(stepped, Stepped::Done) && session.activity().go_on());
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
            if let Stepped::Disagreed(found) = session.step(Hold::None).unwrap() {
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
    session.go_to(2).unwrap();
    steps(&mut session, 1);
    session.drawn(of_epoch(before, 555), true);
    assert_eq!(drawn(&session), None);
}

#[test]
fn steps_and_exports_follow_the_sequence_of_orders() {
    let mut player = player(row("bsp"));
    (0..2).for_each(|_| player.order(Order::Step));
    player.carry_out(Order::Step);
    assert_eq!(player.snapshot.motion.steps, 3, "each order is one step");
    player.order(Order::Step);
    player.carry_out(Order::StepBack);
    assert_eq!(player.snapshot.motion.steps, 3, "a step and one back");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.csv");
    player.order(Order::Step);
    player.order(Order::ExportFrames(path.clone()));
    assert!(!path.exists());
    player.play();
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
    let mut player = player(&ONCE);
    player.carry_out(Order::GoTo(9));
    player.carry_out(Order::GoTo(14));
    let messages = |player: &mut Player, step| {
        player.carry_out(Order::GoTo(step));
        player.problems().concat()
    };
    assert_eq!(messages(&mut player, 9), "");
    // Spheres have the same boxes of any kind.
    player.order(Order::BoxKind(narrowphase::BoxKind::Sphere));
    let text = messages(&mut player, 13);
    assert!(text.contains("step 10: ") && text.contains("missed pairs"), "{text}");
    assert_eq!(messages(&mut player, 12), "", "once");
    player.carry_out(Order::Step);
    assert!(messages(&mut player, 11).contains("step 10: "), "again, once steps follow");
    // The step after an edit has a moment of the motion as it was, which is shown.
    let session = Session::new("test", &crate::common::tumbling(), &ONCE, clock(), None).unwrap();
    let mut player = Player::new(session);
    for (step, strict) in [(9, true), (11, false), (14, true)] {
        player.carry_out(Order::GoTo(step));
        player.order(Order::Edit(sim::Edit::Strict(strict)));
    }
    assert!(!messages(&mut player, 13).contains("missed pairs"));
    assert_eq!(messages(&mut player, 11), "");
    assert!(messages(&mut player, 10).contains("step 10: "));
}

#[test]
fn stopped_jump_is_taken_after_the_order_that_stopped_it() {
    let mut player = player(row("bsp"));
    for (target, order, step) in [
        (4, Order::Algorithm(row("kd-tree")), 4),
        (4, Order::StepBack, 3),
        (4, Order::GoTo(7), 7),
        (4, Order::Step, 5),
        (3, Order::Restart, 0),
    ] {
        player.carry_out(Order::GoTo(9));
        let activity = player.engine.session().activity().clone();
        activity.stop();
        player.order(Order::GoTo(target));
        assert_eq!((player.snapshot.motion.steps, player.snapshot.search.searched), (9, true));
        player.order(order.clone());
        activity.go_on();
        player.play();
        assert_eq!(player.snapshot.motion.steps, step, "{order:?}");
    }
}

#[test]
fn refused_scene_does_not_count_as_begun() {
    let mut player = player(row("bsp"));
    let begin = |objects| {
        let scene = sim::Scene { objects, ..crowded() };
        Order::Begin(Box::new(measure::Case::of_scene("other", scene, 0, 1)))
    };
    for (order, done, scene_order, label) in [
        (begin(4_000_000_000), 1, 0, "test"),
        (Order::Hold(Hold::Attract), 1, 0, "test"),
        (begin(30), 2, 2, "other"),
    ] {
        player.order(order);
        let Snapshot { engine, input, .. } = &player.snapshot;
        let shown = (engine.orders_done, engine.scene_order, &*input.label);
        assert_eq!(shown, (done, scene_order, label));
    }
}

#[test]
fn pairs_beyond_memory_stop_the_motion_and_the_viewer_goes_on() {
    let ball =
        sim::scene::Ball { center: glam::Vec3::ZERO, velocity: glam::Vec3::X, radius: Some(0.1) };
    // 80 billion pairs in 25 TB.
    let heap = sim::Scene { objects: 0, balls: vec![ball; 400_000], ..crowded() };
    let session = Session::new("heap", &heap, row("sweep-grid"), clock(), None).unwrap();
    let mut player = Player::new(session);
    // Where the objects are placed, in the first step, in a second attempt at it, and in motion.
    for (order, step) in [
        (None, 0),
        (Some(Order::Step), 1),
        (Some(Order::Step), 1),
        (Some(Order::Run(true)), 1),
        (Some(Order::Generate(Box::new(heap))), 0),
    ] {
        order.into_iter().for_each(|order| player.order(order));
        player.play();
        let problems = player.problems();
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert!(
            !player.snapshot.engine.running
                && problem.contains(&format!("step {step}: more than ")),
            "{problem}"
        );
        assert!(problem.contains(" pairs found, each of which"), "{problem}");
    }
    player.order(Order::Generate(Box::new(crowded())));
    player.order(Order::Algorithm(row("bsp")));
    player.carry_out(Order::Step);
    let Snapshot { motion, search, notices, .. } = &player.snapshot;
    assert_eq!((motion.steps, search.searched, notices.len()), (1, true, 0));
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
    let mut player = Player::new(session);
    let mut compare = |entries: Vec<&'static Algorithm>| {
        player.order(Order::Compare(entries));
        player.carry_out(Order::Step);
        let compared: Vec<_> = player.snapshot.compared.iter().map(|of| of.algorithm.id).collect();
        assert_eq!(compared, ["kd-tree"]);
        let problems = player.problems();
        let [text] = &problems[..] else { panic!("not one message: {problems:?}") };
        (text.clone(), player.snapshot.recorded)
    };
    let (text, recorded) = compare(vec![row("kd-tree"), &COSTLY]);
    let dropped = "No longer compared, being too slow: Costly (6.0 s a step, ";
    assert!(text.starts_with(dropped), "{text}");
    assert_eq!(recorded, 3, "its only search is recorded");
    let (text, recorded) = compare(vec![row("kd-tree"), &COSTLY, &COSTLY_TOO]);
    assert!(text.starts_with(dropped) && text.contains(", Costly too (6.0 s a step, "), "{text}");
    assert_eq!(recorded, 3 + 4);
}

#[test]
fn a_step_without_a_row_leaves_none_of_the_motion_before() {
    let mut session = session(crowded(), "bsp");
    steps(&mut session, 10);
    session.go_to(5).unwrap();
    session.set_algorithm(&BEYOND).unwrap();
    session.step(Hold::None).unwrap_err();
    let frames: Vec<u32> = exported(&session).iter().map(|row| row.frame).collect();
    assert_eq!((session.steps(), frames), (6, vec![0, 1, 2, 3, 4]));
}
