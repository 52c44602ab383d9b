//! Contacts of bodies: what is found, what is counted, and how they are answered.

#[allow(dead_code, reason = "shared by tests that measure different things")]
use crate::body_reach::reach;
use crate::world_run::{Run, kd_tree, run_shipped, shipped};
use broadphase::Pair;
use glam::{DVec3, Vec3};
use narrowphase::Reference;
use narrowphase::contact::{ContactKind, Contacts, Extent};
use sim::{Hold, Scene, SceneDocument, World};

fn scene(text: &str) -> Scene {
    match SceneDocument::parse("test.scene", text.as_bytes()) {
        Ok(document) => document.scene().clone(),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn scene_of_contacts_shows_every_kind() {
    use ContactKind::{EdgeEdge, EdgeFace, FaceFace, VertexEdge, VertexFace, VertexVertex};
    let cells =
        [FaceFace, EdgeFace, VertexFace, EdgeEdge, VertexEdge, VertexVertex, VertexFace, EdgeFace];
    let mut run = run_shipped("contacts", 0, 0);
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    let mut counts = [0; 8];
    for step in 0..300 {
        run.step();
        let bodies = run.world.bodies().unwrap();
        for contact in bodies.contacts() {
            let pair = [contact.pair.a, contact.pair.b].map(|object| object as usize);
            let [a, b] = pair.map(|object| bodies.body(object));
            reference.examine(&a, &b);
            contacts.find(&a, &b, reference.parts());
            let cell = pair[0] / 2;
            assert_eq!(contacts.sets()[0].kind, cells[cell], "step {step}, cell {cell}");
            assert_eq!(contacts.points().len(), contact.points as usize);
            counts[cell] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count >= 2), "{counts:?}");
    assert!(ContactKind::ALL.iter().all(|kind| cells.contains(kind)));
}

/// A box given by corners of seven digits, turned, and a cube on it: its corners are in one plane to `f32` alone.
#[test]
fn cube_on_a_box_of_rounded_points_touches_in_a_square() {
    let world = World::new(&scene(
        "i -2 -2 -2  4 4 4  100 t\n#!objects 0\n#!shape tile points -0.4028105 -0.7687764 -0.4865456 \
         0.5566154 -0.5281153 -0.6334616 -0.7222579 0.5875284 -0.350933 0.237168 0.8281895 -0.497849 \
         -0.237168 -0.8281895 0.497849 0.7222579 -0.5875284 0.350933 -0.5566154 0.5281153 0.6334616 \
         0.4028105 0.7687764 0.4865456\n#!shape die box 0.2 0.2 0.2\n\
         #!body tile 0 0 0  0 0 0  rotate 1 2 3 -17 static\n#!body die -0.3 -0.5 0.5999  0 0 0\n",
    ));
    let bodies = world.bodies().unwrap();
    let [tile, die] = [0, 1].map(|object| bodies.body(object));
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    contacts.find(&tile, &die, reference.near(&tile, &die, 0.0));
    assert_eq!(proofs::contact_fault(&contacts, &tile, &die), None);
    let [set] = contacts.sets() else { panic!("{contacts:?}") };
    assert_eq!((set.kind, contacts.points().len()), (ContactKind::FaceFace, 4));
    assert!(matches!(set.extent, Extent::Polygon { area } if (area - 0.04).abs() < 1e-6));
}

/// Its points are in planes to `f32` alone. It is 13 % of its diameter thick.
#[test]
fn hull_of_points_nearly_in_planes_is_built() {
    let world = World::new(&scene(
        "i -9 -9 -9  18 18 18  100 t\n#!objects 0\n#!shape rock points \
         -7.1597456932067871 -1.8186944723129272 -1.6560704708099365 \
         -0.43745562434196472 3.9071035385131836 6.4695711135864258 \
         -0.26378214359283447 3.0602104663848877 3.9690494537353516 \
         -1.5578372478485107 2.9528038501739502 5.115297794342041 \
         1.2138544321060181 1.8011208772659302 6.5874505043029785 \
         1.3875279426574707 0.9542277455329895 4.0869288444519043\n\
         #!body rock 0 0 0  0 0 0  scale 0.05\n",
    ));
    let rock = world.bodies().unwrap().body(0).shape;
    // One point is no corner to that precision.
    assert_eq!(rock.parts()[0].core().vertices().len(), 5);
}

#[test]
fn bounces_off_static_bodies_are_hits() {
    for name in ["lab"] {
        let mut run = run_shipped(name, shipped(name).objects, 0);
        let (mut hits, mut fixed) = (0, 0);
        for _ in 0..300 {
            hits += run.step().hits;
            let contacts = run.world.bodies().unwrap().contacts();
            let is_static = |object: u32| run.world.layers()[object as usize].is_static;
            let with_static = |pair: Pair| is_static(pair.a) || is_static(pair.b);
            fixed += contacts.iter().filter(|contact| with_static(contact.pair)).count();
            assert!(contacts.is_sorted_by(|a, b| a.pair < b.pair), "{name}: {contacts:?}");
        }
        assert!(hits > 0 && fixed > 0, "{name}: {hits} hits, {fixed} with static bodies");
    }
}

#[test]
fn bounce_off_a_static_body_is_one_contact() {
    // In a step the die passes 0.1: it is stopped in front of the plate, and its box is away from it at the end.
    let text = "\
i -1 -1 -1  2 2 2  100 t
#!objects 0
#!dt 0.1
#!shape die box 0.2 0.2 0.2
#!shape plate box 0.2 1 1
#!body plate 0.2 0 0  0 0 0  static
#!body die -0.05 0.25 0  1 0 0
";
    let mut run = Run::new(&scene(text), kd_tree());
    let response = run.step();
    assert_eq!((response.hits, response.resolved), (1, 1));
    let [contact] = run.world.bodies().unwrap().contacts() else { panic!("not one contact") };
    assert_eq!((contact.pair, contact.points), (Pair { a: 0, b: 1 }, 1));
    assert_eq!(contact.normal, DVec3::NEG_X);
    assert_eq!(contact.depth, 0.0);
    assert!(contact.point.distance(DVec3::new(0.1, 0.25, 0.0)) < 1e-6, "{}", contact.point);
    assert_eq!(run.step().hits, 0);
}

#[test]
fn bounces_are_contacts_in_the_order_of_pairs_and_count_once() {
    // The third body meets the second one, the fourth the first. The last overlaps the second one, bounces, and still
    // overlaps it at the end.
    let text = "\
i -2 -2 -2  4 4 4  100 t
#!objects 0
#!dt 0.1
#!shape die box 0.2 0.2 0.2
#!shape plate box 0.2 1 1
#!body plate 1 0 0  0 0 0  static
#!body plate -1 0 0  0 0 0  static
#!body die -0.75 0.25 0  -1 0 0
#!body die 0.75 0 0  1 0 0
#!body die -0.9 -0.25 0  -0.1 0 0
";
    let mut run = Run::new(&scene(text), kd_tree());
    let response = run.step();
    assert_eq!((response.hits, response.resolved), (3, 3));
    let contacts = run.world.bodies().unwrap().contacts();
    let pairs: Vec<_> = contacts.iter().map(|contact| (contact.pair.a, contact.pair.b)).collect();
    assert_eq!(pairs, [(0, 3), (1, 2), (1, 4)]);
    assert!(contacts[2].depth > 0.05 && contacts[1].depth == 0.0, "{contacts:?}");
}

/// Where an object is in each of the next steps.
fn places(world: &mut World, object: usize) -> Vec<Vec3> {
    let step = |_| {
        world.step(Hold::None);
        world.positions()[object]
    };
    (0..60).map(step).collect()
}

#[test]
fn tilted_flat_body_at_a_wall_across_y_keeps_moving() {
    let text = "\
#!flat
i 0 0 0  1 0.2 1  100 t
#!objects 0
#!shape die box 0.2 0.2 0.2
#!body die 0.5 0.1 0.5  1 0 0  rotate 1 0 0 90 spin 0 3 0
";
    let mut world = World::new(&scene(text));
    let start = world.positions()[0];
    world.step(Hold::None);
    let moved = world.positions()[0].distance(start);
    assert!((moved - 1.0 / 60.0).abs() < 1e-6, "moved by {moved}");
    let states = places(&mut world, 0);
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]), "{states:?}");
}

#[test]
fn tilted_flat_body_at_a_static_body_keeps_moving() {
    let text = "\
#!flat
i 0 -1 0  1 2 1  100 t
#!objects 0
#!shape die box 0.2 0.2 0.2
#!shape plate box 1 0.2 1
#!body plate 0.5 -0.1 0.5  0 0 0  static
#!body die 0.5 0.1 0.5  1 0 0  rotate 1 0 0 90 spin 0 3 0
";
    let mut world = World::new(&scene(text));
    let states = places(&mut world, 1);
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]), "{states:?}");
}

#[test]
fn concentric_balls_part_as_spheres_do() {
    let balls = "\
i -2 -2 -2  4 4 4  100 t
#!objects 0
#!dt 0.25
#!ball -0.25 0 0  0 1 0  0.25
#!ball -0.25 0.25 0  0 0 0  0.25
";
    let far = "#!shape die box 1 1 1\n#!body die 9 9 9  0 0 0\n";
    let mut alone = Run::new(&scene(balls), kd_tree());
    let mut among = Run::new(&scene(&format!("{balls}{far}")), kd_tree());
    assert_eq!(alone.step(), among.step());
    assert_eq!(alone.world.velocities()[1], Vec3::Y);
    assert_eq!(alone.world.velocities(), &among.world.velocities()[..2]);
}

#[test]
fn points_of_a_contact_are_those_of_all_its_sets() {
    // Two legs of a table in the ground: two sets of four points.
    let text = "\
i -9 -9 -9  18 18 18  100 t
#!objects 0
#!shape leg box 0.2 0.2 1
#!shape table compound
#!part table leg  -1 0 0
#!part table leg  1 0 0
#!shape ground box 4 4 1
#!body ground 0 0 -0.98  0 0 0
#!body table 0 0 0  0 0 0
";
    let mut run = Run::new(&scene(text), kd_tree());
    assert_eq!(run.step().hits, 1);
    assert_eq!(run.world.bodies().unwrap().contacts()[0].points, 8);
}

#[test]
fn edge_that_approaches_is_answered_where_the_centre_does_not() {
    // Two cubes face to face. At the centre of the contact they part, and at one edge they approach.
    let text = "\
i -2 -2 -2  4 4 4  100 t
#!objects 0
#!shape die box 1 1 1
#!body die -0.499 0 0  0 0 0  spin 0 1 0
#!body die 0.499 0 0  0.1 0 0
";
    let mut world = World::new(&scene(text));
    let energy = world.kinetic_energy();
    let response = world.respond(&[Pair { a: 0, b: 1 }]);
    assert_eq!((response.hits, response.resolved), (1, 1));
    let [contact] = world.bodies().unwrap().contacts() else { panic!("not one contact") };
    assert_eq!((contact.points, contact.point.z), (4, 0.0), "the centre is between the edges");
    assert!(world.velocities()[1].x > 0.1, "{:?}", world.velocities());
    assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-12);
}

#[test]
fn compounds_pass_neither_obstacles_nor_static_bodies() {
    // A wall of obstacles at x = 0, and a static compound of plates at x = 0.5; all fly along x by a third of the cube
    // in a step.
    let mut text = "\
i -1 -1 -1  2 2 2  100 t
#!objects 0
#!dt 0.05
#!shape rod capsule 0.02 0.2
#!shape bead sphere 0.05
#!shape bar box 0.03 0.2 0.03
#!shape jack compound
#!part jack rod  0 0 0
#!part jack rod  0 0 0  1 0 0 90
#!part jack rod  0 0 0  0 0 1 90
#!shape hammer compound
#!part hammer bar  0 0 0
#!part hammer bead  0 0.1 0
#!shape plate box 0.001 1 2
#!shape fence compound
#!part fence plate  0 -0.5 0
#!part fence plate  0 0.5 0
p 0 -1 -1  0 2 1  x
p 0 -1 0  0 2 1  x
#!body fence 0.5 0 0  0 0 0  static
"
    .to_owned();
    for (row, name) in ["jack", "hammer"].into_iter().enumerate() {
        for column in 0..5 {
            let (y, z) = (0.8 * row as f32 - 0.5, 0.35 * column as f32 - 0.75);
            text += &format!("#!body {name} -0.5 {y} {z}  13 0.3 0.1  spin 9 3 {column}\n");
            text += &format!("#!body {name} 0.25 {y} {z}  13 0 -0.2  spin 1 -30 {column}\n");
        }
    }
    let mut run = Run::new(&scene(&text), kd_tree());
    let before = run.world.kinetic_energy();
    let mut hits = 0;
    for step in 0..100 {
        hits += run.step().hits;
        let bodies = run.world.bodies().unwrap();
        for object in 1..run.world.len() {
            let body = bodies.body(object);
            let (low, high) = (-reach(&body, DVec3::NEG_X), reach(&body, DVec3::X));
            let (least, most) = if object % 2 == 1 { (-1.0, 0.0) } else { (0.0, 0.4995) };
            let behind = (least - low).max(high - most) / body.bounding_radius();
            assert!(behind <= 1e-9, "step {step}: {object} from {low} to {high}");
        }
    }
    assert!(hits > 100, "{hits} hits are no test");
    let drift = run.world.kinetic_energy() / before - 1.0;
    assert!(drift.abs() < 1e-10, "relative drift {drift:e}");
}

#[test]
fn bodies_come_close_to_large_obstacles() {
    // A rectangle of 1000 units stops bodies where it is, and not in front of it.
    let text = "\
i -500 -500 -500  1000 1000 1000  100 t
p -500 -500 0  1000 1000 0  z
#!objects 0
#!shape die box 0.2 0.2 0.2
#!body die 0 0 0.15  0 0 -1
";
    let mut world = World::new(&scene(text));
    let lowest = (0..20).map(|_| {
        world.step(Hold::None);
        -reach(&world.bodies().unwrap().body(0), DVec3::NEG_Z)
    });
    let lowest = lowest.fold(f64::MAX, f64::min);
    assert!(lowest >= 0.0);
    // It goes down by 0.05 and flies back up.
    let low = -reach(&world.bodies().unwrap().body(0), DVec3::NEG_Z);
    let ideal = 20.0 / 60.0 - 0.05;
    assert!((low - ideal).abs() < 3e-5, "{low}, not {ideal}");
}
