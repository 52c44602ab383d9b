//! Shapes and bodies in scene files: what is read, written, warned of and refused.

use crate::scene_text::{document, edited};
use glam::{Vec2, Vec3};
use sim::scene::{
    AxisAngle, BodiesRule, Continuous, PartRule, PlacedBody, ShapeForm, ShapeRule, ShapeShare,
};
use sim::{Scene, SceneDocument, World};

const SHAPES: &str = "\
# Every shape, out of order.
i -1 -1 -1  2 2 2  50 t
i -1 -1 -1  2 2 2  100 t
#!body jack 0 0 0.5  1 0 0  spin 0 0 3 scale 0.5  bullet
#!bodies source 1  die 50  jack 25.5
#!part jack rod  0 0 0
#!part jack rod  0.0 0 0  1 0 0 90
#!shape ball-1 sphere 0.25
#!shape die box 1 1 2
#!shape rod capsule 0.1 1
#!shape bead capsule 0.1 0
#!shape drum cylinder 0.5 1 24
  #!shape tip cone 0.5 1
#!shape four tetrahedron 1
#!shape rock hull 16
#!shape stone hull 12 18446744073709551615
#!shape wedge points 0 0 0  1 0 0  0 1 0  0 0 1  0 0 1
#!shape tile polygon 0.5  0 0  1 0  1 1\t 0 1
#!shape jack compound
#!spin 0.5
#!continuous bullets
#!flat
#!layer bodies group 2
#!body die -0.5 0 0  0 0 0  static  rotate 0 2 0 45
# the end";

fn shapes() -> Scene {
    let shape = |name: &str, form| ShapeRule { name: name.to_owned(), form };
    let v = Vec3::new;
    let part = |rotation| PartRule {
        compound: "jack".to_owned(),
        shape: "rod".to_owned(),
        position: Vec3::ZERO,
        rotation,
    };
    let share = |shape: &str, percent| ShapeShare { shape: shape.to_owned(), percent };
    let body = PlacedBody {
        shape: "jack".to_owned(),
        center: v(0.0, 0.0, 0.5),
        velocity: Vec3::X,
        scale: 0.5,
        rotation: None,
        exact: None,
        spin: v(0.0, 0.0, 3.0),
        is_static: false,
        is_bullet: true,
        is_kinematic: false,
        is_driven: false,
    };
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::Z];
    let corners = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    Scene {
        shapes: vec![
            shape("ball-1", ShapeForm::Sphere { radius: 0.25 }),
            shape("die", ShapeForm::Box { size: v(1.0, 1.0, 2.0) }),
            shape("rod", ShapeForm::Capsule { radius: 0.1, length: 1.0 }),
            shape("bead", ShapeForm::Capsule { radius: 0.1, length: 0.0 }),
            shape("drum", ShapeForm::Cylinder { radius: 0.5, height: 1.0, sides: 24 }),
            shape("tip", ShapeForm::Cone { radius: 0.5, height: 1.0, sides: 16 }),
            shape("four", ShapeForm::Tetrahedron { side: 1.0 }),
            shape("rock", ShapeForm::Hull { points: 16, seed: 1 }),
            shape("stone", ShapeForm::Hull { points: 12, seed: u64::MAX }),
            shape("wedge", ShapeForm::Points(points)),
            shape("tile", ShapeForm::Polygon { depth: 0.5, corners }),
            shape("jack", ShapeForm::Compound),
        ],
        parts: vec![part(None), part(Some(AxisAngle { axis: Vec3::X, degrees: 90.0 }))],
        generated_bodies: vec![BodiesRule {
            source: 1,
            shares: vec![share("die", 50.0), share("jack", 25.5)],
        }],
        placed_bodies: vec![
            body.clone(),
            PlacedBody {
                shape: "die".to_owned(),
                center: v(-0.5, 0.0, 0.0),
                velocity: Vec3::ZERO,
                scale: 1.0,
                rotation: Some(AxisAngle { axis: Vec3::Y * 2.0, degrees: 45.0 }),
                exact: None,
                spin: Vec3::ZERO,
                is_static: true,
                is_bullet: false,
                is_kinematic: false,
                is_driven: false,
            },
        ],
        spin: 0.5,
        continuous: Continuous::Bullets,
        flat: true,
        ..document("i -1 -1 -1  2 2 2  50 t\ni -1 -1 -1  2 2 2  100 t\n#!layer bodies group 2")
            .scene()
            .clone()
    }
}

#[test]
fn every_line_of_shapes_and_bodies_is_read() {
    assert_eq!(document(SHAPES).scene(), &shapes());
}

#[test]
fn repeated_points_are_warned_of() {
    let document = document(SHAPES);
    let warnings: Vec<_> = document
        .warnings()
        .iter()
        .map(|warning| (warning.line(), warning.column(), warning.message()))
        .collect();
    assert_eq!(warnings, [(17, 15, "1 repeated point in shape `wedge`")]);
}

#[test]
fn nearly_repeated_points_are_warned_of() {
    // The fifth point is the fourth, but for a rounding.
    let text =
        "i 0 0 0  1 1 1  100 t\n#!shape a points 0 0 0  1 0 0  0 1 0  0 0 1  0 0 1.0000000\n"
            .replace("1.0000000", "0.99999999999");
    let near = text.replace("0 0 1  0 0 0.99999999999", "0.0000000001 0 1  0 0 1");
    for text in [text, near] {
        let warnings = document(&text).warnings().to_vec();
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!((warning.line(), warning.column()), (2, 11));
        assert_eq!(warning.message(), "1 repeated point in shape `a`");
    }
}

#[test]
fn scene_can_name_a_shape_as_it_likes() {
    let text = "\
i -9 -9 -9  18 18 18  100 t
#!objects 1
#!shape ball box 1 1 1
#!shape sphere box 1 1 1
#!body ball 5 5 5  0 0 0
#!body sphere 0 0 0  0 0 0
";
    let scene = document(text).scene().clone();
    let world = World::new(&scene);
    let bodies = world.bodies().unwrap();
    let names: Vec<&str> = bodies.shapes().iter().map(|shape| shape.name.as_str()).collect();
    assert_eq!(names, ["ball", "sphere", "(sphere)"]);
    let parts = |object: usize| bodies.body(object).shape.parts()[0].core().vertices().len();
    assert_eq!([0, 1, 2].map(parts), [1, 8, 8]);
}

#[test]
fn unchanged_shapes_keep_every_byte() {
    for text in [SHAPES.to_owned(), SHAPES.replace('\n', "\r\n")] {
        assert_eq!(document(&text).to_text(), text);
        assert_eq!(edited(&text, |_| ()), text);
    }
}

#[test]
fn only_edited_lines_of_shapes_change() {
    let text = edited(SHAPES, |scene| {
        scene.shapes[1].form = ShapeForm::Box { size: Vec3::new(1.0, 3.0, 2.0) };
        scene.parts[1].rotation = Some(AxisAngle { axis: Vec3::X, degrees: 60.0 });
        scene.placed_bodies[1].center.y = 0.25;
        scene.generated_bodies[0].shares[1].percent = 20.0;
        scene.spin = 0.0;
    });
    let expected = SHAPES
        .replace("die box 1 1 2", "die box 1 3 2")
        .replace("0.0 0 0  1 0 0 90", "0 0 0  1 0 0 60")
        .replace(
            "die -0.5 0 0  0 0 0  static  rotate 0 2 0 45",
            "die  -0.5 0.25 0  0 0 0  rotate 0 2 0 45  static",
        )
        .replace("jack 25.5", "jack 20")
        .replace("#!spin 0.5", "#!spin 0");
    assert_eq!(text, expected);
}

#[test]
fn renamed_shape_is_renamed_in_all_lines() {
    let text = "i 0 0 0  1 1 1  100 t\n#!shape a1e1 sphere 1\n#!body a1e1  0 0 0  0 0 0\n";
    let renamed = edited(text, |scene| {
        scene.shapes[0].name = "a10".to_owned();
        scene.placed_bodies[0].shape = "a10".to_owned();
    });
    assert_eq!(renamed, text.replace("a1e1", "a10"));
}

#[test]
fn flat_line_goes_and_comes_with_its_setting() {
    let spatial = edited(SHAPES, |scene| scene.flat = false);
    assert_eq!(spatial, SHAPES.replace("#!flat\n", ""));
    let flat = edited("i 0 0 0  1 1 1  100 t\n#!spin 3\n", |scene| scene.flat = true);
    assert_eq!(flat, "i 0 0 0  1 1 1  100 t\n#!spin 3\n#!flat\n");
}

#[test]
fn removed_shapes_lose_their_lines_and_comments_stay() {
    let text = edited(SHAPES, |scene| {
        scene.shapes.clear();
        scene.parts.clear();
        scene.generated_bodies.clear();
        scene.placed_bodies.clear();
    });
    let kept = SHAPES.lines().filter(|line| {
        let line = line.trim_start();
        !["#!shape", "#!part", "#!bodies", "#!body"].iter().any(|head| line.starts_with(head))
    });
    assert_eq!(text, kept.collect::<Vec<_>>().join("\n"));
}

#[test]
fn new_file_has_all_shapes_and_reads_back() {
    let written = SceneDocument::from_scene(&shapes()).unwrap();
    assert_eq!(document(&written.to_text()).scene(), &shapes());
}

#[test]
fn bodies_that_no_file_can_describe_are_refused() {
    let edits: [fn(&mut Scene); 12] = [
        |scene| scene.shapes[0].name = "two words".to_owned(),
        |scene| scene.shapes[0].name = "a sphere 1\n#!shape b".to_owned(),
        |scene| scene.shapes[0].name = "inf".to_owned(),
        |scene| scene.placed_bodies[0].shape = "none".to_owned(),
        |scene| scene.placed_bodies[0].scale = 0.0,
        |scene| scene.placed_bodies[0].spin.x = f32::NAN,
        |scene| scene.generated_bodies[0].source = 3,
        |scene| scene.generated_bodies[0].shares.clear(),
        |scene| scene.generated_bodies[0].shares[0].percent = 75.0,
        |scene| scene.parts.clear(),
        |scene| scene.parts[0].shape = "jack".to_owned(),
        |scene| scene.shapes[1].form = ShapeForm::Hull { points: 3, seed: 0 },
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut document = document(SHAPES);
        let mut scene = document.scene().clone();
        edit(&mut scene);
        assert!(document.set_scene(scene.clone()).is_err(), "edit {index}");
        assert!(SceneDocument::from_scene(&scene).is_err(), "edit {index}");
        assert_eq!(document.to_text(), SHAPES);
    }
}

#[test]
fn scene_cut_at_any_byte_is_valid_or_an_error_with_a_place() {
    let mut valid = 0;
    for end in 0..SHAPES.len() {
        match SceneDocument::parse("cut.scene", &SHAPES.as_bytes()[..end]) {
            Ok(document) => {
                valid += 1;
                assert_eq!(document.to_text(), SHAPES[..end]);
            }
            Err(error) => assert!(error.line().is_some() && error.column().is_some(), "{error}"),
        }
    }
    assert!(valid > 50, "{valid} valid beginnings");
}
