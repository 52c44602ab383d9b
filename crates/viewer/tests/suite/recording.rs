//! Traces and generated boxes, played by a session and an engine.

use crate::common::traces::{Trace, boxes_session, case_of, cube_at};
use crate::common::{clock, crowded, exported, found_here, row, session, steps};
use broadphase::benchmark::checksum;
use broadphase::{Aabb, Frame, Pair};
use glam::Vec3;
use measure::{Input, find_sorted};
use sim::{Edit, Hold};
use std::sync::atomic::AtomicBool;
use viewer::camera::Ray;
use viewer::composer::{Composer, Selection};
use viewer::scene_renderer::Theme;
use viewer::session::Session;
use viewer::simulation::{Engine, Notice, Order, Pace, Snapshot, Tint};
use viewer::view::{ColorBy, Row, View};

fn pairs(boxes: &[Aabb]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut brute_force =
        row("brute-force").create(&broadphase::registry::Settings::new(boxes.len())).unwrap();
    find_sorted(&mut *brute_force, &Frame::new(boxes), &mut pairs);
    pairs
}

/// An engine with its snapshot and messages.
struct Player {
    engine: Engine,
    snapshot: Snapshot,
}

impl Player {
    fn new(session: Session) -> Self {
        let snapshot = Snapshot::of(&session, &View::default());
        let mut player = Self { engine: Engine::new(session, clock(), false), snapshot };
        player.engine.obey(Order::Pace(Pace::Unlimited));
        player
    }

    fn order(&mut self, order: Order) {
        self.engine.obey(order);
        self.engine.snapshot(&mut self.snapshot);
    }

    /// Advances until nothing is due.
    fn play(&mut self) {
        for _ in 0..1000 {
            if self.engine.due_in().is_none() {
                self.engine.snapshot(&mut self.snapshot);
                return;
            }
            self.engine.advance(&AtomicBool::new(false));
        }
        panic!("it plays without end");
    }

    fn problems(&mut self) -> Vec<String> {
        self.engine.snapshot(&mut self.snapshot);
        let notices = std::mem::take(&mut self.snapshot.notices);
        notices
            .into_iter()
            .filter_map(|notice| match notice {
                Notice::Problem(text) | Notice::Stop(text) => Some(text),
                Notice::Done(_) => None,
            })
            .collect()
    }
}

#[test]
fn trace_is_played_with_the_frames_of_the_harness() {
    let trace = Trace::new(80, 12);
    let mut session = trace.session("kd-tree");
    assert_eq!((session.steps(), session.motion().boxes()), (0, &trace.frames[0][..]));
    steps(&mut session, 11);
    assert!(
        session.motion().is_at_end() && session.step(Hold::None, &AtomicBool::new(false)).is_err()
    );
    assert_eq!(session.motion().boxes(), &trace.frames[11][..]);
    let rows = exported(&session);
    assert_eq!(rows.len(), 11);
    for (row, frame) in rows.iter().zip(1..) {
        assert_eq!((row.frame, row.n, row.seed), (frame, 80, None));
        assert_eq!((row.hits, row.response_ns), (None, None));
        let expected = checksum(&pairs(&trace.frames[frame as usize]));
        assert_eq!(row.checksum.to_string(), measure::Checksum(expected).to_string());
    }
}

#[test]
fn playback_stops_at_the_end_and_can_be_repeated() {
    let trace = Trace::new(30, 6);
    let mut player = Player::new(trace.session("bsp"));
    for _ in 0..2 {
        player.order(Order::Run(true));
        player.play();
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (5, false));
        assert!(player.snapshot.search.searched && player.problems().is_empty());
    }
    player.order(Order::Step);
    assert_eq!(player.problems(), ["the recording ends with this frame"]);
    player.order(Order::Restart);
    player.play();
    assert_eq!(
        (player.snapshot.motion.steps, player.snapshot.recorded),
        (0, 10),
        "each frame twice"
    );
}

#[test]
fn input_after_a_recording_that_ended_starts_as_the_first_one() {
    for plays in [true, false] {
        let trace = Trace::new(20, 4);
        let mut player = Player::new(trace.session("bsp"));
        if plays {
            player.order(Order::Run(true));
            player.play();
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
        player.order(order);
        player.play();
        let problems = player.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("a.bpt: frame 4, object 17: "), "{problems:?}");
        assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (3, false));
        assert_eq!(player.snapshot.objects.boxes, trace.frames[3]);
        assert!(player.snapshot.search.searched, "its pairs stay known");
    }
    player.order(Order::GoTo(5));
    player.order(Order::Run(true));
    player.play();
    assert_eq!((player.snapshot.motion.steps, player.problems()), (8, Vec::new()));
}

#[test]
fn damaged_traces_are_refused_when_opened() {
    let trace = Trace::new(5, 3);
    let whole = std::fs::read(trace.path()).unwrap();
    let mut without_objects = whole[..24].to_vec();
    without_objects[8..12].fill(0);
    for (bytes, expected) in [
        (&whole[..whole.len() - 1], "it ends before frame 2 is complete"),
        (&whole[..24], "it ends before frame 0 is complete"),
        (&whole[..20], "expected a header of 24 bytes"),
        (&without_objects[..], "byte 8: expected at least one object"),
        (b"a scene?", "byte 0: expected the magic"),
    ] {
        std::fs::write(trace.path(), bytes).unwrap();
        let error = Input::open(&trace.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn damaged_trace_leaves_the_session_as_it_was() {
    let trace = Trace::new(5, 3);
    let case = trace.case();
    let mut player = Player::new(session(crowded(), "bsp"));
    player.order(Order::Step);
    player.play();
    trace.spoil(0, 2);
    let case_of_bad = trace.case();
    for (case, expected) in
        [(case, "the file changed"), (case_of_bad, "a.bpt: frame 0, object 2: ")]
    {
        player.order(Order::Begin(Box::new(case)));
        let problems = player.problems();
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
        let Snapshot { motion, engine, input, .. } = &player.snapshot;
        assert_eq!((motion.steps, engine.begun, &*input.label), (1, 0, "crowded.scene"));
    }
}

#[test]
fn trace_that_is_replaced_while_open_is_an_error() {
    for replace in [
        (|trace: &Trace| {
            let other = Trace::new(30, 9);
            other.write(&trace.path());
        }) as fn(&Trace),
        |trace| std::fs::remove_file(trace.path()).unwrap(),
        |trace| std::fs::write(trace.path(), b"short").unwrap(),
    ] {
        let trace = Trace::new(30, 9);
        let mut player = Player::new(trace.session("bsp"));
        player.order(Order::Step);
        player.play();
        replace(&trace);
        for order in [Order::Run(true), Order::GoTo(7)] {
            player.order(order);
            player.play();
            let problems = player.problems();
            assert!(problems.len() == 1 && problems[0].contains("a.bpt: the file changed"));
            assert_eq!((player.snapshot.motion.steps, player.snapshot.engine.running), (1, false));
        }
    }
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

    let mut session = Session::of_case(&case_of(&path), row("bsp"), clock(), None).unwrap();
    // The recorder's memory is taken at the first steps.
    steps(&mut session, 5);
    let before = resident_bytes();
    for frame in (0..u64::from(frames)).step_by(20_011) {
        assert_eq!(session.go_to(frame), Ok(true));
        session.step(Hold::None, &AtomicBool::new(false)).unwrap();
    }
    assert_eq!(session.motion().kept(), 0..=u64::from(frames) - 1);
    assert!(session.timeline().bins().len() <= 1024);
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < 20_000_000, "{grown} bytes more");
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
    player.order(Order::Step);
    player.play();
    assert_eq!(player.snapshot.objects.boxes, trace.frames[1]);
    assert!(player.snapshot.input.response_delay.is_zero() && player.problems().is_empty());
}

#[test]
fn compared_algorithms_agree_on_a_recording() {
    let trace = Trace::new(120, 30);
    for mut session in [trace.session("auto"), boxes_session("statics:120", "auto")] {
        let others: Vec<_> = broadphase::registry::ALGORITHMS.iter().collect();
        session.set_compared(&others).unwrap();
        steps(&mut session, 25);
        assert_eq!(session.agreed_steps(), 25);
        assert_eq!(session.go_to(3), Ok(true));
        steps(&mut session, 4);
        assert_eq!(session.steps(), 7);
    }
}

#[test]
fn generated_boxes_are_shown_again() {
    for name in ["brownian:50", "atlas:7:12"] {
        let mut session = boxes_session(name, "bsp");
        let mut shown = vec![session.motion().boxes().to_vec()];
        for _ in 0..20 {
            steps(&mut session, 1);
            shown.push(session.motion().boxes().to_vec());
        }
        assert_eq!((session.motion().kept(), session.motion().is_at_end()), (0..=20, false));
        for step in [3, 19, 0, 20, 25] {
            assert_eq!(session.go_to(step), Ok(true));
            let expected = shown.get(step as usize);
            assert!(
                expected.is_none_or(|boxes| boxes == session.motion().boxes()),
                "{name}, {step}"
            );
        }
        assert_eq!(session.motion().kept(), 0..=25);
    }
}

#[test]
fn kept_steps_of_a_scene_are_shown_in_any_order() {
    let mut session = session(crowded(), "kd-tree");
    let hash = |session: &Session| session.world().unwrap().hash();
    let mut hashes = vec![hash(&session)];
    for _ in 0..30 {
        steps(&mut session, 1);
        hashes.push(hash(&session));
    }
    for step in [12, 0, 30, 7, 8, 29] {
        assert_eq!(session.go_to(step), Ok(true));
        assert_eq!((session.steps(), hash(&session)), (step, hashes[step as usize]));
        assert_eq!(
            (session.motion().kept(), session.recorded()),
            (0..=30, 30),
            "looking forgets nothing"
        );
        assert_eq!(session.timeline().figures(30).0, Some(exported(&session)[29].pairs));
    }
    assert_eq!(session.go_to(31), Ok(false));
    session.go_to(20).unwrap();
    steps(&mut session, 1);
    assert_eq!((session.motion().kept(), session.recorded()), (0..=21, 31), "another step follows");
    assert_eq!((hash(&session), session.timeline().figures(22)), (hashes[21], (None, None)));
}

#[test]
fn later_step_of_a_scene_is_reached_by_taking_steps() {
    let mut reference = session(crowded(), "bsp");
    steps(&mut reference, 23);
    let mut player = Player::new(session(crowded(), "bsp"));
    for (order, step) in [(Order::GoTo(9), 9), (Order::GoTo(4), 4), (Order::GoTo(23), 23)] {
        player.order(order);
        player.play();
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
        let view =
            composer.view(&snapshot, &options, Selection::default(), camera, &Theme::DARK, 1.0);
        assert_eq!((view.solid_boxes.len(), view.outlined_boxes.len()), (drawn, 1));
        assert!(view.spheres.is_empty());
        let outlines = options.with(Row::Outlines, true);
        let view =
            composer.view(&snapshot, &outlines, Selection::default(), camera, &Theme::DARK, 1.0);
        assert_eq!((view.solid_boxes.len(), view.outlined_boxes.len()), (0, drawn + 1));
    }
}

#[test]
fn colours_show_the_speed_of_boxes() {
    let trace = coming_and_going();
    let mut session = trace.session("bsp");
    let tint =
        |session: &Session, color| Snapshot::of(session, &View { color, ..View::default() }).tint;
    let Tint::Scale { unknown, .. } = tint(&session, ColorBy::Velocity) else { panic!("no scale") };
    assert_eq!(unknown, 3, "there is no frame before the first");
    session.go_to(1).unwrap();
    let Tint::Scale { values, .. } = tint(&session, ColorBy::Velocity) else { panic!("no scale") };
    // 0.1 units in 0.02 s; the second object is absent.
    assert!((values[2] - 5.0).abs() < 1e-3 && values[0] == 0.0, "{values:?}");
    assert!(values[1].is_nan());
    let Tint::Kind { of_object, .. } = tint(&session, ColorBy::Resting) else { panic!("no kinds") };
    assert_eq!(of_object, [1, u32::MAX, 0]);
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

#[test]
fn opening_a_trace_reads_its_header_and_few_frames() {
    let trace = Trace::new(1000, 400);
    let case = trace.case();
    let before = bytes_read();
    let session = Session::of_case(&case, row("sweep-grid"), clock(), None).unwrap();
    let snapshot = Snapshot::of(&session, &View::default());
    let after = bytes_read();
    assert_eq!((snapshot.objects.boxes.len(), snapshot.motion.kept), (1000, 0..=399));
    if let (Some(before), Some(after)) = (before, after) {
        // The first, those that the space is sampled from, and what is read ahead.
        let frames = (after - before) / (1000 * 24);
        assert!((1..40).contains(&frames), "{frames}");
    }
}
