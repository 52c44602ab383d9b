//! Sessions without a window: recording, export, refusals.

use crate::common::traces::boxes_case;
use crate::common::{
    clock, crowded, cube, drawing, exported, found_here, meeting, row, session, shipped, steps,
    tumbling,
};
use crate::panel::planted::{faulty, wrong};
use broadphase::registry::Algorithm;
use glam::Vec3;
use measure::{Case, Phase};
use narrowphase::BoxKind;
use sim::scene::{Ball, Continuous, Gravity, Radius};
use sim::{Edit, Hold, Pull, Scene};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use viewer::session::{HIT_STEPS, Session, SessionError, Stepped};

const HEADER: &str = "run_id,input,n,seed,algorithm,threads,repeat,frame,phase,update_ns,pairs_ns,\
     response_ns,render_ns,tests,pairs,hits,heap_bytes,allocations,checksum";

#[test]
fn export_has_the_columns_of_frames_csv_and_a_row_per_step() {
    let mut session = session(crowded(), "bsp");
    steps(&mut session, 12);
    for (step, render_ns) in [(12, 77), (12, 99), (500, 1)] {
        session.drawn(drawing(step, 0, render_ns), true);
    }
    let (table, number) = session.export().unwrap();
    let text = String::from_utf8(table).unwrap();
    assert_eq!(number, 12);
    // The columns of the file format come first.
    assert!(text.lines().next().is_some_and(|header| header.starts_with(HEADER)), "{text}");
    assert_eq!(text.lines().count(), 1 + 12);

    let rows = exported(&session);
    assert_eq!(rows.len(), 12);
    for (frame, row) in (0..).zip(&rows) {
        let named = (row.input.as_str(), row.n, row.seed, row.algorithm.as_str(), row.repeat);
        assert_eq!(named, ("crowded.scene", 50, Some(1739), "bsp", 0));
        assert_eq!(row.frame, frame);
        assert_eq!(row.phase, if frame < 10 { Phase::Warmup } else { Phase::Measure });
        // The clock ticks once a millisecond, and is read before and after each phase.
        let times = (row.update_ns, row.pairs_ns, row.response_ns);
        assert_eq!(times, (1_000_000, 1_000_000, Some(1_000_000)));
        assert_eq!(row.render_ns, (frame == 11).then_some(77));
        assert!(row.run_id == rows[0].run_id && !row.run_id.is_empty());
        assert!(row.threads > 0 && row.tests >= Some(row.pairs) && row.heap_bytes > Some(0));
    }
    assert!(rows.iter().any(|row| row.hits > Some(0)));
}

#[test]
fn superseded_input_leaves_the_session_as_it_was() {
    let mut session = session(crowded(), "bsp");
    steps(&mut session, 2);
    let many = Scene { objects: 3000, radius: Radius::Equal(0.001), ..crowded() };
    session.activity().announce_input();
    assert!(matches!(session.generate(&many), Err(SessionError::Superseded)));
    let boxes = boxes_case("gas:3000");
    assert!(matches!(session.begin(&boxes), Err(SessionError::Superseded)));
    assert_eq!((session.steps(), session.world().unwrap().len()), (2, 50));
    assert_eq!((session.undoable(), session.is_searched()), (None, true));
    session.activity().receive_input();
    session.generate(&many).unwrap();
    assert_eq!(session.world().unwrap().len(), 3000);
}

#[test]
fn refused_scene_leaves_the_session_as_it_was() {
    let many = Scene { objects: 4_000_000_000, ..crowded() };
    let reason = "4000000000 objects need about";
    let large = Scene { objects: 1_000_000, radius: Radius::Equal(0.001), ..crowded() };
    for (algorithm, scene, reason) in
        [("bsp", &many, reason), ("sap-matrix", &large, "sap-matrix needs 1")]
    {
        let mut session = session(crowded(), algorithm);
        steps(&mut session, 3);
        let state = |session: &Session| {
            let world = session.world().unwrap();
            let recorded = (session.recorded(), session.history().frames.len());
            (world.hash(), world.steps(), world.recipe().clone(), recorded)
        };
        let before = state(&session);
        let refusal = session.generate(scene).unwrap_err().to_string();
        assert!(refusal.contains(reason), "{refusal}");
        assert_eq!(state(&session), before);
        steps(&mut session, 1);
        assert_eq!(exported(&session)[3].frame, 3);
    }
    let refused = Session::new("huge", &many, row("bsp"), clock(), None).err().unwrap().to_string();
    assert!(refused.contains(reason), "{refused}");
}

#[test]
fn glow_of_a_hit_fades() {
    let mut session = session(meeting(), "brute-force");
    let glow = |session: &Session| [0, 1].map(|object| session.motion().hit_glow(object));
    steps(&mut session, 2);
    assert_eq!(glow(&session), [0.0; 2], "no collision yet");
    steps(&mut session, 1);
    assert_eq!(exported(&session)[2].hits, Some(1));
    let mut before = glow(&session);
    assert_eq!(before, [1.0; 2]);
    for _ in 1..HIT_STEPS {
        steps(&mut session, 1);
        let now = glow(&session);
        assert!(now[0] == now[1] && 0.0 < now[0] && now[0] < before[0], "{now:?}");
        before = now;
    }
    steps(&mut session, 1);
    assert_eq!(glow(&session), [0.0; 2]);
    // All bodies are in contact from the start.
    let mut session = self::session(shipped("contacts.scene"), "bsp");
    steps(&mut session, 5);
    let objects = session.world().unwrap().len();
    let glowing = (0..objects).filter(|object| session.motion().hit_glow(*object) > 0.0).count();
    assert!(session.found().unwrap().hits > 0 && glowing == 0, "{glowing} of {objects}");
}

#[test]
fn motion_beyond_finite_numbers_is_reported_not_recorded() {
    let ball = Ball { center: Vec3::ZERO, velocity: Vec3::X * f32::MAX, radius: Some(0.1) };
    let source = sim::scene::Source { size: Vec3::splat(0.5), ..cube() };
    let scene =
        Scene { objects: 0, dt: 1.0, balls: vec![ball], sources: vec![source], ..Scene::default() };
    let mut session = session(scene, "brute-force");
    let error = (0..3).find_map(|_| session.step(Hold::None).err()).unwrap();
    assert!(error.starts_with("step ") && error.lines().count() == 1, "{error}");
    assert_eq!(session.recorded() as u64, session.world().unwrap().steps(), "it is undone");
}

#[test]
fn steps_taken_again_replace_their_rows() {
    let mut session = session(crowded(), "kd-tree");
    steps(&mut session, 20);
    let rows = exported(&session);
    assert_eq!(session.go_to(21), Ok(false));
    for step in (13..20).rev() {
        assert_eq!(session.go_to(step), Ok(true));
        assert_eq!((session.steps(), session.recorded()), (step, 20), "looking forgets nothing");
        assert_eq!(session.timeline().figures(20).0, Some(rows[19].pairs));
    }
    let rate = |session: &Session| session.history().rates.unwrap().steps;
    let before = rate(&session);
    steps(&mut session, 1);
    assert!(rate(&session) > 0.5 * before, "the row before is old, the step before is not");
    assert_eq!((session.motion().kept(), session.recorded()), (0..=14, 14), "others follow");
    assert_eq!(session.timeline().figures(15), (None, None));
    steps(&mut session, 6);
    let charted: Vec<u64> = session.history().frames.iter().map(|frame| frame.step).collect();
    assert_eq!(charted, (1..=20).collect::<Vec<_>>());
    session.restart().unwrap();
    assert_eq!((session.recorded(), session.motion_state().latest), (0, 0));
}

/// The step that is taken, for [`LATE`].
static STEP: AtomicU64 = AtomicU64::new(0);

/// It finds an impossible pair in some steps, and none in step 12.
static LATE: Algorithm = wrong("late", |settings| {
    faulty(settings, |_, _, pairs| match STEP.load(SeqCst) {
        7 | 21 | 33 | 47 => pairs.push(broadphase::Pair::new(0, 999)),
        12 => pairs.clear(),
        _ => {}
    })
});

#[test]
fn steps_before_inputs_edits_and_faults_are_shown_as_they_were() {
    let continuous = Scene { continuous: Continuous::All, ..tumbling() };
    for scene in [crowded(), tumbling(), continuous] {
        let mut session = Session::new("test", &scene, &LATE, clock(), None).unwrap();
        session.set_compared(&[row("bsp")]).unwrap();
        let state = |session: &Session| {
            let motion = session.motion();
            let heat = motion.heat().iter().enumerate();
            let heat = heat.map(|(of, heat)| [*heat, motion.hit_glow(of)].map(f32::to_bits));
            let world = session.world().unwrap();
            let met = world.bodies().map(|bodies| (bodies.impacts(), bodies.waiting_objects()));
            (world.hash(), heat.collect::<Vec<_>>(), format!("{met:?}"))
        };
        let (mut states, mut unusual) = (vec![state(&session)], 0);
        for step in 1..=60 {
            let hold = [Hold::Attract, Hold::None, Hold::Repel][step / 5 % 3];
            let pulls = (20..30).contains(&step) || (35..37).contains(&step);
            let pull = Pull { object: 3, to: Vec3::splat(step as f32 / 60.0) };
            session.set_pull(pulls.then_some(pull));
            match step {
                11 => session.edit(&Edit::Gravity(Gravity::Strong)).unwrap(),
                25 => session.edit(&Edit::Line([0.3, -0.2])).unwrap(),
                26 | 40 => _ = session.undo().unwrap(),
                _ => {}
            }
            STEP.store(step as u64, SeqCst);
            let stepped = session.step(hold);
            unusual += usize::from(!matches!(stepped, Ok(Stepped::Done)));
            assert_eq!(session.steps(), step as u64);
            states.push(state(&session));
        }
        assert_eq!(unusual, 5, "errors, and a disagreement");
        let edited = session.world().unwrap().recipe().clone();
        for step in [59, 3, 60, 12, 7, 8, 25, 24, 26, 41, 0, 1].into_iter().chain(0..=60) {
            assert_eq!(session.go_to(step), Ok(true));
            assert_eq!(state(&session), states[step as usize], "step {step}");
            assert_eq!(*session.world().unwrap().recipe(), edited, "it stays as it is edited");
        }
        session.go_to(45).unwrap();
        session.set_pull(None);
        session.step(Hold::Attract).unwrap();
        assert_eq!(state(&session), states[46]);
        // Boxes of another kind bound the same motion.
        session.set_box_kind(BoxKind::Sphere);
        session.go_to(30).unwrap();
        assert_eq!(state(&session), states[30]);
    }
}

#[test]
fn structure_searches_the_steps_around_an_edit_as_in_a_run() {
    let run = |algorithm| {
        let mut session = session(crowded(), algorithm);
        steps(&mut session, 20);
        session.edit(&Edit::Gravity(Gravity::Strong)).unwrap();
        steps(&mut session, 15);
        session
    };
    let found = |session: &Session| {
        let (boxes, counters) = (session.motion().boxes(), session.structure().counters());
        format!("{:?}", (session.pairs(), boxes, counters))
    };
    let mut switched = run("bsp");
    switched.set_algorithm(row("kd-tree")).unwrap();
    found_here(&mut switched).unwrap();
    assert!(found(&switched) == found(&run("kd-tree")));
}

#[test]
fn response_delay_is_spent_on_each_collision() {
    let mut session = session(meeting(), "bsp");
    session.set_response_delay(Duration::from_millis(40));
    steps(&mut session, 3);
    let rows = exported(&session);
    let spent: Vec<_> = rows.iter().map(|row| row.response_ns.unwrap()).collect();
    assert_eq!((rows[0].hits, rows[2].hits), (Some(0), Some(1)));
    assert!(spent[0] < 40_000_000 && spent[2] >= 40_000_000, "{spent:?}");
}

#[test]
fn rows_of_an_edited_scene_have_a_marked_name() {
    let mut session = session(crowded(), "bsp");
    let step = |session: &mut Session, input: &str| {
        steps(session, 1);
        assert_eq!(exported(session).last().unwrap().input, input);
    };
    step(&mut session, "crowded.scene");
    session.edit(&Edit::Gravity(Gravity::Weak)).unwrap();
    step(&mut session, "crowded.scene (edited)");
    session.set_response_delay(Duration::from_millis(2));
    step(&mut session, "crowded.scene (edited) (delay 2 ms)");
    session.undo();
    session.set_response_delay(Duration::ZERO);
    step(&mut session, "crowded.scene");
    let more = Scene { objects: 60, ..crowded() };
    session.generate(&more).unwrap();
    step(&mut session, "crowded.scene");
    session.generate(&Scene { speed: 1.0, ..more }).unwrap();
    step(&mut session, "crowded.scene (edited)");
    session.rename("mine.scene");
    step(&mut session, "mine.scene");
    // A file that is read again is not edited.
    session.begin(&Case::of_scene("mine.scene", crowded(), 0, 1)).unwrap();
    step(&mut session, "mine.scene");
}

#[test]
fn steps_with_validation_or_another_algorithm_are_warmup() {
    let mut session = session(crowded(), "bsp");
    steps(&mut session, 12);
    session.set_validation(true);
    steps(&mut session, 2);
    session.set_validation(false);
    steps(&mut session, 1);
    session.set_algorithm(row("kd-tree")).unwrap();
    steps(&mut session, 1);
    let phases: Vec<_> = exported(&session)[11..].iter().map(|row| row.phase).collect();
    let warm = [Phase::Warmup; 2];
    assert_eq!(phases, [&[Phase::Measure], &warm[..], &[Phase::Measure], &warm[..1]].concat());
}

#[test]
fn pictures_of_a_stopped_scene_do_not_change_the_shares() {
    let mut session = session(crowded(), "bsp");
    steps(&mut session, 5);
    for picture in 1..=5 {
        session.drawn(drawing(picture, 20 * picture, 4_000_000), true);
    }
    let before = session.history().rates;
    assert!(before.unwrap().drawing.unwrap() > 0.1);
    for picture in 0..100 {
        session.drawn(drawing(5, 1000 + 20 * picture, 9_000_000), false);
    }
    assert_eq!(session.history().rates, before);
}

#[test]
fn paused_comparison_neither_searches_nor_counts() {
    let mut session = session(crowded(), "bsp");
    session.set_compared(&[row("kd-tree"), row("brute-force")]).unwrap();
    steps(&mut session, 12);
    session.set_comparing(false);
    assert_eq!(session.compared()[0].times.len(), 12, "shown until the next step");
    steps(&mut session, 12);
    assert_eq!((session.recorded(), session.agreed_steps()), (12 * 3 + 12, 0));
    assert!(session.compared().iter().all(|compared| compared.times.is_empty()));
    session.set_comparing(true);
    steps(&mut session, 2);
    assert_eq!((session.recorded(), session.agreed_steps()), (12 * 3 + 12 + 2 * 3, 2));
    let rows = exported(&session);
    // After the pause the structures are brought up to date first.
    let last: Vec<_> =
        rows[rows.len() - 3..].iter().map(|row| (&*row.algorithm, row.phase)).collect();
    assert_eq!(
        last,
        [("bsp", Phase::Measure), ("kd-tree", Phase::Warmup), ("brute-force", Phase::Warmup)]
    );
    let compared = session.compared();
    let steps: Vec<u64> = compared[0].times.iter().map(|time| time.step).collect();
    assert_eq!(steps, [25, 26]);
}
