//! Traces and generated boxes, played by a session and an engine.

use crate::common::traces::{Trace, case_of, cube_at};
use crate::common::{Player, clock, crowded, found_here, row, session, steps};
use broadphase::Aabb;
use glam::Vec3;
use sim::{Edit, Hold};
use viewer::camera::Ray;
use viewer::composer::{Composer, SceneKey};
use viewer::session::Session;
use viewer::simulation::{Order, Snapshot};
use viewer::view::{Row, View};

#[test]
fn playback_stops_at_the_end_and_can_be_repeated() {
    let trace = Trace::new(30, 6);
    let mut player = Player::new(trace.session("bsp"));
    for _ in 0..2 {
        player.carry_out(Order::Run(true));
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (5, false));
        assert!(player.snapshot.search.searched && player.problems().is_empty());
    }
    player.order(Order::Step);
    assert_eq!(player.problems(), ["the recording ends with this frame"]);
    // An algorithm that is compared from now on searches the shown frame at once.
    player.carry_out(Order::Compare(vec![row("kd-tree")]));
    let compared = &player.snapshot.compared[0];
    assert!(compared.is_of_this_step && compared.times.is_empty() && compared.tests > 0);
    assert_eq!((player.snapshot.motion.steps, player.snapshot.recorded), (5, 5));
    player.order(Order::Loop(true));
    player.order(Order::Run(true));
    (0..11).for_each(|_| player.engine.advance());
    assert_eq!(player.engine.session().steps(), 4, "the first frame follows the last one");
    assert!(player.engine.session().history().rates.is_some(), "over the turns");
    player.engine.advance();
    for order in [Order::Run(false), Order::Loop(false)] {
        player.order(Order::Run(true));
        player.carry_out(order);
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (5, false));
    }
    player.carry_out(Order::Restart);
    assert_eq!((player.snapshot.motion.steps, player.snapshot.recorded), (0, 0));
}

#[test]
fn input_after_a_recording_that_ended_starts_as_the_first_one() {
    for plays in [true, false] {
        let trace = Trace::new(20, 4);
        let mut player = Player::new(trace.session("bsp"));
        if plays {
            player.carry_out(Order::Run(true));
        }
        player.order(Order::Begin(Box::new(trace.case())));
        assert_eq!((player.snapshot.engine.running, player.snapshot.motion.steps), (plays, 0));
        player.play();
        assert_eq!(player.snapshot.motion.steps, if plays { 3 } else { 0 }, "as it was stopped");
    }
}

#[test]
fn bad_box_stops_playback_at_its_frame() {
    let trace = Trace::new(30, 9);
    trace.spoil(4, 17);
    let mut player = Player::new(trace.session("bsp"));
    for order in [Order::Run(true), Order::Run(true), Order::Step, Order::GoTo(4)] {
        player.carry_out(order);
        let problems = player.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("a.bpt: frame 4, object 17: "), "{problems:?}");
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (3, false));
        assert_eq!(player.snapshot.objects.boxes, trace.frames[3]);
        assert!(player.snapshot.search.searched, "its pairs stay known");
    }
    player.order(Order::GoTo(5));
    player.carry_out(Order::Run(true));
    assert_eq!((player.snapshot.motion.steps, player.problems()), (8, Vec::new()));
    // Another file takes its place.
    Trace::new(30, 8).write(&trace.path());
    for (order, step) in [(Order::GoTo(7), 8), (Order::Run(true), 8)] {
        player.carry_out(order);
        let problems = player.problems();
        assert!(problems.len() == 1 && problems[0].contains("a.bpt: the file changed"));
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (step, false));
    }
    let whole = std::fs::read(trace.path()).unwrap();
    for is_removed in [false, true] {
        match is_removed {
            false => std::fs::write(trace.path(), &whole[..100]).unwrap(),
            true => std::fs::remove_file(trace.path()).unwrap(),
        }
        player.order(Order::GoTo(2));
        let problems = player.problems();
        assert!(problems.len() == 1 && problems[0].contains("a.bpt: "), "{problems:?}");
        assert_eq!(player.snapshot.motion.steps, 8);
    }
    std::fs::write(trace.path(), whole).unwrap();
    player.order(Order::Begin(Box::new(trace.case())));
    assert_eq!((player.snapshot.motion.steps, player.snapshot.motion.kept.clone()), (0, 0..=7));
    player.order(Order::GoTo(3));
    trace.spoil(0, 2);
    player.order(Order::Begin(Box::new(trace.case())));
    let problems = player.problems();
    assert!(problems.len() == 1 && problems[0].contains("frame 0, object 2"), "{problems:?}");
    let Snapshot { engine, input, motion, .. } = &player.snapshot;
    assert_eq!((engine.scene_order, motion.steps), (engine.orders_done - 2, 3));
    assert!(input.label.ends_with("a.bpt"), "{}", input.label);
}

#[test]
#[cfg(target_os = "linux")]
fn trace_of_three_gigabytes_is_streamed() {
    fn resident_bytes() -> u64 {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap();
        text.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 4096
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.bpt");
    // A sparse file: all boxes are the point at the origin.
    let (objects, frames) = (40_u32, 3_200_000_u32);
    let mut header = b"BPTRACE1".to_vec();
    for word in [objects, frames, 0.02_f32.to_bits(), 0] {
        header.extend(word.to_le_bytes());
    }
    std::fs::write(&path, header).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let bytes = 24 + u64::from(objects) * u64::from(frames) * 24;
    assert!(bytes > 3_000_000_000);
    file.set_len(bytes).unwrap();
    drop(file);

    let (case, before) = (case_of(&path), bytes_read());
    let mut session = Session::of_case(&case, row("bsp"), clock(), None).unwrap();
    if let (Some(before), Some(after)) = (before, bytes_read()) {
        // The first frame, those that the space is sampled from, and what is read ahead.
        assert!(after - before < 200_000, "{before} to {after}");
    }
    // The recorder's memory is taken at the first steps.
    steps(&mut session, 5);
    let before = resident_bytes();
    for frame in (0..u64::from(frames)).step_by(20_011) {
        assert_eq!(session.go_to(frame), Ok(true));
        session.step(Hold::None).unwrap();
    }
    assert_eq!(session.motion().kept(), 0..=u64::from(frames) - 1);
    assert!(session.timeline().bins().len() <= 1024);
    let grown = resident_bytes().saturating_sub(before);
    // Tests that run at the same time take memory, too, but none as much as the file.
    assert!(grown < bytes / 3, "{grown} bytes more");
}

#[test]
fn recording_is_played_and_not_changed() {
    let trace = Trace::new(30, 9);
    let mut player = Player::new(trace.session("bsp"));
    for order in [
        Order::Edit(Edit::Strict(true)),
        Order::Undo,
        Order::Generate(Box::new(crowded())),
        Order::Rename("b.scene".to_owned()),
        Order::ResponseDelay(std::time::Duration::from_millis(3)),
    ] {
        player.order(order);
        let problems = player.problems();
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert!(problem.ends_with("it can be played, not changed"), "{problem}");
    }
    player.order(Order::Hold(Hold::Attract));
    player.carry_out(Order::Step);
    assert_eq!(player.snapshot.objects.boxes, trace.frames[1]);
    assert!(player.snapshot.input.response_delay.is_zero() && player.problems().is_empty());
}

#[test]
fn later_step_of_a_scene_is_reached_by_taking_steps() {
    let mut reference = session(crowded(), "bsp");
    steps(&mut reference, 23);
    let mut player = Player::new(session(crowded(), "bsp"));
    for (order, step) in [(Order::GoTo(9), 9), (Order::GoTo(4), 4), (Order::GoTo(23), 23)] {
        player.carry_out(order);
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (step, false));
    }
    let world = |session: &Session| session.world().unwrap().hash();
    assert_eq!(world(player.engine.session()), world(&reference));
    assert!(player.problems().is_empty());
}

/// A pair of cubes, one of which is absent in the second frame, and a box around both.
fn coming_and_going() -> Trace {
    let around = Aabb::new(Vec3::splat(-2.0), Vec3::splat(2.0));
    let near = cube_at(Vec3::new(0.0, -1.0, 0.0), 0.5);
    let far = cube_at(Vec3::new(0.1, 1.0, 0.0), 0.5);
    let moved = cube_at(Vec3::new(0.1, 0.9, 0.0), 0.5);
    Trace::of(vec![vec![around, near, far], vec![around, Aabb::EMPTY, moved]])
}

#[test]
fn absent_objects_are_neither_drawn_nor_picked() {
    let trace = coming_and_going();
    let mut session = trace.session("brute-force");
    let ray = Ray { origin: Vec3::new(0.0, -9.0, 0.0), direction: Vec3::Y };
    for (step, drawn, picked) in [(0, 2, 1), (1, 1, 2)] {
        session.go_to(step).unwrap();
        found_here(&mut session).unwrap();
        let snapshot = Snapshot::of(&session, &View { picked: Some(1), ..View::default() });
        assert_eq!(snapshot.pick(ray), Some(picked));
        let options = View::of_scene(&snapshot.input.scene);
        let mut composer = Composer::default();
        let camera = snapshot.first_camera();
        let view = composer.view(&snapshot, &SceneKey::new(options, camera));
        assert_eq!((view.solid_boxes.len(), view.outlined_boxes.len()), (drawn, 1));
        assert!(view.spheres.is_empty());
        let outlines = options.with(Row::Outlines, true);
        let view = composer.view(&snapshot, &SceneKey::new(outlines, camera));
        assert_eq!((view.solid_boxes.len(), view.outlined_boxes.len()), (0, drawn + 1));
    }
}

#[test]
fn camera_sees_all_of_the_recording() {
    // It ends far from where it begins.
    let at = |x: f32| vec![cube_at(Vec3::X * x, 1.0), cube_at(Vec3::Y, 1.0)];
    let trace = Trace::of((0..200).map(|frame| at(frame as f32)).collect());
    let snapshot = Snapshot::of(&trace.session("bsp"), &View::default());
    let camera = snapshot.first_camera();
    let size = glam::Vec2::new(1280.0, 720.0);
    for frame in &trace.frames {
        let seen = camera.project(frame[0].center(), size).unwrap();
        assert!(seen.cmpge(glam::Vec2::ZERO).all() && seen.cmple(size).all(), "{seen}");
    }
}

/// Bytes that this thread has read from files; `None` where the system does not report it, as in some containers.
fn bytes_read() -> Option<u64> {
    let io = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    io.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}
