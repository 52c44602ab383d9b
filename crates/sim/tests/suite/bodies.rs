//! Bodies in motion: what is conserved, what is never passed, and what the motion does not depend on.

use crate::body_reach::reach;
use crate::world_run::{MIXED, Run, kd_tree, scene};
use glam::{DVec3, Vec3};
use narrowphase::BoxKind;
use sim::{Hold, Scene, SceneDocument, World};

#[test]
fn rotation_too_fast_to_follow_is_slowed_down() {
    let text = |spin: &str, dt: &str| {
        format!(
            "i -9 -9 -9  18 18 18  100 t\n#!objects 4\n#!dt {dt}\n#!spin {spin}\n#!shape die box 1 1 1\n\
             #!bodies source 1 die 50\n#!body die 5 5 5  0 0 0  spin 0 -2000 0\n\
             #!body die -5 5 5  0 0 0  spin 0 15 0\n"
        )
    };
    for (spin, dt, lines) in
        [("15.9", "0.001", &[][..]), ("15.9", "1", &[7]), ("16.1", "1", &[4, 7])]
    {
        let text = text(spin, dt);
        let document = SceneDocument::parse("test.scene", text.as_bytes()).unwrap();
        let found: Vec<_> =
            document.warnings().iter().filter_map(|warning| warning.line()).collect();
        assert_eq!(found, lines, "{spin} {dt}");
        let slowed = |spin: &str| format!("a spin of {spin} rad/s is slowed down to 16.000 rad/s");
        if let Some(last) = document.warnings().last() {
            assert!(last.message().starts_with(&slowed("2000")), "{}", last.message());
        }
        let world = World::new(document.scene());
        let dt = f64::from(world.scene().dt);
        let spins = (0..6).map(|object| world.bodies().unwrap().angular_velocity(object));
        let fastest = spins.map(|spin| spin.length()).fold(0.0, f64::max);
        let expected = (16.0 / dt).min(2000.0);
        assert!((fastest / expected - 1.0).abs() < 1e-9, "{fastest}, not {expected}");
    }
}

fn angular_momentum(world: &World) -> DVec3 {
    let bodies = world.bodies().unwrap();
    let of = |(object, state): (usize, &sim::BodyState)| {
        state.position.cross(state.velocity) * bodies.mass(object) + state.angular_momentum
    };
    bodies.states().iter().enumerate().map(of).sum()
}

#[test]
fn free_bodies_keep_momentum_and_angular_momentum() {
    // Without its source nothing holds them.
    let free = format!("{MIXED}i 90 90 90  1 1 1  0 t\n#!event 0 remove-source 1\n")
        .replace("2 2 2  100 t", "1 1 1  100 t")
        .replace("#!objects 1000", "#!objects 120");
    let mut run = Run::new(&scene(&free), kd_tree());
    let (momentum, angular) = (run.world.momentum(), angular_momentum(&run.world));
    let scale = run.world.kinetic_energy();
    let resolved = run.steps(60);
    assert!(resolved > 20, "{resolved} collisions are no test");
    let change = (run.world.momentum() - momentum).length();
    let turned = (angular_momentum(&run.world) - angular).length();
    assert!(change < 1e-12 * scale, "momentum changed by {change:e} of {scale:e}");
    assert!(turned < 1e-12 * scale, "angular momentum changed by {turned:e} of {scale:e}");
}

#[test]
fn boxes_of_all_kinds_contain_the_bodies() {
    let mut world = World::new(&Scene { objects: 300, ..scene(MIXED) });
    let mut boxes = Vec::new();
    for kind in BoxKind::ALL {
        world.set_box_kind(kind);
        world.boxes(&mut boxes);
        let bodies = world.bodies().unwrap();
        for (object, bounds) in boxes.iter().enumerate() {
            let body = bodies.body(object);
            for (axis, direction) in DVec3::AXES.into_iter().enumerate() {
                let (high, low) = (reach(&body, direction), -reach(&body, -direction));
                let around =
                    f64::from(bounds.min[axis]) <= low && high <= f64::from(bounds.max[axis]);
                assert!(around, "{} of {object}: {bounds:?}", kind.id());
            }
        }
    }
}

#[test]
fn fast_bodies_pass_neither_obstacles_nor_static_bodies() {
    // A wall of obstacles at x = 0, and one of static plates at x = 0.5; all fly along +x by a third of the cube in
    // a step.
    let mut text = "\
i -1 -1 -1  2 2 2  100 t
#!objects 0
#!dt 0.05
#!shape plank box 0.02 0.1 0.2
#!shape rod capsule 0.02 0.2
#!shape tip cone 0.05 0.1 5
#!shape plate box 0.001 2 2
p 0 -1 -1  0 2 1  x
p 0 -1 0  0 2 1  x
#!body plate 0.5 0 0  0 0 0  static
"
    .to_owned();
    for (row, name) in ["plank", "rod", "tip"].into_iter().enumerate() {
        for column in 0..6 {
            let (y, z) = (0.5 * row as f32 - 0.5, 0.3 * column as f32 - 0.8);
            text += &format!("#!body {name} -0.5 {y} {z}  13 0.3 0.1  spin 9 3 {column}\n");
            text += &format!("#!body {name} 0.25 {y} {z}  13 0 -0.2  spin 1 -30 {column}\n");
        }
    }
    let mut run = Run::new(&scene(&text), kd_tree());
    let before = run.world.kinetic_energy();
    for step in 0..100 {
        run.step();
        let bodies = run.world.bodies().unwrap();
        for object in 1..run.world.len() {
            let body = bodies.body(object);
            let (low, high) = (-reach(&body, DVec3::NEG_X), reach(&body, DVec3::X));
            let (least, most) = if object % 2 == 1 { (-1.0, 0.0) } else { (0.0, 0.4995) };
            let behind = (least - low).max(high - most) / body.bounding_radius();
            assert!(behind <= 1e-9, "step {step}: {object} from {low} to {high}");
        }
    }
    let drift = run.world.kinetic_energy() / before - 1.0;
    assert!(drift.abs() < 1e-10, "relative drift {drift:e}");
}

#[test]
fn cube_that_falls_flat_bounces_without_rotating() {
    let text = "\
i -1 -1 -1  2 2 2  100 t
p -1 -1 0.5  2 2 0  z
#!objects 0
#!shape die box 0.2 0.2 0.2
#!body die 0 0 0  0 0 -1
#!body die 0.5 0.5 0.8  0 0 -1
";
    let mut world = World::new(&scene(text));
    (0..126).for_each(|_| world.step(Hold::None));
    let bodies = world.bodies().unwrap();
    for state in bodies.states() {
        assert!(state.angular_momentum.length() < 1e-12, "{state:?}");
        assert!((state.velocity.z - 1.0).abs() < 1e-12, "{state:?}");
    }
    // After 2.1 s: the lower one bounced at -0.9, the upper one between 0.6 and 0.9.
    let [low, high] = [0, 1].map(|object| world.positions()[object].z);
    assert!((low - 0.3).abs() < 3e-5 && (high - 0.7).abs() < 3e-5, "{low}, {high}");
}

#[test]
fn balls_among_bodies_move_as_spheres() {
    let spheres = "\
i -1 -1 -1  2 2 2  100 t
#!objects 30
#!radius uniform 0.1 0.2
#!speed 1
";
    let far = "#!shape die box 1 1 1\n#!body die 9 9 9  0 0 0\n";
    let mut alone = Run::new(&scene(spheres), kd_tree());
    let mut among = Run::new(&scene(&format!("{spheres}{far}")), kd_tree());
    let mut resolved = 0;
    for step in 0..60 {
        let response = alone.step();
        assert_eq!(among.step(), response, "step {step}");
        resolved += response.resolved;
    }
    assert!(resolved > 5, "{resolved} collisions are no test");
    // Rounded to f32 in every step, or not.
    for (a, b) in alone.world.positions().iter().zip(among.world.positions()) {
        assert!(a.distance(*b) < 1e-4, "{a} {b}");
    }
}

#[test]
fn layers_and_static_bodies_are_respected() {
    let text = "\
i -2 -1 -1  4 2 2  100 t
#!objects 0
#!dt 0.125
#!shape die box 0.5 0.5 0.5
#!layer bodies group 1 meets 0
#!ball -1 0 0  1 0 0  0.25
#!body die 0 0 0  0 0 0  static
#!body die 0.5 0 0  -1 0 0
";
    let mut run = Run::new(&scene(text), kd_tree());
    // The moving body passes the static one, which it does not meet; the ball bounces off it, and meets the mover.
    let start = run.world.kinetic_energy();
    run.steps(2);
    assert_eq!(run.world.positions()[1], Vec3::ZERO);
    assert_eq!(run.world.velocities()[2], Vec3::NEG_X);
    run.steps(20);
    assert_eq!(run.world.positions()[1], Vec3::ZERO);
    assert!((run.world.kinetic_energy() / start - 1.0).abs() < 1e-12);
    assert!(run.world.bodies().unwrap().mass(1).is_infinite());
}

#[test]
fn flat_world_stays_in_its_planes() {
    let text = format!("{MIXED}#!flat\n#!ball 0 0.25 0  1 1 1  0.1\n");
    let mut run = Run::new(&Scene { objects: 300, ..scene(&text) }, kd_tree());
    let heights: Vec<f32> = run.world.positions().iter().map(|position| position.y).collect();
    let resolved = run.steps(40);
    assert!(resolved > 30, "{resolved} collisions are no test");
    let now: Vec<f32> = run.world.positions().iter().map(|position| position.y).collect();
    assert_eq!(now, heights);
    let bodies = run.world.bodies().unwrap();
    for object in 0..run.world.len() {
        let spin = bodies.angular_velocity(object);
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
        let (body, radius) = (bodies.body(object), f64::from(world.radii()[object]));
        // The furthest point of its parts.
        let parts = body.shape.parts().iter();
        let furthest = parts.map(|part| part.reach_from(DVec3::ZERO)).fold(0.0, f64::max);
        assert!((furthest * body.scale / radius - 1.0).abs() < 1e-12);
        assert!((0.04..=0.07).contains(&world.radii()[object]));
        let speed = bodies.angular_velocity(object).length();
        let expected = if bodies.shape_of(object) == scene.shapes.len() { 0.0 } else { 5.0 };
        assert!((speed - expected).abs() < 1e-5, "{object}: {speed} rad/s");
    }
    assert_eq!(counts, [100, 100, 100, 100, 100, 100, 100, 50, 0, 150, 100]);
    assert_eq!(bodies.shapes().last().unwrap().name, "(sphere)");
}

#[test]
fn places_of_objects_do_not_depend_on_their_shapes() {
    let bodies = World::new(&Scene { objects: 200, ..scene(MIXED) });
    let spheres = Scene { objects: 200, generated_bodies: Vec::new(), ..scene(MIXED) };
    let spheres = World::new(&spheres);
    assert!(spheres.bodies().is_none());
    assert_eq!(bodies.positions(), spheres.positions());
    assert_eq!(bodies.velocities(), spheres.velocities());
}
