//! A scene file keeps everything that is not edited, and reads back as it was written.

// Clippy does not see the helpers of an integration test as tests.

use crate::scene_text::{EVERYTHING, document, edited};
use broadphase::{Axis, Layer};
use glam::Vec3;
use sim::scene::{
    Action, AxisAngle, Ball, BodiesRule, BodyForce, CameraPose, Continuous, DriveKeys, DriveStep,
    Driving, Event, Gravity, LayerRule, LayerTarget, MoveRule, Obstacle, PartRule, PlacedBody,
    Radius, ShapeForm, ShapeRule, ShapeShare, ShapeValue, Source, Triangles,
};
use sim::{Scene, SceneDocument};

const SMALLEST: &str = "i -1.0 -1.0 -1.0  2.0 2.0 2.0  100 t";

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

#[test]
fn every_line_is_read() {
    let document = document(EVERYTHING);
    let scene = document.scene();
    assert_eq!((scene.objects, scene.speed, scene.seed, scene.dt), (250, 1.5, u64::MAX, 0.01));
    assert_eq!(scene.radius, Radius::LogUniform(0.01, 0.1));
    assert_eq!((scene.gravity, scene.line), (Gravity::Vector(v(1.0, -2.0, 0.5)), [0.25, -0.5]));
    assert_eq!(scene.camera, CameraPose { yaw: -30.0, pitch: 45.0, distance: 6.0 });
    assert_eq!((scene.triangles, scene.continuous), (Triangles::Eighty, Continuous::Bullets));
    assert_eq!((scene.shading, scene.strict, scene.flat, scene.spin), (false, true, true, 0.5));
    let rule = MoveRule::Refuse("sphere-inside");
    assert_eq!(scene.driving, Driving { rule, speed: 0.5 });
    let sources = [
        Source { corner: Vec3::NEG_ONE, size: v(2.0, 2.0, 2.0), percent: 30.0, floor: true },
        Source { corner: Vec3::ZERO, size: Vec3::ONE, percent: 70.0, floor: false },
    ];
    assert_eq!(scene.sources, sources);
    let obstacles = [
        Obstacle { corner: v(-1.0, -1.0, 0.0), size: v(2.0, 2.0, 0.0), normal: Axis::Z },
        Obstacle { corner: v(0.0, -1.0, -1.0), size: v(0.0, 2.0, 2.0), normal: Axis::X },
        Obstacle { corner: v(-1.0, 0.0, -1.0), size: v(2.0, 0.0, 2.0), normal: Axis::Y },
    ];
    assert_eq!(scene.obstacles, obstacles);
    let balls = [
        Ball { center: v(0.5, 0.5, 0.5), velocity: v(1.0, 0.0, -1.0), radius: None },
        Ball { radius: Some(0.25), ..Ball::default() },
    ];
    assert_eq!(scene.balls, balls);
    let hold = |attract, seconds| Action::Hold { attract, seconds };
    let events = [
        Event { time: 1.5, action: Action::RemoveSource(2) },
        Event { time: 2.0, action: hold(false, 0.75) },
        Event { time: 0.0, action: hold(true, 1.0) },
    ];
    assert_eq!(scene.events, events);
    let layer = Layer { group: 3, mask: 1 << 31 | 1 << 3 | 1, is_static: true };
    let layers = [
        LayerRule { target: LayerTarget::Source(2), layer },
        LayerRule { target: LayerTarget::Balls, layer: Layer { mask: 0, ..Layer::ALL } },
        LayerRule { target: LayerTarget::Source(1), layer: Layer::ALL },
    ];
    assert_eq!(scene.layers, layers);
    let [drive, last] = &scene.drive[..] else { panic!("{:?}", scene.drive) };
    assert_eq!(*drive, DriveStep { seconds: 0.5, keys: DriveKeys::NONE });
    let keys = DriveKeys { right: true, up: true, jump: true, ..DriveKeys::NONE };
    assert_eq!(*last, DriveStep { seconds: 1.5, keys });
    let warnings: Vec<_> = document
        .warnings()
        .iter()
        .map(|w| (w.line().unwrap(), w.column().unwrap(), w.message()))
        .collect();
    let repeated = (48, 15, "1 repeated point in shape `wedge`");
    assert_eq!(warnings, [(12, 1, "unknown directive `#!wind`"), repeated]);
}

#[test]
fn every_line_of_shapes_and_bodies_is_read() {
    let document = document(EVERYTHING);
    let scene = document.scene();
    let [die, rod, jack] = ["die", "rod", "jack"].map(str::to_owned);
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::Z];
    let corners = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let shapes = [
        ("ball-1", ShapeForm::Sphere { radius: 0.25 }),
        ("die", ShapeForm::Box { size: v(1.0, 1.0, 2.0) }),
        ("rod", ShapeForm::Capsule { radius: 0.1, length: 1.0 }),
        ("bead", ShapeForm::Capsule { radius: 0.1, length: 0.0 }),
        ("drum", ShapeForm::Cylinder { radius: 0.5, height: 1.0, sides: 24 }),
        ("tip", ShapeForm::Cone { radius: 0.5, height: 1.0, sides: 16 }),
        ("four", ShapeForm::Tetrahedron { side: 1.0 }),
        ("rock", ShapeForm::Hull { points: 16, seed: 1 }),
        ("stone", ShapeForm::Hull { points: 12, seed: u64::MAX }),
        ("wedge", ShapeForm::Points(points)),
        ("tile", ShapeForm::Polygon { depth: 0.5, corners }),
        ("jack", ShapeForm::Compound),
    ];
    assert_eq!(scene.shapes, shapes.map(|(name, form)| ShapeRule { name: name.to_owned(), form }));
    let part = PartRule { compound: jack.clone(), shape: rod, ..PartRule::default() };
    let rotation = Some(AxisAngle { axis: Vec3::X, degrees: 90.0 });
    assert_eq!(scene.parts, [part.clone(), PartRule { rotation, ..part }]);
    let share = |shape: &String, percent| ShapeShare { shape: shape.clone(), percent };
    let rule = BodiesRule { source: 1, shares: vec![share(&die, 50.0), share(&jack, 25.5)] };
    assert_eq!(scene.generated_bodies, [rule]);
    let at = |x, z| PlacedBody { shape: die.clone(), center: v(x, 0.0, z), ..Default::default() };
    let rotation = Some(AxisAngle { axis: Vec3::Y * 2.0, degrees: 45.0 });
    let bodies = [
        PlacedBody {
            shape: jack,
            velocity: Vec3::X,
            spin: v(0.0, 3.0, 0.0),
            scale: 0.5,
            is_bullet: true,
            ..at(0.0, 0.5)
        },
        PlacedBody { rotation, is_static: true, ..at(-0.5, 0.0) },
        PlacedBody { velocity: Vec3::X, is_driven: true, ..at(0.0, 0.0) },
        PlacedBody { is_kinematic: true, ..at(-0.5, 1.0) },
    ];
    assert_eq!(scene.placed_bodies, bodies);
    let value = |shape: Option<&String>, value| ShapeValue { shape: shape.cloned(), value };
    assert_eq!(scene.restitution, [value(Some(&die), 0.5), value(None, 0.0)]);
    assert_eq!(scene.density, [value(None, 7.8), value(Some(&die), 0.25)]);
    let force = |x, seconds| BodyForce { body: 1, force: v(x, 0.0, 0.0), seconds };
    assert_eq!(scene.body_forces, [force(9.5, 0.25), force(-1.0, 1.0)]);
}

#[test]
fn the_smallest_scene_has_every_default() {
    let scene = document(SMALLEST).scene().clone();
    assert_eq!(scene.sources.len(), 1);
    assert_eq!(SceneDocument::from_scene(&scene).unwrap().to_text(), "i -1 -1 -1  2 2 2  100 t\n");
    assert_eq!(Scene { sources: Vec::new(), ..scene }, Scene::default());
}

#[test]
fn an_unchanged_file_keeps_every_byte() {
    let texts = [
        EVERYTHING.to_owned(),
        format!("\u{feff}{EVERYTHING}\n"),
        EVERYTHING.replace('\r', "").replace('\n', "\r\n"),
        String::from("\n\ni 0 0 0 1 1 1 1 t"),
        String::from("#!  seed 5\n \t\ni 0 0 0 1 1 1 1 t\n\r\n\n"),
    ];
    for text in texts {
        assert_eq!(document(&text).to_text(), text);
        assert_eq!(edited(&text, |_| ()), text);
    }
}

#[test]
fn last_share_is_the_remainder_of_100() {
    let shares = |text: &str| -> Vec<f32> {
        document(text).scene().sources.iter().map(|source| source.percent).collect()
    };
    let source = |share: &str| format!("i 0 0 0  1 1 1  {share} t\n");
    assert_eq!(shares(&source("-7e9")), [100.0]);
    assert_eq!(shares(&(source("25") + &source("250"))), [25.0, 75.0]);
    // In decimals they fill 100; as f32 they can miss it.
    let thirds = source("33.3") + &source("33.3") + &source("33.4");
    assert_eq!(shares(&thirds), [33.3, 33.3, 33.4]);
    assert_eq!(shares(&(thirds + &source("1"))), [33.3, 33.3, 33.4, 0.0]);
    let above = source("33.4") + &source("33.4") + &source("33.2") + &source("1");
    assert_eq!(shares(&above), [33.4, 33.4, 33.2, 0.0]);
    let below = source("73.2") + &source("10") + &source("16.8") + &source("1");
    assert_eq!(shares(&below), [73.2, 10.0, 16.8, 0.0]);
}

type EditOfLines = (fn(&mut Scene), &'static [(&'static str, &'static str)]);

/// Edits, and how lines of [`EVERYTHING`] change.
const EDITS: &[EditOfLines] = &[
    (
        |scene| scene.sources[1].size.y = 1.25,
        &[("0 0 0\t1 1 1  \t 7.0   f", "0 0 0  1 1.25 1  70 f")],
    ),
    (|scene| scene.seed -= 1, &[("#!seed 18446744073709551615", "#!seed 18446744073709551614")]),
    (|scene| scene.balls[0].velocity.z = 2.0, &[("0.5 .5 5e-1  1 0 -1", "0.5 0.5 0.5  1 0 2")]),
    (
        |scene| scene.balls[0].radius = Some(0.125),
        &[("0.5 .5 5e-1  1 0 -1", "0.5 0.5 0.5  1 0 -1  0.125")],
    ),
    (
        |scene| {
            scene.obstacles.remove(0);
            scene.obstacles.remove(1);
            scene.balls.clear();
        },
        &[
            ("p -1 -1 0.0  2 2 0  z\n", ""),
            ("p -1 0 -1  2 -0.0 2 y\n", ""),
            ("#!ball 0.5 .5 5e-1  1 0 -1\n#!ball 0 0 0  0 0 0  0.25\n", ""),
        ],
    ),
    (
        |scene| {
            scene.layers[0].layer.group = 4;
            scene.layers.remove(1);
        },
        &[
            ("2\tstatic group 3  meets 31,0,3", "2  group 4  meets 0,3,31  static"),
            ("  #!layer balls meets none\n", ""),
        ],
    ),
    (
        |scene| scene.layers[2].layer = Layer { mask: 0b110, ..Layer::STATIC },
        &[("#!layer source 1 group 0", "#!layer source 1  meets 1,2  static")],
    ),
    (|scene| scene.gravity = Gravity::Off, &[("#!gravity  1.0 -2 0.5", "#!gravity off")]),
    (|scene| scene.flat = false, &[("#!flat\n", "")]),
    (
        |scene| scene.shapes[1].form = ShapeForm::Box { size: v(1.0, 3.0, 2.0) },
        &[("die box 1 1 2", "die box 1 3 2")],
    ),
    (
        |scene| scene.parts[1].rotation = Some(AxisAngle { axis: Vec3::X, degrees: 60.0 }),
        &[("0.0 0 0  1 0 0 90", "0 0 0  1 0 0 60")],
    ),
    (
        |scene| scene.placed_bodies[1].center.y = 0.25,
        &[(
            "die -0.5 0 0  0 0 0  static  rotate 0 2 0 45",
            "die  -0.5 0.25 0  0 0 0  rotate 0 2 0 45  static",
        )],
    ),
    (
        |scene| scene.placed_bodies[2].is_driven = false,
        &[("die 0 0 0  1 0 0  driven", "die  0 0 0  1 0 0")],
    ),
    (|scene| scene.generated_bodies[0].shares[1].percent = 20.0, &[("jack 25.5", "jack 20")]),
    (
        |scene| {
            scene.density[1].shape = None;
            scene.density[0].shape = Some("die".to_owned());
        },
        &[("#!density 7.80", "#!density 7.8 die"), ("#!density 0.25 die", "#!density 0.25")],
    ),
    (
        |scene| scene.body_forces.retain(|force| force.seconds > 0.5),
        &[("#!force 1  9.5 0 0  0.25\n", "")],
    ),
    (|scene| scene.drive[1].keys = DriveKeys::NONE, &[("1.50 up+right+jump", "1.5 none")]),
    (|scene| scene.driving.rule = MoveRule::Walk, &[("refuse  sphere-inside", "walk 0.5")]),
];

#[test]
fn only_edited_lines_change() {
    for (edit, changes) in EDITS {
        let expected =
            changes.iter().fold(EVERYTHING.to_owned(), |text, (from, to)| text.replace(from, to));
        assert_eq!(edited(EVERYTHING, edit), expected);
    }
}

#[test]
fn a_source_that_is_no_longer_the_last_gets_its_true_share() {
    let text = "# a\ni 0 0 0  1 1 1  12 t\n";
    let added = edited(text, |scene| {
        let mut source = scene.sources[0];
        source.percent = 0.0;
        source.floor = false;
        scene.sources.push(source);
    });
    assert_eq!(added, "# a\ni 0 0 0  1 1 1  100 t\ni 0 0 0  1 1 1  0 f\n");
}

#[test]
fn removed_source_leaves_all_comments() {
    let text = "# a\ni 0 0 0  1 1 1  40 t\n# b\ni 0 0 0  2 2 2  30 t\n# c\ni 0 0 0  3 3 3  0 t\n";
    let left = edited(text, |scene| {
        scene.sources.remove(1);
    });
    assert_eq!(left, "# a\ni 0 0 0  1 1 1  40 t\n# b\n# c\ni 0 0 0  3 3 3  60 t\n");
}

#[test]
fn an_ignored_share_stays_as_it_was_written() {
    let text = "i 0 0 0  1 1 1  40 t\ni 0 0 0  1 1 1  999 t";
    assert_eq!(edited(text, |scene| scene.sources[0].floor = false), text.replace("40 t", "40 f"));
}

#[test]
fn new_elements_follow_the_last_of_their_kind_or_the_end() {
    let text = "s 0\r\np 0 0 0  1 1 0  z\r\ni 0 0 0  1 1 1  100 t\r\n# end";
    let added = edited(text, |scene| {
        scene.strict = true;
        scene.gravity = Gravity::Weak;
        let mut obstacle = scene.obstacles[0];
        obstacle.corner.z = 0.5;
        scene.obstacles.push(obstacle);
        obstacle.corner.z = 0.25;
        scene.obstacles.insert(0, obstacle);
        scene.events.push(Event { time: 1.0, action: Action::RemoveSource(1) });
        scene.events.push(Event { time: 0.5, action: Action::RemoveSource(1) });
        scene.layers.push(LayerRule { target: LayerTarget::Balls, layer: Layer::ALL });
    });
    let expected = "s 1\r\n#!gravity weak\r\n\
        p 0 0 0.25  1 1 0  z\r\np 0 0 0  1 1 0  z\r\np 0 0 0.5  1 1 0  z\r\n\
        i 0 0 0  1 1 1  100 t\r\n# end\r\n#!event 1 remove-source 1\r\n\
        #!event 0.5 remove-source 1\r\n#!layer balls  group 0";
    assert_eq!(added, expected);
}

#[test]
fn obstacle_with_a_third_side_is_read_flat_with_a_warning() {
    let text = "i 0 0 0  1 1 1  100 t\np 0 0 0  1 1 0.50  z\np 0 0 0  0 1 1  x\n";
    let flat = document(text);
    assert_eq!(flat.scene().obstacles[0].size, v(1.0, 1.0, 0.0));
    let [warning] = flat.warnings() else { panic!("{:?}", flat.warnings()) };
    assert_eq!((warning.line(), warning.column()), (Some(2), Some(14)));
    assert_eq!(edited(text, |scene| scene.speed = 1.0), format!("{text}#!speed 1\n"));
}

#[test]
fn exact_words_of_older_files_are_read_and_never_written() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!shape exact box 1 1 1\n#!body exact  0.1 0 0  0 0 0  \
        exact 0.5 0.10000000001 0 0 0 0 0.6 -0.8  spin 0 0 1\n";
    let file = document(text);
    let body = &file.scene().placed_bodies[0];
    assert_eq!((body.center, body.scale, body.spin), (v(0.1, 0.0, 0.0), 0.5, Vec3::Z));
    let rotation = body.rotation.unwrap().quaternion();
    assert!(rotation.angle_between(glam::DQuat::from_xyzw(0.0, 0.0, 0.6, -0.8)) < 1e-6);
    let [warning] = file.warnings() else { panic!("{:?}", file.warnings()) };
    assert_eq!((warning.line(), warning.column()), (Some(3), Some(31)));
    assert!(warning.message().contains("`scale` and `rotate`"), "{warning}");
    assert_eq!(edited(text, |_| ()), text);
    let moved = edited(text, |scene| scene.placed_bodies[0].center.y = 1.0);
    assert!(moved.contains("#!body exact  0.1 1 0  0 0 0  scale 0.5  rotate 0 0 0.6 2"), "{moved}");
}

#[test]
fn scene_that_no_file_can_describe_is_refused() {
    let edits: &[fn(&mut Scene)] = &[
        |scene| scene.sources.clear(),
        |scene| scene.dt = f32::NAN,
        |scene| scene.speed = f32::INFINITY,
        |scene| scene.sources[0].percent = 101.0,
        |scene| scene.sources[0].percent = f32::NAN,
        |scene| scene.obstacles[0].size.z = 0.1,
        |scene| scene.events[0].action = Action::RemoveSource(3),
        |scene| scene.radius = Radius::Uniform(0.2, 0.1),
        |scene| scene.layers[0].layer.group = Layer::GROUPS,
        |scene| scene.layers[0].target = LayerTarget::Balls,
        |scene| scene.shapes[0].name = "two words".to_owned(),
        |scene| scene.shapes[0].name = "a sphere 1\n#!shape b".to_owned(),
        |scene| scene.shapes[0].name = "inf".to_owned(),
        |scene| scene.placed_bodies[0].shape = "none".to_owned(),
        |scene| scene.placed_bodies[0].scale = 0.0,
        |scene| scene.placed_bodies[2].is_static = true,
        |scene| scene.generated_bodies[0].source = 3,
        |scene| scene.generated_bodies[0].shares.clear(),
        |scene| scene.generated_bodies[0].shares[0].percent = 75.0,
        |scene| scene.parts.clear(),
        |scene| scene.parts[0].shape = "jack".to_owned(),
        |scene| scene.shapes[1].form = ShapeForm::Hull { points: 3, seed: 0 },
        |scene| scene.restitution[1].shape = Some("die".to_owned()),
        |scene| scene.density[0].value = -1.0,
        |scene| scene.body_forces[0].body = 9,
        |scene| scene.drive[0].seconds = 0.0,
        |scene| scene.driving.rule = MoveRule::Refuse("cube"),
    ];
    for (index, edit) in edits.iter().enumerate() {
        let mut document = document(EVERYTHING);
        let mut scene = document.scene().clone();
        edit(&mut scene);
        assert!(document.set_scene(scene.clone()).is_err(), "edit {index}");
        assert!(SceneDocument::from_scene(&scene).is_err(), "edit {index}");
        assert_eq!(document.to_text(), EVERYTHING);
    }
}

/// Values in the place of others: everyday ones, bounds, extremes, and digits that `f32` rounds.
const VALUES: &[&str] = &[
    "-0",
    "1",
    "2",
    "7",
    "64",
    "0.1",
    "-3.25",
    "1e-12",
    "-1e12",
    "1e-45",
    "16777217",
    "0.333333333333",
    "on",
    "weak",
    "all",
    "x",
    "s",
    "rotate",
    "walk",
    "up",
    "balls",
    "die",
    "rod",
    "off",
];

#[test]
fn any_scene_reads_back_and_can_replace_any_other() {
    let lines: Vec<&str> = EVERYTHING.lines().collect();
    let mut scenes = vec![document(SMALLEST).scene().clone()];
    for (number, line) in lines.iter().enumerate() {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        for at in 1..tokens.len() {
            // Every fourth value keeps the test short; which ones differs from token to token.
            for value in VALUES.iter().skip((number + at) % 4).step_by(4) {
                let mut changed = lines.clone();
                let line = [&tokens[..at], &[value], &tokens[at + 1..]].concat().join(" ");
                changed[number] = &line;
                let document = SceneDocument::parse("changed", changed.join("\n").as_bytes());
                scenes.extend(document.map(|document| document.scene().clone()));
            }
        }
    }
    assert!(scenes.len() > 250, "{} scenes", scenes.len());
    for (index, scene) in scenes.iter().enumerate() {
        let written = SceneDocument::from_scene(scene).unwrap();
        assert_eq!(document(&written.to_text()).scene(), scene);
        let text = match index % 3 {
            0 => format!("\u{feff}{}", written.to_text().replace('\n', "\r\n")),
            1 => format!("# kept\n{}", written.to_text().trim_end()),
            _ => written.to_text() + "# kept",
        };
        let other = &scenes[index * 7919 % scenes.len()];
        let kept = edited(&text, |scene| scene.clone_from(other));
        assert_eq!(kept.contains("# kept"), index % 3 != 0);
        assert_eq!(kept.starts_with('\u{feff}'), index % 3 == 0);
    }
}

#[test]
fn written_text_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("saved.scene");
    std::fs::write(&path, document(EVERYTHING).to_text()).unwrap();
    assert_eq!(SceneDocument::read(&path).unwrap().scene(), document(EVERYTHING).scene());
}
