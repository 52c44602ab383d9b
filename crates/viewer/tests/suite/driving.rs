//! Keys that drive bodies: they reach the world, are kept with its steps, and have a card.

use crate::common::bench::Bench;
use crate::common::{placed_bodies, scene, session, steps};
use egui::accesskit::Role;
use sim::DriveKeys;
use sim::scene::MoveRule;
use viewer::session::{DriveRun, Methods, Session};
use viewer::simulation::{DrivenBody, Engine, Order};

const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };
const UP: DriveKeys = DriveKeys { up: true, ..DriveKeys::NONE };

fn keys(session: &Session) -> DriveKeys {
    session.world().unwrap().drive()
}

fn driven(session: &Session) -> Vec<(u64, u64, DriveKeys)> {
    session.driven().map(|DriveRun { first, last, keys }| (first, last, keys)).collect()
}

/// Holds keys for some steps each.
fn hold(session: &mut Session, held: &[(DriveKeys, u32)]) {
    for (keys, number) in held {
        session.set_drive(*keys);
        steps(session, *number);
    }
}

#[test]
fn held_keys_reach_the_world_and_are_kept_with_their_steps() {
    let mut session = session(placed_bodies(), "bsp");
    hold(&mut session, &[(DriveKeys::NONE, 2), (RIGHT, 3)]);
    assert_eq!(keys(&session), RIGHT);
    hold(&mut session, &[(UP, 1), (DriveKeys::NONE, 2)]);
    assert!(keys(&session).is_none());
    let all = [(3, 5, RIGHT), (6, 6, UP)];
    assert_eq!(driven(&session), all);
    // Back at an earlier step, later keys are none of its past, but hold again in the steps that are taken again.
    session.go_to(4).unwrap();
    assert_eq!(driven(&session), [(3, 4, RIGHT)]);
    steps(&mut session, 1);
    assert_eq!(keys(&session), RIGHT);
    steps(&mut session, 1);
    assert_eq!((keys(&session), driven(&session)), (UP, all.to_vec()));
    // Other keys replace them.
    session.go_to(3).unwrap();
    hold(&mut session, &[(UP, 1), (DriveKeys::NONE, 3)]);
    assert_eq!(driven(&session), [(3, 3, RIGHT), (4, 4, UP)]);
    session.restart().unwrap();
    assert!(driven(&session).is_empty(), "a restart begins without keys");
}

#[test]
fn drive_is_undone_as_one_edit() {
    let mut session = session(placed_bodies(), "bsp");
    let none = DriveKeys::NONE;
    hold(&mut session, &[(none, 2), (RIGHT, 3), (none, 2), (UP, 2), (none, 0)]);
    for (first, last, left) in [(8, 7, vec![(3, 5, RIGHT)]), (3, 2, Vec::new())] {
        let words = format!("driving from step {first} on");
        assert_eq!(session.undoable(), Some(words.clone()));
        assert_eq!(session.undo_drag(), Some(Ok(words)));
        assert_eq!((session.steps(), driven(&session)), (last, left));
        assert_eq!(session.go_to(last + 1), Ok(false), "with the keys, their steps are undone");
    }
    steps(&mut session, 3);
    assert!(keys(&session).is_none(), "keys that are undone do not come back");
    assert_eq!(session.undo_drag(), None);
}

#[test]
fn keys_are_orders() {
    let session = session(placed_bodies(), "bsp");
    let mut engine = Engine::new(session, crate::common::platform(), false);
    engine.obey(Order::Drive(RIGHT));
    assert_eq!(engine.state().orders_done, 0, "seen with the next step");
    for keys_of_step in [RIGHT, RIGHT, DriveKeys::NONE] {
        if keys_of_step.is_none() {
            engine.obey(Order::Drive(DriveKeys::NONE));
        }
        engine.obey(Order::Step);
        engine.advance();
        assert_eq!(keys(engine.session()), keys_of_step);
    }
    assert_eq!(driven(engine.session()), [(1, 2, RIGHT)]);
}

#[test]
fn driven_body_is_picked_on_its_card() {
    let mut bench = Bench::with(placed_bodies(), "bsp");
    assert!(!bench.has(Role::CheckBox, "Drive"), "no body is driven");
    let show = |bench: &mut Bench| {
        let driven = vec![DrivenBody { object: 1, speed: 0.5, refusal: None }];
        bench.stage().snapshot.objects.bodies.as_mut().unwrap().driven = driven;
        bench.harness.run();
    };
    show(&mut bench);
    assert!(bench.draws("0.5000 units/s"));
    bench.click(Role::CheckBox, "Drive");
    assert!(bench.stage().panel.drive);
    show(&mut bench);
    bench.click(Role::Link, "Pick 1, which is driven");
    assert_eq!(bench.stage().panel.view.picked, Some(1));
}

#[test]
fn card_of_a_refused_body_says_how_early_it_stopped() {
    for (space, volume, other, words) in [
        (
            "6 6 6",
            "sphere",
            "1.3 0 0",
            "stopped 0.3000 early by its smallest circle, before Cube 1",
        ),
        // The inscribed circle is half as wide as the cube: a corner of the other one is entered.
        ("6 6 6", "sphere-inside", "0.8 0 0.8", "stopped, entered Cube 1 by "),
        ("4 6 6", "sphere", "-2 0 0", ", before a wall"),
    ] {
        let text = format!(
            "i -3 -3 -3 {space} 100 f\n#!objects 0\n#!flat\n#!driving refuse {volume} 1\n\
             #!shape cube box 1 1 1\n#!body cube 0 0 0  0 0 0  driven\n\
             #!body cube {other}  0 0 0  static\n"
        );
        let mut session = session(scene(&text), "bsp");
        hold(&mut session, &[(RIGHT, 60)]);
        assert!(Bench::new(session).says(words), "{words}");
    }
}

#[test]
fn chosen_volume_decides_where_a_driven_body_may_go() {
    let mut scene = placed_bodies();
    scene.placed_bodies[0].is_driven = true;
    scene.driving.rule = MoveRule::Refuse("sphere");
    assert_eq!(Methods::default().of_scene(&scene).volume.id, "sphere");
    assert_eq!(Methods::default().of_scene(&placed_bodies()), Methods::default());
    let mut bench = Bench::with(scene, "bsp");
    bench.click(Role::ComboBox, "Bounding volume");
    bench.click(Role::Button, "Inscribed sphere");
    for command in std::mem::take(&mut bench.stage().commands) {
        bench.obey(command);
    }
    let (rule, methods) = (bench.recipe().driving.rule, bench.session().stages().methods());
    assert_eq!((rule, methods.volume.id), (MoveRule::Refuse("sphere-inside"), "sphere-inside"));
}
