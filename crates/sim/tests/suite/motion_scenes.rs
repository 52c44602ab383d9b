//! Worlds of scenes with bodies: their edits, names and gravity.

use crate::scene_text::document;
use glam::Vec3;
use sim::scene::{Driving, Gravity, MoveRule};
use sim::{Edit, Hold, Scene, World};

#[test]
fn edits_are_named_and_refused_as_lines_of_a_file() {
    let mut world = World::new(document("i -1 -1 -1  2 2 2  100 t\n").scene());
    let driving = |rule, speed| Edit::Driving(Driving { rule, speed });
    world.edit(&driving(MoveRule::Slide, 2.0)).unwrap();
    assert_eq!(world.undoable().as_deref(), Some("driving slide 2"));
    for (edit, said) in [
        (driving(MoveRule::Refuse("cube"), 1.0), "a bounding volume, `none`"),
        (Edit::Gravity(Gravity::Vector(Vec3::NAN)), "a finite number for the gravity along x"),
    ] {
        let error = world.edit(&edit).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
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
