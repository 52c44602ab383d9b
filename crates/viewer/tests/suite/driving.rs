//! Keys that drive bodies: they reach the world, and are kept with its steps.

use crate::common::bench::Bench;
use crate::common::{placed_bodies, session, steps};
use egui::accesskit::Role;
use sim::DriveKeys;
use viewer::session::{DriveRun, Session};
use viewer::simulation::{DrivenBody, Engine, Order};

const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };
const UP: DriveKeys = DriveKeys { up: true, ..DriveKeys::NONE };

fn keys(session: &Session) -> DriveKeys {
    session.world().unwrap().drive()
}

fn driven(session: &Session) -> Vec<(u64, u64, DriveKeys)> {
    session.driven().map(|DriveRun { first, last, keys }| (first, last, keys)).collect()
}

#[test]
fn held_keys_reach_the_world_and_are_kept_with_their_steps() {
    let mut session = session(placed_bodies(), "bsp");
    steps(&mut session, 2);
    session.set_drive(RIGHT);
    steps(&mut session, 3);
    assert_eq!(keys(&session), RIGHT);
    session.set_drive(UP);
    steps(&mut session, 1);
    session.set_drive(DriveKeys::NONE);
    steps(&mut session, 2);
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
    session.set_drive(UP);
    steps(&mut session, 1);
    session.set_drive(DriveKeys::NONE);
    steps(&mut session, 3);
    assert_eq!(driven(&session), [(3, 3, RIGHT), (4, 4, UP)]);
    session.restart().unwrap();
    assert!(driven(&session).is_empty(), "a restart begins without keys");
}

#[test]
fn drive_is_undone_as_one_edit() {
    let mut session = session(placed_bodies(), "bsp");
    steps(&mut session, 2);
    session.set_drive(RIGHT);
    steps(&mut session, 3);
    session.set_drive(DriveKeys::NONE);
    steps(&mut session, 2);
    session.set_drive(UP);
    steps(&mut session, 2);
    session.set_drive(DriveKeys::NONE);
    assert_eq!(session.undoable().as_deref(), Some("driving from step 8 on"));
    assert_eq!(session.undo_drag(), Some(Ok("driving from step 8 on".to_owned())));
    assert_eq!((session.steps(), driven(&session)), (7, vec![(3, 5, RIGHT)]));
    assert_eq!(session.undo_drag(), Some(Ok("driving from step 3 on".to_owned())));
    assert_eq!((session.steps(), driven(&session)), (2, Vec::new()));
    steps(&mut session, 3);
    assert!(keys(&session).is_none(), "keys that are undone do not come back");
    assert_eq!(session.undo_drag(), None);
}

#[test]
fn keys_are_orders() {
    let session = session(placed_bodies(), "bsp");
    let mut engine = Engine::new(session, crate::common::clock(), false);
    engine.obey(Order::Drive(RIGHT));
    assert_eq!(engine.heard(), 0, "seen with the next step");
    for keys_of_step in [RIGHT, RIGHT, DriveKeys::NONE] {
        if keys_of_step.is_none() {
            engine.obey(Order::Drive(DriveKeys::NONE));
        }
        engine.obey(Order::Step);
        engine.advance(&std::sync::atomic::AtomicBool::new(false));
        assert_eq!(keys(engine.session()), keys_of_step);
    }
    assert_eq!(driven(engine.session()), [(1, 2, RIGHT)]);
}

#[test]
fn card_of_a_driven_body_says_how_near_it_is() {
    let mut bench = Bench::new(session(placed_bodies(), "bsp"));
    assert!(!bench.has(Role::CheckBox, "Drive"), "no body is driven");
    for (gap, words) in [(-0.1, "0.1000 deep in Cube 0"), (0.25, "0.2500 from Cube 0")] {
        let driven = DrivenBody { object: 1, speed: 0.5, nearest: Some((0, gap)) };
        bench.stage().snapshot.objects.bodies.as_mut().unwrap().driven = vec![driven];
        bench.harness.run();
        assert!(bench.draws("0.5000 units/s") && bench.draws(words), "{words}");
    }
    bench.click(Role::Link, "Pick 1, which is driven");
    assert_eq!(bench.stage().panel.picked, Some(1));
    bench.click(Role::CheckBox, "Drive");
    assert!(bench.stage().panel.drive);
}
