//! Bodies in motion: what is conserved, what is never passed, and what the motion does not depend on.

use crate::body_reach::reach;
use crate::scene_text::document;
use crate::world_run::{MIXED, run, scene};
use glam::{DVec3, Vec3};
use sim::{BodyState, Hold, Scene, World};

#[test]
fn rotation_too_fast_to_follow_is_slowed_down() {
    for (spin, dt, lines) in [("15.9", 0.001, &[][..]), ("15.9", 1.0, &[7]), ("16.1", 1.0, &[4, 7])]
    {
        let text = format!(
            "i -9 -9 -9  18 18 18  100 t\n#!objects 4\n#!dt {dt}\n#!spin {spin}\n#!shape die box 1 1 1\n\
             #!bodies source 1 die 50\n#!body die 5 5 5  0 0 0  spin 0 -2000 0\n\
             #!body die -5 5 5  0 0 0  spin 0 15 0\n"
        );
        let document = document(&text);
        let warnings = document.warnings();
        let found: Vec<_> = warnings.iter().filter_map(|warning| warning.line()).collect();
        assert_eq!(found, lines, "{spin} {dt}");
        let slowed = "a spin of 2000 rad/s is slowed down to 16.000 rad/s";
        assert!(warnings.last().is_none_or(|last| last.message().starts_with(slowed)));
        let world = World::new(document.scene());
        let spins = (0..6).map(|object| world.bodies().unwrap().angular_velocity(object));
        let fastest = spins.map(|spin| spin.length()).fold(0.0, f64::max);
        let expected = (16.0 / f64::from(world.scene().dt)).min(2000.0);
        assert!((fastest / expected - 1.0).abs() < 1e-9, "{fastest}, not {expected}");
    }
}

fn angular_momentum(world: &World) -> DVec3 {
    let bodies = world.bodies().unwrap();
    let of = |(object, state): (usize, &BodyState)| {
        state.position.cross(state.velocity) * bodies.mass(object) + state.angular_momentum
    };
    bodies.states().iter().enumerate().map(of).sum()
}

#[test]
fn free_bodies_keep_momentum_and_angular_momentum() {
    // Without its source nothing holds them.
    let text = format!("{MIXED}i 90 90 90  1 1 1  0 t\n#!event 0 remove-source 1\n")
        .replace("2 2 2  100 t", "1 1 1  100 t");
    let mut run = run(&Scene { objects: 120, ..scene(&text) });
    let before = [run.world.momentum(), angular_momentum(&run.world)];
    let scale = run.world.kinetic_energy();
    let resolved = run.steps(60);
    assert!(resolved > 20, "{resolved} collisions are no test");
    for (now, before) in [run.world.momentum(), angular_momentum(&run.world)].iter().zip(before) {
        let change = now.distance(before);
        assert!(change < 1e-12 * scale, "changed by {change:e} of {scale:e}");
    }
}

/// A wall of obstacles at x = 0.
const OBSTACLES: &str = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!dt 0.05\n\
    p 0 -1 -1  0 2 1  x\np 0 -1 0  0 2 1  x\n\
    #!shape plank box 0.02 0.1 0.2\n#!shape rod capsule 0.02 0.2\n#!shape tip cone 0.05 0.1 5\n\
    #!shape jack compound\n#!part jack rod  0 0 0\n#!part jack rod  0 0 0  1 0 0 90\n\
    #!part jack rod  0 0 0  0 0 1 90\n\
    #!shape bead sphere 0.05\n#!shape bar box 0.03 0.2 0.03\n\
    #!shape hammer compound\n#!part hammer bar  0 0 0\n#!part hammer bead  0 0.1 0\n\
    #!shape plate box 0.001 1 2\n\
    #!shape fence compound\n#!part fence plate  0 -0.5 0\n#!part fence plate  0 0.5 0\n";

#[test]
fn fast_bodies_pass_neither_obstacles_nor_static_bodies() {
    // The static wall is at x = 0.5. All fly along x by a third of the cube in a step.
    let plates = "#!body plate 0.5 -0.5 0  0 0 0  static\n#!body plate 0.5 0.5 0  0 0 0  static\n";
    let fence = "#!body fence 0.5 0 0  0 0 0  static\n";
    for (wall, shapes) in [(plates, &["plank", "rod", "tip"][..]), (fence, &["jack", "hammer"])] {
        let mut text = format!("{OBSTACLES}{wall}");
        for (row, name) in shapes.iter().enumerate() {
            for column in 0..5 {
                let y = 1.6 / shapes.len() as f32 * row as f32 - 0.5;
                let z = 0.35 * column as f32 - 0.75;
                text += &format!("#!body {name} -0.5 {y} {z}  13 0.3 0.1  spin 9 3 {column}\n");
                text += &format!("#!body {name} 0.25 {y} {z}  13 0 -0.2  spin 1 -30 {column}\n");
            }
        }
        let mut run = run(&scene(&text));
        let sides: Vec<_> = run.world.positions().iter().map(|place| place.x > 0.0).collect();
        let before = run.world.kinetic_energy();
        let mut hits = 0;
        for step in 0..100 {
            hits += run.step().hits;
            for (object, is_right) in sides.iter().enumerate().skip(wall.lines().count()) {
                let body = run.bodies().body(object);
                let (low, high) = (-reach(&body, DVec3::NEG_X), reach(&body, DVec3::X));
                let (least, most) = if *is_right { (0.0, 0.4995) } else { (-1.0, 0.0) };
                let behind = (least - low).max(high - most) / body.bounding_radius();
                assert!(behind <= 1e-9, "step {step}: {object} from {low} to {high}");
            }
        }
        assert!(hits > 100, "{hits} hits are no test");
        let drift = run.world.kinetic_energy() / before - 1.0;
        assert!(drift.abs() < 1e-10, "relative drift {drift:e}");
    }
}

#[test]
fn cube_that_falls_flat_bounces_where_it_touches() {
    let small = "i -1 -1 -1  2 2 2  100 t\np -1 -1 0.5  2 2 0  z\n#!objects 0\n\
                 #!body die 0 0 0  0 0 -1\n#!body die 0.5 0.5 0.8  0 0 -1\n";
    let large = "i -500 -500 -500  1000 1000 1000  100 t\np -500 -500 0  1000 1000 0  z\n\
                 #!objects 0\n#!body die 0 0 0.15  0 0 -1\n";
    // After 2.1 s the lower one bounced at -0.9, the upper one between 0.6 and 0.9. After 1/3 s the last one at 0.1.
    for (text, steps, heights) in
        [(small, 126, &[0.3, 0.7][..]), (large, 20, &[20.0 / 60.0 + 0.05])]
    {
        let mut world = World::new(&scene(&format!("{text}#!shape die box 0.2 0.2 0.2\n")));
        (0..steps).for_each(|_| world.step(Hold::None));
        for (state, z) in world.bodies().unwrap().states().iter().zip(heights) {
            assert!(state.angular_momentum.length() < 1e-12, "{state:?}");
            assert!((state.velocity.z - 1.0).abs() < 1e-12, "{state:?}");
            assert!((state.position.z - z).abs() < 3e-5, "{state:?}, not at {z}");
        }
    }
}

#[test]
fn balls_among_bodies_move_as_spheres() {
    let random = "i -1 -1 -1  2 2 2  100 t\n#!objects 30\n#!radius uniform 0.1 0.2\n#!speed 1\n";
    // Concentric after the first step.
    let concentric = "i -2 -2 -2  4 4 4  100 t\n#!objects 0\n#!dt 0.25\n\
                      #!ball -0.25 0 0  0 1 0  0.25\n#!ball -0.25 0.25 0  0 0 0  0.25\n";
    for (text, steps, least) in [(random, 60, 6), (concentric, 2, 1)] {
        let far = "#!shape die box 1 1 1\n#!body die 9 9 9  0 0 0\n";
        let [mut alone, mut among] = ["", far].map(|far| run(&scene(&format!("{text}{far}"))));
        let mut resolved = 0;
        for step in 0..steps {
            let response = alone.step();
            assert_eq!(among.step(), response, "step {step}");
            resolved += response.resolved;
        }
        assert!(resolved >= least, "{resolved} collisions are no test");
        let [alone, among] = [&alone.world, &among.world];
        // Rounded to f32 in every step, or not.
        for (a, b) in alone.positions().iter().zip(among.positions()) {
            assert!(a.distance(*b) < 1e-4, "{a} {b}");
        }
    }
}

#[test]
fn layers_and_static_bodies_are_respected() {
    let text = "i -2 -1 -1  4 2 2  100 t\n#!objects 0\n#!dt 0.125\n#!shape die box 0.5 0.5 0.5\n\
                #!layer bodies group 1 meets 0\n#!ball -1 0 0  1 0 0  0.25\n\
                #!body die 0 0 0  0 0 0  static\n#!body die 0.5 0 0  -1 0 0\n";
    let mut run = run(&scene(text));
    // The moving body passes the static one, which it does not meet; the ball bounces off it, and meets the mover.
    let start = run.world.kinetic_energy();
    run.steps(2);
    assert_eq!(run.world.velocities()[2], Vec3::NEG_X);
    run.steps(20);
    assert_eq!(run.world.positions()[1], Vec3::ZERO);
    assert!((run.world.kinetic_energy() / start - 1.0).abs() < 1e-12);
    assert!(run.bodies().mass(1).is_infinite());
}

#[test]
fn body_falls_out_of_an_open_bottom_and_is_free() {
    let text = "i -1 -1 -1  2 2 2  100 f\n#!objects 0\n#!shape die box 0.2 0.2 0.2\n\
                #!body die 0 0 -0.5  0 0 -6\n";
    let mut run = run(&scene(text));
    run.steps(20);
    assert!(run.state(0).position.z < -2.4 && run.world.home(0).is_none(), "{:?}", run.state(0));
}

#[test]
fn flat_world_stays_in_its_planes() {
    let text = format!("{MIXED}#!flat\n#!ball 0 0.25 0  1 1 1  0.1\n");
    let mut run = run(&Scene { objects: 300, ..scene(&text) });
    let heights = |world: &World| world.positions().iter().map(|place| place.y).collect::<Vec<_>>();
    let before = heights(&run.world);
    let resolved = run.steps(40);
    assert!(resolved > 30, "{resolved} collisions are no test");
    assert_eq!(heights(&run.world), before);
    for object in 0..run.world.len() {
        let spin = run.bodies().angular_velocity(object);
        assert!(spin.x.abs() + spin.z.abs() <= 1e-12 * spin.y.abs(), "{object}: {spin}");
    }
}

#[test]
fn shares_and_radii_of_generated_bodies_are_those_of_the_scene() {
    let scene = scene(MIXED);
    let world = World::new(&scene);
    let bodies = world.bodies().unwrap();
    let mut counts = vec![0; bodies.shapes().len()];
    for object in 0..world.len() {
        counts[bodies.shape_of(object)] += 1;
        let radius = f64::from(world.radii()[object]);
        assert!((bodies.body(object).bounding_radius() / radius - 1.0).abs() < 1e-12);
        assert!((0.04..=0.07).contains(&world.radii()[object]));
        let speed = bodies.angular_velocity(object).length();
        let expected = if bodies.shape_of(object) == scene.shapes.len() { 0.0 } else { 5.0 };
        assert!((speed - expected).abs() < 1e-5, "{object}: {speed} rad/s");
    }
    assert_eq!(counts, [100, 100, 100, 100, 100, 100, 100, 50, 0, 150, 100]);
    assert_eq!(bodies.shapes().last().unwrap().name, "(sphere)");
    // Shapes have no part in where objects start.
    let spheres = World::new(&Scene { generated_bodies: Vec::new(), ..scene });
    assert!(spheres.bodies().is_none());
    assert_eq!(world.positions(), spheres.positions());
    assert_eq!(world.velocities(), spheres.velocities());
}

#[test]
fn scene_can_name_a_shape_as_it_likes() {
    let text = "i -9 -9 -9  18 18 18  100 t\n#!objects 1\n#!shape ball box 1 1 1\n\
                #!shape sphere box 1 1 1\n#!body ball 5 5 5  0 0 0\n#!body sphere 0 0 0  0 0 0\n";
    let world = World::new(&scene(text));
    let bodies = world.bodies().unwrap();
    let names: Vec<&str> = bodies.shapes().iter().map(|shape| shape.name.as_str()).collect();
    assert_eq!(names, ["ball", "sphere", "(sphere)"]);
    let corners = |object: usize| bodies.body(object).shape.parts()[0].core().vertices().len();
    assert_eq!([0, 1, 2].map(corners), [1, 8, 8]);
}
