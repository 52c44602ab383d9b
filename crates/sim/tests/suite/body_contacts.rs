//! Contacts of bodies: what is found, what is counted, and how they are answered.

use crate::world_run::{free, run, scene};
use broadphase::Pair;
use glam::DVec3;
use sim::scene::Continuous;
use sim::{Hold, World, WorldState};

#[test]
fn bounces_are_contacts_in_the_order_of_pairs_and_count_once() {
    // In a step the first die passes 0.1: it is stopped in front of a plate, and its box is away from it at the end. The next
    // meets the other plate. The last overlaps that plate, bounces, and still overlaps it at the end.
    let text = "#!dt 0.1\n#!shape die box 0.2 0.2 0.2\n#!shape plate box 0.2 1 1\n\
                #!body plate 1 0 0  0 0 0  static\n#!body plate -1 0 0  0 0 0  static\n\
                #!body die -0.75 0.25 0  -1 0 0\n#!body die 0.75 0 0  1 0 0\n\
                #!body die -0.9 -0.25 0  -0.1 0 0\n";
    let (mut run, mut start) = (run(&free(text, Continuous::Off)), WorldState::default());
    run.world.store(&mut start);
    let response = run.step();
    assert_eq!((response.hits, response.resolved), (3, 3));
    let contacts = run.bodies().contacts();
    let pairs: Vec<_> = contacts.iter().map(|contact| (contact.pair.a, contact.pair.b)).collect();
    assert_eq!(pairs, [(0, 3), (1, 2), (1, 4)]);
    assert!(contacts[2].depth > 0.05, "{contacts:?}");
    for (contact, point) in contacts.iter().zip([DVec3::X * 0.9, DVec3::new(-0.9, 0.25, 0.0)]) {
        assert_eq!((contact.points, contact.depth), (1, 0.0));
        assert_eq!(contact.normal, DVec3::NEG_X * point.x.signum());
        assert!(contact.point.distance(point) < 1e-6, "{}", contact.point);
    }
    // The last one parts.
    let response = run.step();
    assert_eq!((response.hits, response.resolved), (1, 0));
    // The moment before the bounces shows none of them.
    run.world.restore(&start);
    assert_eq!(run.step().hits, 3);
    run.world.restore(&start);
    assert_eq!(run.world.respond(&[]).hits, 0);
}

#[test]
fn tilted_flat_body_at_a_surface_across_y_keeps_moving() {
    let wall = "i 0 0 0  1 0.2 1  100 t\n";
    let plate = "i 0 -1 0  1 2 1  100 t\n#!shape plate box 1 0.2 1\n\
                 #!body plate 0.5 -0.1 0.5  0 0 0  static\n";
    for surface in [wall, plate] {
        let mut world = World::new(&scene(&format!(
            "#!flat\n{surface}#!objects 0\n#!shape die box 0.2 0.2 0.2\n\
             #!body die 0.5 0.1 0.5  1 0 0  rotate 1 0 0 90 spin 0 3 0\n"
        )));
        for step in 0..60 {
            let before = *world.positions().last().unwrap();
            world.step(Hold::None);
            let moved = world.positions().last().unwrap().distance(before);
            assert!(moved > 0.0 && (step > 0 || (moved - 1.0 / 60.0).abs() < 1e-6), "by {moved}");
        }
    }
}

#[test]
fn points_of_a_contact_are_those_of_all_its_sets() {
    // Two legs of a table in the ground: two sets of four points.
    let text = "#!shape leg box 0.2 0.2 1\n#!shape table compound\n#!part table leg  -1 0 0\n\
                #!part table leg  1 0 0\n#!shape ground box 4 4 1\n\
                #!body ground 0 0 -0.98  0 0 0\n#!body table 0 0 0  0 0 0\n";
    let mut run = run(&free(text, Continuous::Off));
    assert_eq!(run.step().hits, 1);
    assert_eq!(run.bodies().contacts()[0].points, 8);
}

#[test]
fn edge_that_approaches_is_answered_where_the_centre_does_not() {
    // Two cubes face to face. At the centre of the contact they part, and at one edge they approach.
    let text = "#!shape die box 1 1 1\n#!body die -0.499 0 0  0 0 0  spin 0 1 0\n\
                #!body die 0.499 0 0  0.1 0 0\n";
    let mut world = World::new(&free(text, Continuous::Off));
    let energy = world.kinetic_energy();
    let response = world.respond(&[Pair { a: 0, b: 1 }]);
    assert_eq!((response.hits, response.resolved), (1, 1));
    let [contact] = world.bodies().unwrap().contacts() else { panic!("not one contact") };
    assert_eq!((contact.points, contact.point.z), (4, 0.0), "the centre is between the edges");
    assert!(world.velocities()[1].x > 0.1, "{:?}", world.velocities());
    assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-12);
}
