//! A scene file keeps everything that is not edited, and reads back as it was written.

// Clippy does not see the helpers of an integration test as tests.

use crate::scene_text::{document, edited};
use broadphase::{Axis, Layer};
use glam::Vec3;
use sim::scene::{
    Action, Ball, CameraPose, Event, Gravity, LayerRule, LayerTarget, Obstacle, Radius, Source,
    Triangles,
};
use sim::{Scene, SceneDocument};

const EVERYTHING: &str = "\
# Everything that a scene file can say.
#!objects 250
#!radius loguniform 0.01 0.1
#!speed 1.5
#!seed 18446744073709551615
#!dt 0.01
#!gravity strong
#!line 0.25 -0.5
#!camera -30 45 6
#!triangles 80
#!shading off
#!wind 3
i -1.0 -1.0 -1.0  2.0 2.0 2.0  30 t
\ti 0 0 0\t1 1 1  \t 7.0   f  \r
p -1 -1 0.0  2 2 0  z
  p 0 -1 -1  0 2 2 x
p -1 0 -1  2 -0.0 2 y

s 1
#!ball 0.5 .5 5e-1  1 0 -1
#!ball 0 0 0  0 0 0  0.25
#!event 1.5 remove-source 2
#!event 2 hold o 0.75
#!event 0 hold p 1
#!layer source 2	static group 3  meets 31,0,3
  #!layer balls meets none
#!layer source 1 group 0
# the end, without a newline";

fn everything() -> Scene {
    let v = Vec3::new;
    Scene {
        objects: 250,
        radius: Radius::LogUniform(0.01, 0.1),
        speed: 1.5,
        seed: u64::MAX,
        dt: 0.01,
        gravity: Gravity::Strong,
        line: [0.25, -0.5],
        camera: CameraPose { yaw: -30.0, pitch: 45.0, distance: 6.0 },
        triangles: Triangles::Eighty,
        shading: false,
        strict: true,
        sources: vec![
            Source { corner: Vec3::NEG_ONE, size: v(2.0, 2.0, 2.0), percent: 30.0, floor: true },
            Source { corner: Vec3::ZERO, size: Vec3::ONE, percent: 70.0, floor: false },
        ],
        obstacles: vec![
            Obstacle { corner: v(-1.0, -1.0, 0.0), size: v(2.0, 2.0, 0.0), normal: Axis::Z },
            Obstacle { corner: v(0.0, -1.0, -1.0), size: v(0.0, 2.0, 2.0), normal: Axis::X },
            Obstacle { corner: v(-1.0, 0.0, -1.0), size: v(2.0, 0.0, 2.0), normal: Axis::Y },
        ],
        balls: vec![
            Ball { center: v(0.5, 0.5, 0.5), velocity: v(1.0, 0.0, -1.0), radius: None },
            Ball { center: Vec3::ZERO, velocity: Vec3::ZERO, radius: Some(0.25) },
        ],
        events: vec![
            Event { time: 1.5, action: Action::RemoveSource(2) },
            Event { time: 2.0, action: Action::Hold { attract: false, seconds: 0.75 } },
            Event { time: 0.0, action: Action::Hold { attract: true, seconds: 1.0 } },
        ],
        layers: vec![
            LayerRule {
                target: LayerTarget::Source(2),
                layer: Layer { group: 3, mask: 1 << 31 | 1 << 3 | 1, is_static: true },
            },
            LayerRule { target: LayerTarget::Balls, layer: Layer { mask: 0, ..Layer::ALL } },
            LayerRule { target: LayerTarget::Source(1), layer: Layer::ALL },
        ],
        ..Scene::default()
    }
}

#[test]
fn every_element_and_directive_is_read() {
    let document = document(EVERYTHING);
    assert_eq!(document.scene(), &everything());
    let [warning] = document.warnings() else { panic!("{:?}", document.warnings()) };
    assert_eq!((warning.line(), warning.message()), (12, "unknown directive `#!wind`"));
}

#[test]
fn the_smallest_scene_has_every_default() {
    let scene = document("i -1.0 -1.0 -1.0  2.0 2.0 2.0  100 t").scene().clone();
    assert_eq!(scene.sources.len(), 1);
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
    assert_eq!(shares(&(source("100") + &source("0"))), [100.0, 0.0]);
    // In decimals they fill 100; as f32 they can miss it.
    let thirds = source("33.3") + &source("33.3") + &source("33.4");
    assert_eq!(shares(&thirds), [33.3, 33.3, 33.4]);
    assert_eq!(shares(&(thirds + &source("1"))), [33.3, 33.3, 33.4, 0.0]);
    let above = source("33.4") + &source("33.4") + &source("33.2") + &source("1");
    assert_eq!(shares(&above), [33.4, 33.4, 33.2, 0.0]);
    let below = source("73.2") + &source("10") + &source("16.8") + &source("1");
    assert_eq!(shares(&below), [73.2, 10.0, 16.8, 0.0]);
}

#[test]
fn only_edited_lines_change() {
    let text = edited(EVERYTHING, |scene| {
        scene.sources[1].size.y = 1.25;
        scene.seed -= 1;
        scene.obstacles[1].normal = Axis::X;
        scene.balls[0].velocity.z = 2.0;
    });
    let expected = EVERYTHING
        .replace("i 0 0 0\t1 1 1  \t 7.0   f  \r", "i 0 0 0  1 1.25 1  70 f  \r")
        .replace("#!seed 18446744073709551615", "#!seed 18446744073709551614")
        .replace("0.5 .5 5e-1  1 0 -1", "0.5 0.5 0.5  1 0 2");
    assert_eq!(text, expected);
}

#[test]
fn an_added_radius_rewrites_the_line_of_its_ball_in_place() {
    let text = edited(EVERYTHING, |scene| scene.balls[0].radius = Some(0.125));
    let expected = EVERYTHING.replace("0.5 .5 5e-1  1 0 -1", "0.5 0.5 0.5  1 0 -1  0.125");
    assert_eq!(text, expected);
}

#[test]
fn removed_element_loses_its_line_and_others_keep_theirs() {
    let text = edited(EVERYTHING, |scene| {
        scene.obstacles.remove(0);
        scene.obstacles.remove(1);
        scene.balls.clear();
    });
    let expected = EVERYTHING
        .replace("p -1 -1 0.0  2 2 0  z\n", "")
        .replace("p -1 0 -1  2 -0.0 2 y\n", "")
        .replace("#!ball 0.5 .5 5e-1  1 0 -1\n#!ball 0 0 0  0 0 0  0.25\n", "");
    assert_eq!(text, expected);
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
    assert_eq!(
        edited(text, |scene| scene.sources[0].floor = false),
        "i 0 0 0  1 1 1  40 f\ni 0 0 0  1 1 1  999 t"
    );
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
    });
    let expected = "s 1\r\n#!gravity weak\r\n\
        p 0 0 0.25  1 1 0  z\r\np 0 0 0  1 1 0  z\r\np 0 0 0.5  1 1 0  z\r\n\
        i 0 0 0  1 1 1  100 t\r\n# end\r\n#!event 1 remove-source 1\r\n#!event 0.5 remove-source 1";
    assert_eq!(added, expected);
}

#[test]
fn a_changed_layer_is_rewritten_and_a_new_one_follows_the_last() {
    let text = edited(EVERYTHING, |scene| {
        scene.layers[0].layer.group = 4;
        scene.layers.remove(1);
    });
    // The line of a changed element is written as a new one.
    let expected = EVERYTHING
        .replace("2\tstatic group 3  meets 31,0,3", "2  group 4  meets 0,3,31  static")
        .replace("  #!layer balls meets none\n", "");
    assert_eq!(text, expected);
    let text = edited(EVERYTHING, |scene| {
        scene.layers[2].layer = Layer { mask: 0b110, ..Layer::STATIC };
    });
    let line = "#!layer source 1  meets 1,2  static";
    assert_eq!(text, EVERYTHING.replace("#!layer source 1 group 0", line));
    let text = edited("i 0 0 0  1 1 1  100 t\n", |scene| {
        scene.layers.push(LayerRule { target: LayerTarget::Source(1), layer: Layer::STATIC });
        scene.layers.push(LayerRule { target: LayerTarget::Balls, layer: Layer::ALL });
    });
    let layers = "#!layer source 1  static\n#!layer balls  group 0\n";
    assert_eq!(text, format!("i 0 0 0  1 1 1  100 t\n{layers}"));
}

#[test]
fn a_setting_set_back_to_its_default_stays_in_the_file() {
    let text = edited("#!gravity weak\ni 0 0 0  1 1 1  100 t\n", |scene| {
        scene.gravity = Gravity::Off;
    });
    assert_eq!(text, "#!gravity off\ni 0 0 0  1 1 1  100 t\n");
}

#[test]
fn a_new_file_leaves_defaults_out() {
    let scene = document("i -1.0 -1.0 -1.0  2.0 2.0 2.0  5 t").scene().clone();
    let text = SceneDocument::from_scene(&scene).unwrap().to_text();
    assert_eq!(text, "i -1 -1 -1  2 2 2  100 t\n");
}

#[test]
fn scene_that_no_file_can_describe_is_refused() {
    let edits: [fn(&mut Scene); 11] = [
        |scene| scene.sources.clear(),
        |scene| scene.dt = f32::NAN,
        |scene| scene.speed = f32::INFINITY,
        |scene| scene.sources[0].percent = 101.0,
        |scene| scene.sources[0].percent = f32::NAN,
        |scene| scene.obstacles[0].size.z = 0.1,
        |scene| scene.events[0].action = Action::RemoveSource(3),
        |scene| scene.radius = Radius::Uniform(0.2, 0.1),
        |scene| scene.layers[0].target = LayerTarget::Source(3),
        |scene| scene.layers[0].layer.group = Layer::GROUPS,
        |scene| scene.layers[0].target = LayerTarget::Balls,
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut document = document(EVERYTHING);
        let mut scene = document.scene().clone();
        edit(&mut scene);
        assert!(document.set_scene(scene.clone()).is_err(), "edit {index}");
        assert!(SceneDocument::from_scene(&scene).is_err(), "edit {index}");
        assert_eq!(document.to_text(), EVERYTHING);
        assert_eq!(document.scene(), &everything());
    }
}

#[test]
fn written_text_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("saved.scene");
    for text in [EVERYTHING, "i 0 0 0  1 1 1  100 t"] {
        std::fs::write(&path, document(text).to_text()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        let again = SceneDocument::read(&path).unwrap();
        assert_eq!(again.scene(), document(text).scene());
    }
}
