//! Masses, forces and driven bodies in scene files: what is read, written and warned of.

use crate::scene_text::{document, edited};
use glam::Vec3;
use sim::scene::{
    BodyForce, Continuous, DriveStep, Driving, Gravity, MoveRule, PlacedBody, ShapeValue,
};
use sim::{DriveKeys, Edit, Hold, Scene, SceneDocument, World};

const MOTION: &str = "\
# Every line about motion, out of order.
#!restitution  0.50 die
#!drive 0.5 none
#!force 2  0 0 9.5  0.25
#!gravity  1.0 -2 0.5
#!driving refuse  sphere-inside
i -1 -1 -1  2 2 2  100 t
#!density 7.80
#!body die 0 0 0  1 0 0  driven
#!body die 0.5 0 0  0 0 0  bullet
#!restitution 0
#!drive 1.50 up+right+jump
#!body die -0.5 0 0  0 0 0  kinematic  spin 0 0 1
#!continuous all
#!shape die box 0.1 0.1 0.1
#!density 0.25 die
#!force 2  -1 0 0  1
# the end";

fn motion() -> Scene {
    let value = |shape: Option<&str>, value| ShapeValue { shape: shape.map(str::to_owned), value };
    let keys = DriveKeys { right: true, up: true, jump: true, ..DriveKeys::NONE };
    let plain = document(
        "i -1 -1 -1  2 2 2  100 t\n#!shape die box 0.1 0.1 0.1\n#!body die 0 0 0  0 0 0\n",
    )
    .scene()
    .clone();
    let body = &plain.placed_bodies[0];
    let at = |x| Vec3::new(x, 0.0, 0.0);
    Scene {
        gravity: Gravity::Vector(Vec3::new(1.0, -2.0, 0.5)),
        continuous: Continuous::All,
        driving: Driving { rule: MoveRule::Refuse("sphere-inside"), speed: 0.5 },
        placed_bodies: vec![
            PlacedBody { velocity: Vec3::X, is_driven: true, ..body.clone() },
            PlacedBody { center: at(0.5), is_bullet: true, ..body.clone() },
            PlacedBody { center: at(-0.5), spin: Vec3::Z, is_kinematic: true, ..body.clone() },
        ],
        restitution: vec![value(Some("die"), 0.5), value(None, 0.0)],
        density: vec![value(None, 7.8), value(Some("die"), 0.25)],
        body_forces: vec![
            BodyForce { body: 2, force: Vec3::Z * 9.5, seconds: 0.25 },
            BodyForce { body: 2, force: Vec3::NEG_X, seconds: 1.0 },
        ],
        drive: vec![
            DriveStep { seconds: 0.5, keys: DriveKeys::NONE },
            DriveStep { seconds: 1.5, keys },
        ],
        ..plain
    }
}

#[test]
fn every_line_about_motion_is_read_without_a_warning() {
    let document = document(MOTION);
    assert_eq!(document.scene(), &motion());
    assert_eq!(document.warnings(), []);
}

#[test]
fn unchanged_lines_about_motion_keep_every_byte() {
    for text in [MOTION.to_owned(), MOTION.replace('\n', "\r\n")] {
        assert_eq!(edited(&text, |_| ()), text);
    }
}

#[test]
fn new_file_has_all_lines_about_motion() {
    let written = SceneDocument::from_scene(&motion()).unwrap().to_text();
    assert_eq!(document(&written).scene(), &motion());
}

#[test]
fn only_edited_lines_about_motion_change() {
    let text = edited(MOTION, |scene| {
        scene.restitution[0].value = 1.0;
        scene.density[1].shape = None;
        scene.density[0].shape = Some("die".to_owned());
        scene.body_forces.remove(0);
        scene.drive[1].keys = DriveKeys { left: true, ..DriveKeys::NONE };
        scene.driving.rule = MoveRule::Walk;
        scene.gravity = Gravity::Strong;
        scene.placed_bodies[0].is_driven = false;
    });
    let expected = MOTION
        .replace("#!restitution  0.50 die", "#!restitution 1 die")
        .replace("#!density 7.80", "#!density 7.8 die")
        .replace("#!density 0.25 die", "#!density 0.25")
        .replace("#!force 2  0 0 9.5  0.25\n", "")
        .replace("1.50 up+right+jump", "1.5 left")
        .replace("#!driving refuse  sphere-inside", "#!driving walk 0.5")
        .replace("#!gravity  1.0 -2 0.5", "#!gravity strong")
        .replace("die 0 0 0  1 0 0  driven", "die  0 0 0  1 0 0");
    assert_eq!(text, expected);
}

#[test]
fn edits_of_sources_and_their_undo_keep_lines_about_motion() {
    let mut world = World::new(&motion());
    let source = motion().sources[0];
    world.edit(&Edit::NewSource(source)).unwrap();
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    let driving = Driving { rule: MoveRule::Slide, speed: 2.0 };
    world.edit(&Edit::Driving(driving)).unwrap();
    assert_eq!(world.undoable().as_deref(), Some("driving slide 2"));
    assert_eq!(world.recipe(), &Scene { driving, ..motion() });
    let document = SceneDocument::from_scene(world.recipe()).unwrap();
    assert_eq!(document.scene(), &Scene { driving, ..motion() });
    while world.undo().is_some() {}
    assert_eq!(world.recipe(), &motion());
    let wrong = Driving { rule: MoveRule::Refuse("cube"), speed: 1.0 };
    let error = world.edit(&Edit::Driving(wrong)).unwrap_err().to_string();
    assert!(error.contains("a bounding volume, one of `none`"), "{error}");
    let error = world.edit(&Edit::Gravity(Gravity::Vector(Vec3::NAN))).unwrap_err().to_string();
    assert!(error.contains("a finite number for the gravity along x"), "{error}");
}

#[test]
fn force_on_a_body_that_it_cannot_move_is_warned_of() {
    let warned = |word: &str, force: &str, line: &str| {
        document(&format!(
            "i 0 0 0  1 1 1  100 t\n#!shape a sphere 1\n#!body a 0 0 0 0 0 0 {word}\n#!force 1 {force} 1\n{line}\n"
        ))
        .warnings()
        .to_vec()
    };
    for (word, force, line) in [
        ("static", "0 0 1", ""),
        ("kinematic", "0 0 1", ""),
        ("driven", "0 0 1", ""),
        ("", "0 0 1", "#!layer bodies static"),
        ("", "1 2 1", "#!flat"),
    ] {
        let warnings = warned(word, force, line);
        let [warning] = &warnings[..] else { panic!("{word} {line}: {warnings:?}") };
        assert_eq!((warning.line(), warning.column()), (4, 9));
    }
    assert_eq!(warned("", "1 2 1", "").len() + warned("", "1 0 1", "#!flat").len(), 0);
}

#[test]
fn motion_lines_that_no_file_can_describe_are_refused() {
    let edits: [fn(&mut Scene); 10] = [
        |scene| scene.restitution[0].value = f32::NAN,
        |scene| scene.restitution[1].shape = Some("die".to_owned()),
        |scene| scene.restitution[1].shape = Some("two words".to_owned()),
        |scene| scene.density[0].value = -1.0,
        |scene| scene.density[0].shape = Some("none".to_owned()),
        |scene| scene.body_forces[0].body = 4,
        |scene| scene.body_forces[1].seconds = f32::INFINITY,
        |scene| scene.drive[0].seconds = 0.0,
        |scene| scene.driving.rule = MoveRule::Refuse("cube"),
        |scene| scene.placed_bodies[0].is_static = true,
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut document = document(MOTION);
        let mut scene = motion();
        edit(&mut scene);
        assert!(document.set_scene(scene.clone()).is_err(), "edit {index}");
        assert!(SceneDocument::from_scene(&scene).is_err(), "edit {index}");
        assert_eq!(document.to_text(), MOTION);
    }
}

#[test]
fn motion_cut_at_any_byte_is_valid_or_an_error_with_a_place() {
    let mut valid = 0;
    for end in 0..MOTION.len() {
        match SceneDocument::parse("cut.scene", &MOTION.as_bytes()[..end]) {
            Ok(document) => {
                valid += 1;
                assert_eq!(document.to_text(), MOTION[..end]);
            }
            Err(error) => assert!(error.line().is_some() && error.column().is_some(), "{error}"),
        }
    }
    // Most name a shape or a body that follows further down.
    assert!(valid > 20, "{valid} valid beginnings");
}

#[test]
fn gravity_along_minus_z_moves_as_its_strength() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 20\n#!shape die box 0.1 0.1 0.2\n#!bodies source 1 die 50\n";
    let hash = |gravity| {
        let mut world = World::new(&Scene { gravity, ..document(text).scene().clone() });
        (0..50).for_each(|_| world.step(Hold::None));
        world.hash()
    };
    let vector = Gravity::Vector(Vec3::new(-0.0, -0.0, -4.0));
    assert_eq!(hash(vector), hash(Gravity::Strong));
    assert_ne!(hash(Gravity::Vector(Vec3::new(4.0, 0.0, 0.0))), hash(Gravity::Strong));
}
