//! A scene file keeps everything that is not edited, and reads back as it was written.

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

const UNIT_SQUARE: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

#[test]
fn every_line_is_read() {
    let document = document(EVERYTHING);
    let scene = document.scene();
    assert_eq!((scene.objects, scene.speed, scene.seed, scene.dt), (250, 1.5, u64::MAX, 0.01));
    assert_eq!((scene.radius, scene.spin), (Radius::LogUniform(0.01, 0.1), 0.5));
    assert_eq!((scene.gravity, scene.line), (Gravity::Vector(v(1.0, -2.0, 0.5)), [0.25, -0.5]));
    assert_eq!(scene.camera, CameraPose { yaw: -30.0, pitch: 45.0, distance: 6.0 });
    assert_eq!((scene.triangles, scene.continuous), (Triangles::Eighty, Continuous::Bullets));
    assert_eq!((scene.shading, scene.strict, scene.flat), (false, true, true));
    let rule = MoveRule::Refuse("sphere-inside");
    assert_eq!(scene.driving, Driving { rule, speed: 0.5 });
    let source = |corner, size, percent, floor| Source { corner, size, percent, floor };
    let first = source(Vec3::NEG_ONE, v(2.0, 2.0, 2.0), 30.0, true);
    assert_eq!(scene.sources, [first, source(Vec3::ZERO, Vec3::ONE, 70.0, false)]);
    let obstacle = |x, y, z, size, normal| Obstacle { corner: v(x, y, z), size, normal };
    let obstacles = [
        obstacle(-1.0, -1.0, 0.0, v(2.0, 2.0, 0.0), Axis::Z),
        obstacle(0.0, -1.0, -1.0, v(0.0, 2.0, 2.0), Axis::X),
        obstacle(-1.0, 0.0, -1.0, v(2.0, 0.0, 2.0), Axis::Y),
    ];
    assert_eq!(scene.obstacles, obstacles);
    let ball = Ball { center: v(0.5, 0.5, 0.5), velocity: v(1.0, 0.0, -1.0), radius: None };
    assert_eq!(scene.balls, [ball, Ball { radius: Some(0.25), ..Ball::default() }]);
    let event = |time, action| Event { time, action };
    let hold = |time, attract, seconds| event(time, Action::Hold { attract, seconds });
    let remove = event(1.5, Action::RemoveSource(2));
    assert_eq!(scene.events, [remove, hold(2.0, false, 0.75), hold(0.0, true, 1.0)]);
    let rule = |target, group, mask, is_static| LayerRule {
        target,
        layer: Layer { group, mask, is_static },
    };
    let layers = [
        rule(LayerTarget::Source(2), 3, 1 << 31 | 1 << 3 | 1, true),
        rule(LayerTarget::Balls, 0, 0, false),
        rule(LayerTarget::Source(1), 0, u32::MAX, false),
    ];
    assert_eq!(scene.layers, layers);
    let keys = DriveKeys { right: true, up: true, jump: true, ..DriveKeys::NONE };
    let drive = [(0.5, DriveKeys::NONE), (1.5, keys)];
    assert_eq!(scene.drive, drive.map(|(seconds, keys)| DriveStep { seconds, keys }));
    let lines: Vec<_> = document.warnings().iter().map(|warning| warning.line()).collect();
    assert_eq!(lines, [Some(12), Some(48)]);
    let written = SceneDocument::from_scene(scene).unwrap();
    assert_eq!(self::document(&written.to_text()).scene(), scene);
}

#[test]
fn every_line_of_shapes_and_bodies_is_read() {
    let document = document(EVERYTHING);
    let scene = document.scene();
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
        ("wedge", ShapeForm::Points(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::Z])),
        ("tile", ShapeForm::Polygon { depth: 0.5, corners: UNIT_SQUARE.to_vec() }),
        ("jack", ShapeForm::Compound),
    ];
    assert_eq!(scene.shapes, shapes.map(|(name, form)| ShapeRule { name: name.to_owned(), form }));
    let [die, rod, jack] = ["die", "rod", "jack"].map(str::to_owned);
    let part = PartRule { compound: jack.clone(), shape: rod, ..PartRule::default() };
    let rotation = Some(AxisAngle { axis: Vec3::X, degrees: 90.0 });
    assert_eq!(scene.parts, [part.clone(), PartRule { rotation, ..part }]);
    let share = |shape: &String, percent| ShapeShare { shape: shape.clone(), percent };
    let rule = BodiesRule { source: 1, shares: vec![share(&die, 50.0), share(&jack, 25.5)] };
    assert_eq!(scene.generated_bodies, [rule]);
    let at = |x, z| PlacedBody { shape: die.clone(), center: v(x, 0.0, z), ..Default::default() };
    let rotation = Some(AxisAngle { axis: Vec3::Y * 2.0, degrees: 45.0 });
    let (velocity, spin) = (Vec3::X, v(0.0, 3.0, 0.0));
    let moving = PlacedBody { shape: jack, velocity, spin, ..at(0.0, 0.5) };
    let bodies = [
        PlacedBody { scale: 0.5, is_bullet: true, ..moving },
        PlacedBody { rotation, is_static: true, ..at(-0.5, 0.0) },
        PlacedBody { velocity, is_driven: true, ..at(0.0, 0.0) },
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
fn numbers_read_back_as_they_were_written() {
    for speed in [0.0, 1e-45, 1e-12, 0.1, 1.0 / 3.0, 123_456.79, 16_777_216.0, 1e12] {
        edited(SMALLEST, |scene| scene.speed = speed);
    }
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
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        assert_eq!(SceneDocument::read(file.path()).unwrap().to_text(), text);
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
    let below = source("73.2") + &source("10") + &source("16.8") + &source("1");
    assert_eq!(shares(&below), [73.2, 10.0, 16.8, 0.0]);
}

/// An edit, and how a part of [`EVERYTHING`] changes.
type EditOfPart = (fn(&mut Scene), &'static str, &'static str);

const EDITS: &[EditOfPart] = &[
    (|scene| scene.sources[1].size.y = 1.25, "0 0 0\t1 1 1  \t 7.0   f", "0 0 0  1 1.25 1  70 f"),
    (|scene| scene.balls[0].radius = Some(2.0), ".5 5e-1  1 0 -1", "0.5 0.5  1 0 -1  2"),
    (
        |scene| scene.obstacles.retain(|obstacle| obstacle.normal == Axis::X),
        "p -1 -1 0.0  2 2 0  z\n  p 0 -1 -1  0 2 2 x\np -1 0 -1  2 -0.0 2 y\n",
        "  p 0 -1 -1  0 2 2 x\n",
    ),
    (
        |scene| scene.layers[0].layer.group = 4,
        "2\tstatic group 3  meets 31,0,3",
        "2  group 4  meets 0,3,31  static",
    ),
    (|scene| scene.flat = false, "#!flat\n", ""),
    (
        |scene| scene.placed_bodies[1].center.y = 0.25,
        "die -0.5 0 0  0 0 0  static  rotate 0 2 0 45",
        "die  -0.5 0.25 0  0 0 0  rotate 0 2 0 45  static",
    ),
    (|scene| scene.drive[1].keys = DriveKeys::NONE, "1.50 up+right+jump", "1.5 none"),
    (|scene| scene.driving.rule = MoveRule::Walk, "refuse  sphere-inside", "walk 0.5"),
];

#[test]
fn only_edited_lines_change() {
    for (edit, from, to) in EDITS {
        assert!(EVERYTHING.contains(from), "{from}");
        assert_eq!(edited(EVERYTHING, edit), EVERYTHING.replacen(from, to, 1));
    }
}

#[test]
fn shares_of_sources_follow_from_the_others_in_an_edit() {
    let text = "# a\ni 0 0 0  1 1 1  12 t\n";
    let added = edited(text, |scene| {
        scene.sources.push(Source { percent: 0.0, floor: false, ..scene.sources[0] });
    });
    assert_eq!(added, "# a\ni 0 0 0  1 1 1  100 t\ni 0 0 0  1 1 1  0 f\n");
    let text = "# a\ni 0 0 0  1 1 1  40 t\n# b\ni 0 0 0  2 2 2  30 t\n# c\ni 0 0 0  3 3 3  0 t\n";
    let left = edited(text, |scene| scene.sources.retain(|source| source.size.x != 2.0));
    assert_eq!(left, "# a\ni 0 0 0  1 1 1  40 t\n# b\n# c\ni 0 0 0  3 3 3  60 t\n");
    // An ignored share stays as it was written.
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
fn exact_words_of_older_files_are_read_and_never_written() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!shape exact box 1 1 1\n#!body exact  0.1 0 0  0 0 0  \
        exact 0.5 0.10000000001 0 0 0 0 0.6 -0.8  spin 0 0 1\n";
    let file = document(text);
    let body = &file.scene().placed_bodies[0];
    assert_eq!((body.center, body.scale, body.spin), (v(0.1, 0.0, 0.0), 0.5, Vec3::Z));
    let rotation = body.rotation.unwrap().quaternion();
    assert!(rotation.angle_between(glam::DQuat::from_xyzw(0.0, 0.0, 0.6, -0.8)) < 1e-6);
    let [warning] = file.warnings() else { panic!("{:?}", file.warnings()) };
    assert_eq!(warning.line().zip(warning.column()), Some((3, 31)));
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
        |scene| scene.layers[0].layer.group = Layer::GROUPS,
        |scene| scene.layers[0].target = LayerTarget::Balls,
        |scene| scene.shapes[0].name = "two words".to_owned(),
        |scene| scene.shapes[0].name = "a sphere 1\n#!shape b".to_owned(),
        |scene| scene.placed_bodies[2].is_static = true,
        |scene| scene.generated_bodies[0].shares.clear(),
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
