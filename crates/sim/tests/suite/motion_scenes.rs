//! Worlds of scenes with bodies: their edits, names and gravity.

use crate::scene_text::document;
use glam::Vec3;
use sim::scene::{Driving, Gravity, MoveRule};
use sim::{Edit, Hold, Scene, SceneDocument, World};

const BODIES: &str = "\
i -1 -1 -1  2 2 2  100 t
#!shape die box 0.1 0.1 0.1
#!body die 0 0 0  1 0 0  driven
#!body die 0.5 0 0  0 0 0  bullet
#!restitution 0.5 die
#!density 7.8
#!force 2  0 0 9.5  0.25
#!drive 1.5 up+right
#!driving refuse sphere-inside
#!continuous all
";

#[test]
fn edits_and_their_undo_keep_all_lines_of_bodies() {
    let scene = document(BODIES).scene().clone();
    let mut world = World::new(&scene);
    let source = scene.sources[0];
    world.edit(&Edit::NewSource(source)).unwrap();
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    let driving = Driving { rule: MoveRule::Slide, speed: 2.0 };
    world.edit(&Edit::Driving(driving)).unwrap();
    assert_eq!(world.undoable().as_deref(), Some("driving slide 2"));
    assert_eq!(world.recipe(), &Scene { driving, ..scene.clone() });
    let document = SceneDocument::from_scene(world.recipe()).unwrap();
    assert_eq!(document.scene(), &Scene { driving, ..scene.clone() });
    while world.undo().is_some() {}
    assert_eq!(world.recipe(), &scene);
    let wrong = Driving { rule: MoveRule::Refuse("cube"), speed: 1.0 };
    let error = world.edit(&Edit::Driving(wrong)).unwrap_err().to_string();
    assert!(error.contains("a bounding volume, `none`"), "{error}");
    let error = world.edit(&Edit::Gravity(Gravity::Vector(Vec3::NAN))).unwrap_err().to_string();
    assert!(error.contains("a finite number for the gravity along x"), "{error}");
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
